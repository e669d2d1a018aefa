"""Spark MLlib's KMeans with the cosine measure: seconds an iteration for each solver, and the centres it began from.

Reads a job as JSON on stdin: master, data (Parquet), ks, iterations, memory. Writes JSON lines.
"""

import json
import sys

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
    return means.fit(rows())


def median(numbers):
    return sorted(numbers)[len(numbers) // 2]


def measure(k, solver):
    """The median time from one iteration's job to the next one's, by Spark's own clock."""
    context = spark.sparkContext
    group = f"{k} {solver}"
    context.setJobGroup(group, group)
    fit(k, 1 + job["iterations"], solver)
    jobs = context._jsc.sc().statusStore().jobsList(None)
    begins = {}
    for n in range(jobs.size()):
        own = jobs.apply(n)
        if own.jobGroup().isDefined() and own.jobGroup().get() == group:
            begins.setdefault(own.name(), []).append(own.submissionTime().get().getTime() / 1000)
    # Every iteration runs the same line of KMeans.scala; what comes before runs fewer times.
    begins = sorted(max(begins.values(), key=len))
    return median([after - before for before, after in zip(begins, begins[1:])])


fit(2, 1, "row")
for k in job["ks"]:
    centres = [centre.tolist() for centre in fit(k, 0, "row").clusterCenters()]
    seconds = {solver: measure(k, solver) for solver in ["row", "block"]}
    print(json.dumps({"k": k, "seconds": seconds, "centres": centres}), flush=True)
spark.stop()
