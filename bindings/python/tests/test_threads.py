"""Threads of Python that share a model: each has the bits of a thread alone. `make races` runs this file under
ThreadSanitizer, TENON_ROUNDS times."""

import os
import threading

import numpy as np
import pytest

import tenon
from conftest import PROJECT

THREADS = 4
ROUNDS = int(os.environ.get("TENON_ROUNDS", "1"))
# a closed loop with dependent rows; limits and their impacts; a motor, measures
EXAMPLES = ["four_bar_hard", "ragdoll", "motor_press"]


def work(model, k):
    """Everything that reads a model, as numbers: a run with events, an analysis, poses set, a batch, texts."""
    sim = model.simulation()
    run = sim.run(0.02, step=1e-3, every=5e-3)
    out = [run.data, sim.poses(), sim.velocities()]
    other = model.simulation(integrator="constrained_backward_euler")
    for _ in range(5 + k):  # simulations of all threads are at different steps
        other.step(1e-3)
    out.append(other.poses())
    analysis = model.check()
    out.append(np.array([analysis.degrees_of_freedom, analysis.rank, len(analysis.dependent)]))
    batch = model.batch(4, 2)
    assert batch.step(1e-3, 3)
    out.append(batch.poses())
    out.append(np.frombuffer(model.text().encode(), np.uint8))
    return out


@pytest.mark.parametrize("name", EXAMPLES)
def test_threads_that_share_a_model(name):
    model = tenon.load(PROJECT / "examples" / f"{name}.yaml")
    alone = [work(model, k) for k in range(THREADS)]
    for _ in range(ROUNDS):
        beside, start = [None] * THREADS, threading.Barrier(THREADS)

        def thread(k):
            start.wait()
            beside[k] = work(model, k)

        threads = [threading.Thread(target=thread, args=(k,)) for k in range(THREADS)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        for expected, got in zip(alone, beside):
            assert got is not None and len(got) == len(expected)
            assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(expected, got))


def test_threads_that_load_and_end():
    """Models are made and freed while others run: descriptions, names and messages are of their own threads."""
    path = PROJECT / "examples" / "four_bar_hard.yaml"
    expected = tenon.load(path).simulation().run(0.02, step=1e-3).data

    def thread(k):
        start.wait()
        for _ in range(2):
            if k == 0:
                with pytest.raises(tenon.ModelError, match="does_not_exist"):
                    tenon.loads("{tenon: 1, joints: {j: {type: hinge, a: does_not_exist, origin: [0, 0, 0], axis: [0, 0, 1]}}}")
            got[k] = tenon.load(path).simulation().run(0.02, step=1e-3).data

    for _ in range(ROUNDS):
        got, start = [None] * THREADS, threading.Barrier(THREADS)
        threads = [threading.Thread(target=thread, args=(k,)) for k in range(THREADS)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert all(one is not None and np.array_equal(one, expected) for one in got)
