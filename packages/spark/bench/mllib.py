"""Spark MLlib's KMeans with the cosine measure: seconds an iteration for each solver, and the centres it began from.

Reads a job as JSON on stdin: master, data (Parquet), ks, iterations, memory. Writes JSON lines.
"""

import json
import sys
import time

from pyspark.ml.clustering import KMeans
from pyspark.ml.functions import array_to_vector
from pyspark.sql import SparkSession

job = json.load(sys.stdin)
spark = (
    SparkSession.builder.master(job["master"])
    .config("spark.executor.memory", job["memory"])
    .config("spark.driver.memory", "1g")
    .config("spark.ui.enabled", "false")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")


def rows():
    # Not cached here: KMeans keeps the vectors itself, in the form it sweeps.
    return spark.read.parquet(job["data"]).select(array_to_vector("x").alias("features"))


def fit(k, iterations, solver):
    means = KMeans(k=k, maxIter=iterations, tol=0.0, seed=1, initMode="random", distanceMeasure="cosine", solver=solver)
    begin = time.time()
    model = means.fit(rows())
    return time.time() - begin, model


fit(2, 1, "row")
for k in job["ks"]:
    _, start = fit(k, 0, "row")
    seconds = {}
    for solver in ["row", "block"]:
        short, _ = fit(k, 1, solver)
        long, _ = fit(k, 1 + job["iterations"], solver)
        seconds[solver] = (long - short) / job["iterations"]
    centres = [centre.tolist() for centre in start.clusterCenters()]
    print(json.dumps({"k": k, "seconds": seconds, "centres": centres}), flush=True)
spark.stop()
