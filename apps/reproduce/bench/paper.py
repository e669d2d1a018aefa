"""The paper's method as one would write it with numpy. X is m × n with one column a sample, as in the paper.

Answers JSON lines: {"task": "load" | "letter" | "mean" | "samples" | "loop" | "brute", "turn": …} → {"seconds": …}, the
mean of a turn: the work is done again until that many seconds have gone. Loading says the precision, "f64" or "f32".
"""

import json
import os
import sys
import time

import numpy as np

LIMIT = 300


def load(folder, k, m, kind):
    def read(name):
        return np.fromfile(os.path.join(folder, name), np.float32).astype(np.float64 if kind == "f64" else np.float32)

    X = np.asfortranarray(read("X").reshape(-1, m).T)
    Q = np.asfortranarray(read("Q").reshape(-1, m).T)
    y = np.fromfile(os.path.join(folder, "y"), np.int32)
    return {"X": X, "Q": Q, "W": read("W").reshape(k, m).T.copy(), "y": y, "k": k}


def assign(X, lengths, W):
    """Equations 12 and 13: the column of W with the largest cosine."""
    norms = np.linalg.norm(W, axis=0)
    cosines = (W / np.where(norms == 0, 1, norms)).T @ (X / lengths)
    return np.argmax(cosines, axis=0)


def fit(X, W, k, update):
    """Algorithm 1 until no label changes, from W and H = (WᵀW)⁻¹WᵀX."""
    n = X.shape[1]
    lengths = np.linalg.norm(X, axis=0)
    lengths[lengths == 0] = 1
    H = np.linalg.pinv(W.T @ W) @ (W.T @ X)
    labels = assign(X, lengths, W) if update == "mean" else None
    for iteration in range(1, LIMIT + 1):
        if update == "mean":
            H = np.zeros((k, n), X.dtype)
            H[labels, np.arange(n)] = 1
            counts = H.sum(axis=1)
            W = np.where(counts == 0, W, (X @ H.T) / np.maximum(counts, 1))
        else:
            below = W @ (H @ H.T)
            # The first H may have negative entries; W must not.
            W = np.maximum(W * np.divide(X @ H.T, below, out=np.zeros_like(W), where=below != 0), 0)
        found = assign(X, lengths, W)
        if labels is not None and np.array_equal(found, labels):
            break
        labels = found
        if update != "mean":
            H = np.zeros((k, n), X.dtype)
            H[labels, np.arange(n)] = 1
    return W, labels, iteration


def unit(X):
    lengths = np.linalg.norm(X, axis=0)
    return X / np.where(lengths == 0, 1, lengths)


def by_samples(X, Q, W, labels, y):
    """One query after another, the members of its cluster at once."""
    members = [np.flatnonzero(labels == j) for j in range(W.shape[1])]
    units = [unit(X[:, ids]) for ids in members]
    V = unit(W)
    V[:, [len(ids) == 0 for ids in members]] = -1
    answers = []
    for x in Q.T:
        j = np.argmax(x @ V)
        answers.append(int(y[members[j][np.argmax(x @ units[j])]]))
    return answers


def by_members(X, Q, W, labels, y):
    """One query after another, one member after another."""
    answers = []
    for x in Q.T:
        length = np.linalg.norm(x)
        cosines = [np.dot(x, w) / (length * np.linalg.norm(w)) if w.any() and length else 0 for w in W.T]
        best, answer = -1, 0
        for i in np.flatnonzero(labels == np.argmax(cosines)):
            z = X[:, i]
            scale = length * np.linalg.norm(z)
            cosine = np.dot(x, z) / scale if scale else 0
            if cosine > best:
                best, answer = cosine, int(y[i])
        answers.append(answer)
    return answers


def by_force(X, Q, y, rows=2000):
    """All training samples, some queries at a time so that memory suffices."""
    V = unit(X)
    return np.concatenate([y[np.argmax(Q[:, i : i + rows].T @ V, axis=1)] for i in range(0, Q.shape[1], rows)])


def timed(work, turn=0):
    began = time.perf_counter()
    runs = 0
    while True:
        result = work()
        runs += 1
        gone = time.perf_counter() - began
        if gone >= turn:
            return gone / runs, result


def main():
    state = {}
    for line in sys.stdin:
        request = json.loads(line)
        task = request.pop("task")
        turn = request.pop("turn", 0)
        answer = {}
        if task == "load":
            state = load(**request)
        elif task in ("letter", "mean"):
            seconds, (W, labels, iterations) = timed(lambda: fit(state["X"], state["W"], state["k"], task), turn)
            answer = {"seconds": seconds}
            if task == "letter":
                state["fitted"], state["iterations"] = (W, labels), iterations
        elif task == "brute":
            answer = {"seconds": timed(lambda: by_force(state["X"], state["Q"], state["y"]), turn)[0]}
        else:
            Q = state["Q"] if task == "samples" else state["Q"][:, :10]
            search = by_samples if task == "samples" else by_members
            seconds, labels = timed(lambda: search(state["X"], Q, *state["fitted"], state["y"]), turn)
            seconds *= state["Q"].shape[1] / Q.shape[1]
            answer = {"seconds": seconds, "labels": labels, "iterations": state["iterations"]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
