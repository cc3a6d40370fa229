"""Calls that used to crash, hang or lose what happened: each is an error, and nothing has changed."""

import errno
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import tenon

# a particle that a force of 160 MHz shakes: a step of a minute
SHAKEN = """tenon: 1
gravity: [0, 0, 0]
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
joints: {j: {type: slider, a: a, origin: [0, 0, 0], axis: [1, 0, 0]}}
loads: {l: {body: a, force: ["=sin(1e9*t)", 0, 0]}}
"""


@pytest.mark.parametrize("times", [(1, -1), (1, 0), (float("nan"),), (float("inf"),), (-1,), (0,), (1, float("nan")),
                                   (1, float("inf")), (1, 1e-16), (1, 0.1, -1), (1, 0.1, 0), (1e15, 1e-6)])
def test_run_of_no_time(four_bar, times):
    sim = four_bar.simulation()
    before = sim.save()
    with pytest.raises(tenon.Error) as caught:
        sim.run(*times)
    assert caught.value.status == "argument"
    assert sim.save() == before


def test_run_of_more_frames_than_memory(four_bar):
    with pytest.raises(MemoryError):
        four_bar.run(1e9, 1e-6)


def test_reset_needs_a_mark_for_each(four_bar):
    batch = four_bar.batch(4)
    batch.step(1e-3, 10)
    for marks in ([0], [1, 0], [], [[1, 0, 0, 0]], np.zeros((4, 4), bool), 1, [0.5] * 4, ["a"] * 4, [None] * 4):
        with pytest.raises(tenon.Error):
            batch.reset(marks)
    assert np.all(batch.times() == batch.times()[0]) and batch.times()[0] > 0
    batch.reset(np.array([True, False, True, False]))
    assert list(batch.times() > 0) == [False, True, False, True]
    batch.reset(np.array([0, 7, 0, -1]))
    assert not batch.times().any()


@pytest.mark.parametrize("shape", [(3,), (4, 1), (1, 4, 4), (2, 4)])
def test_arrays_of_batches_have_their_shape(four_bar, shape):
    batch = four_bar.batch(4)
    assert len(batch.coordinates) == 4
    for call in (lambda a: batch.step(1e-3, 1, a), lambda a: batch.place(a), lambda a: batch.place(None, a)):
        with pytest.raises(tenon.Error):
            call(np.zeros(shape))
    assert not batch.times().any()


def test_batches_have_limits(four_bar):
    with pytest.raises(MemoryError):
        four_bar.batch(10**9)
    for count in (0, -1, 2**31, 2**40):
        with pytest.raises(tenon.Error):
            four_bar.batch(count)
    batch = four_bar.batch(2)
    for steps in (-1, 10**8, 2**62):
        with pytest.raises(tenon.Error):
            batch.step(1e-3, steps)
    assert not batch.times().any()


def test_a_motion_cannot_end_itself(four_bar):
    sim = four_bar.simulation()
    coordinate = sim["joint0.theta"]
    start, seen = coordinate.value, []

    def motion(t):
        try:
            coordinate.drive(None)
        except tenon.Error as error:
            seen.append(error.status)
        return start + t, 1.0, 0.0

    coordinate.drive(motion)
    sim.step(1e-3)
    assert seen and set(seen) == {"busy"}
    coordinate.drive(None)

    def motion_that_lets_it_out(t):
        coordinate.locked = True
        return start + t, 1.0, 0.0

    coordinate.drive(motion_that_lets_it_out)
    before = sim.time
    with pytest.raises(tenon.Error) as caught:
        sim.step(1e-3)
    assert caught.value.status == "busy" and sim.time == before


@pytest.mark.parametrize("kind", ["drive", "motor", "loads"])
@pytest.mark.parametrize("error", [ZeroDivisionError("mine"), KeyboardInterrupt("mine"), ValueError("mine")])
def test_exceptions_come_out_themselves(kind, error, four_bar):
    sim = four_bar.simulation()
    calls = []

    def function(x):
        calls.append(x)
        if len(calls) > 3:
            raise error
        return (0.0, 0.0, 0.0) if kind != "loads" else None

    if kind == "drive":
        sim["joint0.theta"].drive(lambda t: (sim_start + t, 1.0, 0.0) if not function(t) else function(t))
        sim_start = sim["joint0.theta"].value
    elif kind == "motor":
        sim["joint0.theta"].motor(speed=function, max_force=1.0)
    else:
        sim.set_loads(function)
    with pytest.raises(type(error), match="mine"):
        for _ in range(50):
            sim.step(1e-3)
            calls.append(None)
    stands, count = sim.time, len(calls)
    with pytest.raises(type(error), match="mine"):
        sim.step(1e-3)  # once more: it was told, and raises again
    assert sim.time == stands and len(calls) > count


def test_a_function_of_two_numbers(four_bar):
    sim = four_bar.simulation()
    sim["joint0.theta"].drive(lambda t: (t, 1.0))
    with pytest.raises(ValueError, match="two derivatives"):
        sim.step(1e-3)


def test_names_with_nul(four_bar, tmp_path):
    sim = four_bar.simulation()
    for call in (lambda: sim["joint0\0.theta"], lambda: sim.pose("crank\0"), lambda: sim.marker("a\0b"),
                 lambda: tenon.load(str(tmp_path) + "/a\0.yaml"), lambda: four_bar.save(str(tmp_path) + "/a\0.yaml"),
                 lambda: tenon.loads("tenon: 1", name="a\0b"), lambda: tenon.loads("tenon: 1", set={"a\0": 1}),
                 lambda: tenon.loads("tenon: 1", set={"a": "1\0"}), lambda: tenon.Study(str(tmp_path) + "/s\0.yaml"),
                 lambda: four_bar.run(0.01).to_csv(str(tmp_path) + "/t\0.csv"), lambda: four_bar.coordinates("joint0\0"),
                 lambda: sim["joint0.theta"].drive(tenon.Formula("t\0+1"))):
        with pytest.raises(ValueError, match="NUL|null"):
            call()
    assert list(tmp_path.iterdir()) == []


def test_threads_of_a_study(tmp_path):
    (tmp_path / "m.yaml").write_text("tenon: 1\nparameters: {m: 1}\nbodies: {b: {mass: =m, inertia: [1, 1, 1]}}\n"
                                     "markers: {t: {body: b}}\nmeasures: {t: {marker: t}}\nsimulation: {duration: 0.01}\n")
    (tmp_path / "s.yaml").write_text("study: 1\nmodel: m.yaml\nparameters: {m: [1, 2]}\nsimulation:\n")
    study = tenon.Study(tmp_path / "s.yaml")
    for threads in (-1, 0.5, "2"):
        with pytest.raises((ValueError, TypeError)):
            study.run(threads)
    assert not study.run(2).failures


def test_tables_replace_what_was_there(four_bar, tmp_path):
    """Whole, or not at all; a link that stands beside is not followed."""
    run, out = four_bar.run(0.01), tmp_path / "o.csv"
    out.write_text("precious")
    (tmp_path / "o.csv.part").symlink_to(out)
    broken = tenon.Recording(run.columns, run.data, {})
    broken.data = "no numbers"
    with pytest.raises(Exception):
        broken.to_csv(out)
    assert out.read_text() == "precious"
    run.to_csv(out)
    assert len(out.read_text().splitlines()) == 1 + len(run)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["o.csv", "o.csv.part"]


def test_tables_have_the_writer_of_the_library(four_bar, tmp_path, monkeypatch):
    """A link stays one, a full disk and a place that cannot be written are OSErrors, and "-" is a name."""
    run, out, real = four_bar.run(0.01), tmp_path / "last.csv", tmp_path / "1.csv"
    real.write_text("old")
    real.chmod(0o640)
    out.symlink_to("1.csv")
    run.to_csv(out)
    assert out.is_symlink() and len(real.read_text().splitlines()) == 1 + len(run)
    assert real.stat().st_mode & 0o777 == 0o640
    for wrong in (tmp_path, tmp_path / "none" / "a.csv", "/dev/full"):
        with pytest.raises(OSError):
            run.to_csv(wrong)
    code = ("import os, resource, signal, sys, numpy, tenon\n"
            "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
            "rows = tenon.Recording(['t'], numpy.ones((10000, 1)), {})\n"
            "try:\n    rows.to_csv(sys.argv[1])\nexcept OSError as error:\n    sys.exit(error.errno)\n")
    before = real.read_text()
    assert subprocess.run([sys.executable, "-c", code, out], check=False).returncode == errno.EFBIG
    assert real.read_text() == before
    monkeypatch.chdir(tmp_path)
    run.to_csv("-")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["-", "1.csv", "last.csv"]


def test_a_table_that_another_writes_is_refused(four_bar, tmp_path):
    """In both orders: by the tool and by Python."""
    from tenon._files import written
    run, out = four_bar.run(0.01), tmp_path / "o.csv"
    with written(out) as file:
        file.write("mine")
        with pytest.raises(OSError, match="another run is writing it") as raised:
            run.to_csv(out)
        assert raised.value.errno == errno.EBUSY
    assert out.read_text() == "mine" and [path.name for path in tmp_path.iterdir()] == ["o.csv"]


def interrupted_after(seconds, call):
    """How long the call goes on after Ctrl-C."""
    sent = []

    def send():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(seconds, send)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
        return time.monotonic() - sent[0]
    finally:
        timer.cancel()


def test_ctrl_c_within_a_step():
    sim = tenon.loads(SHAKEN).simulation()
    before = sim.save()
    for call in (lambda: sim.advance(3.0), lambda: sim.run(3.0, 3.0)):  # a step of 3 s is refused in less time
        assert interrupted_after(0.05, call) < 1.0
    assert sim.time < 3.0
    sim.restore(before)
    sim.step(1e-9)


def test_ctrl_c_within_a_batch(four_bar):
    batch = four_bar.batch(16)
    assert interrupted_after(0.3, lambda: batch.step(1e-4, 10**7)) < 1.0
    assert not batch.failed and (batch.times() > 0).any()
    assert batch.step(1e-4, 3)


def test_no_state_within_a_step(four_bar):
    sim, seen = four_bar.simulation(), []

    def loads(stage):
        with pytest.raises(tenon.Error) as caught:
            sim.save()
        seen.append(caught.value.status)

    sim.set_loads(loads)
    sim.step(1e-3)
    assert seen and set(seen) == {"busy"}
    sim.restore(sim.save())


def test_efforts_on_couplings_are_refused():
    """Out of a load such an effort did nothing, without a word."""
    model = tenon.loads("tenon: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
                        "joints: {j: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 1, 0]}, k: {type: hinge, a: b, origin: [0, 0, 0], axis: [0, 1, 0]}}\n"
                        "couplings: {c: {terms: [{coordinate: j.theta}, {coordinate: k.theta}], value: 0}}\n")
    sim = model.simulation()
    sim.set_loads(lambda stage: stage.add_effort("c.value", 1.0))
    with pytest.raises(ValueError, match="coupling"):
        sim.step(1e-3)


ARM = """tenon: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
joints: {j: {type: hinge, a: a, origin: [0, 0, 0], axis: [1, 0, 0]}}
markers: {tip: {body: a}}
"""


@pytest.mark.parametrize("call, needs", [
    (lambda s, n: s.set_pose("a", n), 7), (lambda s, n: s.set_velocity("a", n), 6),
    (lambda s, n: s.apply_wrench("a", n), 6), (lambda s, n: s.place({"tip": n}), 3),
    (lambda s, n: setattr(s["j"], "range", n), 2), (lambda s, n: s["j"].drive(tenon.Table([n])), 2),
    (lambda s, n: s["j"].motor(speed=tenon.Spline([(0, 0), n])), 2), (lambda s, n: in_stage(s, lambda st: st.add_wrench("a", n)), 6),
    (lambda s, n: in_step(s, lambda t: n), 3)])
def test_vectors_have_their_length(call, needs):
    sim = tenon.loads(ARM).simulation()
    before = sim.poses()
    for got in {0, 1, needs - 1, needs + 1, 40} - {needs}:
        for numbers in ([0.1] * got, np.full(got, 0.1), (0.1,) * got):
            with pytest.raises(ValueError, match=f"needs {needs} numbers, got {got}$"):
                call(sim, numbers)
    assert (sim.poses() == before).all() and sim.time == 0.0 and not sim.velocities().any()


def in_stage(sim, loads):
    sim.set_loads(loads)
    try:
        sim.step(1e-3)
    finally:
        sim.set_loads(None)


def in_step(sim, function):
    sim["j"].drive(function)
    sim.step(1e-3)


def test_derivatives_are_square():
    sim = tenon.loads(ARM).simulation()
    for shape in ((36,), (4, 9), (5, 6), (3, 3), ()):
        with pytest.raises(ValueError, match="needs 6 x 6 numbers, got"):
            in_stage(sim, lambda st: st.add_derivatives("a", np.zeros(shape)))


def test_misspelt_attributes_are_refused():
    model = tenon.loads(ARM)
    sim = model.simulation()
    for thing, name in ((sim["j"], "locket"), (sim["j"], "velocity"), (sim, "tme"), (model, "nam"), (model.batch(2), "thread"),
                        (tenon.Builder(), "gravity")):
        with pytest.raises(AttributeError):
            setattr(thing, name, 1.0)


def test_refused_names_come_with_those_that_there_are():
    model = tenon.loads(ARM)
    sim = model.simulation()
    for call, there in ((lambda: sim.wrench("j", "W"), "no frame 'W'; there are C, D, A, B"),
                        (lambda: model.run(0.01, 1e-3)["nope"], "there are t, .*j.theta"),
                        (lambda: model.check().unique("k"), "no joint 'k'; there are j")):
        with pytest.raises(KeyError, match=there):
            call()
