"""Reads the sets that the runner prepared, writes labels for the referee."""

import time

import numpy as np


def read_set(header):
    """n × m: a C-contiguous float32 array, or a CSR matrix of float32 values."""
    shape, files = (header["samples"], header["features"]), header["files"]
    if header["kind"] == "dense":
        return np.fromfile(files["data"], np.float32).reshape(shape)
    from scipy.sparse import csr_matrix

    arrays = [np.fromfile(files["values"], np.float32)]
    arrays += [np.fromfile(files[part], np.uint32).astype(np.int32) for part in ("indices", "offsets")]
    return csr_matrix(tuple(arrays), shape)


def read_rows(path, rows):
    return np.fromfile(path, np.float32).reshape(rows, -1)


def write_labels(path, labels):
    np.asarray(labels).astype(np.int32).tofile(path)


def timed(work):
    """Seconds that the work takes, and what it returns."""
    began = time.perf_counter()
    result = work()
    return time.perf_counter() - began, result
