"""scikit-learn's classifiers on the splits of run.js, as they come. `export NAME PATH` writes a bundled set as CSV;
`score FOLDER TRAIN` reads samples, classes and the numbers of the training samples, and prints JSON; with a third argument `balanced`, classes count alike."""

import json
import sys
import time
import warnings

import numpy as np
import scipy.sparse as sp
from scipy.special import logsumexp
from sklearn import datasets
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, balanced_accuracy_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

warnings.filterwarnings("ignore")


def export(name, path):
    samples, classes = getattr(datasets, f"load_{name}")(return_X_y=True)
    names = ",".join(f"f{f}" for f in range(samples.shape[1]))
    table = np.column_stack([samples, classes])
    np.savetxt(path, table, delimiter=",", header=names + ",class", comments="", fmt="%.17g")


def read(folder):
    with open(f"{folder}/set.json") as file:
        header = json.load(file)
    array = lambda name, kind: np.fromfile(f"{folder}/{name}", dtype=kind)
    if header["sparse"]:
        parts = (array("values", np.float32), array("indices", np.int32), array("offsets", np.int32))
        samples = sp.csr_matrix(parts, shape=(header["samples"], header["features"])).astype(np.float64)
    else:
        samples = array("values", np.float32).reshape(header["samples"], header["features"]).astype(np.float64)
    return header, samples, array("classes", np.int32)


def score(folder, train, weights=None):
    header, samples, classes = read(folder)
    chosen = np.zeros(header["samples"], dtype=bool)
    chosen[np.fromfile(train, dtype=np.int32)] = True
    if header["text"]:
        scaler = TfidfTransformer()
    else:
        scaler = StandardScaler()
        samples = samples.toarray() if sp.issparse(samples) else samples
    fitted = scaler.fit_transform(samples[chosen])
    asked = scaler.transform(samples[~chosen])
    peers = {
        "LogisticRegression": LogisticRegression(class_weight=weights),
        "LinearSVC": LinearSVC(class_weight=weights),
        "KNeighbors": KNeighborsClassifier(),
        "RandomForest": RandomForestClassifier(random_state=0, class_weight=weights),
    }
    row = {}
    for name, peer in peers.items():
        warm = np.random.default_rng(0).random((20, 3))
        clone(peer).fit(warm, np.arange(20) % 2).predict(warm)  # what is loaded on first use is not their time
        start = time.process_time()
        peer.fit(fitted, classes[chosen])
        measure = balanced_accuracy_score if weights else accuracy_score
        right = float(measure(classes[~chosen], peer.predict(asked)))
        row[name] = {"accuracy": right, "seconds": time.process_time() - start}
    print(json.dumps(row))


def logistic(folder, found):
    """Time and objective of LogisticRegression on samples as they are, and the objective of coefficients in a file."""
    _, samples, classes = read(folder)
    warm = np.random.default_rng(0).random((20, 3))
    LogisticRegression().fit(warm, np.arange(20) % 2)
    peer = LogisticRegression(max_iter=5000, tol=1e-5)
    wall, processor = time.perf_counter(), time.process_time()
    peer.fit(samples, classes)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    rows = len(peer.intercept_)
    theirs = np.fromfile(found, dtype=np.float64)
    size = rows * samples.shape[1]
    row = {
        "seconds": wall,
        "processor": processor,
        "objective": objective(samples, classes, peer.coef_, peer.intercept_),
        "found": objective(samples, classes, theirs[:size].reshape(rows, -1), theirs[size:]),
    }
    print(json.dumps(row))


def objective(samples, classes, coefficients, intercepts):
    scores = samples @ coefficients.T + intercepts
    if len(intercepts) == 1:
        scores = np.hstack([np.zeros_like(scores), scores])
    loss = logsumexp(scores, axis=1) - scores[np.arange(len(classes)), classes]
    return float(loss.sum() + 0.5 * (coefficients**2).sum())


if __name__ == "__main__":
    {"export": export, "score": score, "logistic": logistic}[sys.argv[1]](*sys.argv[2:])
