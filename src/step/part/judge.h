/* judge.h: room step/part: does a part of a step obey mechanics? Asked of every part, whatever
 * method took it. */
#ifndef TN_STEP_PART_JUDGE_H
#define TN_STEP_PART_JUDGE_H

#include <float.h>

#include "method/method.h"
#include "motion/simulation.h"
#include "tenon/results.h"

/* The coarsest step of second order that tells a motion takes 18 for a turn: h w = 2 pi / 18. */
#define TN_RESOLVED_TURN (2.0 * TN_PI / 18.0)
/* Share of the energy moved that it may miss, (h w)^2 / 12; and of first order, h w / 2. */
#define TN_MISSED_SHARE       (TN_RESOLVED_TURN * TN_RESOLVED_TURN / 12.0)
#define TN_MISSED_SHARE_FIRST (0.5 * TN_RESOLVED_TURN)

/* Where all powers pass through zero at once, the error does so a moment later. They are remembered
 * for some parts: this share of what they were. */
#define TN_KEPT_POWER 0.9

/* m or rad, per m of the largest coordinate: what rounding leaves in the error of a row. */
#define TN_ROW_ROUND_OFF (32.0 * DBL_EPSILON)

/* What rounding leaves of an energy, relative. */
#define TN_ENERGY_ROUND_OFF (256.0 * DBL_EPSILON)

/* Multipliers of loops are asked about in one step of so many; where that takes a factor of its own, dearer
 * than a step, in one of so many of those: some tenths of a percent of the steps. */
#define TN_ASKED_EVERY    64
#define TN_ASKED_WITHOUT  8
#define TN_ASKED_IN_STEPS (TN_ASKED_EVERY * TN_ASKED_WITHOUT)

tn_status tn_judge_create(tn_sim *sim);
void tn_judge_destroy(tn_sim *sim);

/* Notes what a part of a step of so many seconds starts with. `from` is a copy of the state, kept
 * as it is until the verdict; kinematics and coordinates are those of it. */
void tn_judge_begin(tn_sim *sim, const tn_state *from, double step);
const tn_state *tn_judge_from(const tn_sim *sim);

/* And its velocities, once the memory of the method is that of a part of its length: what that
 * changes of them is of the method, no motion. */
void tn_judge_note_speeds(tn_sim *sim);

/* A joint that is open by more than this share of its bodies' extent, or as many rad, holds them no
 * more; in a run, by this one. */
#define TN_OPEN_IN_A_STEP 1.0
#define TN_OPEN_IN_A_RUN  0.1

/* On h seconds of the method: TN_OK or TN_ERROR_INACCURATE, and why, in the report. *error: how
 * near, 1: as far off as may be. */
tn_status tn_judge_part(tn_sim *sim, const tn_method *method, double h, double *error,
                        tn_step_report *report);

/* The part judged last is one of the motion: into the report and the sums of the run. */
void tn_judge_keep(tn_sim *sim, tn_step_report *report);

/* Energies of the part judged last, and the noise of the run, which short parts have most of, into sums over
 * simulations side by side. */
void tn_judge_add_sizes(const tn_sim *sim, tn_tally *sums);

/* The step of h seconds is over: what the state it ends with says of rows that only push, of ranges
 * and of multipliers that nothing determines. TN_OK or TN_ERROR_INACCURATE, and why. */
tn_status tn_judge_end(tn_sim *sim, const tn_method *method, double h, tn_step_report *report);

/* Around a whole step of h seconds: total - work + lost and the momenta of what floats, of methods that do not keep
 * them by themselves; and when a figure is first beyond its bound. Kinematics are current. */
void tn_judge_begin_step(tn_sim *sim);
void tn_judge_end_step(tn_sim *sim, double h);
/* The largest rise and fall of total - work + lost from any time to any later one, J: a step has changed it. */
void tn_judge_add_net(tn_tally *tally, double change);
/* Notes the time where a figure is first beyond its bound. */
void tn_judge_watch(tn_sim *sim);

/* The figures since the start, and the verdict. */
tn_accuracy tn_judge_accuracy(const tn_sim *sim);

/* J, of now; and what has changed it between parts, of nothing. */
double tn_judge_energy(const tn_sim *sim);
void tn_judge_add(tn_sim *sim, double made, tn_step_report *report);

#endif
