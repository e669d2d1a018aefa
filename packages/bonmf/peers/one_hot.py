"""Follows runs of bonmf, spherical and kmeans step by step, in exact fractions: reads a JSON list of runs from standard
input and prints what is wrong with each as JSON.

A run has X, weights, the method, and for every iteration the W it used and the labels it found. Each label must be that of
the best prototype, ties to the lowest number; each next W must be the means of the members before it, with empty clusters
kept or given the sample that fits worst.
"""

import json
import sys
from fractions import Fraction

import numpy as np


def exact(rows):
    return [[Fraction(value) for value in row] for row in rows]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def score(method, x, w):
    """Larger is better. By angle: cos θ times its size, which is rational and orders as cos θ does."""
    if method == "kmeans":
        return -sum((a - b) ** 2 for a, b in zip(x, w))
    lengths = dot(x, x) * dot(w, w)
    product = dot(x, w)
    return product * abs(product) / lengths if lengths > 0 else Fraction(0)


def check_labels(run, W, labels, slack):
    """Rounding may decide between scores that are almost the same, but never between the same prototypes."""
    method, X = run["method"], exact(run["X"])
    W = exact(W)
    wrong, ties = [], 0
    for i, (x, label) in enumerate(zip(X, labels)):
        scores = [score(method, x, w) for w in W]
        best = max(scores)
        size = abs(best) if method != "kmeans" else dot(x, x) + max(dot(w, w) for w in W)
        ties += scores.count(best) > 1
        if best - scores[label] > slack * size:
            wrong.append(f"sample {i} is in cluster {label}, but {scores.index(best)} is closer")
        if W.index(W[label]) != label:
            wrong.append(f"sample {i} is in cluster {label}, the same as {W.index(W[label])}")
        if method != "kmeans" and not any(x) and label != 0:
            wrong.append(f"sample {i} is all zero, and in cluster {label}")
    return wrong, ties


def sums_of(run, labels, k):
    X = np.array(run["X"], dtype=float)
    if run["method"] == "spherical":
        lengths = np.linalg.norm(X, axis=1, keepdims=True)
        X = np.divide(X, lengths, out=np.zeros_like(X), where=lengths > 0)
    weights = np.array(run["weights"], dtype=float)
    sums = np.zeros((k, X.shape[1]))
    counts = np.zeros(k)
    np.add.at(sums, labels, weights[:, None] * X)
    np.add.at(counts, labels, weights)
    return X, weights, sums, counts


def reseed(run, W, labels, X, weights, sums, counts, empty):
    """Moves the worst fitting samples into empty clusters; False where two fit equally badly, so that rounding decides."""
    method, exactX, exactW = run["method"], exact(run["X"]), exact(W)
    by_angle = method != "kmeans"
    ranked = []
    for i, label in enumerate(labels):
        fit = score(method, exactX[i], exactW[label])
        useless = (not any(exactX[i])) if by_angle else fit == 0
        if weights[i] > 0 and not useless and not (by_angle and fit >= 1 - Fraction(1, 10**11)):
            ranked.append((fit, i))
    ranked.sort()
    fits = [float(fit) for fit, _ in ranked]
    if any(a != b and abs(a - b) < 1e-9 for a, b in zip(fits, fits[1:])):
        return False
    if any(a == b and run["X"][p] != run["X"][q] for (a, p), (b, q) in zip(ranked, ranked[1:])):
        return False
    for _, i in ranked:
        if not empty:
            break
        label = labels[i]
        rest = np.maximum(0, sums[label] - weights[i] * X[i]) if by_angle else sums[label] - weights[i] * X[i]
        left = np.linalg.norm(rest) / np.linalg.norm(X[i]) if by_angle else counts[label] - weights[i]
        if left <= 1e-12 * weights[i]:
            continue
        j = empty.pop(0)
        sums[label], sums[j] = rest, weights[i] * X[i]
        counts[label] -= weights[i]
        counts[j] = weights[i]
    return True


def next_W(run, W, labels):
    k = len(W)
    X, weights, sums, counts = sums_of(run, labels, k)
    sizes = counts if run["method"] == "kmeans" else np.linalg.norm(sums, axis=1)
    empty = [j for j in range(k) if sizes[j] == 0]
    repaired = bool(empty) and run["emptyClusters"] == "reseed"
    if repaired and not reseed(run, W, labels, X, weights, sums, counts, empty):
        return None, repaired
    return np.where(counts[:, None] > 0, sums / np.maximum(counts, 1e-300)[:, None], np.array(W)), repaired


def follow(run):
    wrong, steps, ties, repairs = [], run["steps"], 0, 0
    slack = Fraction(1, 10**6 if run["precision"] == "f32" else 10**11)
    for t, step in enumerate(steps):
        found, tied = check_labels(run, step["W"], step["labels"], slack)
        wrong += [f"iteration {t + 1}: {what}" for what in found]
        ties += tied
        if t + 1 == len(steps):
            break
        expected, repaired = next_W(run, step["W"], step["labels"])
        repairs += repaired
        if not repaired and t > 0 and step["labels"] == steps[t - 1]["labels"]:
            wrong.append(f"iteration {t + 1} changed nothing, and another followed")
        if expected is None:
            continue
        apart = float(np.abs(expected - np.array(steps[t + 1]["W"])).max())
        if apart > 1e-9 * max(1.0, float(np.abs(expected).max())):
            wrong.append(f"iteration {t + 2}: W is {apart} from the means")
    return {"wrong": wrong, "ties": ties, "repairs": repairs, "steps": len(steps)}


json.dump([follow(run) for run in json.load(sys.stdin)], sys.stdout)
