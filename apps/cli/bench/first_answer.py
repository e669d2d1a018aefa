"""Writes tables as CSV files and clusters them with scikit-learn's usual pipeline; prints one JSON object a table.

usage: first_answer.py FOLDER DATA (DATA: the folder of datasets; FOLDER: where CSV files are written)

Needs scikit-learn, pandas and palmerpenguins. The pipeline sees the columns of numbers; missing ones are the median.
"""

import json
import sys
from pathlib import Path

import pandas as pd
from palmerpenguins import load_penguins
from sklearn import datasets
from sklearn.cluster import KMeans
from sklearn.metrics import normalized_mutual_info_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

SHIPPED = {
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
    "breast cancer": datasets.load_breast_cancer,
    "digits": datasets.load_digits,
}
FILES = ["segment", "pendigits", "optdigits", "letter", "diabetes", "banking"]
SEEDS = range(3)


def tables(folder, data):
    for name, load in SHIPPED.items():
        bunch = load(as_frame=True)
        path = folder / f"{name.replace(' ', '-')}.csv"
        frame = bunch.data.assign(**{"class": [str(bunch.target_names[t]) for t in bunch.target]})
        frame.to_csv(path, index=False)
        yield name, path, "class", frame
    path = folder / "penguins.csv"
    load_penguins().to_csv(path, index=False)
    yield "penguins", path, "species", pd.read_csv(path)
    for name in FILES:
        path = data / name / f"{name}.csv.gz"
        if path.exists():
            yield name, path, "class", pd.read_csv(path)


def score(frame, label):
    classes = frame[label].astype(str)
    numbers = frame.drop(columns=label).select_dtypes("number")
    X = numbers.fillna(numbers.median())
    k = classes.nunique()
    found = []
    for seed in SEEDS:
        pipeline = make_pipeline(StandardScaler(), KMeans(k, n_init=10, random_state=seed))
        found.append(normalized_mutual_info_score(classes, pipeline.fit_predict(X)))
    return k, found


if __name__ == "__main__":
    for name, path, label, frame in tables(Path(sys.argv[1]), Path(sys.argv[2])):
        k, found = score(frame, label)
        print(json.dumps({"name": name, "path": str(path), "label": label, "k": k, "nmi": found}), flush=True)
