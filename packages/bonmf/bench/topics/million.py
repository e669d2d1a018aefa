"""Many short documents, cold: `bonmf topics` beside scikit-learn's TfidfVectorizer and MiniBatchKMeans.

Documents are one to three sentences of real texts, drawn at random.

million.py TEXTS.json DOCUMENTS.txt COUNT K NODE BONMF
"""
import json
import os
import random
import re
import subprocess
import sys
import time

SKLEARN = """
import sys
from sklearn.cluster import MiniBatchKMeans
from sklearn.feature_extraction.text import TfidfVectorizer
texts = open(sys.argv[1], encoding="utf8").read().splitlines()
X = TfidfVectorizer(stop_words="english", min_df=2, max_df=0.5, max_features=20000).fit_transform(texts)
MiniBatchKMeans(int(sys.argv[2]), random_state=0, n_init=3).fit(X)
"""


def write_documents(source, target, count):
    texts = json.load(open(source, encoding="utf8"))["texts"]
    # Texts without full stops are cut into pieces of some words.
    sentences = [s.strip() for text in texts for s in re.split(r"[.!?\n]+", text) if len(s.split()) >= 4]
    if len(sentences) < 3 * len(texts):
        sentences = [" ".join(words[at : at + 12]) for words in map(str.split, texts) for at in range(0, len(words), 12)]
    draw = random.Random(1)
    with open(target, "w", encoding="utf8") as file:
        for _ in range(count):
            file.write(". ".join(draw.choice(sentences) for _ in range(draw.randint(1, 3))) + "\n")


def measure(name, command):
    start = time.time()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        raise SystemExit(f"{name} failed")
    cpu = usage.ru_utime + usage.ru_stime
    print(f"| {name} | {time.time() - start:.1f} | {cpu:.1f} | {usage.ru_maxrss / 2**20:.2f} |", flush=True)


source, target, count, k, node, bonmf = sys.argv[1:]
if not os.path.exists(target):
    write_documents(source, target, int(count))
print(f"{int(count):,} documents, k = {k}\n\n| | seconds | processor seconds | GB |\n| --- | --- | --- | --- |")
measure("bonmf topics", [node, bonmf, "topics", target, "--kind", "text", "--k", k])
measure("TfidfVectorizer + MiniBatchKMeans", [sys.executable, "-c", SKLEARN, target, k])
