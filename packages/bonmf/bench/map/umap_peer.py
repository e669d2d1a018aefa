"""umap-learn on the same samples, one thread, warm; and how well both maps keep neighbours, for 1000 of the samples."""
import json
import os
import sys
import time

os.environ.update(OMP_NUM_THREADS="1", NUMBA_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import numpy as np
import umap

NEAR = 15
ASKED = 1000


def order(X, rows):
    """All samples by their distance from each of the rows, nearest first."""
    squares = (X * X).sum(1)
    D = squares[None] - 2 * X[rows] @ X.T
    D[np.arange(len(rows)), rows] = -np.inf
    return np.argsort(D, axis=1, kind="stable")


def trust(from_order, to_order):
    """Venna and Kaski 2001: 1 less what the neighbours in `to_order` rank too far in `from_order`."""
    asked, n = from_order.shape
    ranks = np.empty_like(from_order)
    np.put_along_axis(ranks, from_order, np.broadcast_to(np.arange(n), from_order.shape), 1)
    beyond = np.take_along_axis(ranks, to_order[:, 1 : NEAR + 1], 1) - NEAR
    return 1 - beyond[beyond > 0].sum() * 2 / (asked * NEAR * (2 * n - 3 * NEAR - 1))


folder, metric = sys.argv[1:]
X = np.load(f"{folder}/samples.npy").astype(np.float32)
umap.UMAP(metric=metric, random_state=0).fit(np.random.default_rng(0).random((4500, 20)))
begin = time.process_time()
theirs = umap.UMAP(metric=metric, random_state=0).fit_transform(X)
seconds = time.process_time() - begin

rows = np.linspace(0, len(X) - 1, min(ASKED, len(X))).astype(int)
if metric == "cosine":
    X /= np.maximum(1e-12, np.linalg.norm(X, axis=1, keepdims=True))
own = order(X - X.mean(0), rows)


def measure(places):
    there = order(places - places.mean(0), rows)
    return [round(float(trust(own, there)), 4), round(float(trust(there, own)), 4)]


print(json.dumps({"ours": measure(np.load(f"{folder}/places.npy")), "theirs": measure(theirs), "seconds": seconds}))
