/* reduce.h: room reduce: the mesh of an elastic body, reduced to few functions.
 *
 * In: a mesh with masses of its nodes, materials, sets of nodes (interfaces) at which others hold it. Out: functions N_k of the
 * mesh with the places x_k of as many particles of equal mass: node i is at sum N_k(i) x_k; stiffness and damping between
 * them (reduce/reduced.h). Linear algebra only: no bodies, no joints, no axes that turn.
 *
 * Modes (Craig, Bampton 1968): those in which one interface is displaced and the others are not, at rest; and those of the
 * lowest frequencies while no interface moves; and displacements at rest under the inertia of the first ones (modal truncation
 * augmentation: Dickens, Nakagawa, Wittbrodt 1997). An interface is the mean motion of its nodes (element/mean.h), so that nothing
 * is stiffened. With places as vectors a function multiplies a particle, not a number: what functions span are 1, X, Y, Z
 * and the three components of each mode, each free to turn (Pechstein, Reischl, Gerstmayr 2013, Multibody System Dynamics 30).
 * Inertia is thereby exact at any rotation, with a constant matrix; the space holds that of Craig and Bampton. The functions are
 * made orthogonal in the masses, with equal squares m/n and the sum 1: then particles of mass m/n have the mass, the weight,
 * the momentum, the spin and the kinetic energy of the mesh.
 */
#ifndef TN_REDUCE_REDUCE_H
#define TN_REDUCE_REDUCE_H

#include "base/arena.h"
#include "reduce/reduced.h"
#include "tenon/solid.h"

/* The mean motion of nodes, with weights that add up to 1. */
typedef struct tn_reduce_interface {
    const int32_t *nodes;  /* [count] */
    const double *weights; /* [count] */
    int32_t count;
} tn_reduce_interface;

typedef struct tn_reduce_def {
    const tn_solid_mesh *mesh;
    const tn_solid_material *materials;
    const int32_t *material_of;            /* [elements] */
    bool lumped;                           /* M has a diagonal only */
    const double *taken;                   /* [nodes] kg, of lumped masses, which M has less */
    const tn_reduce_interface *interfaces; /* [interface_count] */
    int32_t interface_count;
    int32_t modes; /* of the lowest frequencies */
    double
        ratio; /* of critical damping, of each mode of what comes out; beside that of the materials */
} tn_reduce_def;

typedef struct tn_reduction {
    int32_t functions, modes;
    const double *shape;     /* [nodes][functions] N */
    const tn_vec3 *rest;     /* [functions] m */
    const double *K, *D;     /* [3 functions][3 functions] N/m, N s/m; D NULL: none */
    const double *frequency; /* [modes] Hz, ascending, interfaces held */
    tn_stiffening stiffening;
    double mass;    /* kg, of all particles */
    tn_arena arena; /* what it is in; tn_arena_free */
} tn_reduction;

/* TN_ERROR_INPUT: the mesh has fewer modes; TN_ERROR_WORK: more than TN_REDUCED_MOST functions (reduce/reduced.h);
 * TN_ERROR_SINGULAR: interfaces depend on each other; TN_ERROR_NOT_CONVERGED: its modes were not found; TN_ERROR_MEMORY.
 * Nothing is left in *out but its arena. */
tn_status tn_reduce(const tn_reduce_def *def, tn_reduction *out);

#endif
