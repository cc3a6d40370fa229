/* mesh_matrix.h: room reduce: stiffness and mass of a mesh, and solutions with them. Vectors have 3 numbers a node. */
#ifndef TN_REDUCE_MESH_MATRIX_H
#define TN_REDUCE_MESH_MATRIX_H

#include "element/body.h"
#include "reduce/reduce.h"
#include "sparse/kkt.h"

/* Columns of an interface: displacements along three axes, turns about them. */
#define TN_INTERFACE 6
/* Most interfaces. */
#define TN_MODAL_HOLDS 12

typedef struct tn_mesh_matrix {
    const tn_reduce_def *def;
    int32_t nodes;
    int64_t size;  /* 3 nodes */
    int32_t holds; /* 6 for each interface */
    int64_t *keys; /* [pairs] */
    int32_t *pair; /* [pairs][2] nodes */
    int64_t pairs;
    double *mass; /* [nodes + pairs] kg: M on its diagonal, and of pairs */
    tn_kkt *kkt;
    tn_kkt_values *values; /* K */
    tn_kkt_factor *factor; /* of K + shift M */
    double shift;          /* 1/s^2 */
    double *C;             /* [holds][size] rows of the interfaces */
    double *Z;             /* [holds][size] (K + shift M)^-1 C^T */
    double *S;             /* [holds][holds] Cholesky factor of C Z */
} tn_mesh_matrix;

tn_status tn_mesh_matrix_make(const tn_reduce_def *def, tn_mesh_matrix *m);
void tn_mesh_matrix_free(tn_mesh_matrix *m);

/* K becomes that of the materials' damping. */
void tn_mesh_matrix_fill(tn_mesh_matrix *m, bool damping);
/* out = K a */
void tn_mesh_matrix_times(const tn_mesh_matrix *m, const double *a, double *out);
/* out = M a, of `width` numbers a node. */
void tn_mesh_matrix_mass(const tn_mesh_matrix *m, int32_t width, const double *a, double *out);
/* a . b, of n numbers. */
double tn_mesh_dot(const double *a, const double *b, int64_t n);
/* x: a force; becomes (K + shift M)^-1 x with interfaces at rest. */
void tn_mesh_matrix_solve(tn_mesh_matrix *m, double *x);
/* x = the displacements at rest while column k of the interfaces is moved by 1. */
void tn_mesh_matrix_displace(tn_mesh_matrix *m, int32_t k, double *x, double *work);
/* x = the displacements at rest under forces, interfaces at rest. A mesh without interfaces turns besides, by forces with a moment. */
void tn_mesh_matrix_load(tn_mesh_matrix *m, const double *f, double *x, double *work);

/* An element of the mesh without stress; begins as {0}, and is made of one after the other. */
typedef struct tn_mesh_element {
    tn_shape_basis basis;
    const int32_t *nodes;
    tn_vec3 X[TN_ELEMENT_NODES];
    double weight[TN_ELEMENT_POINTS], grad[TN_ELEMENT_POINTS * TN_ELEMENT_NODES * 3],
        mode[TN_ELEMENT_MODES * TN_ELEMENT_POINTS];
    tn_element_data data;
    tn_elastic law;
} tn_mesh_element;
void tn_mesh_element_make(const tn_mesh_matrix *m, int32_t e, tn_mesh_element *out);

#endif
