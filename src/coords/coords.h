/* coords.h (internal): room coords: placing bodies by joint coordinates, closing loops.
 *
 * In: model, state and system. Out: a new pose in the state. The room sees no simulation, so that
 * making one can use it. Stages, one file each:
 *
 *     tree.c     spanning tree, blocks (sets of loops that share bodies), which side is held
 *     carry.c    rigid motion of everything that hangs on a body that moves
 *     bridges.c  requests of joints outside loops alone: only what moves is visited
 *     rows.c     which rows count, their errors, one mass-metric Newton step
 *     follow.c   from pose to pose along a path of coordinate targets, on one branch
 *     request.c  what a set of requests means for each block
 *     together.c requests of several blocks side by side: which of them are free, and plain paths
 *     ranges.c   coordinates outside their ranges before any request is met
 *     drawing.c  closing a rough drawing with least movement
 *     targets.c  points brought to places, bodies to orientations
 *     ratios.c   how everything moves with one coordinate
 *     transmission.c  how well a coordinate drives another
 *     speeds.c   speeds of coordinates, and what they do to the others
 */
#ifndef TN_COORDS_COORDS_H
#define TN_COORDS_COORDS_H

#include <math.h>
#include <stdbool.h>

#include "assemble/system.h"
#include "math/box.h"
#include "solve/singular.h"
#include "tenon/coords.h"

/* The tolerances of this room, m and rad of metre-sized machines.
 * Newton aims at round-off; round-off may stop it earlier, in larger machines too. */
#define TN_COORDS_ROUND_OFF 2e-14
#define TN_COORDS_CLOSED    1e-12 /* per metre of size above one */
/* A coordinate this near to a value or an end of its range is there. */
#define TN_COORDS_MET 1e-9

/* Why the motion row of a coordinate counts as a constraint. */
typedef enum tn_keep {
    TN_KEEP_FREE,
    TN_KEEP_LOCK,    /* locked in the state, or its range has no width */
    TN_KEEP_REQUEST, /* requested */
    TN_KEEP_LIMIT,   /* at an end of its range */
    TN_KEEP_LINK,    /* of a joint that only links coupled ones: it stays as it is */
    TN_KEEP_IDLE     /* requested, but not active: its row exists and is left out */
} tn_keep;

/* The spanning tree of the enabled joints. Node body_count is ground with all fixed bodies. A block is a
 * largest set of joints of which any two lie on a common loop, or one joint in no loop. A coupling unites
 * the blocks of its joints and all that lies between them. */
typedef struct tn_tree {
    int32_t nodes, visited;
    int32_t preferred; /* see tn_tree_build; -2: not built yet */
    int8_t *enabled;   /* per element: when it was built */
    int32_t *order;    /* [visited] from the roots outwards */
    int32_t *parent;   /* per node: -1 for a root */
    int32_t *depth;
    int32_t *leader;      /* per node: union-find over the tree edges (node, parent) */
    int32_t *anchor;      /* per leader: the block's node that is held */
    int32_t *joint_count; /* per leader, couplings included */
    int32_t *block;       /* per element: leader of its block, -1 if the joint does not count */
    int8_t *link;         /* per joint: 1: in its block only because it lies between coupled ones */
    int32_t *first_joint, *next_joint; /* elements of each block as lists: per leader, per element
                                        */
    int32_t *start, *incident;         /* joints of node i: incident[start[i]] .. [i + 1] */
    double *weight;                    /* kg, scratch: mass hanging on a node */
} tn_tree;

tn_status tn_tree_create(const tn_model *model, tn_tree *tree);
void tn_tree_destroy(tn_tree *tree);
/* For the joints enabled in the state; what was built is kept while they and the preference stay.
 * prefer: node to be root of its component if nothing there is grounded, or -1. */
void tn_tree_build(const tn_model *model, const tn_state *state, int32_t prefer, tn_tree *tree);
/* component[nodes]: the same number for nodes that joints and couplings join, ground aside. */
void tn_tree_components(const tn_tree *tree, int32_t *component);
static inline int32_t tn_tree_node(const tn_model *model, int32_t body)
{
    return body < 0 || model->bodies[body].dim == 0 ? model->body_count : body;
}

/* Poses that are kept: before a block moved, where a path and where a step began, where it was
 * predicted to end, before the last Newton pass, where the last call ended (its direction is only
 * good there). */
enum {
    TN_POSE_BLOCK,
    TN_POSE_PATH,
    TN_POSE_START,
    TN_POSE_PREDICTED,
    TN_POSE_TRIED,
    TN_POSE_END,
    TN_POSE_KEPT,
    TN_POSE_COUNT
};

/* Motion of a body: a point p moves to R (p - from) + to; q is the same rotation. */
typedef struct tn_motion {
    tn_mat3 R;
    tn_quat q;
    tn_vec3 from, to; /* m, world */
} tn_motion;

/* Requested place of a point of a body, requested orientation of a body, or both. */
typedef struct tn_coords_target {
    int32_t body;
    int32_t place, turn; /* 1: wanted */
    int32_t hard;
    double weight; /* of soft ones */
    tn_vec3 p;     /* m, from the centre of mass in body axes */
    tn_vec3 goal;  /* m, world */
    tn_quat q;     /* of the body, wanted; unit */
    double arm;    /* m: what a radian counts as; 0: the size of the mechanism */
} tn_coords_target;

/* Calls for each coordinate of the block: joint j, coordinate i, index `at`. */
#define TN_FOR_BLOCK_COORDINATES(c, block, j, i, at)                                               \
    for (int32_t j = (c)->tree.first_joint[block]; j >= 0; j = (c)->tree.next_joint[j])            \
        for (int32_t i = 0, at = j * TN_MAX_COORDINATES;                                           \
             i < (c)->model->joints[j].geometry.cls->info.coordinate_count; i++, at++)

typedef struct tn_coords {
    tn_coords_target *targets; /* borrowed, while points are brought to places */
    int32_t target_count;
    double pull_scale; /* kg */
    int yields;        /* 1: soft joints are left open, by their compliance (rows.c) */
    bool looks;        /* compliant rows are ignored: only the error of the hard rows is wanted */
    double soft;       /* what a soft target of weight 1 counts; hard ones count 1 */
    const tn_model *model;
    tn_state *state; /* borrowed */
    tn_system *sys;  /* borrowed */
    tn_state saved;  /* the state on entry */
    tn_tree tree;
    int8_t *hold;          /* [joints][TN_MAX_COORDINATES] tn_keep */
    int8_t *kept_hold;     /* [joints][TN_MAX_COORDINATES] hold, before other branches are tried */
    double *target;        /* [joints][TN_MAX_COORDINATES] rad, m: value of a held coordinate */
    double *goal;          /* [joints][TN_MAX_COORDINATES] where a requested one is to end */
    int32_t *priority;     /* [joints][TN_MAX_COORDINATES] of requested ones: the smaller wins */
    double *lower, *upper; /* [joints][TN_MAX_COORDINATES] ranges in force */
    int8_t *outcome;       /* [joints][TN_MAX_COORDINATES] tn_coordinate_outcome */
    int8_t *in;            /* [joints] 1: its rows count */
    int8_t *carried;       /* [joints] 1: so do all its motion rows: it does not move */
    int8_t *moves;         /* [bodies] 1: may be moved by the solver, or was moved */
    int32_t *mover;    /* [bodies] of a moved one: the one that moved by itself and took it along */
    tn_motion *motion; /* [bodies] of those that moved by themselves */
    tn_vec3 *x[TN_POSE_COUNT]; /* [bodies] kept poses */
    tn_quat *q[TN_POSE_COUNT];
    int8_t *followed;   /* [nodes] per leader: 1: its block has been placed, what hangs on it not */
    int32_t *set;       /* [nodes] per leader: the set that it is admitted with, -1: not now */
    int32_t *first;     /* [nodes] per set: requested coordinate that is admitted next, -1 */
    int32_t *next;      /* [joints][TN_MAX_COORDINATES] the one after it in its set, -1 */
    int32_t *round;     /* [nodes] one coordinate of each set */
    double *freedom;    /* [nodes] theirs */
    double *coordinate; /* [joints][TN_MAX_COORDINATES] where a step began */
    double *begin;      /* [joints][TN_MAX_COORDINATES] where the path began */
    double *tangent;    /* [velocities] */
    double *true_tangent; /* [velocities] kept while another direction is tried */
    double *last;         /* [velocities] direction of the last step */
    double *kept_last;    /* [velocities] see tn_coords_remember */
    double *pull;         /* [velocities] scratch */
    double *rate;         /* [elements][TN_MAX_COORDINATES] of the last ratios */
    double *second;       /* [elements][TN_MAX_COORDINATES] */
    double *lambda;       /* [y_size] scratch */
    double *gap_rows;     /* [2 y_size] scratch */
    tn_singular singular;
    double *kept_gap; /* [y_size] on entry: sys->gap belongs to a pose, and goes back with it */
    int32_t has_last, kept_has_last;
    double last_way, kept_last_way;   /* rad or m: the step it was of, as its request went */
    int32_t beyond;                   /* coordinate that stays outside its range, -1: none */
    double beyond_by;                 /* rad, m */
    bool left_plane;                  /* a joint that was set would take a planar body out */
    uint64_t last_key, kept_last_key; /* which coordinates it was the way of */
    int32_t steps, factorizations;
    int32_t poses_tried; /* at the start, for one inside all ranges */
    int32_t renewed;     /* joints whose kinematics the last request of bridges alone computed */
    double size;         /* m, of what is being placed */
} tn_coords;

tn_status tn_coords_create(const tn_model *model, tn_state *state, tn_system *sys, tn_coords **out);
void tn_coords_destroy(tn_coords *c);

/* request.c: see tn_sim_set_coordinates. Switches come back as they were, except new lock values.
 */
tn_status tn_coords_set(tn_coords *c, const tn_coordinate_request *requests, int32_t count,
                        const tn_coordinate_options *options, tn_coordinate_answer *answers,
                        tn_placement_report *report);

/* Sorts the requests by block: bridges are set at once, loops wait, and impossible ones get their outcome. */
void tn_coords_sort_requests(tn_coords *c, const tn_coordinate_request *requests, int32_t count);

/* bridges.c: the tree has been built. Saves what it changes; undo puts it back. */
int tn_coords_are_bridges(const tn_coords *c, const tn_coordinate_request *requests, int32_t count);
void tn_coords_set_bridges(tn_coords *c, const tn_coordinate_request *requests, int32_t count);
void tn_coords_undo_bridges(tn_coords *c, const tn_coordinate_request *requests, int32_t count);

/* Activates the joints and couplings of a block; returns the box of their frames. */
tn_box tn_coords_enter_joints(tn_coords *c, int32_t block);
/* After the requests of a block have been met: releases its coordinates, except locked ones. */
void tn_coords_release_block(tn_coords *c, int32_t block);

tn_placement_report tn_coords_empty_report(void);

/* Loops with a coordinate outside its range that do not come inside all ranges on their branch: to a
 * pose on another that is. Requested coordinates stay. True: some body was moved. */
bool tn_coords_start_inside(tn_coords *c, const tn_coordinate_request *requests, int32_t count);

/* poses.c: the state, and gaps of loops, on entry; and back to them. */
void tn_coords_save(tn_coords *c);
void tn_coords_restore(tn_coords *c);

/* ranges.c: brings coordinates of a block that are outside their ranges back, as far as what is
 * held lets them; the block has been entered and its requests wait. */
tn_status tn_coords_pull_into_ranges(tn_coords *c, int32_t block);
/* Searches all branches of a small block for a pose inside all ranges, with the coordinates that
 * kept_hold has as requested; true: the block is there. Starts from TN_POSE_BLOCK. */
bool tn_coords_find_branch(tn_coords *c, int32_t block);
/* The worst coordinate of a block that is outside its range: -1 if there is none. */
int32_t tn_coords_find_beyond(const tn_coords *c, int32_t block, double *by);

/* Locks and ranges from the state; active rows and moved locks back into it. */
void tn_coords_read_switches(tn_coords *c);
void tn_coords_read_switches_of(tn_coords *c, int32_t element);
static inline int8_t tn_coords_kept(const tn_switches *s, int32_t coordinate)
{
    const int8_t hold = s->hold[coordinate];
    return hold >= TN_HOLD_DRIVER && hold <= TN_HOLD_PINNED ? TN_KEEP_LOCK : TN_KEEP_FREE;
}
void tn_coords_write_switches(tn_coords *c);
void tn_coords_write_switches_of(tn_coords *c, int32_t element);
void tn_coords_keep_velocities(tn_coords *c);

/* Errors below this are those of closed joints, m or rad. */
static inline double tn_coords_closed(const tn_coords *c)
{
    return TN_COORDS_CLOSED * fmax(1.0, c->size);
}

/* rows.c */
/* True if compliant joints are open at the pose of kin: they carry a load then, and stay open. */
int tn_coords_soft_joints_are_open(const tn_coords *c);
void tn_coords_refresh(tn_coords *c);  /* T and kin from the state's pose */
void tn_coords_activate(tn_coords *c); /* active rows from in and hold */
void tn_coords_measure(tn_coords *c);  /* state coordinates of the joints that count, from kin */
double tn_coords_errors(tn_coords *c); /* phi; the largest of a hard row */
/* Matrix in the mass metric, factored; the rows of bodies that are held are cut. damping: R of hard
 * rows in units of their scale. */
tn_status tn_coords_factor(tn_coords *c, double damping);
tn_status tn_coords_solve(tn_coords *c); /* sys->f, sys->g -> sys->du, sys->y, from zero */
/* For loops with gaps: removes from sys->g the part that no motion of the factored system can produce. */
void tn_coords_keep_in_reach(tn_coords *c);
/* Newton with least movement until the errors are at round-off, stop falling, or *limit passes. */
tn_status tn_coords_correct(tn_coords *c, double tolerance, int32_t passes, double *error);
double tn_coords_error_of(const tn_coords *c,
                          int32_t joint); /* of phi: the largest of a hard row */
/* How much of the motion rows of coordinates the counting rows leave free: 0 none .. 1 all. One
 * factorization for all of them; they wait (TN_KEEP_IDLE), and no two move the same bodies. */
tn_status tn_coords_freedoms(tn_coords *c, const int32_t *at, int32_t count, double *freedom);
/* The same for one coordinate, also if it is held. */
tn_status tn_coords_freedom(tn_coords *c, int32_t joint, int32_t coordinate, double *freedom);
int64_t tn_coords_slot(const tn_coords *c, int32_t joint, int32_t coordinate);
void tn_coords_keep_pose(tn_coords *c, int which);
void tn_coords_take_pose(tn_coords *c, int which);
int tn_coords_is_pose(const tn_coords *c, int which);
tn_vec3 tn_coords_turn(tn_quat from, tn_quat to);
/* d = present pose minus kept pose, and norms in the mass metric. */
void tn_coords_difference(const tn_coords *c, int which, double *d);
double tn_coords_norm(const tn_coords *c, const double *d);
double tn_coords_body_dot(const tn_coords *c, int32_t body, const double *a, const double *b);
double tn_coords_dot(const tn_coords *c, const double *a, const double *b);
void tn_coords_advance(tn_coords *c, const double *d, double scale); /* moves the bodies */

/* drawing.c: see tn_sim_assemble; positions only. */
tn_status tn_coords_assemble(tn_coords *c, tn_placement_report *report);
/* Closes the active rows from any pose, near or far; *closed: 1 if it succeeded. */
tn_status tn_coords_close_from_here(tn_coords *c, int *closed);
/* Repeatable numbers in -1 .. 1. */
double tn_coords_scatter(uint64_t *seed);

/* Activates all joints and bodies; no joint is carried. */
void tn_coords_enter_whole(tn_coords *c);

/* The element that has the requested coordinate; couplings after the joints. */
static inline int32_t tn_coords_element(const tn_coords *c, const tn_coordinate_request *request)
{
    return tn_element_of(c->model, request->joint);
}

tn_status tn_coords_check(const tn_coords *c, const tn_coordinate_request *requests, int32_t count,
                          const tn_coordinate_options *options, bool motions);

/* targets.c: points to places and bodies to orientations while held coordinates stay; from a closed
 * pose. misses[count]. */
void tn_coords_add_targets(tn_coords *c); /* their part of the matrix */
tn_status tn_coords_reach(tn_coords *c, tn_coords_target *targets, int32_t count,
                          const tn_coordinate_request *held, int32_t held_count,
                          tn_marker_answer *misses, tn_placement_report *report);

/* Motions and balances that differ by less are the same, the root of what rounding leaves of their
 * squares; the driven coordinate's speed is 1 to this, or it cannot move. */
#define TN_SAME_MOTION 1e-6
/* ratios.c: see tn_sim_motion_ratios; into rate and second, the accelerations into sys->du. */
tn_status tn_coords_ratios(tn_coords *c, int32_t joint, int32_t coordinate);
/* Joints outside the blocks of moved ones are carried, and so are a moved joint's own other motions
 * unless it is in a loop. The tree has been built, the whole entered; moved[joints]. */
void tn_coords_carry_others(tn_coords *c, const int8_t *moved);

/* ratios.c: true if a coordinate without freedom to first order turns back at this pose. Pose and velocities are
 * unchanged; the factor is not. */
tn_status tn_coords_turns_back(tn_coords *c, int32_t joint, int32_t coordinate, bool *turns);
/* The same for the whole mechanism at the state's pose, independent of drives: true at a dead point of the
 * coordinate. */
tn_status tn_coords_is_dead_point(tn_coords *c, int32_t joint, int32_t coordinate, bool *is);

/* transmission.c: see tn_sim_transmission; input and output as joint * TN_MAX_COORDINATES +
 * coordinate; *through -1 is chosen. */
tn_status tn_coords_transmission(tn_coords *c, int32_t input, int32_t output, int32_t *through,
                                 double *index);

/* speeds.c: see tn_sim_set_coordinate_speeds. */
tn_status tn_coords_set_speeds(tn_coords *c, const tn_coordinate_request *requests, int32_t count,
                               const tn_coordinate_options *options, tn_coordinate_answer *answers,
                               tn_placement_report *report);

/* together.c */
/* Requests that wait (TN_KEEP_IDLE), of blocks whose c->set is not negative: held where the counting rows leave them
 * freedom; else released, with the outcome `refused`; TN_COORDINATE_SINGULAR: where they turn back here (ratios.c),
 * else TN_COORDINATE_DEPENDENT. In the order of the requests, one of each set at a time: sets do not move the same
 * bodies. */
tn_status tn_coords_admit(tn_coords *c, const tn_coordinate_request *requests, int32_t count,
                          tn_coordinate_outcome refused);
/* Places, at the same time, the blocks of waiting requests that plain steps bring to their goals. The requests of the
 * others continue to wait. */
tn_status tn_coords_place_together(tn_coords *c, const tn_coordinate_request *requests,
                                   int32_t count);

/* follow.c: moves requested coordinates from where they are to their goals; those that cannot get
 * there are marked in outcome[joint * TN_MAX_COORDINATES + coordinate]. */
tn_status tn_coords_follow(tn_coords *c, int32_t block, int8_t *outcome);

/* A free coordinate that is further beyond the end of its range than at the start of the step; -1: none. */
int32_t tn_coords_find_violation(const tn_coords *c, int32_t block, double *bound);
/* Steps of a path. A step is believed when the correction is at most this share of it (mass metric). */
#define TN_FOLLOW_TRUST 0.25
/* rad and share of the size: most that a body may move in a step. */
#define TN_FOLLOW_MAX_TURN 0.35
#define TN_FOLLOW_MAX_MOVE 0.25
/* Steps grow by this much after a success. */
#define TN_FOLLOW_GROWTH    2.0
#define TN_FOLLOW_MAX_STEPS 4000
/* Closing on the way, m and rad. */
#define TN_FOLLOW_TOLERANCE 1e-9
#define TN_FOLLOW_PASSES    30
/* Newton stops when errors no longer fall to this share in a step, well above that of singular
 * poses. */
#define TN_COORDS_LEAST_GAIN (2.0 * TN_CRAWLING)
/* Hash of the sequence of requested coordinates (FNV-1a). */
#define TN_COORDS_NO_KEY 14695981039346656037u
static inline uint64_t tn_coords_key(uint64_t key, int32_t at)
{
    return (key ^ (uint64_t)at) * 1099511628211u;
}

/* poses.c: saves and restores the direction in which the mechanism came, for callers that restore the pose. */
void tn_coords_remember(tn_coords *c);
void tn_coords_recall(tn_coords *c);

/* carry.c */
/* All bodies of the blocks in c->followed are placed: moves what hangs on them. */
void tn_coords_carry_blocks(tn_coords *c);
/* Turns the joints outside loops to their goals (hold == REQUEST), everything hanging on them. */
void tn_coords_turn_bridges(tn_coords *c);
/* Places a block's bodies by the goals of its joints, from its inner end outwards; loops may open. */
void tn_coords_turn_block(tn_coords *c, int32_t block);

/* poses.c */
/* Writes the change d from the saved velocities to the report. The first call does so for one body and returns the norm
 * of its change, 0 if it is at most `least`, round-off of the whole motion. */
double tn_coords_report_body_change(const tn_coords *c, const double *d, int32_t body, double least,
                                    tn_placement_report *report);
void tn_coords_report_change(const tn_coords *c, const double *d, tn_placement_report *report);
/* Largest errors of hard rows over all enabled joints, the worst joints by name, and the largest
 * movement since c->saved. */
void tn_coords_report(tn_coords *c, tn_placement_report *report);

#endif
