"""The Lloyd loop of run.js in PyTorch: the same samples and first prototypes, fp32 on CUDA, the copy to the GPU counted."""

import json
import sys
import time

import numpy as np
import torch

n, m, k, iterations = map(int, sys.argv[1:5])
torch.backends.cuda.matmul.allow_tf32 = False


def mix(x):
    h = (x ^ (x >> np.uint32(16))) * np.uint32(0x85EBCA6B)
    h = (h ^ (h >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    return h ^ (h >> np.uint32(16))


def make_blobs():
    """As makeBlobs in shapes.js, to the bit."""
    centres = (mix(np.arange(k * m, dtype=np.uint32) + np.uint32(0x51ED270B)) & np.uint32(1023)).reshape(k, m)
    own = mix(np.arange(n, dtype=np.uint32) + np.uint32(0x2545F491)) % np.uint32(k)
    X = np.empty((n, m), dtype=np.float32)
    rows = max(1, 2**24 // m)
    for at in range(0, n, rows):
        end = min(at + rows, n)
        noise = mix(np.arange(at * m, end * m, dtype=np.uint32)).reshape(end - at, m) & np.uint32(3071)
        X[at:end] = (centres[own[at:end]] + noise) / np.float32(1024)
    return X


def lloyd(data, first):
    X = torch.from_numpy(data).to("cuda")
    W = X[first].clone()
    labels = torch.full((n,), -1, device="cuda")
    ones = torch.ones(n, device="cuda")
    done = 0
    for _ in range(iterations):
        scores = torch.addmm((-0.5 * (W * W).sum(1)).expand(n, k), X, W.T)
        found = scores.argmax(1)
        done += 1
        moved = int((found != labels).sum())
        labels = found
        if moved == 0:
            break
        sums = torch.zeros(k, m, device="cuda").index_add_(0, labels, X)
        counts = torch.zeros(k, device="cuda").index_add_(0, labels, ones)
        W = torch.where(counts[:, None] > 0, sums / counts[:, None].clamp(min=1), W)
    torch.cuda.synchronize()
    return labels.to(torch.int32).cpu().numpy(), done


data = make_blobs()
first = torch.tensor([j * n // k for j in range(k)], device="cuda")
lloyd(data, first)  # CUDA and its libraries start
times = []
for _ in range(2):
    torch.cuda.synchronize()
    began = time.perf_counter()
    labels, done = lloyd(data, first)
    times.append(time.perf_counter() - began)
labels.tofile(sys.argv[5])
print(json.dumps({"seconds": min(times), "iterations": done}))
