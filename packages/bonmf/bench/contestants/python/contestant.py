"""A contestant's end of the conversation: one JSON line in, one out. A task's load function returns its run function.

usage: contestant.py TASK
"""

import importlib
import json
import sys

TASKS = {
    "sklearn-kmeans": ("kmeans", "load_sklearn"),
    "faiss-kmeans": ("kmeans", "load_faiss"),
    "algorithm1": ("algorithm1", "load"),
    "sklearn-nmf": ("nmf", "load_sklearn"),
    "numpy-nmf": ("nmf", "load_numpy"),
    "descent-start": ("descent", "load_start"),
    "descent-sklearn": ("descent", "load_sklearn"),
    "descent-rust": ("descent", "load_rust"),
    "product": ("neighbors", "load"),
    "sgemm": ("limits", "load_sgemm"),
    "copy": ("limits", "load_copy"),
}


def answer(respond, line):
    try:
        return respond(json.loads(line))
    except Exception as error:  # whatever a peer raises is its result
        return {"error": f"{type(error).__name__}: {error}".splitlines()[0]}


def main():
    channel, sys.stdout = sys.stdout, sys.stderr  # what libraries print must not enter the conversation
    module, function = TASKS[sys.argv[1]]
    run = None

    def load(request):
        nonlocal run
        run = getattr(importlib.import_module(module), function)(request)
        return {}

    for line in sys.stdin:
        print(json.dumps(answer(run or load, line)), file=channel, flush=True)


if __name__ == "__main__":
    main()
