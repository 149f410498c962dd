"""Parameter sweeps: many runs of one or several recipes, and their privacy–utility front.

plan = plan_sweep({"laplace": recipe}, ["planar_laplace.radius=10:2000:20"], seeds=5)
sweep = run_sweep(plan, workers=2)
sweep.suggested().reason()
"""

from insanonym_core.sweep.axis import Axis, axis_from_text
from insanonym_core.sweep.front import Setting, Sweep, joined
from insanonym_core.sweep.plan import Outcome, Plan, Point, comparable, plan_sweep
from insanonym_core.sweep.pool import run_sweep
from insanonym_core.sweep.span import sweepable, worth_sweeping
from insanonym_core.sweep.table import sweep_to_text, write_sweep

__all__ = [
    "Axis",
    "Outcome",
    "Plan",
    "Point",
    "Setting",
    "Sweep",
    "axis_from_text",
    "comparable",
    "joined",
    "plan_sweep",
    "run_sweep",
    "sweep_to_text",
    "sweepable",
    "worth_sweeping",
    "write_sweep",
]
