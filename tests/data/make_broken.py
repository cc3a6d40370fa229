"""Writes tests/data/broken: model files with one mistake each, made from one good model.

    python3 tests/data/make_broken.py

Each mistake is a line of a table: what it is called, what the reader must say, and what is replaced
by what in the good model. The first line of every file says what is expected of the reader; files
that begin with `# structure` must also be refused by the JSON Schema, those with `# value` are right
in form and wrong in what they say, those with `# text` are not YAML as the format allows it.
"""
import pathlib

GOOD = """\
tenon: 1
name: good
angle: deg
gravity: [0, 0, -9.8]
damping: {frame: 0.1, rotary: 0.2}
materials: {steel: {density: 7850}}
bodies:
  base: {kind: fixed}
  link1:
    position: [0, 0, 1]
    rpy: [0, 90, 0]
    mass: 2
    center_of_mass: [0, 0, 0.01]
    inertia: [1, 1.1, 1.2]
    velocity: {linear: [0, 0, 0], angular: [0, 0, 1]}
  link2:
    material: steel
    shapes:
      - box: {size: [0.1, 0.2, 0.3]}
        position: [0, 0, 0.1]
joints:
  joint0:
    type: hinge
    a: link1
    b: base
    frame: {position: [1, 0, 0], rpy: [0, 0, 90]}
    range: {theta: [-60, 60]}
    initial: {theta: 35}
    compliance: 1.0e-6
    damping: 25000
    locked: [theta]
    enabled: true
  joint1: {type: cylindrical, a: link2, b: link1, origin: [0, 0, 0], axis: [0, 0, 1]}
markers:
  tip: {body: link1, position: [0, 0, 0.5]}
simulation: {integrator: generalized_alpha, step: 1.0e-3, duration: 1}
record: {every: 0.01, what: [poses], bodies: all, joints: [joint0], markers: [tip]}
"""

BOX = "box: {size: [0.1, 0.2, 0.3]}"
FRAME = "frame: {position: [1, 0, 0], rpy: [0, 0, 90]}"
PLACED = "origin: [0, 0, 0], axis: [0, 0, 1]"
TETRA = "vertices: [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]"

# Wrong in form: names and types of what is written.
STRUCTURE = [
    # the head
    ("version missing", "the key 'tenon' is missing", "tenon: 1\n", ""),
    ("version unknown", "unknown version 2", "tenon: 1", "tenon: 2"),
    ("version fraction", "unknown version 1.5", "tenon: 1", "tenon: 1.5"),
    ("version text", "'tenon' must be a number, not the text 'one'", "tenon: 1", "tenon: one"),
    ("version quoted", "'tenon' must be a number, not the text '1'", "tenon: 1", 'tenon: "1"'),
    ("version empty", "'tenon' must be a number, not nothing", "tenon: 1", "tenon:"),
    ("title number", "'name' must be a text, not 12", "name: good", "name: 12"),
    ("title list", "'name' must be a text, not a list", "name: good", "name: [good]"),
    ("title bool", "'name' must be a text, not true", "name: good", "name: true"),
    ("title empty", "'name' must be a text, not nothing", "name: good", "name:"),
    ("angle unknown", "unknown angle 'degrees'", "angle: deg", "angle: degrees"),
    ("angle number", "'angle' must be a text, not 360", "angle: deg", "angle: 360"),
    ("angle case", "unknown angle 'DEG'", "angle: deg", "angle: DEG"),
    ("key unknown at top", "unknown key 'gravty'", "gravity:", "gravty:"),
    ("key case", "unknown key 'Gravity'", "gravity:", "Gravity:"),
    ("key far off", "unknown key 'colour'", "angle: deg", "angle: deg\ncolour: red"),
    ("key number", "unknown key '7'", "angle: deg", "angle: deg\n7: 8"),
    ("gravity short", "'gravity' must be a list of 3 numbers, not of 1", "[0, 0, -9.8]", "[-9.8]"),
    ("gravity long", "'gravity' must be a list of 3 numbers, not of 4", "[0, 0, -9.8]", "[0, 0, 0, -9.8]"),
    ("gravity number", "'gravity' must be a list, not -9.8", "[0, 0, -9.8]", "-9.8"),
    ("gravity text inside", "'gravity' must be a number, not the text 'down'", "[0, 0, -9.8]", "[0, 0, down]"),
    ("gravity nested", "'gravity' must be a number, not a list", "[0, 0, -9.8]", "[0, 0, [-9.8]]"),
    ("gravity quoted", "'gravity' must be a number, not the text '-9.8'", "[0, 0, -9.8]", '[0, 0, "-9.8"]'),
    ("gravity null", "'gravity' must be a number, not nothing", "[0, 0, -9.8]", "[0, 0, null]"),
    ("gravity comma decimal", "not of 4", "[0, 0, -9.8]", "[0, 0, -9,8]"),
    ("gravity word", "not the text 'down'", "[0, 0, -9.8]", "[0, 0, down]"),
    ("damping number", "a damping must be a mapping", "damping: {frame: 0.1, rotary: 0.2}", "damping: 0.1"),
    ("damping key", "unknown key 'linear' in a damping", "{frame: 0.1,", "{linear: 0.1,"),
    ("damping bool", "'frame' must be a number, not false", "{frame: 0.1,", "{frame: false,"),
    ("materials list", "'materials' must be a mapping", "{steel: {density: 7850}}", "[steel]"),
    ("material number", "a material must be a mapping", "{steel: {density: 7850}}", "{steel: 7850}"),
    ("material empty", "the key 'density' is missing in a material", "{density: 7850}", "{}"),
    ("material key", "unknown key 'denisty' in a material", "{density: 7850}", "{denisty: 7850}"),
    ("material text", "'density' must be a number, not the text 'heavy'", "{density: 7850}", "{density: heavy}"),
    # bodies
    ("bodies missing", "the key 'bodies' is missing in a model", "bodies:\n", "bodis:\n"),
    ("bodies empty", "'bodies' must be a mapping (key: value), not nothing", GOOD[GOOD.index("bodies:"):GOOD.index("joints:")], "bodies:\n"),
    ("bodies list", "'bodies' must be a mapping (key: value), not a list", GOOD[GOOD.index("bodies:"):GOOD.index("joints:")], "bodies: [base, link1]\n"),
    ("body list", "body 'base': a body must be a mapping", "base: {kind: fixed}", "base: [fixed]"),
    ("body text", "body 'base': a body must be a mapping", "base: {kind: fixed}", "base: fixed"),
    ("body empty value", "body 'base': a body must be a mapping (key: value), not nothing", "base: {kind: fixed}", "base:"),
    ("kind unknown", "unknown kind 'fixxed'", "kind: fixed", "kind: fixxed"),
    ("kind number", "'kind' must be a text, not 6", "kind: fixed", "kind: 6"),
    ("kind bool", "'kind' must be a text, not true", "kind: fixed", "kind: true"),
    ("position short", "'position' must be a list of 3 numbers, not of 1", "position: [0, 0, 1]", "position: [1]"),
    ("position number", "'position' must be a list, not 1", "position: [0, 0, 1]", "position: 1"),
    ("position mapping", "'position' must be a list, not a mapping", "position: [0, 0, 1]", "position: {z: 1}"),
    ("position text", "not the text 'O'", "position: [0, 0, 1]", "position: [0, O, 1]"),
    ("position bool", "'position' must be a number, not true", "position: [0, 0, 1]", "position: [0, 0, true]"),
    ("rotation short", "'rpy' must be a list of 3 numbers, not of 1", "rpy: [0, 90, 0]", "rpy: [90]"),
    ("rotation number", "'rpy' must be a list, not 90", "rpy: [0, 90, 0]", "rpy: 90"),
    ("two rotations", "give only one of 'quaternion' and 'rpy'", "rpy: [0, 90, 0]", "rpy: [0, 90, 0]\n    quaternion: [1, 0, 0, 0]"),
    ("two rotations again", "give only one of 'axis_angle' and 'rpy'", "rpy: [0, 90, 0]", "rpy: [0, 90, 0]\n    axis_angle: [1, 0, 0, 5]"),
    ("quaternion short", "'quaternion' must be a list of 4 numbers, not of 3", "rpy: [0, 90, 0]", "quaternion: [1, 0, 0]"),
    ("axis_angle short", "'axis_angle' must be a list of 4 numbers, not of 3", "rpy: [0, 90, 0]", "axis_angle: [1, 0, 0]"),
    ("axis_angle words", "'axis_angle' must be a number, not the text 'z'", "rpy: [0, 90, 0]", "axis_angle: [0, 0, z, 90]"),
    ("rotation key", "unknown key 'rotation' in a body", "rpy: [0, 90, 0]", "rotation: [0, 90, 0]"),
    ("body key", "unknown key 'mas' in a body", "mass: 2", "mas: 2"),
    ("body key centre", "unknown key 'centre_of_mass' in a body", "center_of_mass:", "centre_of_mass:"),
    ("mass text", "'mass' must be a number, not the text 'two'", "mass: 2", "mass: two"),
    ("mass word", "'mass' must be a number, not the text 'two kg'", "mass: 2", "mass: two kg"),
    ("mass list", "'mass' must be a number, not a list", "mass: 2", "mass: [2]"),
    ("mass nothing", "'mass' must be a number, not nothing", "mass: 2", "mass:"),
    ("mass quoted", "'mass' must be a number, not the text '2'", "mass: 2", "mass: '2'"),
    ("mass bool", "'mass' must be a number, not true", "mass: 2", "mass: true"),
    ("mass hexadecimal", "'mass' must be a number, not the text '0x10'", "mass: 2", "mass: 0x10"),
    ("mass underscore", "'mass' must be a number, not the text '2_000'", "mass: 2", "mass: 2_000"),
    ("mass fraction", "'mass' must be a number, not the text '1/2'", "mass: 2", "mass: 1/2"),
    ("mass block text", "'mass' must be a number, not the text '2", "mass: 2", "mass: |\n      2"),
    ("centre of mass short", "'center_of_mass' must be a list of 3 numbers, not of 1", "[0, 0, 0.01]", "[0.01]"),
    ("inertia two", "3 or 6 numbers or 3 x 3, not of 2", "[1, 1.1, 1.2]", "[1, 1.1]"),
    ("inertia five", "3 or 6 numbers or 3 x 3, not of 5", "[1, 1.1, 1.2]", "[1, 1.1, 1.2, 0, 0]"),
    ("inertia empty", "3 or 6 numbers or 3 x 3, not of 0", "[1, 1.1, 1.2]", "[]"),
    ("inertia text", "'inertia' must be a number, not the text 'Jzz'", "[1, 1.1, 1.2]", "[1, 1.1, Jzz]"),
    ("inertia mapping", "'inertia' must be a list of 3 or 6 numbers", "[1, 1.1, 1.2]", "{xx: 1, yy: 1.1, zz: 1.2}"),
    ("inertia ragged", "'inertia' must be a list of 3 numbers, not of 2", "[1, 1.1, 1.2]", "[[1, 0, 0], [0, 1.1], [0, 0, 1.2]]"),
    ("inertia mixed", "'inertia' must be a list, not 1.1", "[1, 1.1, 1.2]", "[[1, 0, 0], 1.1, 1.2]"),
    ("inertia two rows", "not of 2", "[1, 1.1, 1.2]", "[[1, 0, 0], [0, 1.1, 0]]"),
    ("velocity list", "a velocity must be a mapping", "velocity: {linear: [0, 0, 0], angular: [0, 0, 1]}", "velocity: [0, 0, 0]"),
    ("velocity key", "unknown key 'anglar' in a velocity", "angular:", "anglar:"),
    ("velocity short", "'linear' must be a list of 3 numbers, not of 1", "{linear: [0, 0, 0],", "{linear: [0],"),
    ("density and material", "give only one of 'density' and 'material'", "material: steel", "material: steel\n    density: 7850"),
    ("material list", "'material' must be a text, not a list", "material: steel", "material: [steel]"),
    # shapes
    ("shapes mapping", "'shapes' must be a list, not a mapping", "      - box: {size: [0.1, 0.2, 0.3]}\n        position: [0, 0, 0.1]\n", "      box: {size: [0.1, 0.2, 0.3]}\n"),
    ("shapes text", "'shapes' must be a list, not the text 'box'", "shapes:\n      - box: {size: [0.1, 0.2, 0.3]}\n        position: [0, 0, 0.1]\n", "shapes: box\n"),
    ("shape text", "a shape must be a mapping", "- box: {size: [0.1, 0.2, 0.3]}\n        position: [0, 0, 0.1]\n", "- box\n"),
    ("shape kind unknown", "unknown key 'bix' in a shape", "box:", "bix:"),
    ("shape without kind", "names no kind of shape", BOX + "\n        position", "position"),
    ("shape two kinds", "a second kind of shape in one entry", BOX, BOX + "\n        sphere: {radius: 1}"),
    ("shape parameter unknown", "unknown key 'sise' in box", "{size: [0.1, 0.2, 0.3]}", "{sise: [0.1, 0.2, 0.3]}"),
    ("shape parameter missing", "the key 'size' is missing in box", "{size: [0.1, 0.2, 0.3]}", "{}"),
    ("shape parameter short", "'size' must be a list of 3 numbers, not of 2", "[0.1, 0.2, 0.3]", "[0.1, 0.2]"),
    ("shape parameter number", "'size' must be a list, not 0.1", "{size: [0.1, 0.2, 0.3]}", "{size: 0.1}"),
    ("shape not a mapping", "'box' must be a mapping", BOX, "box: [0.1, 0.2, 0.3]"),
    ("shape nothing", "'box' must be a mapping (key: value), not nothing", BOX, "box:"),
    ("shape radius text", "'radius' must be a number, not the text 'big'", BOX, "sphere: {radius: big}"),
    ("shape slices fraction", "'slices' must be a whole number, not 12.5", BOX, "rounded_box: {length: 1, width: 0.1, depth: 0.1, slices: 12.5}"),
    ("shape slices text", "'slices' must be a number", BOX, "rounded_box: {length: 1, width: 0.1, depth: 0.1, slices: many}"),
    ("shape two rotations", "give only one of 'quaternion' and 'rpy' in a shape", "        position: [0, 0, 0.1]", "        quaternion: [1, 0, 0, 0]\n        rpy: [0, 0, 0]"),
    ("shape mass and density", "give only one of 'density' and 'mass' in a shape", "        position: [0, 0, 0.1]", "        density: 5\n        mass: 1"),
    ("shape pose key", "unknown key 'posiion' in a shape", "        position: [0, 0, 0.1]", "        posiion: [0, 0, 0.1]"),
    ("polygon points flat", "'points' must be a list, not 0", BOX, "extrusion: {points: [0, 0, 1, 0, 0, 1], height: 1}"),
    ("polygon points 3-D", "'points' must be a list of 2 numbers, not of 3", BOX, "extrusion: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], height: 1}"),
    ("polygon height missing", "the key 'height' is missing in extrusion", BOX, "extrusion: {points: [[0, 0], [1, 0], [0, 1]]}"),
    ("mesh file number", "'file' must be a text, not 5", BOX, "mesh: {file: 5}"),
    ("mesh triangles of four", "lists of 3 vertex numbers", BOX, "mesh: {%s, triangles: [[0,2,1],[0,1,3],[0,3,2],[1,2,3,0]]}" % TETRA),
    ("mesh triangle fraction", "must be a whole number, not 0.5", BOX, "mesh: {%s, triangles: [[0,2,1],[0,1,3],[0,3,2],[1,2,0.5]]}" % TETRA),
    # joints
    ("joints list", "'joints' must be a mapping", GOOD[GOOD.index("joints:"):GOOD.index("markers:")], "joints: [hinge]\n"),
    ("joint text", "joint 'joint1': a joint must be a mapping", "{type: cylindrical, a: link2, b: link1, origin: [0, 0, 0], axis: [0, 0, 1]}", "cylindrical"),
    ("type missing", "the key 'type' is missing in a joint", "    type: hinge\n", ""),
    ("type unknown", "unknown joint type 'hing'", "type: hinge", "type: hing"),
    ("type case", "unknown joint type 'Hinge'", "type: hinge", "type: Hinge"),
    ("type far off", "unknown joint type 'glue'", "type: hinge", "type: glue"),
    ("type number", "'type' must be a text, not 1", "type: hinge", "type: 1"),
    ("type list", "'type' must be a text, not a list", "type: hinge", "type: [hinge]"),
    ("a missing", "the key 'a' is missing in a joint", "    a: link1\n", ""),
    ("a number", "'a' must be a text, not 1", "a: link1", "a: 1"),
    ("b list", "'b' must be a text, not a list", "b: base", "b: [base]"),
    ("b null", "'b' must be a text, not nothing", "b: base", "b: null"),
    ("not placed", "must be placed in exactly one way", "    " + FRAME + "\n", ""),
    ("placed twice", "must be placed in exactly one way", FRAME, FRAME + "\n    origin: [0, 0, 0]"),
    ("placed by half", "must be placed in exactly one way", FRAME, "frame_a: {}"),
    ("placed by the other half", "must be placed in exactly one way", FRAME, "frame_d: {}"),
    ("placed by odd pair", "must be placed in exactly one way", FRAME, "frame_a: {}\n    frame_d: {}"),
    ("placed by three", "must be placed in exactly one way", FRAME, "frame_a: {}\n    frame_b: {}\n    frame: {}"),
    ("axis alone", "must be placed in exactly one way", "origin: [0, 0, 0], axis", "axis"),
    ("origin and frame", "must be placed in exactly one way", PLACED, "origin: [0, 0, 0], frame: {}"),
    ("frame list", "a pose must be a mapping", FRAME, "frame: [1, 0, 0]"),
    ("frame key", "unknown key 'pos' in a pose", "frame: {position:", "frame: {pos:"),
    ("frame two rotations", "give only one of 'quaternion' and 'rpy' in a pose", "rpy: [0, 0, 90]", "rpy: [0, 0, 90], quaternion: [1, 0, 0, 0]"),
    ("origin short", "'origin' must be a list of 3 numbers, not of 1", "origin: [0, 0, 0]", "origin: [0]"),
    ("axis word", "'axis' must be a list, not the text 'z'", "axis: [0, 0, 1]", "axis: z"),
    ("range number", "'range' must be a list, not 60", "{theta: [-60, 60]}", "{theta: 60}"),
    ("range one", "'range' must be [lower, upper], not a list of 1", "[-60, 60]", "[60]"),
    ("range three", "'range' must be [lower, upper], not a list of 3", "[-60, 60]", "[-60, 0, 60]"),
    ("range text", "'range' must be a number, not the text 'inf'", "[-60, 60]", "[-60, inf]"),
    ("range list", "'range' must be a mapping", "{theta: [-60, 60]}", "[-60, 60]"),
    ("range coordinate", "unknown coordinate 'phi'", "range: {theta:", "range: {phi:"),
    ("initial coordinate", "unknown coordinate 'z'", "initial: {theta: 35}", "initial: {z: 35}"),
    ("initial number", "'initial' must be a mapping", "initial: {theta: 35}", "initial: 35"),
    ("initial text", "'theta' must be a number, not the text 'deg35'", "{theta: 35}", "{theta: deg35}"),
    ("set coordinate", "unknown coordinate 'thta'", "initial: {theta: 35}", "set: {thta: 35}"),
    ("locked text", "'locked' must be a list, not the text 'theta'", "locked: [theta]", "locked: theta"),
    ("locked coordinate", "unknown coordinate 'x'", "locked: [theta]", "locked: [x]"),
    ("locked number", "'locked' must be a text, not 0", "locked: [theta]", "locked: [0]"),
    ("enabled text", "'enabled' must be true or false, not the text 'yes'", "enabled: true", "enabled: yes"),
    ("enabled number", "'enabled' must be true or false, not 1", "enabled: true", "enabled: 1"),
    ("compliance text", "'compliance' must be a number, not the text 'soft'", "compliance: 1.0e-6", "compliance: soft"),
    ("compliance mapping", "'compliance' must be a number or a list", "compliance: 1.0e-6", "compliance: {x: 1}"),
    ("compliance list text", "'compliance' must be a number, not the text 'a'", "compliance: 1.0e-6", "compliance: [1, a]"),
    ("compliance long", "'compliance' has 7 numbers", "compliance: 1.0e-6", "compliance: [0, 0, 0, 0, 0, 0, 0]"),
    ("damping text", "'damping' must be a number", "damping: 25000", "damping: strong"),
    ("linear compliance list", "'linear_compliance' must be a number, not a list", "damping: 25000", "linear_compliance: [1]"),
    ("joint key", "unknown key 'complianc' in a joint", "compliance: 1.0e-6", "complianc: 1.0e-6"),
    ("joint parameter of none", "unknown key 'pitch_angle' in a joint", "damping: 25000", "pitch_angle: 5"),
    # markers, simulation, record
    ("marker body missing", "the key 'body' is missing in a marker", "{body: link1, position: [0, 0, 0.5]}", "{position: [0, 0, 0.5]}"),
    ("marker list", "a marker must be a mapping", "{body: link1, position: [0, 0, 0.5]}", "[0, 0, 0.5]"),
    ("marker key", "unknown key 'psition' in a marker", "{body: link1, position:", "{body: link1, psition:"),
    ("marker body number", "'body' must be a text, not 1", "{body: link1,", "{body: 1,"),
    ("integrator unknown", "unknown integrator 'rk4'", "generalized_alpha", "rk4"),
    ("integrator misspelt", "unknown integrator 'generalised_alpha'", "generalized_alpha", "generalised_alpha"),
    ("step text", "'step' must be a number, not the text 'ms1'", "1.0e-3", "ms1"),
    ("simulation key", "unknown key 'time' in the simulation section", "duration: 1", "time: 1"),
    ("simulation list", "the simulation section must be a mapping", "{integrator: generalized_alpha, step: 1.0e-3, duration: 1}", "[1, 2]"),
    ("record what unknown", "'pose' cannot be recorded", "[poses]", "[pose]"),
    ("record what text", "'what' must be 'all' or a list", "[poses]", "poses"),
    ("record what number", "'what' must be a text, not 1", "[poses]", "[1]"),
    ("record bodies text", "'bodies' must be 'all' or a list", "bodies: all", "bodies: link1"),
    ("record key", "unknown key 'evry' in the record section", "every: 0.01", "evry: 0.01"),
    ("record every list", "'every' must be a number, not a list", "every: 0.01", "every: [0.01]"),
    ("record joints mapping", "'joints' must be 'all' or a list, not a mapping", "joints: [joint0]", "joints: {joint0: 1}"),
]

# Right in form, wrong in what it says.
VALUE = [
    ("gravity infinite", "'gravity' must be a finite number, not -.inf", "-9.8]", "-.inf]"),
    ("gravity nan", "'gravity' must be a finite number, not .nan", "-9.8]", ".nan]"),
    ("gravity too large", "'gravity' must be a finite number, not -1e999", "-9.8]", "-1e999]"),
    ("world damping negative", "model: frame damping must not be negative, is -0.1", "{frame: 0.1,", "{frame: -0.1,"),
    ("world rotary damping negative", "rotary damping must not be negative, is -0.2", "rotary: 0.2", "rotary: -0.2"),
    ("material density zero", "material 'steel': density must be positive, is 0", "7850", "0"),
    ("material density negative", "material 'steel': density must be positive, is -1", "7850", "-1"),
    ("material name number", "a name must be a text", "{steel:", "{12:"),
    ("body named ground", "'ground' stands for the world", "base: {kind: fixed}", "base: {kind: fixed}\n  ground: {kind: fixed}"),
    ("body twice", "body 'base': the name is used twice", "base: {kind: fixed}", "base: {kind: fixed}\n  base: {kind: fixed}"),
    ("body name number", "a name must be a text", "base: {kind: fixed}", "base: {kind: fixed}\n  5: {kind: fixed}"),
    ("body name bool", "a name must be a text", "base: {kind: fixed}", "base: {kind: fixed}\n  true: {kind: fixed}"),
    ("body name empty", "must not be empty", "base: {kind: fixed}", "base: {kind: fixed}\n  '': {kind: fixed}"),
    ("body name blank end", "begin or end with a blank", "base: {kind: fixed}", "base: {kind: fixed}\n  'b ': {kind: fixed}"),
    ("body name control", "must not contain control characters", "base: {kind: fixed}", 'base: {kind: fixed}\n  "b\\nc": {kind: fixed}'),
    ("joint twice", "joint 'joint1': the name is used twice", "markers:\n", "  joint1: {type: solid, a: link2, frame: {}}\nmarkers:\n"),
    ("marker twice", "marker 'tip': the name is used twice", "simulation:", "  tip: {body: base}\nsimulation:"),
    ("material twice", "material 'steel': the name is used twice", "{steel: {density: 7850}}", "{steel: {density: 7850}, steel: {density: 7}}"),
    ("key twice", "'mass' is given twice, first in line", "mass: 2", "mass: 2\n    mass: 3"),
    ("section twice", "'gravity' is given twice", "gravity: [0, 0, -9.8]", "gravity: [0, 0, -9.8]\ngravity: [0, 0, -9.8]"),
    ("coordinate twice", "'theta' is given twice", "{theta: 35}", "{theta: 35, theta: 36}"),
    ("lock twice", "'theta' is given twice", "[theta]", "[theta, theta]"),
    ("shape parameter twice", "'size' is given twice", "{size: [0.1, 0.2, 0.3]}", "{size: [0.1, 0.2, 0.3], size: [1, 1, 1]}"),
    ("mass zero", "body 'link1': mass must be positive, is 0", "mass: 2", "mass: 0"),
    ("mass negative", "body 'link1': mass must be positive, is -2", "mass: 2", "mass: -2"),
    ("mass infinite", "'mass' must be a finite number, not .inf", "mass: 2", "mass: .inf"),
    ("mass missing", "body 'link1': a rigid body needs a mass", "    mass: 2\n", ""),
    ("inertia missing", "body 'link1': a rigid body needs an inertia", "    inertia: [1, 1.1, 1.2]\n", ""),
    ("inertia of planar missing", "body 'link1': a planar body needs an inertia", "    inertia: [1, 1.1, 1.2]\n", "    kind: planar\n"),
    ("inertia triangle", "no body has this inertia", "[1, 1.1, 1.2]", "[1, 1.1, 2.2]"),
    ("inertia negative", "negative principal moment", "[1, 1.1, 1.2]", "[1, -1.1, 1.2]"),
    ("inertia products", "negative principal moment", "[1, 1.1, 1.2]", "[1, 1.1, 1.2, 5, 0, 0]"),
    ("inertia asymmetric", "not symmetric", "[1, 1.1, 1.2]", "[[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]"),
    ("inertia single number of rigid", "must be a list of 3 or 6 numbers or 3 x 3, not 1", "[1, 1.1, 1.2]", "1"),
    ("inertia of planar negative", "moment of inertia about z must not be negative", "inertia: [1, 1.1, 1.2]", "inertia: -1\n    kind: planar"),
    ("inertia of particle", "a particle does not turn and has no inertia", "inertia: [1, 1.1, 1.2]", "inertia: [1, 1, 1]\n    kind: particle"),
    ("inertia nan", "'inertia' must be a finite number, not .nan", "[1, 1.1, 1.2]", "[1, .nan, 1.2]"),
    ("position infinite", "'position' must be a finite number, not .inf", "position: [0, 0, 1]", "position: [0, .inf, 1]"),
    ("quaternion zero", "the quaternion is zero", "rpy: [0, 90, 0]", "quaternion: [0, 0, 0, 0]"),
    ("axis of rotation zero", "the axis is zero and has no direction", "rpy: [0, 90, 0]", "axis_angle: [0, 0, 0, 90]"),
    ("velocity infinite", "'angular' must be a finite number", "angular: [0, 0, 1]", "angular: [0, 0, .inf]"),
    ("body damping negative", "body 'link1': rotary damping must not be negative, is -3", "mass: 2", "mass: 2\n    damping: {rotary: -3}"),
    ("material unknown", "unknown material 'stel'", "material: steel", "material: stel"),
    ("density zero", "body 'link2': density must be positive, is 0", "material: steel", "density: 0"),
    ("density missing", "density", "    material: steel\n", ""),
    ("shapes empty", "body 'link2': a rigid body needs a mass", "shapes:\n      - box: {size: [0.1, 0.2, 0.3]}\n        position: [0, 0, 0.1]\n", "shapes: []\n"),
    ("size zero", "size[1] must be positive", "[0.1, 0.2, 0.3]", "[0.1, 0, 0.3]"),
    ("size negative", "size[2] must be positive", "[0.1, 0.2, 0.3]", "[0.1, 0.2, -0.3]"),
    ("size infinite", "'size' must be a finite number", "[0.1, 0.2, 0.3]", "[0.1, 0.2, .inf]"),
    ("radius zero", "radius must be positive", BOX, "sphere: {radius: 0}"),
    ("slices one", "slices must be", BOX, "rounded_box: {length: 1, width: 0.1, depth: 0.1, slices: 1}"),
    ("slices negative", "slices must be", BOX, "rounded_cylinder: {length: 1, radius: 0.1, slices: -4}"),
    ("slices huge", "slices must be", BOX, "rounded_cylinder: {length: 1, radius: 0.1, slices: 2000000000}"),
    ("shape mass zero", "mass must be positive", "        position: [0, 0, 0.1]", "        mass: 0"),
    ("shape density negative", "density must be positive", "        position: [0, 0, 0.1]", "        density: -5"),
    ("polygon crossed", "extrusion", BOX, "extrusion: {points: [[0, 0], [1, 1], [1, 0], [0, 1]], height: 1}"),
    ("polygon flat", "extrusion", BOX, "extrusion: {points: [[0, 0], [1, 0], [2, 0]], height: 1}"),
    ("mesh file missing", "the mesh 'no_such_part.stl' cannot be used", BOX, "mesh: {file: no_such_part.stl}"),
    ("mesh file format", "the mesh 'part.step' cannot be used", BOX, "mesh: {file: part.step}"),
    ("mesh with hole", "mesh", BOX, "mesh: {%s, triangles: [[0,2,1],[0,1,3],[0,3,2],[0,1,2]]}" % TETRA),
    ("mesh vertex beyond", "names vertex 9 of 4", BOX, "mesh: {%s, triangles: [[0,2,1],[0,1,3],[0,3,2],[1,2,9]]}" % TETRA),
    ("mesh without triangles", "mesh", BOX, "mesh: {%s}" % TETRA),
    ("mesh of nothing", "mesh", BOX, "mesh: {}"),
    ("mesh file and vertices", "give either a file or vertices", BOX, "mesh: {file: a.stl, %s}" % TETRA),
    ("mesh scale zero", "scale must be positive", BOX, "mesh: {scale: 0, %s, triangles: [[0,2,1],[0,1,3],[0,3,2],[1,2,3]]}" % TETRA),
    ("a unknown", "joint 'joint0': unknown body 'lnk1'", "a: link1", "a: lnk1"),
    ("b unknown", "joint 'joint0': unknown body 'bas'", "b: base", "b: bas"),
    ("a ground", "cannot be the ground", "a: link1", "a: ground"),
    ("joint with itself", "joint 'joint0': joins body 'link1' to itself", "b: base", "b: link1"),
    ("axis zero", "joint 'joint1': the axis is zero", "axis: [0, 0, 1]", "axis: [0, 0, 0]"),
    ("axis nan", "'axis' must be a finite number, not .NaN", "axis: [0, 0, 1]", "axis: [0, 0, .NaN]"),
    ("frame quaternion zero", "the quaternion is zero", "rpy: [0, 0, 90]", "quaternion: [0, 0, 0, 0]"),
    ("range reversed", "range of theta: lower 1.0472 is above upper -1.0472", "[-60, 60]", "[60, -60]"),
    ("range nan", "'range' must be a finite number, not .nan", "[-60, 60]", "[.nan, 60]"),
    ("range infinite", "range of theta is empty", "[-60, 60]", "[.inf, .inf]"),
    ("initial infinite", "'theta' must be a finite number", "{theta: 35}", "{theta: .inf}"),
    ("initial with two frames", "two frames define the coordinates already", FRAME, "frame_a: {}\n    frame_b: {}"),
    ("compliance negative", "compliance of row fx must not be negative, is -1e-06", "compliance: 1.0e-6", "compliance: -1.0e-6"),
    ("compliance of one row negative", "compliance of row fz must not be negative, is -1", "compliance: 1.0e-6", "compliance: [0, 0, -1]"),
    ("compliance infinite", "'compliance' must be a finite number", "compliance: 1.0e-6", "compliance: .inf"),
    ("damping negative", "damping of row fx must not be negative", "damping: 25000", "damping: -25000"),
    ("linear compliance negative", "linear compliance must not be negative, is -1", "damping: 25000", "linear_compliance: -1"),
    ("rotary compliance negative", "rotary compliance must not be negative, is -1", "damping: 25000", "rotary_compliance: -1"),
    ("joint name empty", "must not be empty", "  joint1:", "  '':"),
    ("marker body unknown", "marker 'tip': unknown body 'link3'", "{body: link1,", "{body: link3,"),
    ("marker position infinite", "'position' must be a finite number", "[0, 0, 0.5]", "[0, 0, .inf]"),
    ("step zero", "simulation: step must be positive, is 0", "1.0e-3", "0"),
    ("step negative", "simulation: step must be positive, is -0.001", "1.0e-3", "-1.0e-3"),
    ("step infinite", "'step' must be a finite number", "1.0e-3", ".inf"),
    ("duration negative", "duration must not be negative, is -1", "duration: 1", "duration: -1"),
    ("every zero", "record: every must be positive, is 0", "every: 0.01", "every: 0"),
    ("record body unknown", "record: unknown body 'link9'", "bodies: all", "bodies: [link9]"),
    ("record joint unknown", "record: unknown joint 'joint9'", "[joint0]", "[joint9]"),
    ("record marker unknown", "record: unknown marker 'tp'", "[tip]", "[tp]"),
]

# Not YAML, or YAML beyond plain data.
TEXT = [
    ("bracket open", "not YAML", "gravity: [0, 0, -9.8]", "gravity: [0, 0, -9.8"),
    ("brace open", "not YAML", "base: {kind: fixed}", "base: {kind: fixed"),
    ("brace closed twice", "not YAML", "base: {kind: fixed}", "base: {kind: fixed}}"),
    ("quote open", "not YAML", "name: good", 'name: "good'),
    ("tab indentation", "not YAML", "    mass: 2", "\tmass: 2"),
    ("indentation back and forth", "not YAML", "    mass: 2", "   mass: 2"),
    ("colon missing", "not YAML", "mass: 2", "mass 2"),
    ("two colons", "not YAML", "name: good", "name: good: better"),
    ("bad escape", "not YAML", "name: good", 'name: "\\q"'),
    ("alias", "this alias has no anchor before it", "mass: 2", "mass: *m"),
    ("anchor in itself", "this alias would hold itself", "[1, 1.1, 1.2]", "&m [1, *m]"),
    ("tag", "tags (!name) are not part", "mass: 2", "mass: !!float 2"),
    ("own tag", "tags (!name) are not part", "base: {kind: fixed}", "base: !body {kind: fixed}"),
    ("merge key", "'<<' brings the keys of a mapping", "mass: 2", "<<: 2"),
    ("second document", "a second document starts here", "simulation:", "---\nsimulation:"),
    ("key is a list", "a key must be a text", "name: good", "[a, b]: good"),
    ("key is a mapping", "a key must be a text", "name: good", "{a: b}: good"),
    ("complex key", "complex keys (? key) are not part", "name: good", "? name: good"),
    ("complex key of two lines", "not YAML", "name: good", "? name\n: good"),
    ("complex key of nothing", "not YAML", "name: good", "?\n: good"),
    ("private character", "U+E000 is not allowed", "name: good", "name: go\ue000od"),
    ("private character escaped", "U+E000 is not allowed", "name: good", 'name: "\\ue000"'),
    ("deep", "nested too deeply", "name: good", "name: " + "[" * 40 + "]" * 40),
    ("control character", "the character U+0007", "name: good", "name: go\x07od"),
    ("zero byte", "the character U+0000", "name: good", "name: go\x00od"),
    ("zero escaped", "must not contain the character U+0000", "name: good", 'name: "go\\0od"'),
    ("reserved indicator", "not YAML", "name: good", "name: @good"),
    ("latin 1", "is not UTF-8 text", "name: good", b"name: gr\xfcn"),
    ("cut character", "is not UTF-8 text", "name: good", b"name: \xe2\x82"),
    ("surrogate", "is not UTF-8 text", "name: good", b"name: \xed\xa0\x80"),
    ("list at top", "a model must be a mapping", GOOD, "- tenon: 1\n"),
    ("text at top", "a model must be a mapping", GOOD, "tenon\n"),
    ("nothing", "the text is empty", GOOD, ""),
    ("dots only", "a model must be a mapping", GOOD, "---\n...\n"),
]

# Later additions stand here, so that the files before them keep their numbers.
MORE_STRUCTURE = [
    ("look style unknown", "unknown draw_frame_c 'lines'", "enabled: true", "enabled: true\n    draw_frame_c: lines"),
    ("look length text", "'shaft_length' must be a number, not the text 'long'", "enabled: true", "enabled: true\n    shaft_length: long"),
    ("look color short", "'color' must be a list of 3 numbers, not of 2", "enabled: true", "enabled: true\n    color: [0, 1]"),
]
MORE_VALUE = [
    ("look length negative", "joint 'joint0': shaft length must not be negative, is -1", "enabled: true", "enabled: true\n    shaft_length: -1"),
    ("look color", "joint 'joint0': color is red, green, blue between 0 and 1, not 255", "enabled: true", "enabled: true\n    color: [0, 0, 255]"),
    ("gravity of two numbers", "'gravity' must be a list of 3 numbers, not of 2", "[0, 0, -9.8]", "[0, -9.8]"),
    ("position of two numbers", "'position' must be a list of 3 numbers, not of 2", "position: [0, 0, 1]", "position: [0, 1]"),
    ("spin of one number", "'angular' must be a list, not 1", "angular: [0, 0, 1]", "angular: 1"),
    ("world unknown", "unknown world 'flat'", "angle: deg", "angle: deg\nworld: flat"),
    ("plane gravity", "gravity must lie in the plane: its z must be 0, is -9.8", "angle: deg", "angle: deg\nworld: planar"),
    ("plane position", "body 'link1': position must lie in the plane: its z must be 0, is 1", "angle: deg", "angle: deg\nworld: planar"),
    ("plane rotation", "body 'link1': a planar body turns about z only", "angle: deg", "angle: deg\nworld: planar"),
    ("plane centre of mass", "body 'link1': the centre of mass must lie in the plane", "angle: deg", "angle: deg\nworld: planar"),
    ("plane marker", "marker 'tip': position must lie in the plane", "angle: deg", "angle: deg\nworld: planar"),
    ("plane origin", "joint 'joint1': origin must lie in the plane", PLACED + "}\n", "origin: [0, 0, 2], axis: [0, 0, 1]}\nworld: planar\n"),
    ("planar body tilted", "body 'link1': a planar body turns about z only", "position: [0, 0, 1]", "kind: planar\n    position: [0, 0, 1]"),
    ("planar body spinning out", "body 'base': a planar body moves in x and y", "{kind: fixed}", "{kind: planar, mass: 1, inertia: 1, velocity: {angular: [1, 0, 0]}}"),
    ("locked no list", "'locked' must be a list, not the text 'link1'", "angle: deg", "angle: deg\ndraw: {locked: link1}"),
    ("locked number", "'locked' must be a text, not 3", "angle: deg", "angle: deg\ndraw: {locked: [link1, 3]}"),
]


def as_bytes(text):
    return text if isinstance(text, bytes) else text.encode()


def main():
    folder = pathlib.Path(__file__).resolve().parent / "broken"
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.yaml"):
        old.unlink()
    number = 0
    for word, table in (("structure", STRUCTURE), ("value", VALUE), ("text", TEXT),
                        ("structure", MORE_STRUCTURE), ("value", MORE_VALUE)):
        for title, expected, before, after in table:
            before = as_bytes(before)
            good = GOOD.encode()
            if good.count(before) != 1:
                raise SystemExit(f"{title}: what is replaced occurs {good.count(before)} times")
            number += 1
            name = f"{number:03d}_{title.replace(' ', '_').replace('-', '_').lower()}.yaml"
            head = f"# {word}, expect: {expected}\n".encode()
            (folder / name).write_bytes(head + good.replace(before, as_bytes(after)))
    print(f"{number} files")


if __name__ == "__main__":
    main()
