"""Loads from Python, batches, studies; what steps cost."""

import math
import sys

import numpy as np
import pytest

import tenon
from conftest import PROJECT
from test_models import built

STUDY = PROJECT / "examples" / "studies" / "tolerances.yaml"


def free_body():
    return tenon.loads("{tenon: 1, gravity: [0, 0, 0], bodies: {b: {mass: 2, inertia: [1, 1, 1]}}}")


def test_applied_wrench():
    sim = free_body().simulation()
    sim.apply_wrench("b", (4, 0, 0, 0, 0, 3))
    sim.step(0.5)
    assert sim.velocities()[0] == pytest.approx([1, 0, 0, 0, 0, 1.5], abs=1e-12)  # f h / m, M h / J
    sim.step(0.5)
    assert sim.velocities()[0] == pytest.approx([1, 0, 0, 0, 0, 1.5], abs=1e-9)  # for one step alone
    with pytest.raises(tenon.Error, match="argument"):
        sim.apply_wrench("b", (math.nan, 0, 0, 0, 0, 0))


def test_applied_effort():
    text = ("{tenon: 1, gravity: [0, 0, 0], bodies: {b: {mass: 1, inertia: [1, 1, 2]}}, "
            "joints: {h: {type: hinge, a: b, origin: [0, 0, 0], axis: [0, 0, 1]}}}")
    sim = tenon.loads(text).simulation()
    for _ in range(10):
        sim.apply_effort("h", 4.0)
        sim.step(0.1)
    assert sim["h"].speed == pytest.approx(2.0, abs=1e-12)


def test_computed_loads():
    """A spring from Python: x'' = -k x / m."""
    sim = free_body().simulation(integrator="dormand_prince", relative_tolerance=1e-10, absolute_tolerance=1e-12)
    sim.set_pose("b", (1, 0, 0, 1, 0, 0, 0))
    asked = []

    def spring(stage):
        asked.append(stage.time)
        x = stage.pose("b")
        assert stage.velocity("b").shape == (6,)
        stage.add_wrench("b", (-8.0 * x[0], 0, 0, 0, 0, 0))

    sim.set_loads(spring)
    for _ in range(100):
        sim.step(0.01)
    assert sim.pose("b")[0] == pytest.approx(math.cos(2.0), abs=1e-8)
    assert len(asked) >= 100
    sim.set_loads(None)
    before, count = sim.velocities()[0][0], len(asked)
    sim.step(0.01)
    assert len(asked) == count and sim.velocities()[0][0] == pytest.approx(before, abs=1e-12)


def test_loads_of_a_coordinate():
    sim = built().compile().simulation()
    sim.set_loads(lambda stage: stage.add_effort("pin", 100.0 * (0.3 - stage.coordinate("pin")[0])
                                                 - 20.0 * stage.coordinate("pin")[1]))
    for _ in range(3000):
        sim.step(1e-3)
    # at rest the spring holds the bar: k (0.3 - q) = -m g a cos q, its moment about the pin
    q = sim["pin"].value
    assert abs(100.0 * (0.3 - q) + 9.81 * 0.5 * math.cos(q)) < 1e-3


@pytest.mark.parametrize("h, steps", [(-1.0, 1), (0.0, 1), (math.nan, 1), (math.inf, 1), (0.01, -1)])
def test_a_batch_refuses_what_a_simulation_does(h, steps):
    """And has not failed by it."""
    batch = built().compile().batch(3)
    with pytest.raises(tenon.Error, match="argument"):
        batch.step(h, steps)
    with pytest.raises(tenon.Error):
        built().compile().simulation().step(h if steps > 0 else -h)
    assert batch.failed == {} and batch.step(0.01) and (batch.times() == 0.01).all()



def test_loads_that_raise():
    sim = free_body().simulation()
    sim.set_loads(lambda stage: stage.add_wrench("nobody", [0] * 6))
    with pytest.raises(KeyError, match="there is no body 'nobody'"):
        sim.step(0.01)
    assert sim.time == 0.0
    with pytest.raises(KeyError, match="nobody"):
        sim.run(0.1, 0.01)
    sim.set_loads(lambda stage: None)
    sim.step(0.01)
    assert sim.time == pytest.approx(0.01)


@pytest.mark.parametrize("threads", [1, 3])
def test_batch(threads):
    model = built().compile()
    batch = model.batch(20, threads)
    starts = np.linspace(-1, 1, 20)[:, None]
    assert batch.coordinates == ["pin.theta"] and batch.threads == threads
    assert batch.place(starts, 0.5)
    assert batch.step(1e-3, 100)
    assert batch.times() == pytest.approx(0.1) and batch.poses().shape == (20, len(model.bodies), 7)
    for i in (0, 7, 19):
        sim = model.simulation()
        sim["pin"].value = starts[i, 0]
        sim["pin"].speed = 0.5
        for _ in range(100):
            sim.step(1e-3)
        assert sim["pin"].value == batch.values()[i, 0] and sim["pin"].speed == batch.speeds()[i, 0]
    efforts = np.zeros((20, 1))
    efforts[4] = np.nan
    assert not batch.step(1e-3, 1, efforts)
    assert batch.failed == {4: "argument"}
    batch.reset(np.arange(20) == 4)
    assert batch.failed == {} and batch.times()[4] == 0.0 and batch.times()[5] > 0.1


def test_batch_of_models():
    path = PROJECT / "examples" / "studies" / "four_bar.yaml"
    models = [tenon.load(path, set={"coupler": length}) for length in ("240 mm", "250 mm", "260 mm")]
    batch = tenon.Batch(models)
    assert len(batch) == 3 and batch.velocities().shape == (3, 3, 6)
    hips = batch.values()[:, batch.coordinates.index("hip.theta")]
    assert len(batch.coordinates) == 4 and np.all(np.isfinite(hips))
    with pytest.raises(tenon.ModelError):
        tenon.Batch([models[0], built().compile()])


def test_study(tmp_path):
    """A study from Python has the numbers of the tool, and they are what parameters give one by one."""
    import csv
    import subprocess
    from tenon._model import tool
    for name in ("four_bar.yaml", "tolerances.yaml"):
        text = (STUDY.parent / name).read_text().replace("samples: 1000\n", "samples: 40\n")
        (tmp_path / name).write_text(text)
    study = tenon.Study(tmp_path / "tolerances.yaml")
    assert len(study) == 40 and study.units["crank"] == "m" and study.units["point.x.max"] == "m"
    table = study.run(threads=3)
    assert table.failures == {} and not table.status.any()
    subprocess.run([str(tool()), "study", "tolerances.yaml", "--quiet", "--csv", "t.csv"], cwd=tmp_path, check=True)
    with open(tmp_path / "t.csv") as stream:
        rows = list(csv.DictReader(line for line in stream if not line.startswith("#")))
    for name in study.parameters + study.results:
        told = 57.295779513082320877 if study.units[name] == "rad" else 1.0  # the file counts in degrees
        assert np.array_equal(told * table[name], [float(row[name]) for row in rows])
    with pytest.raises(ValueError, match="indices: true"):
        table.indices(study.results[0], "crank")
    (tmp_path / "indices.yaml").write_text((tmp_path / "tolerances.yaml").read_text() + "indices: true\n")
    indices = tenon.Study(tmp_path / "indices.yaml").run(threads=2)
    assert indices.indices("transmission.angle.min", "ground_x")["total"] > 0.5
    assert abs(indices.indices("transmission.angle.min", "point_along")["total"]) < 1e-12  # it moves nothing
    with pytest.raises(KeyError, match="the study has no 'tip'"):
        table["tip"]
    (tmp_path / "bad.yaml").write_text("study: 1\nmodel: four_bar.yaml\nparameters: {krank: [1 m]}\ncheck: true\n")
    with pytest.raises(tenon.ModelError, match="did you mean 'crank'"):
        tenon.Study(tmp_path / "bad.yaml")


def calls_of(work):
    """Functions that Python enters while it works: its own and those of C."""
    entered = []
    sys.setprofile(lambda frame, event, arg: entered.append(event) if event.endswith("call") else None)
    try:
        work()
    finally:
        sys.setprofile(None)
    return len(entered)


def test_what_a_step_costs(four_bar):
    """A run costs Python the same whatever its steps, and a step a handful of calls. Counted, not timed."""
    sims = [four_bar.simulation() for _ in range(3)]
    for sim in sims:
        sim.run(1e-3, 1e-3)
    few, many = (calls_of(lambda sim=sim, steps=steps: sim.run(1e-3 * steps, 1e-3, 1e-3 * steps))
                 for sim, steps in zip(sims, (20, 2000)))
    assert few > 10  # or nothing was counted
    assert many < few + 200
    assert calls_of(lambda: [sims[2].step(1e-3) for _ in range(100)]) <= 100 * 10
