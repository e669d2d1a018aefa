"""Imputes shown.npy by scikit-learn and compares with whole.npy. Arguments: the folder, and knn or iterative."""
import json
import sys
import time

import numpy as np
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer, KNNImputer

folder, which = sys.argv[1:]
X = np.load(f"{folder}/whole.npy").astype(float)
shown = np.load(f"{folder}/shown.npy").astype(float)
imputer = KNNImputer() if which == "knn" else IterativeImputer(random_state=0)
begin = time.process_time()
filled = imputer.fit_transform(shown)
seconds = time.process_time() - begin
hidden = np.isnan(shown)
error = float(np.sqrt(((filled - X)[hidden] ** 2).mean()))
print(json.dumps({"error": error, "seconds": seconds}))
