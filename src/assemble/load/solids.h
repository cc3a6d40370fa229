/* solids.h: room assemble/load: elements of solids between the bodies that their nodes are points of.
 *
 * In: poses of a system, velocities. Out: forces on the bodies, energies; and in the matrix the stiffness, in the blocks of
 * the bodies and of their pairs: with B_i the map from the velocity of the body of node i to that of the node,
 *     f += B_i^T f_i,   H_ij += B_i^T K_ij B_j,   B = 1 of a particle, [1, -[r]x R] of a rigid body.
 * What a solid that is reduced to modes does comes from modal.c.
 */
#ifndef TN_ASSEMBLE_LOAD_SOLIDS_H
#define TN_ASSEMBLE_LOAD_SOLIDS_H

#include "assemble/load/loads.h"

/* f += forces of all elements, u NULL: at rest. Returns the first element that is turned inside out, counted through all
 * solids, on whose nodes f has NaN; -1: none is. */
int32_t tn_solids_add_forces(const tn_system *sys, const double *u, double *f);

/* N: scale[2 body] grows to the largest force of an element on a node of each of the bodies first .. end - 1. */
void tn_solids_note_forces(const tn_system *sys, int32_t first, int32_t end, double *scale);

/* N/m: about the most that an element opposes to a node that moves alone, without stress; 0: there are no solids. */
double tn_solids_stiffest(const tn_model *model);

/* What turning rigid bodies does to the moments of these forces, into matrices[bodies]. */
void tn_solids_add_turning(const tn_system *sys, tn_load_matrix *matrices);

/* h and pairs of values += elastic K + viscous D; f += what D takes from u (both may be NULL). `positive`: what stress does to K is
 * left out where bodies could not bear it, so that what is added is positive semidefinite. */
void tn_solids_fill(tn_system *sys, double elastic, double viscous, bool positive, const double *u,
                    double *f);

/* h and pairs of values += K[3 n][3 n] of n nodes of an element: its nodes of[n], which ascend; NULL: all. */
void tn_solid_scatter(tn_system *sys, const tn_model_solid *solid, const tn_model_element *element,
                      const int8_t *of, int32_t n, const double *K);

/* J; W, by which it grows; W, lost in damping. */
double tn_solids_energy(const tn_system *sys);
double tn_solids_power(const tn_system *sys, const double *u);
double tn_solids_losses(const tn_system *sys, const double *u);

/* An element, counted through all solids: its solid; *element: its number there. */
const tn_model_solid *tn_solids_find(const tn_model *model, int32_t number, int32_t *element);

/* m: where the nodes of a solid are, places[node_count]. */
void tn_solid_places(const tn_system *sys, const tn_model_solid *solid, tn_vec3 *places);

/* Place, m, and velocity, m/s, of a node that is a point of a body. */
tn_vec3 tn_solid_node_place(const tn_system *sys, const tn_body_point *node);
tn_vec3 tn_solid_node_arm(const tn_system *sys,
                          const tn_body_point *node); /* from the centre of mass, world axes */
tn_vec3 tn_solid_node_velocity(const tn_system *sys, const double *u, const tn_body_point *node);

#endif
