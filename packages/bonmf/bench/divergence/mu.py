"""Processor seconds of one iteration of scikit-learn's mu by the Kullback-Leibler divergence, from given factors."""

import json
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.decomposition import NMF

sys.path.insert(0, str(Path(__file__).parent.parent / "contestants" / "python"))
from files import read_rows, read_set  # noqa: E402

warnings.filterwarnings("ignore")
job = json.load(sys.stdin)
X = read_set(job["set"])
W, H = read_rows(job["W"], job["k"]), read_rows(job["H"], X.shape[0])
# scikit-learn updates its left factor first, and bonmf updates W first: on the transposed problem both agree.
Xt = X.T.tocsr() if hasattr(X, "tocsr") else np.ascontiguousarray(X.T)


def run(iterations):
    nmf = NMF(job["k"], solver="mu", beta_loss="kullback-leibler", init="custom", tol=0, max_iter=iterations)
    began = time.process_time()
    nmf.fit_transform(Xt, W=np.ascontiguousarray(W.T), H=np.ascontiguousarray(H.T))
    return time.process_time() - began, nmf.reconstruction_err_**2 / 2


run(job["few"])
found = []
for _ in range(job["rounds"]):
    few, _unused = run(job["few"])
    many, divergence = run(job["many"])
    found.append((many - few) / (job["many"] - job["few"]))
json.dump({"seconds": float(np.median(found)), "divergence": float(divergence)}, sys.stdout)
