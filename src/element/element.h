/* element.h: room element: types of solid elements: nodes, shape functions, points of integration.
 *
 * In: a type and a place in its own coordinates. Out: values and derivatives of its shape functions there; the points at
 * which integrals over it are summed. A type is a row of one table (element.c): where its nodes are and which products
 * of powers its shape functions are made of. Nothing here knows bodies.
 *
 * Own coordinates: tetrahedra x, y, z >= 0, x + y + z <= 1; hexahedra -1 .. 1 each; wedges x, y >= 0, x + y <= 1 and
 * -1 <= z <= 1; pyramids 0 <= z <= 1, -(1 - z) .. 1 - z in x and y. Nodes are in the order of VTK and Abaqus: corners, then middles of edges, of faces, of the element.
 */
#ifndef TN_ELEMENT_ELEMENT_H
#define TN_ELEMENT_ELEMENT_H

#include <stdint.h>

#include "base/base.h"
#include "tenon/solid.h"

/* Of a hexahedron of 27 nodes. */
#define TN_ELEMENT_NODES 27
/* Most points of integration of a type: 3 in each direction; most of its mass, 4 in each. */
#define TN_ELEMENT_POINTS 27
#define TN_MASS_POINTS    64
/* Most functions of the change of volume of a type: 1 and the three coordinates. */
#define TN_ELEMENT_MODES 4
/* Most faces of a type, and most nodes around one. */
#define TN_ELEMENT_FACES 6
#define TN_FACE_NODES    8

typedef struct tn_element_type {
    const char *name;
    int32_t nodes, corners, points;
    int32_t faces;
    /* Of each face the corners around it, seen from outside counter-clockwise; -1 behind three. */
    int8_t face[TN_ELEMENT_FACES][4];
    /* Functions of the change of volume (dilatation.h) above the Poisson's ratio up to which it bears without: 1 constant,
     * 4 linear ones; 0: there are none that bear. */
    int8_t modes;
    double poisson;
    int8_t vtk;          /* number of the type in VTK files */
    const char *abaqus;  /* name in Abaqus and CalculiX */
    int8_t gmsh;         /* number in Gmsh files */
    const int8_t *place; /* [3 nodes] twice the own coordinates of the nodes */
    const int8_t *power; /* [3 nodes] exponents of the products; of z in pyramids -1 is 1/(1 - z) */
    /* [nodes] by which nodes Gmsh writes node i; NULL: in the same order. */
    const int8_t *gmsh_order;
} tn_element_type;

/* Of kind 0 .. TN_ELEMENT_KIND_COUNT - 1. */
TN_SIBLING const tn_element_type *tn_element_type_of(tn_element_kind kind);

/* The node of an element in the middle of the edge between two of its corners; -1: it has none. */
int32_t tn_element_edge_node(const tn_element_type *type, int32_t a, int32_t b);

/* Coefficients of the shape functions: N_i = sum_k c[i][k] product_k. */
typedef struct tn_shape_basis {
    const tn_element_type *type;
    double c[TN_ELEMENT_NODES][TN_ELEMENT_NODES];
} tn_shape_basis;
void tn_shape_basis_make(const tn_element_type *type, tn_shape_basis *basis);

/* N_i and dN_i / d(own coordinates) at a place. */
void tn_shape_at(const tn_shape_basis *basis, const double at[3], double N[TN_ELEMENT_NODES],
                 double dN[TN_ELEMENT_NODES][3]);

/* A point of integration; the weights of a type add up to its volume in own coordinates. */
typedef struct tn_element_point {
    double at[3], weight;
} tn_element_point;
/* Those at which forces are summed (type->points of them), and those of masses. Returns how many. */
int32_t tn_element_points(const tn_element_type *type, tn_element_point points[TN_ELEMENT_POINTS]);
int32_t tn_element_mass_points(const tn_element_type *type,
                               tn_element_point points[TN_MASS_POINTS]);

/* The place of a node. */
void tn_element_node_place(const tn_element_type *type, int32_t node, double at[3]);

#endif
