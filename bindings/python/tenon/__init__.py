"""Tenon: mechanisms held together by joints, exact, in space and in the plane.

    import tenon

    model = tenon.load("four_bar.yaml")         # or tenon.Builder(...), tenon.loads(text)
    run = model.run(5.0, every=0.01)            # 5 s, a record every 10 ms
    run.t, run["drive.theta"]                   # arrays of NumPy, SI and rad

Numbers are in SI units and radians. Poses are (x, y, z, qw, qx, qy, qz), twists (v, w), wrenches (f, m),
world axes unless said otherwise. What is wrong with a model is a tenon.ModelError, with every problem and
its line; a step that fails is a tenon.StepError, and leaves the simulation as it was before that step.
"""

from tenon._batch import Batch
from tenon._builder import Builder
from tenon._errors import Diagnostic, Error, ModelError, StepError
from tenon._functions import Formula, Polynomial, Sine, Spline, Step, Table
from tenon._loads import Stage
from tenon._model import Model, allow, joint_types, load, loads
from tenon._recording import Recording
from tenon._simulation import Accuracy, Coordinate, Energy, Simulation, StepReport
from tenon._study import Study, StudyTable
from tenon._view import View

__all__ = ["Accuracy", "Batch", "Builder", "Coordinate", "Diagnostic", "Energy", "Error", "Formula", "Model", "ModelError",
           "Polynomial", "Recording", "Simulation", "Sine", "Spline", "Stage", "Step", "StepError", "StepReport", "Study",
           "StudyTable", "Table", "View", "allow", "joint_types", "load", "loads"]
