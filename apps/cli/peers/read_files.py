"""Reads files by NumPy, SciPy, scikit-learn and pyarrow: read_files.py FORMAT, a path a line. Answers each by a line of JSON."""

import json
import math
import sys
import warnings

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
import scipy.io
import scipy.io.arff
import scipy.sparse
from sklearn.datasets import load_svmlight_file

MOST = 100_000
LABELS = ["y", "labels", "label", "target", "y_train"]
SAMPLES = ["X", "data", "x", "x_train", "X_train"]


def spell(value):
    """A value that JSON has: integers as doubles, what is not finite as text."""
    if value is None or isinstance(value, str):
        return value
    value = float(value)
    return value if math.isfinite(value) else repr(value)


def describe_matrix(X):
    if len(X.shape) != 2:
        X = X.reshape(-1, 1) if len(X.shape) == 1 else X.reshape(X.shape[0], -1)
    if scipy.sparse.issparse(X):
        X = X.tocoo()
        if X.nnz > MOST:
            raise ValueError("too large to compare")
        X.sum_duplicates()
        order = np.lexsort((X.col, X.row))
        entries = zip(X.row[order], X.col[order], X.data[order])
    else:
        if X.size > MOST:
            raise ValueError("too large to compare")
        entries = ((i, j, X[i, j]) for i, j in zip(*np.nonzero(X)))
    return {"shape": list(X.shape), "entries": [[int(i), int(j), spell(v)] for i, j, v in entries if v != 0]}


def describe_table(table):
    table.validate(full=True)
    columns = [[name, [spell(v) for v in column.to_pylist()]] for name, column in zip(table.column_names, table.columns)]
    return {"columns": columns}


def read_npz(path):
    with np.load(path) as arrays:
        names = list(arrays)
        if "indptr" in names:
            return describe_matrix(scipy.sparse.load_npz(path).astype("f4"))
        known = [name for name in SAMPLES if name in names]
        rest = [name for name in names if name not in LABELS]
        return describe_matrix(arrays[known[0] if known else rest[0]].astype("f4"))


def read_arff(path):
    data, meta = scipy.io.arff.loadarff(path)
    numbers = [name for name in meta.names() if meta[name][0] == "numeric"]
    return describe_matrix(np.array([[row[name] for name in numbers] for row in data]).reshape(len(data), len(numbers)))


def read_arrow(path):
    with open(path, "rb") as file:
        start = file.read(6)
    if start == b"ARROW1":
        return describe_table(pa.ipc.open_file(path).read_all())
    with pa.OSFile(path) as file:
        return describe_table(pa.ipc.open_stream(file).read_all())


def read_parquet(path):
    return describe_table(pa.parquet.read_table(path, page_checksum_verification=True, partitioning=None))


READERS = {
    "npy": lambda path: describe_matrix(np.load(path)),
    "npz": read_npz,
    "market": lambda path: describe_matrix(scipy.io.mmread(path)),
    "arff": read_arff,
    "libsvm": lambda path: describe_matrix(load_svmlight_file(path, zero_based=False)[0]),
    "csv": lambda path: describe_table(pa.csv.read_csv(path)),
    "parquet": read_parquet,
    "arrow": read_arrow,
}

warnings.simplefilter("ignore")
for line in sys.stdin:
    try:
        answer = READERS[sys.argv[1]](line.rstrip("\n"))
    except Exception as error:
        answer = {"refused": f"{type(error).__name__}: {error}"[:300]}
    print(json.dumps(answer), flush=True)
