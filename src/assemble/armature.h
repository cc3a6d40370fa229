/* armature.h: room assemble: inertia along coordinates, as gears and rotors of motors have it.
 *
 * An armature a of coordinate q, q' = c u with the motion row c of its joint, has the energy a q'^2 / 2. It is a part of
 * the mass matrix,
 *     M + sum a c^T c,    with the force  -a c^T (dc/dt) u  of what turns c,
 * which the matrix has as one row for each, behind those of the elements: with c u + y / a = 0 the row's force c^T y is
 * -a c^T c u. Their part of every right-hand side is 0.
 *
 * In: kinematics, and whether the joints are on. Out: those rows, forces and momenta.
 * Source: Featherstone, Rigid Body Dynamics Algorithms, 2008, 9.6 (rotors of gears, their spin about other axes left out).
 */
#ifndef TN_ASSEMBLE_ARMATURE_H
#define TN_ASSEMBLE_ARMATURE_H

#include "assemble/system.h"

/* The rows of all armatures, into values; of joints that are off there are none. */
void tn_armatures_fill(tn_system *sys, const tn_state *state);
/* The matrix is to be that of the bodies alone. */
void tn_armatures_leave_out(tn_system *sys);

/* f -= a c^T (dc/dt u), and a c^T (c udot) unless udot is NULL. */
void tn_armatures_add_forces(const tn_system *sys, const tn_state *state, const double *u,
                             const double *udot, double *f);
/* f += a c^T (c u). */
void tn_armatures_add_momenta(const tn_system *sys, const tn_state *state, const double *u,
                              double *f);
/* [armatures] m/s, rad/s: q' of each; 0: its joint is off. */
void tn_armatures_speeds(const tn_system *sys, const tn_state *state, const double *u,
                         double *speeds);
/* J: sum a q'^2 / 2. */
double tn_armatures_energy(const tn_system *sys, const tn_state *state, const double *u);
/* What armature n does through its joint, -a q'', on A at G's origin, world axes. */
tn_wrench tn_armature_wrench(const tn_system *sys, const tn_state *state, int32_t n,
                             const double *u, const double *udot);
/* N, N m: -a q'' of coordinate i of joint j; 0: it has none. */
double tn_armature_force(const tn_system *sys, const tn_state *state, int32_t j, int32_t i,
                         const double *u, const double *udot);

/* The element that a dual node of the matrix is of: the joint of an armature. */
static inline int32_t tn_element_of_dual(const tn_model *model, int32_t dual)
{
    return dual < model->element_count ? dual : model->armatures[dual - model->element_count].joint;
}

#endif
