"""Reads a bonmf model file with safetensors and numpy alone, predicts with it, and prints both as JSON.

usage: read_model.py MODEL SAMPLES (a JSON file: one array of numbers a sample)
"""

import json
import sys

import numpy as np
from safetensors import safe_open


def read_model(path):
    with safe_open(path, framework="numpy") as file:
        metadata = file.metadata()
        tensors = {name: file.get_tensor(name) for name in file.keys()}
    if metadata.get("format") != "bonmf" or metadata.get("format_version") != "1":
        raise ValueError(f"{path} is no bonmf model of format version 1")
    return json.loads(metadata["model"]), tensors


def scale(X, model, tensors):
    if model["scaler"] == "none":
        return X
    if model["scaler"] == "l2":
        lengths = np.linalg.norm(X, axis=1, keepdims=True)
        return X / np.where(lengths == 0, 1, lengths)
    if model["scaler"] == "minmax":
        span = tensors["scaler.range"]
        return np.where(span == 0, 0, np.maximum(0, X - tensors["scaler.min"]) / np.where(span == 0, 1, span))
    if model["scaler"] in ("standard", "lift"):
        sd = tensors["scaler.sd"]
        Z = np.where(sd == 0, 0, (X - tensors["scaler.mean"]) / np.where(sd == 0, 1, sd))
        return np.hstack([Z, np.ones((len(Z), 1))]) if model["scaler"] == "lift" else Z
    if model["scaler"] == "exponent":
        return X * tensors["scaler.factor"]
    raise ValueError(f"the scaler {model['scaler']} is not written here")


def predict(X, model, tensors):
    Z, W = scale(X, model, tensors), tensors["W"]
    lengths = np.linalg.norm(W, axis=1)
    if model["settings"]["method"] == "bonmf":
        scores = Z @ W.T / np.where(lengths == 0, np.inf, lengths)
    elif model["settings"]["method"] == "kmeans":
        scores = 2 * Z @ W.T - lengths**2
    else:
        return None
    return scores.argmax(axis=1)


if __name__ == "__main__":
    model, tensors = read_model(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as file:
        predicted = predict(np.array(json.load(file)), model, tensors)
    shown = {name: {"shape": tensor.shape, "data": tensor.ravel().tolist()} for name, tensor in tensors.items()}
    predicted = None if predicted is None else predicted.tolist()
    json.dump({"model": model, "tensors": shown, "predicted": predicted}, sys.stdout)
