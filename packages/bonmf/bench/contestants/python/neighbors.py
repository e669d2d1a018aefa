"""The nearest training sample by angle, by one dense float32 matrix product; or that product alone."""

import numpy as np
from files import read_set, timed, write_labels


def load(job):
    X, Q = (to_unit(read_set(job[part])) for part in ("train", "test"))
    search = job["search"]

    def run(_):
        seconds, result = timed(lambda: np.argmax(Q @ X.T, axis=1) if search else Q @ X.T)
        if search:
            write_labels(job["out"], result)
        return {"seconds": seconds}

    return run


def to_unit(X):
    X = X.toarray()
    lengths = np.linalg.norm(X, axis=1, keepdims=True)
    return X / np.where(lengths == 0, 1, lengths)
