"""Processes from their start to the topics: the best of some runs, in turn.

cold.py DOCUMENTS.txt K RUNS NODE LIBRARY COMMAND
"""
import os
import subprocess
import sys
import time

LIBRARY = """
import { readFileSync } from "node:fs";
const [library, documents, k] = process.argv.slice(1);
const { topics } = await import(library);
const found = await topics(readFileSync(documents, "utf8").trim().split("\\n"), { k: Number(k) });
for (const { telling } of found.list) console.log(telling.slice(0, 10).map(({ word }) => word).join(", "));
"""

SKLEARN = """
import sys
from sklearn.decomposition import NMF
from sklearn.feature_extraction.text import TfidfVectorizer
texts = open(sys.argv[1], encoding="utf8").read().splitlines()
vectorizer = TfidfVectorizer(stop_words="english", min_df=2, max_df=0.5, max_features=20000)
model = NMF(int(sys.argv[2])).fit(vectorizer.fit_transform(texts))
words = vectorizer.get_feature_names_out()
for row in model.components_:
    print(", ".join(words[row.argsort()[::-1][:10]]))
"""


def measure(command):
    start = time.time()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        raise SystemExit(f"{command[0]} failed")
    return time.time() - start, usage.ru_utime + usage.ru_stime


documents, k, runs, node, library, command = sys.argv[1:]
contestants = {
    "topics() in a script": [node, "--input-type=module", "-e", LIBRARY, library, documents, k],
    "bonmf topics": [node, command, "topics", documents, "--kind", "text", "--k", k],
    "TfidfVectorizer + NMF": [sys.executable, "-c", SKLEARN, documents, k],
}
found = {name: [] for name in contestants}
for _ in range(int(runs)):
    for name, line in contestants.items():
        found[name].append(measure(line))
print("| | seconds | processor seconds |\n| --- | --- | --- |")
for name, times in found.items():
    print(f"| {name} | {min(wall for wall, _ in times):.2f} | {min(cpu for _, cpu in times):.2f} |")
