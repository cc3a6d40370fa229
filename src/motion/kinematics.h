/* kinematics.h: room motion: poses of bodies and joints, and the errors of their rows. */
#ifndef TN_MOTION_KINEMATICS_H
#define TN_MOTION_KINEMATICS_H

#include "motion/simulation.h"

tn_step_report tn_empty_report(void);
/* Before a call returns: replaces indices of elements in the report, and in the log of the step, by ids. */
void tn_report_ids(tn_sim *sim, tn_step_report *report);

/* The kinematics that reactions belong to. */
tn_status tn_reactions_create(tn_sim *sim);
void tn_reactions_destroy(tn_sim *sim);
/* Stores T and kin as those the multipliers belong to. */
void tn_keep_reaction_kinematics(tn_sim *sim);

/* The same without a copy, where T and kin are refreshed next. For joints that are switched off both have no
 * meaning. */
void tn_swap_reaction_kinematics(tn_sim *sim);

/* T and kin of the state's pose. */
void tn_refresh_kinematics(tn_sim *sim);
/* The same for all bodies, but only for joints that are not plain (state.h). */
void tn_refresh_special_kinematics(tn_sim *sim);
/* Sets the largest errors of the hard rows in the report. */
void tn_measure_errors(const tn_sim *sim, const double *phi, tn_step_report *report);
/* Adds those of element j to the report; *worst: the largest of all so far. */
void tn_add_errors(const tn_sim *sim, int32_t j, const double *phi, double *worst,
                   tn_step_report *report);
/* m: half the extent of the positions of bodies and joints at the start. */
double tn_size_of_mechanism(const tn_model *model);
/* m: the same of the bodies; at least 1, the size of the entries of rotations. */
double tn_largest_coordinate(const tn_sim *sim);
/* Factor of the tolerances for errors of length: 1 for coordinates up to 1 km, proportional beyond. */
double tn_length_unit(const tn_sim *sim);
/* m: the largest coordinate of a body. */
double tn_largest_place(const tn_sim *sim);
/* Is the correction in sys.du (m, rad) no more than round-off of the pose? Errors that remain then are round-off too,
 * whatever the tolerance: those of a mechanism of 1 km are 1e-13 m each. */
bool tn_move_is_rounding(const tn_sim *sim);
/* The same for the errors of the pose, which go into sys.phi; returns the largest, in units of length or rad. */
double tn_measure_position(tn_sim *sim, tn_step_report *report);
/* Updates coordinates; turns are counted from a prediction over h seconds. Kinematics must be current. */
void tn_update_coordinates(tn_sim *sim, double h);
/* The same, but only for joints that are not plain. */
void tn_update_special_coordinates(tn_sim *sim, double h);
/* Speeds of the coordinates of an element, rad/s and m/s. */
void tn_coordinate_speeds(const tn_sim *sim, int32_t j, double *qdot);
/* The acceleration of one of them: G u' + (dG/dt) u of its motion row, with the accelerations in the
 * state. */
double tn_coordinate_acceleration(const tn_sim *sim, int32_t j, int32_t coordinate);
/* Is any velocity not 0? */
bool tn_sim_moves(const tn_sim *sim);
/* Motion of a joint by v, packed: rad, plus m relative to the mechanism's size. */
double tn_motion_of_joint(const tn_sim *sim, const double *v, int32_t j);
/* x += scale v, q <- q exp(scale w) for every body, d packed. Input and output may be the same. */
void tn_move_bodies(const tn_model *model, const tn_vec3 *x, const tn_quat *q, const double *d,
                    double scale, tn_vec3 *x_out, tn_quat *q_out);

/* The relative residual that is enough for a position correction of an error of this size (m or rad) with this
 * tolerance. */
double tn_worth_solving(const tn_sim *sim, double error, double tolerance);

/* hard_loops.c: may hard rows depend on each other, because they close loops? root: scratch,
 * [bodies + 1]. */
bool tn_hard_rows_close(const tn_sim *sim, int32_t *root);

#endif
