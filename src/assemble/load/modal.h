/* modal.h: room assemble/load: reduced bodies (reduce/reduced.h) between the particles of a model.
 *
 * In: poses of a system, velocities. Out: forces on the particles, energies; and in the matrix the stiffness, in the blocks of the
 * particles and of their pairs. solids.c calls these beside what it does with the elements of other solids.
 */
#ifndef TN_ASSEMBLE_LOAD_MODAL_H
#define TN_ASSEMBLE_LOAD_MODAL_H

#include "assemble/system.h"

/* f += forces, u NULL: at rest. */
void tn_modal_add_forces(const tn_system *sys, const tn_model_modal *modal, const double *u,
                         double *f);
/* N: as tn_solids_note_forces. */
void tn_modal_note_forces(const tn_system *sys, const tn_model_modal *modal, int32_t first,
                          int32_t end, double *scale);
/* N/m: the most that opposes a particle that moves alone. */
double tn_modal_stiffest(const tn_model_modal *modal);
/* As tn_solids_fill. */
void tn_modal_fill(tn_system *sys, const tn_model_modal *modal, double elastic, double viscous,
                   bool positive, const double *u, double *f);
/* J; W, by which it grows; W, lost in damping. */
double tn_modal_energy(const tn_system *sys, const tn_model_modal *modal);
double tn_modal_power(const tn_system *sys, const tn_model_modal *modal, const double *u);
double tn_modal_losses(const tn_system *sys, const tn_model_modal *modal, const double *u);

/* 1: how far it is bent, of particles at x by bodies (tn_reduced_bent). */
double tn_modal_bent(const tn_model_modal *modal, const tn_vec3 *x);

/* Displacements of the particles whose strain is that of the body (tn_reduced_strained), and the axes they are in. */
void tn_modal_strained(const tn_system *sys, const tn_model_modal *modal, tn_vec3 *moved,
                       tn_mat3 *axes);

/* m: where a node of the mesh is. */
tn_vec3 tn_modal_node_place(const tn_system *sys, const tn_model_modal *modal, int32_t node);

#endif
