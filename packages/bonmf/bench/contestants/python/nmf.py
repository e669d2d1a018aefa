"""NMF for a given number of iterations from given factors. Here X is n × m, H is n × k and W is k × m."""

import numpy as np
from files import read_rows, read_set, timed

EPSILON = np.finfo(np.float32).eps


def load_sklearn(job):
    from sklearn.decomposition import NMF

    X, W, H = load_factors(job)

    def fit(iterations):
        # scikit-learn updates its left factor first, and bonmf updates W first: on the transposed problem both agree.
        nmf = NMF(len(W), solver=job["solver"], init="custom", tol=0, max_iter=iterations)
        left = nmf.fit_transform(X.T, W=np.ascontiguousarray(W.T), H=np.ascontiguousarray(H.T))
        return left.T, nmf.components_.T

    return run_with(fit, X)


def load_numpy(job):
    X, W0, H0 = load_factors(job)

    def fit(iterations):
        W, H = W0.copy(), H0.copy()
        for _ in range(iterations):
            W *= (H.T @ X) / (H.T @ H @ W + EPSILON)
            H *= (X @ W.T) / (H @ (W @ W.T) + EPSILON)
        return W, H

    return run_with(fit, X)


def load_factors(job):
    X = read_set(job["set"])
    return X, read_rows(job["W"], job["k"]), read_rows(job["H"], len(X))


def run_with(fit, X):
    import warnings

    warnings.filterwarnings("ignore", message="Maximum number of iterations")

    def run(request):
        seconds, (W, H) = timed(lambda: fit(request["iterations"]))
        return {"seconds": seconds, "iterations": request["iterations"], "objective": loss(X, W, H)}

    return run


def loss(X, W, H, rows=1000):
    """‖X − HW‖² in float64, some rows at a time."""
    W = W.astype(np.float64)
    parts = (X[i : i + rows] - H[i : i + rows].astype(np.float64) @ W for i in range(0, len(X), rows))
    return float(sum(np.vdot(part, part) for part in parts))
