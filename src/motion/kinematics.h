/* kinematics.h: room motion: where bodies and joints are, and what is open between them. */
#ifndef TN_MOTION_KINEMATICS_H
#define TN_MOTION_KINEMATICS_H

#include "motion/simulation.h"

tn_step_report tn_empty_report(void);
/* At the door: elements in a report, and in the log of the step, become ids. */
void tn_report_ids(tn_sim *sim, tn_step_report *report);

/* The kinematics that reactions belong to. */
tn_status tn_reactions_create(tn_sim *sim);
void tn_reactions_destroy(tn_sim *sim);
/* Keeps T and kin as those the multipliers belong to. */
void tn_keep_reaction_kinematics(tn_sim *sim);

/* The same where T and kin are refreshed next: nothing is copied. Of joints that are switched off
 * neither means anything. */
void tn_swap_reaction_kinematics(tn_sim *sim);

/* T and kin of the state's pose. */
void tn_refresh_kinematics(tn_sim *sim);
/* The same of all bodies, and of joints that are not plain (state.h) alone. */
void tn_refresh_special_kinematics(tn_sim *sim);
/* Largest errors of the hard rows into the report. */
void tn_measure_errors(const tn_sim *sim, const double *phi, tn_step_report *report);
/* Those of element j onto the ones that are there; *worst: the larger of these. */
void tn_add_errors(const tn_sim *sim, int32_t j, const double *phi, double *worst,
                   tn_step_report *report);
/* Half the extent of the places of bodies and joints at the start, m. */
double tn_size_of_mechanism(const tn_model *model);
/* Of the bodies, m; at least 1, the size of what rotations are made of. */
double tn_largest_coordinate(const tn_sim *sim);
/* m: what an error of length counts by against the tolerances, 1 up to coordinates of 1 km. */
double tn_length_unit(const tn_sim *sim);
/* m: the largest coordinate of a body. */
double tn_largest_place(const tn_sim *sim);
/* Is the correction in sys.du what rounding leaves of places, m, and of turns? Errors that remain then
 * are rounding, whatever is asked for: those of a mechanism of 1 km are 1e-13 m each. */
bool tn_move_is_rounding(const tn_sim *sim);
/* The same of the errors of the pose, into sys.phi; returns the largest, units of length or rad. */
double tn_measure_position(tn_sim *sim, tn_step_report *report);
/* Coordinates, turns counted from a prediction over h seconds; kinematics must be current. */
void tn_update_coordinates(tn_sim *sim, double h);
/* The same of joints that are not plain alone. */
void tn_update_special_coordinates(tn_sim *sim, double h);
/* Speeds of the coordinates of an element, rad/s and m/s. */
void tn_coordinate_speeds(const tn_sim *sim, int32_t j, double *qdot);
/* And the acceleration of one of them, G u' + (dG/dt) u of its motion row, of the accelerations in the
 * state. */
double tn_coordinate_acceleration(const tn_sim *sim, int32_t j, int32_t coordinate);
/* Is any velocity not 0? */
bool tn_sim_moves(const tn_sim *sim);
/* How far a joint moves by v, packed: rad, and m relative to the mechanism's size. */
double tn_motion_of_joint(const tn_sim *sim, const double *v, int32_t j);
/* x += scale v, q <- q exp(scale w) for every body, d packed. Input and output may be the same. */
void tn_move_bodies(const tn_model *model, const tn_vec3 *x, const tn_quat *q, const double *d,
                    double scale, tn_vec3 *x_out, tn_quat *q_out);

/* The relative residual to which a position correction is worth solving, of errors of so much (m or
 * rad) that may be up to a tolerance. */
double tn_worth_solving(const tn_sim *sim, double error, double tolerance);

/* hard_loops.c: may rows that hold hard repeat others, because they close loops? root: scratch,
 * [bodies + 1]. */
bool tn_hard_rows_close(const tn_sim *sim, int32_t *root);

#endif
