"""What the machine can do: multiply-adds of a large float32 product, and copying."""

import numpy as np
from files import timed


def load_sgemm(job):
    from threadpoolctl import threadpool_limits

    threadpool_limits(job["threads"])
    n = job["size"]
    A = np.random.default_rng(0).random((n, n), np.float32)

    def run(_):
        seconds, _product = timed(lambda: A @ A)
        return {"seconds": seconds, "rate": 2 * n**3 / seconds / 1e9, "unit": "GFLOP/s"}

    return run


def load_copy(job):
    source = np.ones(job["bytes"] // 4, np.float32)
    target = np.zeros_like(source)

    def run(_):
        seconds, _none = timed(lambda: np.copyto(target, source))
        return {"seconds": seconds, "rate": 2 * job["bytes"] / seconds / 1e9, "unit": "GB/s"}

    return run
