"""Process start to labels: reads raw float32 samples and prototypes, fits, writes labels, says so."""

import json
import sys

import numpy as np
from sklearn.cluster import KMeans

job = json.loads(sys.argv[1])
X = np.fromfile(job["set"]["files"]["data"], np.float32).reshape(job["set"]["samples"], -1)
W = np.fromfile(job["start"], np.float32).reshape(job["k"], -1)
found = KMeans(job["k"], init=W, n_init=1, tol=0, max_iter=300, algorithm=job["algorithm"]).fit(X)
found.labels_.astype(np.int32).tofile(job["out"])
print(json.dumps({"iterations": found.n_iter_}))
