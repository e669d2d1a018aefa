"""Writes whole files of every format, to be changed by check.js: make_files.py FOLDER"""

import pathlib
import sys

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
import scipy.io
import scipy.sparse
from sklearn.datasets import dump_svmlight_file

random = np.random.default_rng(1)
root = pathlib.Path(sys.argv[1])


def place(format, name):
    folder = root / format
    folder.mkdir(parents=True, exist_ok=True)
    return folder / name


def write_text(format, texts):
    for i, text in enumerate(texts):
        place(format, f"written-{i}.{format}").write_bytes(text.encode())


def make_counts(rows, columns):
    return np.where(random.random((rows, columns)) < 0.6, 0, random.integers(1, 9, (rows, columns))).astype(float)


def write_npy():
    types = ["<f4", "<f8", ">f4", ">f8", "<i2", ">i4", "<i8", "<u4", "<u8", "|u1", "|i1", "|b1"]
    for i, type in enumerate(types):
        array = random.integers(0, 100, (3, 4)).astype(type)
        np.save(place("npy", f"type-{i}.npy"), array if i % 2 else np.asfortranarray(array))
    np.save(place("npy", "vector.npy"), random.random(5))
    with open(place("npy", "version-2.npy"), "wb") as file:
        np.lib.format.write_array(file, random.random((2, 3)), version=(2, 0))


def write_npz():
    X, y = random.integers(0, 9, (4, 3)), np.array(["a", "b", "a", "c"])
    np.savez(place("npz", "numbers.npz"), X=X.astype("f4"), y=np.arange(4))
    np.savez(place("npz", "texts.npz"), X=X.astype("i8"), y=y)
    np.savez(place("npz", "bytes.npz"), X=X.astype(">f8"), y=y.astype("S"))
    np.savez_compressed(place("npz", "packed.npz"), data=X.astype("f8"))
    np.savez(place("npz", "only.npz"), any=np.asfortranarray(X.astype("u2")))
    for i, type in enumerate(["f8", "f4", "i4", "u1"]):
        sparse = scipy.sparse.csr_matrix(make_counts(5, 6).astype(type))
        scipy.sparse.save_npz(place("npz", f"sparse-{i}.npz"), sparse, compressed=i == 3)


def write_market():
    for i, field in enumerate(["real", "integer", "pattern"]):
        sparse = scipy.sparse.coo_matrix(make_counts(6, 4))
        scipy.io.mmwrite(place("market", f"sparse-{i}.market"), sparse, field=field, comment="a note")
    square = make_counts(4, 4)
    scipy.io.mmwrite(place("market", "symmetric.market"), scipy.sparse.coo_matrix(square + square.T), symmetry="symmetric")
    scipy.io.mmwrite(place("market", "array.market"), random.random((4, 3)))
    scipy.io.mmwrite(place("market", "whole.market"), random.integers(0, 99, (3, 5)))
    scipy.io.mmwrite(place("market", "even.market"), square + square.T, symmetry="symmetric")
    write_text("market", ["%%MatrixMarket matrix coordinate real general\n%\n 2  3 3\n1 1 5\n1 1 -.5e1\n2\t3 4.\n"])


def write_arff():
    head = "% note\n@relation r\n@attribute a numeric\n@attribute 'b c' REAL\n@attribute d integer\n@attribute class {x,y}\n"
    rows = [f"{a:.4g},{b:.17g},{d},{'xy'[d % 2]}" for a, b, d in zip(random.random(5), random.random(5) * 1e9, range(5))]
    write_text(
        "arff",
        [
            head + "@data\n" + "\n".join(rows) + "\n",
            head + "\n@DATA\n\n% more\n1, 2 ,3,x\n-1e-3,+.5,4.,y\n",
            "@RELATION 'a b'\n@ATTRIBUTE x NUMERIC\n@ATTRIBUTE y REAL\n@DATA\n1,2\n3,4\r\n",
            "@relation r\n@attribute x real\n@attribute class {'a b',c}\n@data\n1,'a b'\n2,c\n",
        ],
    )


def write_libsvm():
    for i in range(3):
        X, y = make_counts(6, 8), random.integers(0, 3, 6)
        dump_svmlight_file(X * (1 if i else 1 / 3), y, str(place("libsvm", f"made-{i}.libsvm")), zero_based=False)
    write_text(
        "libsvm",
        ["# note\n1 1:2 4:1.5 # more\n-1 3:5\n\n", "+1 2:1e-3\r\n0 1:-2 2:+3\r\n", "3 qid:1 1:1\n2 qid:2 2:.5 9:7.\n", "1\n0 5:1\n"],
    )


def write_csv():
    for i in range(3):
        columns = {"a": random.random(6), "b": random.integers(-9, 9, 6), "long name": random.random(6) * 1e-9}
        options = pa.csv.WriteOptions(quoting_style=["needed", "all_valid", "none"][i])
        pa.csv.write_csv(pa.table(columns), place("csv", f"made-{i}.csv"), options)
    write_text(
        "csv",
        [
            "a,b\n1,2\n3,4.5e-3\n-.5,7.\n",
            'a,"b ""q"""\r\n1,2\r\n3,4\r\n',
            'x,y,z\n"1",2,3\n4,"5",6\n7,8,9',
            "x,y\n123456789012345678,0.1\n16777217,1e30\n2,3\n",
        ],
    )


def make_table(rows, missing=False):
    gap = lambda values: [None if missing and i % 5 == 3 else value for i, value in enumerate(values)]
    return pa.table(
        {
            "f": pa.array(gap((random.random(rows) * 9).astype("f4").tolist()), pa.float32()),
            "d": pa.array(gap(random.random(rows).tolist()), pa.float64()),
            "i": pa.array(gap(random.integers(-9, 9, rows).tolist()), pa.int32()),
            "l": pa.array(gap(random.integers(0, 2**40, rows).tolist()), pa.int64()),
            "u": pa.array(gap(random.integers(0, 2**32, rows).tolist()), pa.uint32()),
            "s": pa.array(gap(random.integers(0, 99, rows).tolist()), pa.int16()),
        }
    )


def write_parquet():
    ways = {
        "plain": {"compression": "none", "use_dictionary": False},
        "snappy": {"row_group_size": 20},
        "second": {"data_page_version": "2.0", "use_dictionary": ["i", "l"]},
        "gzip": {"compression": "gzip"},
        "zstd": {"compression": "zstd"},
        "checked": {"write_page_checksum": True, "compression": "none"},
        "split": {"use_byte_stream_split": ["f", "d"], "use_dictionary": False},
    }
    for name, options in ways.items():
        pa.parquet.write_table(make_table(50), place("parquet", f"{name}.parquet"), **options)
    pa.parquet.write_table(make_table(30, missing=True), place("parquet", "missing.parquet"))
    mixed = pa.table({"t": ["x", "y", None, "x"], "b": [True, False, True, None], "n": [1.5, 2.0, 3.0, 4.0]})
    pa.parquet.write_table(mixed, place("parquet", "mixed.parquet"))


def write_arrow():
    for missing in [False, True]:
        for packing in ["uncompressed", "lz4"]:
            table = make_table(40, missing)
            pa.feather.write_feather(table, str(place("arrow", f"{packing}-{missing}.arrow")), packing, chunksize=25)
    mixed = pa.table(
        {
            "t": ["x", "y", None, "x"],
            "b": [True, False, True, None],
            "c": pa.array(["p", "q", "p", "p"]).dictionary_encode(),
            "n": [1.5, 2.0, 3.0, 4.0],
        }
    )
    for name, table in {"numbers": make_table(10), "mixed": mixed}.items():
        with pa.ipc.new_stream(place("arrow", f"stream-{name}.arrow"), table.schema) as stream:
            stream.write_table(table, max_chunksize=4)
        pa.feather.write_feather(table, str(place("arrow", f"file-{name}.arrow")), "uncompressed")


for write in [write_npy, write_npz, write_market, write_arff, write_libsvm, write_csv, write_parquet, write_arrow]:
    write()
