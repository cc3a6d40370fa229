/* custom_axes.c: room joint/custom: the axes of a custom joint (custom_axes.h).
 *
 * Limits: with three turns that move, the moments are singular where the third axis comes into the
 * plane of the first two (gimbal lock), as those of the gimbal are.
 */
#include "joint/custom/custom_axes.h"

static tn_vec3 unit(tn_vec3 v)
{
    return v3_scale(1.0 / v3_norm(v), v);
}

/* ---- making ------------------------------------------------------------------------------- */

void tn_custom_axes_slots(const tn_joint_data *data, int32_t *slot,
                          int8_t slot_coordinate[TN_SLOTS])
{
    int32_t next_shift = 0, next_turn = TN_AXES_OF_A_KIND;
    for (int k = 0; k < TN_SLOTS; k++)
        slot_coordinate[k] = -1;
    for (int32_t i = 0; i < tn_custom_axis_count(data); i++) {
        const tn_joint_axis *axis = &data->axes[i];
        const int moves = tn_joint_axis_moves(axis);
        slot[i] = -1;
        if (axis->angular ? !moves || next_turn == TN_SLOTS : next_shift == TN_AXES_OF_A_KIND)
            continue;
        slot[i] = axis->angular ? next_turn++ : next_shift++;
        slot_coordinate[slot[i]] = moves ? (int8_t)axis->coordinate : -1;
    }
}

/* Fills basis up from `count` independent unit vectors. Without any: x, y, z. */
static void complete(tn_vec3 basis[3], int count)
{
    if (count == 0) {
        basis[0] = v3(1.0, 0.0, 0.0);
        basis[1] = v3(0.0, 1.0, 0.0);
    }
    if (count == 1) {
        const tn_vec3 a = basis[0];
        const tn_vec3 far = fabs(a.x) < 0.6   ? v3(1.0, 0.0, 0.0)
                            : fabs(a.y) < 0.6 ? v3(0.0, 1.0, 0.0)
                                              : v3(0.0, 0.0, 1.0);
        basis[1] = unit(v3_axpy(far, -v3_dot(far, a), a));
    }
    if (count < 3)
        basis[2] = unit(v3_cross(basis[0], basis[1]));
}

static void invert(const tn_vec3 basis[3], tn_vec3 dual_basis[3])
{
    const double volume = v3_dot(basis[0], v3_cross(basis[1], basis[2]));
    for (int i = 0; i < 3; i++)
        dual_basis[i] = v3_scale(1.0 / volume, v3_cross(basis[(i + 1) % 3], basis[(i + 2) % 3]));
}

static tn_status make_axis(const tn_joint_axis *from, int32_t slot, tn_arena *arena,
                           tn_custom_axis *to)
{
    to->axis = unit(from->axis);
    to->coordinate = from->coordinate;
    to->moves = tn_joint_axis_moves(from);
    to->slot = slot;
    to->is_itself = from->function.kind == TN_FUNCTION_NONE;
    return to->is_itself ? TN_OK : tn_function_make(&from->function, arena, &to->function);
}

tn_status tn_custom_axes_make(const tn_joint_data *data, tn_arena *arena, tn_custom *custom)
{
    int32_t slot[TN_MOST_AXES];
    tn_custom_axes_slots(data, slot, custom->slot_coordinate);
    tn_status status = TN_OK;
    for (int32_t i = 0; status == TN_OK && i < tn_custom_axis_count(data); i++) {
        tn_custom_axis *to = data->axes[i].angular ? &custom->turns[custom->turn_count++]
                                                   : &custom->shifts[custom->shift_count++];
        status = make_axis(&data->axes[i], slot[i], arena, to);
    }
    for (int32_t i = 0; i < custom->shift_count; i++)
        custom->basis[i] = custom->shifts[i].axis;
    complete(custom->basis, custom->shift_count);
    invert(custom->basis, custom->dual_basis);
    /* until a turn moves the axes of the turns do not */
    tn_mat3 R = m3_identity();
    for (int32_t i = 0; i < custom->turn_count; i++) {
        const tn_custom_axis *turn = &custom->turns[i];
        if (turn->moves && custom->moving_turns++ == 0)
            custom->still[0] = m3_mulv(&R, turn->axis);
        if (custom->moving_turns == 0) {
            const tn_mat3 next =
                q_to_m3(q_exp(v3_scale(turn->function.def.numbers[0], turn->axis)));
            R = m3_mul(&R, &next);
        }
    }
    complete(custom->still, custom->moving_turns > 0);
    return status;
}

/* The coordinates of axes that move, each once, behind those of the chain so far. False: one is a function, or moves another too. */
static bool add_links(const tn_custom_axis *axes, int32_t axis_count, tn_custom *custom,
                      int32_t *count, unsigned *seen)
{
    bool good = true;
    for (int32_t i = 0; i < axis_count && good; i++) {
        if (!axes[i].moves)
            continue;
        const unsigned bit = 1u << axes[i].coordinate;
        good = axes[i].is_itself && !(*seen & bit) && *count < TN_MAX_ROWS;
        *seen |= bit;
        if (good)
            custom->chain[(*count)++] = (int8_t)axes[i].coordinate;
    }
    return good;
}

const int8_t *tn_custom_axes_chain(tn_custom *custom)
{
    int32_t count = 0;
    unsigned seen = 0;
    const bool good = add_links(custom->shifts, custom->shift_count, custom, &count, &seen) &&
                      add_links(custom->turns, custom->turn_count, custom, &count, &seen);
    return good && count == custom->family.own.info.dof ? custom->chain : NULL;
}

/* ---- at some coordinates ------------------------------------------------------------------ */

/* f, f', f'' of an axis. */
static void value_of(const tn_custom_axis *axis, const double *q, double f[3])
{
    const double x = axis->coordinate >= 0 ? q[axis->coordinate] : 0.0;
    if (axis->is_itself) {
        f[0] = x;
        f[1] = 1.0;
        f[2] = 0.0;
        return;
    }
    tn_function_evaluate(&axis->function, x, f);
}

/* f' and its derivative in time. */
static tn_dual slope_of(const tn_custom_axis *axis, const double f[3], const double *speeds)
{
    return dual(f[1], speeds && axis->coordinate >= 0 ? f[2] * speeds[axis->coordinate] : 0.0);
}

/* R, and w of the turns that move with their derivatives: an axis after some turns moves with them.
 */
static void go_through_turns(const tn_custom *custom, const double *q, const double *speeds,
                             tn_custom_state *state)
{
    tn_vec3 spin = {0.0, 0.0, 0.0}; /* angular velocity of what has been turned so far */
    state->T_GD.R = m3_identity();
    for (int32_t i = 0; i < custom->turn_count; i++) {
        const tn_custom_axis *turn = &custom->turns[i];
        double f[3];
        value_of(turn, q, f);
        const tn_vec3 axis = m3_mulv(&state->T_GD.R, turn->axis);
        if (turn->moves) {
            state->w[turn->slot - 3] = (tn_dual3){axis, v3_cross(spin, axis)};
            state->speed[turn->slot] = slope_of(turn, f, speeds);
            if (speeds)
                spin = v3_axpy(spin, f[1] * speeds[turn->coordinate], axis);
        }
        const tn_mat3 next = q_to_m3(q_exp(v3_scale(f[0], turn->axis)));
        state->T_GD.R = m3_mul(&state->T_GD.R, &next);
    }
}

/* The moments dual to w, where fewer than three turns move with the basis filled up first: axes
 * that stand still as long as at most one moves, the common normal for two. */
static void find_moments(const tn_custom *custom, tn_custom_state *state)
{
    const tn_vec3 zero = {0.0, 0.0, 0.0};
    for (int i = custom->moving_turns; i < 3 && custom->moving_turns < 2; i++)
        state->w[i] = (tn_dual3){custom->still[i], zero};
    if (custom->moving_turns == 2)
        state->w[2] = dual3_unit(dual3_cross(state->w[0], state->w[1]));
    const tn_dual one = {1.0, 0.0};
    const tn_dual volume = dual3_dot(state->w[0], dual3_cross(state->w[1], state->w[2]));
    for (int i = 0; i < 3; i++) {
        state->moment[i] = dual3_scale(dual_div(one, volume),
                                       dual3_cross(state->w[(i + 1) % 3], state->w[(i + 2) % 3]));
    }
}

/* Pose and twists alone. */
static void move_to(const tn_custom *custom, const double *q, const double *speeds,
                    tn_custom_state *state)
{
    *state = (tn_custom_state){.T_GD = xf_identity()};
    go_through_turns(custom, q, speeds, state);
    for (int32_t i = 0; i < custom->shift_count; i++) {
        const tn_custom_axis *shift = &custom->shifts[i];
        double f[3];
        value_of(shift, q, f);
        state->T_GD.p = v3_axpy(state->T_GD.p, f[0], shift->axis);
        if (shift->moves)
            state->speed[shift->slot] = slope_of(shift, f, speeds);
    }
}

void tn_custom_axes_at(const tn_custom *custom, const double *q, const double *speeds,
                       tn_custom_state *state)
{
    move_to(custom, q, speeds, state);
    find_moments(custom, state);
}

/* The twist of coordinate j: v, w. */
static void twist_of(const tn_custom *custom, const tn_custom_state *state, int32_t j, tn_dual3 *v,
                     tn_dual3 *w)
{
    const tn_dual3 zero = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    *v = *w = zero;
    for (int k = 0; k < 3; k++) {
        const tn_dual3 shift = {custom->basis[k], {0.0, 0.0, 0.0}};
        if (custom->slot_coordinate[k] == j)
            *v = dual3_axpy(*v, state->speed[k], shift);
        if (custom->slot_coordinate[3 + k] == j)
            *w = dual3_axpy(*w, state->speed[3 + k], state->w[k]);
    }
}

void tn_custom_axes_point(const tn_pose_family *family, const double *q, const double *speeds,
                          tn_family_point *out)
{
    const tn_custom *custom = (const tn_custom *)family;
    tn_custom_state state;
    move_to(custom, q, speeds, &state);
    out->T_GD = state.T_GD;
    for (int32_t j = 0; j < family->own.info.dof; j++)
        twist_of(custom, &state, j, &out->v[j], &out->w[j]);
}
