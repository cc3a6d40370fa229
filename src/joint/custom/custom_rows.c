/* custom_rows.c: room joint/custom: the rows of a custom joint (custom_rows.h). */
#include "joint/custom/custom_rows.h"

/* ---- what follows from the form of the data alone ------------------------------------------- */

/* Smaller is better. */
static int rank_as_pivot(const tn_joint_axis *axis)
{
    const int itself = axis->function.kind == TN_FUNCTION_NONE;
    return 2 * !itself + !axis->angular;
}

void tn_custom_rows_pivots(const tn_joint_data *data, const int32_t *slot,
                           int8_t pivot[TN_MAX_COORDINATES])
{
    int best[TN_MAX_COORDINATES];
    for (int k = 0; k < TN_MAX_COORDINATES; k++)
        pivot[k] = -1;
    for (int32_t i = 0; i < tn_custom_axis_count(data); i++) {
        const int32_t k = data->axes[i].coordinate;
        if (slot[i] < 0 || !tn_joint_axis_moves(&data->axes[i]) || k >= TN_MAX_COORDINATES)
            continue;
        const int rank = rank_as_pivot(&data->axes[i]);
        if (pivot[k] < 0 || rank < best[k]) {
            pivot[k] = (int8_t)slot[i];
            best[k] = rank;
        }
    }
}

static bool is_pivot(const int8_t *pivot, int slot)
{
    for (int k = 0; k < TN_MAX_COORDINATES; k++) {
        if (pivot[k] == slot)
            return true;
    }
    return false;
}

void tn_custom_rows_describe(const tn_joint_data *data, const tn_joint_type_info *type,
                             tn_joint_own_info *own)
{
    static const char *const names[TN_SLOTS] = {"f1", "f2", "f3", "m1", "m2", "m3"};
    int32_t slot[TN_MOST_AXES];
    int8_t slot_coordinate[TN_SLOTS], pivot[TN_MAX_COORDINATES];
    tn_custom_axes_slots(data, slot, slot_coordinate);
    tn_custom_rows_pivots(data, slot, pivot);
    tn_family_describe(data, type, own);
    int32_t next = 0;
    for (int k = 0; k < TN_SLOTS && next < own->info.bilateral_count; k++) {
        if (!is_pivot(pivot, k)) {
            own->rows[next++] = (tn_row_info){
                names[k], TN_ROW_BILATERAL | (k < 3 ? TN_ROW_LINEAR : TN_ROW_ROTARY), -1};
        }
    }
}

/* ---- rows ---------------------------------------------------------------------------------- */

void tn_custom_rows_make(tn_custom *custom)
{
    static const double zero[TN_MAX_COORDINATES] = {0.0};
    tn_custom_state state;
    tn_custom_axes_at(custom, zero, NULL, &state);
    for (int32_t j = 0; j < custom->family.own.info.coordinate_count; j++)
        custom->pivot_sign[j] = state.speed[custom->pivot_slot[j]].v < 0.0 ? -1.0 : 1.0;
}

static tn_dual sum(tn_dual a, tn_dual b)
{
    return dual(a.v + b.v, a.d + b.d);
}

static tn_dual root(tn_dual a)
{
    const double v = sqrt(a.v);
    return dual(v, 0.5 * a.d / v);
}

/* A row so far: its coefficient of each dual slot. */
typedef struct tn_slot_row {
    tn_dual of[TN_SLOTS];
} tn_slot_row;

/* u of coordinate j, zero in the slots of others, and |c|. */
static tn_slot_row direction(const tn_custom *custom, const tn_custom_state *state, int32_t j,
                             tn_dual *size)
{
    tn_slot_row u = {{{0.0, 0.0}}};
    tn_dual square = {0.0, 0.0};
    for (int k = 0; k < TN_SLOTS; k++) {
        if (custom->slot_coordinate[k] == j)
            square = sum(square, dual_mul(state->speed[k], state->speed[k]));
    }
    *size = root(square);
    for (int k = 0; k < TN_SLOTS; k++) {
        if (custom->slot_coordinate[k] == j)
            u.of[k] = dual_div(state->speed[k], *size);
    }
    return u;
}

/* The column of the reflection for slot k of coordinate j. */
static tn_slot_row reflected(const tn_custom *custom, const tn_slot_row *u, int32_t j, int k)
{
    const int p = custom->pivot_slot[j];
    const double s = custom->pivot_sign[j];
    const tn_dual down = dual(1.0 + s * u->of[p].v, s * u->of[p].d);
    const tn_dual share = dual_div(u->of[k], down);
    tn_slot_row row = {{{0.0, 0.0}}};
    for (int i = 0; i < TN_SLOTS; i++)
        row.of[i] = dual_mul(dual(-share.v, -share.d), u->of[i]);
    row.of[k].v += 1.0;
    row.of[p] = sum(row.of[p], dual(-s * share.v, -s * share.d));
    return row;
}

static bool is_nothing(tn_dual a)
{
    return a.v == 0.0 && a.d == 0.0;
}

static void put(const tn_custom *custom, const tn_custom_state *state, const tn_slot_row *row,
                tn_dual3 *force, tn_dual3 *moment)
{
    const tn_dual3 zero = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    *force = *moment = zero;
    for (int k = 0; k < 3; k++) {
        const tn_dual3 along = {custom->dual_basis[k], {0.0, 0.0, 0.0}};
        if (!is_nothing(row->of[k])) /* few slots are in a row */
            *force = dual3_axpy(*force, row->of[k], along);
        if (!is_nothing(row->of[3 + k]))
            *moment = dual3_axpy(*moment, row->of[3 + k], state->moment[k]);
    }
}

void tn_custom_rows_at(const tn_pose_family *family, const double *q, const double *speeds,
                       tn_dual3 force[6], tn_dual3 moment[6])
{
    const tn_custom *custom = (const tn_custom *)family;
    tn_custom_state at;
    tn_custom_axes_at(custom, q, speeds, &at);
    const tn_custom_state *state = &at;
    const int32_t coordinates = custom->family.own.info.coordinate_count;
    tn_slot_row u[TN_MAX_COORDINATES];
    int next = custom->family.own.info.bilateral_count;
    for (int32_t j = 0; j < coordinates; j++, next++) {
        tn_dual size;
        u[j] = direction(custom, state, j, &size);
        tn_slot_row row;
        for (int k = 0; k < TN_SLOTS; k++)
            row.of[k] = dual_div(u[j].of[k], size);
        put(custom, state, &row, &force[next], &moment[next]);
    }
    next = 0;
    for (int k = 0; k < TN_SLOTS; k++) {
        const int32_t j = custom->slot_coordinate[k];
        if (j >= 0 && custom->pivot_slot[j] == k)
            continue;
        tn_slot_row row = {{{0.0, 0.0}}};
        row.of[k].v = 1.0;
        if (j >= 0)
            row = reflected(custom, &u[j], j, k);
        put(custom, state, &row, &force[next], &moment[next]);
        next++;
    }
}
