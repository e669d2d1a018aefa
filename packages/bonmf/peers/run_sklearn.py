"""Runs scikit-learn from given factors: reads a JSON job from standard input and prints what came of it as JSON."""

import json
import sys

import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import NMF


def run_kmeans(X, W):
    found = KMeans(len(W), init=W, n_init=1, algorithm="lloyd", tol=0, max_iter=1000).fit(X)
    return {"labels": found.labels_.tolist(), "W": found.cluster_centers_.tolist(), "iterations": found.n_iter_}


def run_nmf(X, W, H, iterations):
    # scikit-learn updates the left factor first, and bonmf updates W first: on the transposed problem both agree.
    nmf = NMF(len(W), solver="mu", init="custom", beta_loss="frobenius", tol=0, max_iter=iterations)
    left = nmf.fit_transform(np.ascontiguousarray(X.T), W=np.ascontiguousarray(W.T), H=np.ascontiguousarray(H.T))
    return {"W": left.T.tolist(), "H": nmf.components_.T.tolist()}


job = json.load(sys.stdin)
arrays = {name: np.array(value) for name, value in job["arrays"].items()}
run = {"kmeans": run_kmeans, "nmf": run_nmf}[job["run"]]
json.dump(run(**arrays, **job["options"]), sys.stdout)
