"""How the error of NMF falls with time, from given factors. Here X is n × m, H is n × k and W is k × m.

One iteration after the other is timed, wall and processor; the error between them is not.
"""

import time

import numpy as np
from files import read_rows, read_set, write_labels


def load_start(job):
    """Writes the start of all contestants: scikit-learn's NNDSVD."""
    from sklearn.decomposition._nmf import _initialize_nmf

    H, W = _initialize_nmf(read_set(job["set"]), job["k"], init="nndsvd", random_state=0)
    W.astype(np.float32).tofile(job["W"])
    H.astype(np.float32).tofile(job["H"])
    return lambda _: {}


def load_sklearn(job):
    X, W0, H0 = load_factors(job)
    step = {"cd": cd_steps, "mu": mu_steps}[job["solver"]]
    return run_with(X, job, lambda: step(X, W0, H0))


def cd_steps(X, W0, H0):
    """As NMF(solver="cd") calls it."""
    from sklearn.decomposition._nmf import _update_coordinate_descent as update

    H, Wt = H0.copy(), W0.T.copy()
    rng = np.random.RandomState(0)

    def step():
        update(X, H, Wt, 0, 0, False, rng)
        update(X.T, Wt, H, 0, 0, False, rng)
        return Wt.T, H

    return step


def mu_steps(X, W0, H0):
    """As NMF(solver="mu") calls it; NNDSVDa, since a zero would stay."""
    from sklearn.decomposition import _nmf

    mean = X.mean()
    W, H = np.where(W0 > 0, W0, mean), np.where(H0 > 0, H0, mean)
    H_sum = HHt = XHt = None

    def step():
        nonlocal W, H, H_sum, HHt, XHt
        H, H_sum, HHt, XHt = _nmf._multiplicative_update_w(X, H, W, 2, 0, 0, 1.0, H_sum, HHt, XHt, True)
        W = _nmf._multiplicative_update_h(X, H, W, beta_loss=2, l1_reg_H=0, l2_reg_H=0, gamma=1.0)
        H_sum = HHt = XHt = None
        return W, H

    return step


def load_rust(job):
    """nmf-rs has no step: whole runs, whose lengths are doubled and then narrowed down to the first that comes within a target."""
    import nmf_rs

    X, W0, H0 = load_factors(job)
    dense = np.asarray(X.todense() if hasattr(X, "todense") else X, np.float64)
    wide, tall = W0.astype(np.float64), H0.astype(np.float64)
    error = measure(X)
    nmf_rs.nmf(dense, job["k"], job["method"], W0=tall, H0=wide, max_iter=1)

    def attempt(length):
        (wall, cpu), fitted = clocked(
            lambda: nmf_rs.nmf(dense, job["k"], job["method"], W0=tall, H0=wide, max_iter=length)
        )
        return [length, error(fitted.H, fitted.W), wall, cpu], fitted

    def run(request):
        runs, length = [], 1
        while True:
            last, fitted = attempt(length)
            runs.append(last)
            if last[1] <= request["target"] or last[3] > request["limit"]:
                break
            length *= 2
        for near in request["targets"]:
            runs.sort()
            reached = next((i for i, one in enumerate(runs) if one[1] <= near), 0)
            if reached == 0:
                continue
            low, high = runs[reached - 1][0], runs[reached][0]
            while high - low > max(1, high // 20):
                middle = (low + high) // 2
                runs.append(attempt(middle)[0])
                low, high = (low, middle) if runs[-1][1] <= near else (middle, high)
        return finish(job, [one[1:] for one in sorted(runs)], fitted.H, fitted.W)

    return run


def load_factors(job):
    X = read_set(job["set"])
    return X, read_rows(job["W"], job["k"]), read_rows(job["H"], X.shape[0])


def run_with(X, job, begin):
    error = measure(X)

    def run(request):
        step = begin()
        trace, wall, cpu = [], 0, 0
        while True:
            (more, work), (W, H) = clocked(step)
            wall, cpu = wall + more, cpu + work
            trace.append([error(W, H), wall, cpu])
            if trace[-1][0] <= request["target"] or cpu > request["limit"]:
                return finish(job, trace, W, H)

    return run


def finish(job, trace, W, H):
    write_labels(job["out"], np.argmax(H * np.linalg.norm(W, axis=1), axis=1))
    return {"trace": trace}


def clocked(work):
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return (time.perf_counter() - wall, time.process_time() - cpu), result


def measure(X):
    """‖X − HW‖ / ‖X‖ in float64, some rows at a time."""
    values = X.data if hasattr(X, "tocsr") else X
    square = sum(float(np.vdot(part, part)) for part in (p.astype(np.float64) for p in np.array_split(values, 64)))

    def error(W, H, rows=1000):
        W, H = W.astype(np.float64), H.astype(np.float64)
        cross = sum(float(np.vdot(H[i : i + rows], X[i : i + rows] @ W.T)) for i in range(0, X.shape[0], rows))
        own = float(np.vdot(W @ W.T, H.T @ H))
        return float(np.sqrt(max(0, square - 2 * cross + own) / square))

    return error
