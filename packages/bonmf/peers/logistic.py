"""Reads a linear classifier with numpy alone, and compares its objective with that of scikit-learn's LogisticRegression; with codes, of Ridge."""

import json
import sys

import numpy as np
from safetensors import safe_open
from sklearn.linear_model import LogisticRegression, Ridge

path, samples = sys.argv[1:]
with open(samples) as file:
    given = json.load(file)
with safe_open(path, framework="numpy") as file:
    tensors = {name: file.get_tensor(name) for name in file.keys()}

rows = np.array(given["rows"])
sd = tensors["scaler.sd"]
X = np.where(sd > 0, (rows - tensors["scaler.mean"]) / np.where(sd > 0, sd, 1), 0)
if "classifier.codes" in tensors:
    gamma, unit = tensors["classifier.codes"]
    square = ((X[:, None, :] - tensors["W"][None, :, :]) ** 2).sum(axis=2)
    X = np.hstack([np.exp(-gamma * square), X * unit])
y = np.array(given["y"])


def scores(coefficients, intercepts):
    found = X @ coefficients.T + intercepts
    return np.hstack([np.zeros((len(X), 1)), found]) if found.shape[1] == 1 else found


def log_loss(coefficients, intercepts):
    found = scores(coefficients, intercepts)
    logs = found - np.logaddexp.reduce(found, axis=1, keepdims=True)
    return -logs[np.arange(len(y)), y].sum() + given["penalty"] / 2 * (coefficients**2).sum()


def squares(coefficients, intercepts):
    return ((targets - X @ coefficients.T - intercepts) ** 2).sum() + given["penalty"] * (coefficients**2).sum()


own = (tensors["classifier.coefficients"], tensors["classifier.intercepts"])
found = scores(*own)
probabilities = np.exp(found - np.logaddexp.reduce(found, axis=1, keepdims=True))
if "classifier.codes" in tensors:
    # Answers are stored ten times as large, for their softmax.
    own = tuple(part / 10 for part in own)
    objective = squares
    targets = np.where(y == 1, 1, -1)[:, None] if y.max() == 1 else np.eye(y.max() + 1)[y]
    peer = Ridge(alpha=given["penalty"]).fit(X, targets)
else:
    objective = log_loss
    peer = LogisticRegression(C=1 / given["penalty"], tol=1e-9, max_iter=10000).fit(X, y)
print(
    json.dumps(
        {
            "probabilities": probabilities.ravel().tolist(),
            "objective": objective(*own),
            "best": objective(np.atleast_2d(peer.coef_), np.atleast_1d(peer.intercept_)),
        }
    )
)
