"""Runs scikit-learn from given factors: reads a JSON job from standard input and prints what came of it as JSON."""

import json
import sys

import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import NMF


def run_kmeans(X, W):
    found = KMeans(len(W), init=W, n_init=1, algorithm="lloyd", tol=0, max_iter=1000).fit(X)
    return {"labels": found.labels_.tolist(), "W": found.cluster_centers_.tolist(), "iterations": found.n_iter_}


def run_nmf(X, W, H, iterations, solver="mu", loss="frobenius", alpha_W=0.0, alpha_H=0.0, l1_ratio=0.0):
    # scikit-learn updates the left factor first, and bonmf updates W first: on the transposed problem both agree.
    how = {"solver": solver, "beta_loss": loss, "alpha_W": alpha_W, "alpha_H": alpha_H, "l1_ratio": l1_ratio}
    nmf = NMF(len(W), init="custom", tol=0, max_iter=iterations, **how)
    left = nmf.fit_transform(np.ascontiguousarray(X.T), W=np.ascontiguousarray(W.T), H=np.ascontiguousarray(H.T))
    return {"W": left.T.tolist(), "H": nmf.components_.T.tolist()}


def encode(X, W, iterations, solver="mu", loss="frobenius", alpha_W=0.0, alpha_H=0.0, l1_ratio=0.0):
    # Here the left factor is H.
    how = {"solver": solver, "beta_loss": loss, "alpha_W": alpha_H, "alpha_H": alpha_W, "l1_ratio": l1_ratio}
    nmf = NMF(len(W), init="custom", tol=0, max_iter=iterations, **how)
    nmf.components_ = W
    nmf.n_components_ = len(W)
    nmf.n_features_in_ = X.shape[1]
    return {"H": nmf.transform(X).tolist()}


job = json.load(sys.stdin)
arrays = {name: np.array(value) for name, value in job["arrays"].items()}
run = {"kmeans": run_kmeans, "nmf": run_nmf, "encode": encode}[job["run"]]
json.dump(run(**arrays, **job["options"]), sys.stdout)
