"""Measures answers of classifiers with scikit-learn and SciPy: reads cases from standard input and prints JSON."""

import json
import sys

import numpy as np
from scipy.stats import binomtest
from sklearn import metrics
from sklearn.calibration import calibration_curve


def measure(truth, P, predicted, classes, bins):
    truth, P, predicted = np.array(truth), np.array(P), np.array(predicted)
    one_hot = truth[:, None] == np.array(classes)
    scores = P[:, 1] if len(classes) == 2 else P
    right = truth == predicted
    interval = binomtest(int(right.sum()), len(truth)).proportion_ci(method="wilson")
    areas = [metrics.roc_auc_score(one_hot[:, c], P[:, c]) for c in classes]
    averages = [metrics.roc_auc_score(truth, scores, multi_class="ovr", average=a) for a in ("macro", "weighted")]
    return {
        "accuracy": metrics.accuracy_score(truth, predicted),
        "balanced": metrics.balanced_accuracy_score(truth, predicted),
        "f1": [*(metrics.f1_score(truth, predicted, average=a) for a in ("macro", "weighted")),
               *metrics.f1_score(truth, predicted, average=None)],
        "logLoss": metrics.log_loss(truth, P, labels=classes),
        "brier": metrics.brier_score_loss(truth, scores, labels=classes),
        "auc": [*averages, *areas],
        "roc": [share for c in classes for part in metrics.roc_curve(one_hot[:, c], P[:, c], drop_intermediate=False)[:2]
                for share in part],
        "reliability": np.concatenate(calibration_curve(right, P.max(axis=1), n_bins=bins)).tolist(),
        "interval": [interval.low, interval.high],
    }


job = json.load(sys.stdin)
json.dump([measure(**case, bins=job["bins"]) for case in job["cases"]], sys.stdout)
