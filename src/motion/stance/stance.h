/* stance.h: room motion/stance: how a tree (tree_order.h) moves at one pose, by an elimination of its own.
 *
 * In: kinematics, switches, and what is asked. Out, in one pass inward and one outward over the bodies
 * (sparse/articulated.h): what closes the joints, velocities that they have, and the accelerations and multipliers
 * that go with those. With the inertia I of each body,
 *     I d - G^T p = 0,          G d = -phi  or  -G u
 *     I u' - G^T lambda = f,    G u' = -(dG/dt) u
 * as in motion/closing/project.c, without its matrix: no row is written down, and of joints that hold nothing
 * (dG/dt) u is what arms and axes turn by. Multipliers are what Newton and Euler leave: what that is off by is asked of
 * every body, and mended where it is more than rounding.
 *
 * Limits: all joints hold hard, nothing yields, drives or pushes from outside. Where rows of what is held do not tell
 * turns apart the answer is TN_ERROR_SINGULAR: project.c is to be asked.
 */
#ifndef TN_MOTION_STANCE_STANCE_H
#define TN_MOTION_STANCE_STANCE_H

#include "motion/simulation.h"

/* There is room for two poses, each with its factor. */
typedef enum tn_stance_place { TN_STANCE_HERE, TN_STANCE_AHEAD, TN_STANCE_PLACES } tn_stance_place;

/* sim->stance; NULL: the model is no such tree, or nothing happens to it within a step. */
tn_status tn_stance_create(tn_sim *sim);
void tn_stance_destroy(tn_sim *sim);

/* Does it move as it stands by nothing but its joints and what they hold? */
bool tn_stance_serves(const tn_sim *sim);

/* Arms, axes and what is held, at the kinematics of now. */
tn_status tn_stance_look(tn_sim *sim, tn_stance_place place);
/* The same, and the factor. */
tn_status tn_stance_take(tn_sim *sim, tn_stance_place place, tn_step_report *report);

/* By the factor there, at the kinematics it was looked at last: */

/* Closes the joints to first order: poses, world velocities kept, and kinematics. */
void tn_stance_close(tn_sim *sim, tn_stance_place place, tn_step_report *report);
/* Velocities of the joints and of what they hold, with the least change; in sys.du. */
void tn_stance_velocity(tn_sim *sim, tn_stance_place place, tn_step_report *report);
/* udot and lambda, and in sys.du the change of udot. `exactly`: to rounding, which is looked at; false: it could not be.
 * Else as good as the factor is, which is enough where nothing goes on from them. */
bool tn_stance_accelerate(tn_sim *sim, tn_stance_place place, bool exactly, tn_step_report *report);
/* Rows, in the layout of y, are asked for these speeds: into u what velocities change by, and into y the impulses for
 * that, of the rows that act. `exactly`: likewise. */
bool tn_stance_push(tn_sim *sim, tn_stance_place place, const double *g, bool exactly, double *u,
                    double *y, tn_step_report *report);

#endif
