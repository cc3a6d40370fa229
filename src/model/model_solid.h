/* model_solid.h: room model: an elastic solid of a model, all its nodes or reduced to modes. */
#ifndef TN_MODEL_MODEL_SOLID_H
#define TN_MODEL_MODEL_SOLID_H

#include "element/body.h"
#include "element/surface.h"
#include "reduce/reduced.h"
#include "tenon/solid.h"

/* A point of a body: from its centre of mass in body axes; of the world for ground. */
typedef struct tn_body_point {
    int32_t body;
    tn_vec3 arm; /* m */
} tn_body_point;

/* An element of a solid: its nodes, and for each two of them, j > i at index j (j - 1) / 2 + i, the pair of their
 * bodies in the matrix (tn_model.pairs); -1: no pair, as both are one body or one of them does not move. */
typedef struct tn_model_element {
    tn_element_data data;
    const int32_t *nodes; /* of the solid */
    const int32_t *pairs;
    const tn_elastic *material; /* of the solid's */
} tn_model_element;

/* Faces that a load names; nodes of a face are data->node of its element. */
typedef struct tn_model_face {
    int32_t element;
    const tn_face_data *data;
} tn_model_face;

typedef struct tn_model_surface {
    const tn_model_face *faces; /* [count] */
    int32_t count;
} tn_model_surface;

/* What a solid is reduced to: particles that its nodes follow. */
typedef struct tn_model_modal {
    tn_reduced data;
    const int32_t *bodies; /* [data.count] */
    const int32_t *pairs;  /* of particles j > i at j (j - 1) / 2 + i: a pair of the matrix */
    const double *shape;   /* [nodes][data.count] node i is at sum shape[i][k] x_k */
} tn_model_modal;

typedef struct tn_model_solid {
    const char *name;
    const tn_elastic *materials; /* [material_count] */
    int32_t material_count;
    tn_model_modal *modal;      /* NULL: its nodes move by themselves */
    const tn_body_point *nodes; /* [node_count]; of a modal solid NULL */
    const tn_vec3 *rest;        /* [node_count] m */
    tn_model_element *elements; /* [element_count] */
    const tn_solid_element *source;
    int32_t node_count, element_count;
    tn_triangle
        *surface; /* [surface_count] of faces that one element has alone, nodes of the solid */
    int32_t surface_count;
    const tn_model_surface *surfaces; /* of loads */
} tn_model_solid;

/* Bodies between which a solid acts: those of its nodes, or the particles that it is reduced to. */
static inline int32_t tn_solid_body_count(const tn_model_solid *solid)
{
    return solid->modal ? solid->modal->data.count : solid->node_count;
}

static inline int32_t tn_solid_body(const tn_model_solid *solid, int32_t i)
{
    return solid->modal ? solid->modal->bodies[i] : solid->nodes[i].body;
}

#endif
