"""k-means to its fixed point by scikit-learn, or for a given number of iterations by faiss."""

import numpy as np
from files import read_rows, read_set, timed, write_labels


def load_sklearn(job):
    from sklearn.cluster import KMeans

    X, W, options = read_set(job["set"]), read_rows(job["start"], job["k"]), job["options"]

    def run(_):
        kmeans = KMeans(job["k"], init=W, n_init=1, tol=0, **options)
        seconds, found = timed(lambda: kmeans.fit(X))
        write_labels(job["out"], found.labels_)
        return {"seconds": seconds, "iterations": found.n_iter_}

    return run


def load_faiss(job):
    import faiss

    X, W = read_set(job["set"]), read_rows(job["start"], job["k"])

    def fit(iterations):
        # No sampling: every sample counts, as for the others.
        every = {"max_points_per_centroid": len(X), "min_points_per_centroid": 1}
        kmeans = faiss.Kmeans(X.shape[1], job["k"], niter=iterations, nredo=1, **every)
        kmeans.train(X, init_centroids=np.array(W))
        return kmeans.index.search(X, 1)[1][:, 0]

    def run(request):
        seconds, labels = timed(lambda: fit(request["iterations"]))
        write_labels(job["out"], labels)
        return {"seconds": seconds, "iterations": request["iterations"]}

    return run
