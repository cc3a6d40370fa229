"""Models: read, built, refused with every problem in its place."""

import math

import numpy as np
import pytest

import tenon

PENDULUM = """tenon: 1
name: pendulum
gravity: [0, 0, -9.81]
bodies:
  bar: {mass: 1, inertia: [0.001, 0.0833, 0.0833], position: [0.5, 0, 0]}
joints:
  pin: {type: hinge, a: bar, origin: [0, 0, 0], axis: [0, 1, 0]}
"""


def built(b=None):
    b = b or tenon.Builder("pendulum", gravity=[0, 0, -9.81])
    b.body("bar", mass=1, inertia=np.array([0.001, 0.0833, 0.0833]), position=(0.5, 0, 0))
    return b.joint("pin", "hinge", a="bar", origin=[0, 0, 0], axis=[0, 1, 0])


def test_built_and_read_are_the_same_bit_by_bit():
    read, made = tenon.loads(PENDULUM), built().compile()
    assert read.text() == made.text()
    assert (read.run(1, 1e-3, 0.1).data == made.run(1, 1e-3, 0.1).data).all()


def test_names():
    model = tenon.loads(PENDULUM)
    assert (model.name, model.bodies, model.joints) == ("pendulum", ["bar"], ["pin"])
    assert model.coordinates("pin") == ("theta",)
    with pytest.raises(KeyError, match="there is no joint 'pim'; there are pin"):
        model.coordinates("pim")
    with pytest.raises(KeyError, match="has no coordinate 'phi'; it has theta"):
        model.simulation()["pin.phi"]


def test_all_problems_with_their_places():
    with pytest.raises(tenon.ModelError) as caught:
        tenon.loads("tenon: 1\nbodies: {a: {mass: -1}}\njoints: {j: {type: hinje, a: b}}\n", "bad.yaml")
    errors = [d for d in caught.value.diagnostics if d.severity == "error"]
    assert [d.line for d in errors] == sorted(d.line for d in errors) and len(errors) >= 3
    typo = [d for d in errors if "hinje" in d.message][0]
    assert (typo.file, typo.line) == ("bad.yaml", 3) and typo.hint.startswith("did you mean 'hinge'?")
    assert "bad.yaml:3:" in str(caught.value)


def test_problems_of_built_models_point_into_their_text():
    b = built()
    b.joint("weld", "solid", a="bra", origin=[0, 0, 0])
    with pytest.raises(tenon.ModelError) as caught:
        b.compile()
    error = [d for d in caught.value.diagnostics if "bra" in d.message][0]
    assert '"weld"' in b.text().splitlines()[error.line - 1]
    assert error.hint == "did you mean 'bar'?"


def test_infinite_numbers_and_arrays_have_a_form():
    b = built()
    b.sections["joints"]["pin"]["range"] = {"theta": [-math.inf, np.float64(0.25)]}
    sim = b.compile().simulation()
    assert sim["pin"].range == (-math.inf, 0.25)


def test_a_name_twice_is_refused():
    with pytest.raises(ValueError, match="already 'bar'"):
        built().body("bar")


def test_missing_file_and_unknown_option():
    with pytest.raises(tenon.ModelError, match="no/such.yaml"):
        tenon.load("no/such.yaml")
    with pytest.raises(TypeError, match="no option 'integratr'.*integrator"):
        tenon.loads(PENDULUM).simulation(integratr="dormand_prince")
    with pytest.raises(ValueError, match="no integrator 'euler'.*dormand_prince"):
        tenon.loads(PENDULUM).simulation(integrator="euler")


def test_catalogue():
    types = tenon.joint_types()
    assert types["universal"].coordinates == ("roll", "pitch")
    assert types["hinge"].degrees_of_freedom == 1
    assert len(types) >= 30


def test_redundancy_is_told(four_bar):
    found = four_bar.check()
    assert (found.degrees_of_freedom, found.rows, found.rank, found.permanent) == (1, 20, 17, 3)
    assert len(found.dependent) == 3 and all(r.kind == "permanent" for r in found.dependent)
    assert sorted(found.loops[0]) == sorted(four_bar.joints)
    # in the plane of a planar loop the pins' forces are unique, along the axis they are not
    assert found.unique(four_bar.joints[0])[[0, 1]].all()
    assert not found.unique(four_bar.joints[0])[2]
    assert found.friction_not_unique == [] and found.break_not_unique == []


def test_friction_by_shared_forces_is_told(examples):
    assert tenon.load(examples / "motor_press.yaml").check().friction_not_unique == ["guide.z"]


def test_pictures():
    model = built().compile()
    assert model.svg().startswith("<svg") or "<svg" in model.svg()
    assert "<svg" in model._repr_html_() or "<iframe" in model._repr_html_()


def test_saved_with_meshes_reads_back(tmp_path):
    """A file beside which its meshes are missing is not written."""
    for name in ("a/parts", "b", "c"):
        (tmp_path / name).mkdir(parents=True)
    mesh = tmp_path / "a" / "parts" / "m.obj"
    mesh.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
    (tmp_path / "a" / "m.yaml").write_text(
        "tenon: 1\nbodies: {a: {material: steel, shapes: [mesh: {file: parts/m.obj}]}}\n"
        "materials: {steel: {density: 7850}}\n")
    model = tenon.load(tmp_path / "a" / "m.yaml")
    model.save(tmp_path / "b" / "p.yaml")
    assert tenon.load(tmp_path / "b" / "p.yaml").bodies == ["a"]
    mesh.unlink()
    with pytest.raises(tenon.Error):
        model.save(tmp_path / "c" / "p.yaml")
    assert not (tmp_path / "c" / "p.yaml").exists()


def test_allowed_folders(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "x.xml").write_text("<mujocoinclude><body><freejoint/><geom size='.1'/></body></mujocoinclude>")
    (tmp_path / "in" / "m.xml").write_text("<mujoco><worldbody><include file='../x.xml'/></worldbody></mujoco>")
    with pytest.raises(tenon.ModelError):
        tenon.load(tmp_path / "in" / "m.xml")
    tenon.allow(tmp_path)
    assert len(tenon.load(tmp_path / "in" / "m.xml").bodies) == 1
    tenon.allow(None)
    with pytest.raises(tenon.Error):
        tenon.allow(tmp_path / "nowhere")
