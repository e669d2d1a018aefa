"""Algorithm 1 of the paper (BONMF) as one would write it with numpy, dense or sparse, to its fixed point."""

import numpy as np
from files import read_rows, read_set, timed, write_labels
from scipy.sparse import csr_matrix, issparse


def fit(X, W, limit):
    n, k = X.shape[0], len(W)
    labels = np.full(n, -1)
    for iteration in range(1, limit + 1):
        lengths = np.linalg.norm(W, axis=1, keepdims=True)
        directions = W / np.where(lengths == 0, 1, lengths)
        closest = np.argmax(X @ directions.T, axis=1)
        if np.array_equal(closest, labels):
            break
        labels = closest
        counts = np.bincount(labels, minlength=k)[:, None]
        W = np.where(counts == 0, W, add_up(X, labels, k) / np.maximum(counts, 1)).astype(np.float32)
    return labels, iteration


def add_up(X, labels, k):
    """The sum of each cluster's samples, k × m."""
    H = csr_matrix((np.ones(len(labels), np.float32), labels, np.arange(len(labels) + 1)), (len(labels), k))
    sums = H.T @ X
    return sums.toarray() if issparse(sums) else sums


def load(job):
    X, W = read_set(job["set"]), read_rows(job["start"], job["k"])

    def run(_):
        seconds, (labels, iterations) = timed(lambda: fit(X, W, job["options"]["max_iter"]))
        write_labels(job["out"], labels)
        return {"seconds": seconds, "iterations": iterations}

    return run
