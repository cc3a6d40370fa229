"""Motion: the bits of the tool, closed forms, states, threads, failures."""

import csv
import json
import math
import subprocess
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import tenon
from conftest import PROJECT
from test_models import built

MODELS = sorted((PROJECT / "examples").glob("*.yaml"))


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_same_bits_as_the_tool(path, tool, tmp_path):
    table = tmp_path / "motion.csv"
    subprocess.run([tool, "run", str(path), "--time", "0.2", "--csv", str(table), "--quiet"], check=True)
    lines = table.read_text().splitlines()
    units = lines[0].removeprefix("# units: ").split(",")
    rows = list(csv.reader(line for line in lines if not line.startswith("#")))
    run = tenon.load(path).run(0.2)
    assert rows[0] == run.columns
    expected = np.array([[float(value) for value in row] for row in rows[1:]])
    assert expected.shape == run.data.shape
    scale = np.array([180 / math.pi if unit.startswith("deg") else 1.0 for unit in units])
    assert np.array_equal(expected, run.data * scale, equal_nan=True)


def long_chain(path, links):
    """Of hinges about axes that cross, with frames as it hangs from the ground."""
    bodies = "".join(f"  b{k}: {{position: [{k + 0.5}, 0, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}}\n" for k in range(links))
    joints = "".join(f"  j{k}: {{type: hinge, a: b{k}{f', b: b{k - 1}' if k else ''}, origin: [{k}, 0, 0], "
                     f"axis: {'[0, 1, 0]' if k % 2 else '[0, 0.8, 0.6]'}}}\n" for k in range(links))
    path.write_text(f"tenon: 1\nbodies:\n{bodies}joints:\n{joints}"
                    "simulation: {integrator: generalized_alpha, step: 1e-3, duration: 0.03}\n")
    return path


def test_same_bits_with_threads(tool, tmp_path):
    path = long_chain(tmp_path / "chain.yaml", 5000)
    tables = [tmp_path / f"{n}.csv" for n in (1, 2)]
    for n, table in zip((1, 2), tables):
        subprocess.run([tool, "run", str(path), "--threads", str(n), "--csv", str(table), "--quiet"], check=True)
    assert tables[0].read_bytes() == tables[1].read_bytes()
    model, states = tenon.load(path), []
    for n in (1, 2):
        sim = model.simulation()
        assert sim.threads == 1
        sim.threads = n
        assert sim.threads == n
        for _ in range(30):
            sim.step(1e-3)
        states.append(sim.save())
    assert states[0] == states[1]
    for wrong in (0, -1, 1025):
        with pytest.raises(tenon.Error):
            sim.threads = wrong
    assert sim.threads == 2
    for wrong in ("0", "1.5", "1025"):
        done = subprocess.run([tool, "run", str(path), "--threads", wrong], capture_output=True, text=True)
        assert done.returncode == 3 and "--threads" in done.stderr, done.stderr


def test_a_longer_run_has_longer_steps(tool, tmp_path):
    """A model that names no step: a thousandth of its duration, or of the run's where that is longer."""
    path = tmp_path / "model.yaml"
    path.write_text("tenon: 1\nbodies: {b: {position: [1, 0, 0], mass: 1, inertia: [1, 1, 1]}}\n"
                    "joints: {j: {type: hinge, a: b, origin: [0, 0, 0], axis: [0, 1, 0]}}\nsimulation: {duration: 0.1}\n")
    for duration, longest in ((0.05, 1e-4), (20.0, 0.02)):
        report = tmp_path / "report.json"
        subprocess.run([tool, "run", str(path), "--time", str(duration), "--report", str(report), "--quiet"], check=True)
        assert json.loads(report.read_text())["steps"] == round(duration / longest)
        assert tenon.load(path).run(duration).t[1] == pytest.approx(longest)


@pytest.mark.parametrize("name", ["slider_crank", "desk_lamp", "pendulum"])
def test_records_within_steps(name, tool, tmp_path):
    """Records between the ends of steps are at the times asked for, have the tool's bits, and change no step."""
    path, table = PROJECT / "examples" / f"{name}.yaml", tmp_path / "motion.csv"
    times = ["--time", "0.1", "--step", "3e-3", "--every", "0.0071"]
    subprocess.run([tool, "run", str(path), *times, "--csv", str(table), "--quiet"], check=True)
    lines = table.read_text().splitlines()
    scale = np.array([180 / math.pi if unit.startswith("deg") else 1.0 for unit in lines[0].removeprefix("# units: ").split(",")])
    rows = list(csv.reader(line for line in lines if not line.startswith("#")))[1:]
    expected = np.array([[float(value) for value in row] for row in rows])
    sim, plain = tenon.load(path).simulation(), tenon.load(path).simulation()
    run = sim.run(0.1, 3e-3, 0.0071)
    assert np.array_equal(expected, run.data * scale, equal_nan=True)
    assert np.allclose(run.data[:-1, 0], 0.0071 * np.arange(len(run.data) - 1), rtol=0, atol=1e-15) and run.data[-1, 0] == 0.1
    plain.run(0.1, 3e-3, math.nan)
    assert sim.save() == plain.save()


def pendulum_at(times):
    """theta of the built pendulum from rest: (I + m a^2) theta'' = m g a cos(theta), by RK4."""
    rate = 9.81 * 0.5 / (0.0833 + 0.25)

    def slope(s):
        return np.array([s[1], rate * math.cos(s[0])])

    state, h, t, out = np.zeros(2), 1e-4, 0.0, []
    for target in times:
        for _ in range(round((target - t) / h)):
            a = slope(state)
            b = slope(state + h / 2 * a)
            c = slope(state + h / 2 * b)
            d = slope(state + h * c)
            state = state + h / 6 * (a + 2 * b + 2 * c + d)
        t = target
        out.append(state[0])
    return np.array(out)


def test_pendulum_against_its_equation():
    run = built().compile().run(1.0, 1e-2, 0.1, integrator="dormand_prince")
    assert np.abs(run["pin.theta"] - pendulum_at(run.t)).max() < 1e-8
    assert run.t == pytest.approx(np.linspace(0, 1, 11), abs=1e-12)
    assert run.statistics["steps"] == 100 and run.statistics["position_error"] < 1e-12


def test_all_columns_of_a_name():
    """Multipliers stand behind all other columns, those of one joint are apart."""
    run = built().record(what=["coordinates", "reactions", "poses", "multipliers"]).compile().run(0.1)
    names = [name for name in run.columns if name.startswith("pin.")]
    places = [run.columns.index(name) for name in names]
    assert places[-1] - places[0] >= len(places), run.columns
    assert np.array_equal(run["pin"], np.stack([run[name] for name in names], axis=1))


def test_records_more_often_than_steps_are_refused():
    sim = built().compile().simulation()
    with pytest.raises(tenon.Error, match="every 0.003 s is less than a step of 0.01 s"):
        sim.run(0.1, step=0.01, every=0.003)
    assert sim.time == 0.0 and len(sim.run(0.1, step=0.01, every=0.01)) == 11


def test_names_of_columns():
    run = built().compile().run(0.1)
    assert "pin.theta" in run and run["bar"].shape[0] == len(run)
    with pytest.raises(KeyError, match="did you mean pin.theta"):
        run["pin.tetha"]


def test_steps_and_runs_are_the_same():
    model = built().compile()
    run, sim = model.run(0.1, 1e-3), model.simulation()
    for k in range(100):
        sim.step(1e-3)
    assert sim["pin"].value == run["pin.theta"][-1]


def test_a_run_goes_on_where_the_last_one_ended():
    model = built().compile()
    whole, sim = model.run(0.2, 1e-3), model.simulation()
    first, second = sim.run(0.1, 1e-3), sim.run(0.1, 1e-3)
    assert second.t[0] == first.t[-1] and sim.time == pytest.approx(0.2, abs=1e-12)
    assert second["pin.theta"][-1] == pytest.approx(whole["pin.theta"][-1], abs=1e-9)


def test_restore_goes_on_with_the_same_bits(four_bar):
    sim = four_bar.simulation()
    for _ in range(10):
        sim.step(1e-3)
    state = sim.save()
    sim.step(1e-3)
    poses = sim.poses()
    sim.restore(state)
    sim.step(1e-3)
    assert (sim.poses() == poses).all()
    with pytest.raises(tenon.Error):
        sim.restore(state[:-8])


def test_a_joint_breaks_under_what_it_is_told_to_bear(four_bar):
    sim, joint = four_bar.simulation(), four_bar.joints[0]
    sim.step(1e-3)
    assert sim.break_load(joint) == (math.inf, math.inf)
    assert np.linalg.norm(sim.wrench(joint)) > 1e-3
    sim.set_break_load(joint, 1e-3)
    assert sim.break_load(joint) == (1e-3, math.inf)
    sim.step(1e-3)
    assert not sim.wrench(joint).any()
    with pytest.raises(tenon.Error):
        sim.set_break_load(joint, 0.0)


def test_mass_of_a_coordinate():
    """A bar of 1 kg and 1 m on a pin at its end: the moment of inertia about the pin."""
    sim = built().compile().simulation()
    assert sim["pin"].mass == pytest.approx(0.0833 + 0.25, rel=1e-12)


def test_motor_by_a_function_of_python():
    sim = built().compile().simulation()
    sim["pin"].motor(speed=lambda t: (math.sin(t), math.cos(t), -math.sin(t)))
    sim.run(1.0, 1e-3)
    assert sim["pin"].speed == pytest.approx(math.sin(1.0), abs=1e-6)
    assert sim["pin"].force != 0.0
    sim["pin"].motor()
    sim.step(1e-3)
    assert sim["pin"].force == 0.0


def test_prescribed_motion_and_its_torque():
    sim = built().compile().simulation()
    sim["pin"].drive(tenon.Sine(0.3, 2.0))
    sim.run(0.5, 1e-3)
    theta, q2 = 0.3 * math.sin(1.0), -4 * 0.3 * math.sin(1.0)
    assert sim["pin"].value == pytest.approx(theta, abs=1e-10)
    torque = (0.0833 + 0.25) * q2 - 9.81 * 0.5 * math.cos(theta)
    assert sim["pin"].force == pytest.approx(torque, abs=2e-4)


def test_a_formula_is_a_function():
    sim, same = built().compile().simulation(), built().compile().simulation()
    sim["pin"].drive(tenon.Formula("0.3*sin(2*t)"))
    same["pin"].drive(tenon.Sine(0.3, 2.0))
    for one in (sim, same):
        one.run(0.5, 1e-3)
    assert sim["pin"].value == pytest.approx(same["pin"].value, abs=1e-15)
    assert sim["pin"].force == pytest.approx(same["pin"].force, abs=1e-10)
    with pytest.raises(tenon.Error):
        sim["pin"].drive(tenon.Formula("0.3*sine(2*t)"))


def test_a_failing_function_fails_the_step_and_nothing_else():
    sim = built().compile().simulation()
    before = sim.poses()
    sim["pin"].drive(lambda t: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        sim.step(1e-3)
    assert (sim.poses() == before).all() and sim.time == 0.0


def test_energy_and_reactions():
    model = built().compile()
    sim = model.simulation()
    start = sim.energy().total
    for _ in range(100):
        sim.step(1e-3)
    assert sim.energy().total == pytest.approx(start, abs=1e-4)
    # what the pin does to the bar balances weight and acceleration: nothing along its axis
    assert abs(sim.wrench("pin", "C")[2]) < 1e-12
    assert (sim.wrench("pin", "A")[:3] == -sim.wrench("pin", "B")[:3]).all()


def test_coordinates_of_loops(four_bar):
    sim = four_bar.simulation()
    joint = four_bar.joints[0]
    start = sim[joint].value
    sim[joint].value = start + 0.4
    assert sim[joint].value == pytest.approx(start + 0.4, abs=1e-12)
    assert sim.joint_error() < 1e-12
    before = sim.poses()
    with pytest.raises(tenon.Error, match="dependent|limited"):
        sim.set_coordinates({four_bar.joints[0]: start, four_bar.joints[1]: 17.0})
    assert (sim.poses() == before).all()


def test_markers_are_placed():
    b = built()
    b.marker("tip", body="bar", position=[0.5, 0, 0])
    sim = b.compile().simulation()
    sim.place({"tip": [0.0, 0.0, -1.0]})
    assert sim.marker("tip") == pytest.approx([0, 0, -1], abs=1e-10)
    with pytest.raises(tenon.Error, match="comes no nearer than 1 m"):
        sim.place({"tip": [0.0, 0.0, -2.0]})


def test_threads_give_the_bits_of_one():
    model = tenon.load(PROJECT / "examples" / "four_bar_hard.yaml")

    def run(speed):
        sim = model.simulation()
        sim[model.joints[0]].speed = speed
        return sim.run(0.3, 1e-3).data

    speeds = [0.1 * k for k in range(8)]
    with ThreadPoolExecutor(4) as pool:
        for alone, beside in zip(map(run, speeds), pool.map(run, speeds)):
            assert (alone == beside).all()


def test_what_was_recorded_before_a_failure_is_kept():
    sim = built().compile().simulation(integrator="dormand_prince")
    sim["pin"].drive(lambda t: (math.nan,) * 3 if t > 0.05 else (0.0, 0.0, 0.0))
    with pytest.raises(tenon.StepError) as caught:
        sim.run(0.1, 1e-2)
    recording = caught.value.recording
    assert 1 <= len(recording) <= 6 and np.isfinite(recording.data).all()
