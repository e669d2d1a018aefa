"""Reads the training samples of a vote from its file, and lets scikit-learn's KNeighborsClassifier vote on others."""

import json
import sys

import numpy as np
from safetensors import safe_open
from sklearn.neighbors import KNeighborsClassifier

path, samples = sys.argv[1:]
with open(samples) as file:
    Q = np.array(json.load(file))
with safe_open(path, framework="numpy") as file:
    Z, y = file.get_tensor("classifier.Z").astype(float), file.get_tensor("classifier.y")
    fields = json.loads(file.metadata()["classifier"])

# Old files have neither field; samples near by angle are those near by distance once all have length 1.
if fields.get("metric", "angle") == "angle":
    Z, Q = (X / np.linalg.norm(X, axis=1, keepdims=True) for X in (Z, Q))
weights = "distance" if fields.get("votes", "equal") == "closer" else "uniform"
peer = KNeighborsClassifier(fields["neighbors"], weights=weights, algorithm="kd_tree").fit(Z, y)
print(json.dumps({"weights": weights, "probabilities": peer.predict_proba(Q).ravel().tolist()}))
