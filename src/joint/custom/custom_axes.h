/* custom_axes.h: room joint/custom: the axes of a custom joint: its pose, what its coordinates move.
 *
 * In the frame D, with turns A_1 f_1, A_2 f_2, A_3 f_3 in a row and shifts t_1, t_2, t_3,
 *     R = exp(A_1 f_1) exp(A_2 f_2) exp(A_3 f_3),     p = t_1 f_4 + t_2 f_5 + t_3 f_6,
 * f_i a function of one coordinate (OpenSim's CustomJoint; Seth et al., Minimal formulation of
 * joint motion for biomechanisms, Nonlinear Dynamics 62, 2010). Its six slots are the shifts and
 * the turns that move, each kind filled up to a basis of three: velocities
 *     v = sum t_i s_i,   w = sum w_i s_3+i,   w_1 = A_1,   w_2 = exp(A_1 f_1) A_2, ...
 * and their dual forces and moments e_i, e_i . (velocity of slot k) = 1 if i = k, else 0.
 */
#ifndef TN_JOINT_CUSTOM_CUSTOM_AXES_H
#define TN_JOINT_CUSTOM_CUSTOM_AXES_H

#include "base/arena.h"
#include "joint/custom/pose_family.h"
#include "math/function/function.h"
#include "spec/joint/joint_data.h"

#define TN_MOST_AXES (2 * TN_AXES_OF_A_KIND)
#define TN_SLOTS     6 /* 0 .. 2: shifts and forces, 3 .. 5: turns and moments */

typedef struct tn_custom_axis {
    tn_vec3 axis; /* unit */
    int32_t coordinate;
    int32_t moves;
    int32_t slot;      /* of an axis that moves, or of any shift */
    int32_t is_itself; /* no function: the coordinate */
    tn_function function;
} tn_custom_axis;

typedef struct tn_custom {
    tn_pose_family family;
    tn_custom_axis turns[TN_AXES_OF_A_KIND], shifts[TN_AXES_OF_A_KIND]; /* in order */
    int32_t turn_count, shift_count;
    int32_t moving_turns;
    bool plain;                            /* custom_plain.c */
    int8_t chain[TN_MAX_ROWS];             /* tn_joint_class.chain, where it is one */
    double third;                          /* rad: there, of the third turn's axis */
    int8_t slot_coordinate[TN_SLOTS];      /* which coordinate moves it; -1: none */
    int8_t pivot_slot[TN_MAX_COORDINATES]; /* custom_rows.c */
    double pivot_sign[TN_MAX_COORDINATES]; /* +1 or -1 */
    tn_vec3 basis[3], dual_basis[3];       /* of the shifts and of the forces, in D */
    tn_vec3 still[3];                      /* of the turns, when at most one moves */
} tn_custom;

/* Everything at some coordinates, with derivatives along given speeds. In D. */
typedef struct tn_custom_state {
    tn_xform T_GD;
    tn_dual speed[TN_SLOTS]; /* of each slot by its coordinate: df/dq */
    tn_dual3 w[3];           /* axes of the slots that turn */
    tn_dual3 moment[3];      /* dual to them */
} tn_custom_state;

/* Takes the axes apart; data must have no faults. Functions go into the arena. */
tn_status tn_custom_axes_make(const tn_joint_data *data, tn_arena *arena, tn_custom *custom);

/* How many axes count: data that are still to be checked may have more. */
static inline int32_t tn_custom_axis_count(const tn_joint_data *data)
{
    return data->axis_count < TN_MOST_AXES ? data->axis_count : TN_MOST_AXES;
}

/* Which slot each moving axis takes, from the form of the data alone: slot[TN_MOST_AXES], -1 for
 * turns that stand still; slot_coordinate[TN_SLOTS]. Of faulty data whatever can be placed. */
void tn_custom_axes_slots(const tn_joint_data *data, int32_t *slot,
                          int8_t slot_coordinate[TN_SLOTS]);

/* The coordinates in the order of their axes, where each moves along or about one of these and is no function: chain, of
 * the joint made. NULL: they are no such. */
const int8_t *tn_custom_axes_chain(tn_custom *custom);

/* speeds[coordinates] per second, or NULL for none. */
void tn_custom_axes_at(const tn_custom *custom, const double *q, const double *speeds,
                       tn_custom_state *state);

/* The family's pose and twists. */
void tn_custom_axes_point(const tn_pose_family *family, const double *q, const double *speeds,
                          tn_family_point *out);

#endif
