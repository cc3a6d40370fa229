/* judge.h: room step/part: verifies that a sub-step obeys mechanics: every sub-step, of every
 * method. */
#ifndef TN_STEP_PART_JUDGE_H
#define TN_STEP_PART_JUDGE_H

#include <float.h>

#include "method/method.h"
#include "motion/simulation.h"
#include "tenon/results.h"

/* rad per step: the coarsest step of second order that resolves a motion takes 18 for a turn: h w = 2 pi / 18. */
#define TN_RESOLVED_TURN (2.0 * TN_PI / 18.0)
/* Allowed energy error as a share of the energy exchanged: (h w)^2 / 12, and of first order h w / 2. */
#define TN_MISSED_SHARE       (TN_RESOLVED_TURN * TN_RESOLVED_TURN / 12.0)
#define TN_MISSED_SHARE_FIRST (0.5 * TN_RESOLVED_TURN)

/* The error lags a moment behind the powers where all of these pass through zero at once, so a power counts for some
 * sub-steps more: factor from one sub-step to the next. */
#define TN_KEPT_POWER 0.9

/* m or rad, per m of the largest coordinate: round-off in the error of a row. */
#define TN_ROW_ROUND_OFF (32.0 * DBL_EPSILON)

/* Round-off of an energy, relative. */
#define TN_ENERGY_ROUND_OFF (256.0 * DBL_EPSILON)

/* Multipliers of loops are checked in one step of this many; where that needs a factorization of its own, which
 * costs more than a step, in one of TN_CHECKED_WITHOUT of those: some tenths of a percent of the time. */
#define TN_CHECKED_EVERY    64
#define TN_CHECKED_WITHOUT  8
#define TN_CHECKED_IN_STEPS (TN_CHECKED_EVERY * TN_CHECKED_WITHOUT)

tn_status tn_judge_create(tn_sim *sim);
void tn_judge_destroy(tn_sim *sim);

/* Notes the start of a sub-step of a step of `step` seconds. `from` is a copy of the state that stays unchanged until
 * the sub-step is verified; kinematics and coordinates are current. */
void tn_judge_begin(tn_sim *sim, const tn_state *from, double step);
const tn_state *tn_judge_from(const tn_sim *sim);

/* Notes the velocities once the method has adapted its memory to sub-steps of this length: that change is made by the
 * method, not by the motion. */
void tn_judge_note_speeds(tn_sim *sim);

/* Largest opening of a joint in a step, as a share of its bodies' extent, or rad: beyond it the joint does not hold
 * them; the same in a run. */
#define TN_OPEN_IN_A_STEP 1.0
#define TN_OPEN_IN_A_RUN  0.1

/* Verifies a sub-step of h seconds of the method: TN_OK, or TN_ERROR_INACCURATE with the reason in the report. *error:
 * the largest error, as a factor of the allowed one. */
tn_status tn_judge_part(tn_sim *sim, const tn_method *method, double h, double *error,
                        tn_step_report *report);

/* Accepts the sub-step verified last: adds its figures to the report and the sums of the run. */
void tn_judge_keep(tn_sim *sim, tn_step_report *report);

/* Adds the energies of the sub-step verified last, and the noise of the run, which short sub-steps contribute most
 * to, to sums over several simulations. */
void tn_judge_add_sizes(const tn_sim *sim, tn_tally *sums);

/* Verifies the end of a step of h seconds: rows that may only push, ranges, and null-space components of the
 * multipliers. TN_OK, or TN_ERROR_INACCURATE with the reason in the report. */
tn_status tn_judge_end(tn_sim *sim, const tn_method *method, double h, tn_step_report *report);

/* Around a whole step of h seconds: notes total - work + lost, the momenta of free systems under methods that do not
 * conserve them by construction, and the time when a figure first exceeds its bound. Kinematics are current. */
void tn_judge_begin_step(tn_sim *sim);
void tn_judge_end_step(tn_sim *sim, double h);
/* Updates the largest rise and fall of total - work + lost between any two times, J, by the change of a step. */
void tn_judge_add_net(tn_tally *tally, double change);
/* Notes the time where a figure is first beyond its bound. */
void tn_judge_watch(tn_sim *sim);

/* The figures since the start, and the verdict. */
tn_accuracy tn_judge_accuracy(const tn_sim *sim);

/* J, the energy of the state; and adds an energy error made between sub-steps. */
double tn_judge_energy(const tn_sim *sim);
void tn_judge_add(tn_sim *sim, double made, tn_step_report *report);

#endif
