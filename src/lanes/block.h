/* block.h: room lanes: what is in a block: of one world (TN_LANES 1), or of as many as there are lanes.
 *
 * Every field is a tn_real: those of a world alone and those of a lane follow each other in the same
 * order.
 */
#ifndef TN_LANES_BLOCK_H
#define TN_LANES_BLOCK_H

#include "method/angles/hinge_tree.h"

/* Multipliers of a hinge. */
enum { TN_LANE_ROWS = 5 };

/* A body and the joint it hangs by, as tn_state and the memory of the method have them. */
typedef struct tn_lane_limb {
    tn_body_pose pose;
    tn_hinge_motion at;
    tn_real udot_rate[6];
    tn_real lambda[TN_LANE_ROWS], lambda_rate[TN_LANE_ROWS];
    tn_hinge_memory memory;
    tn_real turns; /* beside the angle of the half angle that is remembered */
} tn_lane_limb;

/* Of the model. */
typedef struct tn_lane_body {
    tn_hinge_link link;
    tn_real33 R_CA, R_DB;
    tn_real33 base_R; /* rotation of the fixed body that carries a link without inner link */
} tn_lane_body;

/* Of the whole world; see tn_state_head and tn_tally. */
typedef struct tn_lane_world {
    tn_real time, time_rest, moving;
    tn_real made, most_made, most_lost, kinetic, size, noise;
    tn_real steps_asked; /* a whole number */
    tn_real corrected;   /* tn_sim.corrected */
    tn_hinge_trust trust;
    tn_real3 gravity;
    tn_real mass, inertia; /* of tn_opening */
    tn_real lever;         /* of the model */
    tn_real farthest;      /* m, of what does not move: at least 1 */
} tn_lane_world;

typedef struct tn_lane_shape tn_lane_shape;

/* Constants of all steps of one length. */
typedef struct tn_lane_rule {
    tn_alpha c;
    tn_hinge_rule hinges; /* of that */
    double tolerance;
    int32_t most_iterations;
} tn_lane_rule;

/* The kernel of one width. */
typedef struct tn_lane_kernel {
    int32_t width;
    size_t work_size, inertia_size; /* bytes per link, per slot */
    /* Takes up to `steps` steps in the given lanes; returns how many. *left: lanes that could not take the next
     * one. The block then has the state after these steps, and `work` the result of the next one for the
     * other lanes. */
    int64_t (*run)(const tn_lane_shape *shape, const tn_lane_rule *rule, double *block,
                   double *work, unsigned lanes, int64_t steps, unsigned *left);
    /* Copies that result to the block. */
    void (*commit)(const tn_lane_shape *shape, const tn_lane_rule *rule, double *block,
                   double *work);
} tn_lane_kernel;

/* What all members of a batch have in common. */
struct tn_lane_shape {
    const tn_lane_kernel *kernel;
    int32_t count;         /* links, inner ones first */
    int32_t bodies;        /* of the model */
    int32_t *inner;        /* [count] inner link; -1: a fixed body */
    int32_t *body, *joint; /* [count] of the model */
    int32_t *inner_body;   /* [count] -1: ground */
    int32_t *is_a;         /* [count] 1: the link is body a of its joint */
    tn_hinge_slots *slots; /* [count] */
    int32_t inertias;      /* number of slots */
    int32_t *limb;         /* [bodies] link of a body; -1: it does not move */
    bool principal;        /* axes of all bodies are principal ones */
    double spectral_radius, tolerance;
    int32_t most_iterations;
    int32_t *block;
};

extern const tn_lane_kernel tn_lane_kernel_2, tn_lane_kernel_4, tn_lane_kernel_8;

/* NULL: one world at a time. */
const tn_lane_kernel *tn_lane_kernel_of(int32_t most);

/* Doubles per lane. */
static inline size_t tn_lane_numbers(const tn_lane_shape *shape)
{
    return (sizeof(tn_lane_world) +
            (size_t)shape->count * (sizeof(tn_lane_limb) + sizeof(tn_lane_body))) /
           sizeof(tn_real);
}

/* The parts of a block. */
typedef struct tn_lane_views {
    tn_lane_world *world;
    tn_lane_limb *limbs;
    tn_lane_body *bodies;
} tn_lane_views;

static inline tn_lane_views tn_lane_view(const tn_lane_shape *shape, void *block)
{
    tn_lane_world *world = block;
    tn_lane_limb *limbs = (tn_lane_limb *)(void *)(world + 1);
    return (tn_lane_views){world, limbs, (tn_lane_body *)(void *)(limbs + shape->count)};
}

#endif
