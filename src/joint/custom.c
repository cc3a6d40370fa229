/* custom.c: room joint: a joint whose coordinates move up to six axes by functions of the user's.
 *
 * The pose is that of custom_axes.h, the rows those of custom_rows.h, frame G the legal pose
 * nearest to C, searched from the coordinates before (custom_search.h). Everything is known in D
 * and taken to G: a vector x fixed to nothing changes there by R^T (x' - w x x), w of G in D.
 * Limits: the rows are singular where a coordinate moves nothing, all its functions level, and
 * where three turns lock.
 */
#include <string.h>

#include "joint/custom_rows.h"
#include "joint/custom_search.h"
#include "joint/row_vectors.h"

extern const tn_joint_class tn_joint_class_custom;

static const char *const aliases[] = {"custom_joint", NULL};

static const tn_row_info rows[] = {
    {"f1", TN_ROW_BILATERAL | TN_ROW_LINEAR, -1}, {"f2", TN_ROW_BILATERAL | TN_ROW_LINEAR, -1},
    {"f3", TN_ROW_BILATERAL | TN_ROW_LINEAR, -1}, {"m2", TN_ROW_BILATERAL | TN_ROW_ROTARY, -1},
    {"m3", TN_ROW_BILATERAL | TN_ROW_ROTARY, -1}, {"q", TN_ROW_MOTION | TN_ROW_ROTARY, 0},
};
static const tn_coordinate_info coordinates[] = {{"q", 1}};

static const tn_custom *custom_of(const tn_joint_setup *setup)
{
    return setup->data;
}

static int project_near(const tn_joint_setup *setup, const tn_xform *T_CD, const double *reference,
                        tn_xform *T_GD)
{
    const tn_custom *custom = custom_of(setup);
    double q[TN_MAX_COORDINATES], distance2;
    memcpy(q, reference, sizeof(double) * (size_t)custom->own.info.coordinate_count);
    const int found = tn_custom_search(custom, T_CD, q, &distance2);
    tn_custom_state state;
    tn_custom_axes_at(custom, q, NULL, &state);
    *T_GD = state.T_GD;
    return found;
}

static void pose_to_coordinates(const tn_joint_setup *setup, const tn_xform *T_GD,
                                const double *reference, double *q)
{
    const tn_custom *custom = custom_of(setup);
    double distance2;
    if (q != reference)
        memcpy(q, reference, sizeof(double) * (size_t)custom->own.info.coordinate_count);
    tn_custom_search(custom, T_GD, q, &distance2);
}

static void coordinates_to_pose(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    tn_custom_state state;
    tn_custom_axes_at(custom_of(setup), q, NULL, &state);
    *T_GD = state.T_GD;
}

static void wrenches(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                     double W[TN_MAX_ROWS][6])
{
    tn_custom_state state;
    tn_dual3 force[6], moment[6];
    tn_custom_axes_at(custom_of(setup), q, NULL, &state);
    tn_custom_rows_at(custom_of(setup), &state, force, moment);
    for (int k = 0; k < 6; k++)
        tn_row_set(W[k], m3_tmulv(&T_GD->R, force[k].v), m3_tmulv(&T_GD->R, moment[k].v));
}

static void wrench_rates(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                         const double twist_GD[6], double dW[TN_MAX_ROWS][6])
{
    const tn_custom *custom = custom_of(setup);
    const tn_joint_type_info *info = &custom->own.info;
    const tn_mat3 *R = &T_GD->R;
    const tn_vec3 v = m3_mulv(R, v3_load(twist_GD)), w = m3_mulv(R, v3_load(twist_GD + 3));
    tn_custom_state state;
    tn_dual3 force[6], moment[6];
    tn_custom_axes_at(custom, q, NULL, &state);
    tn_custom_rows_at(custom, &state, force, moment);
    double speeds[TN_MAX_COORDINATES];
    for (int32_t j = 0; j < info->dof; j++)
        speeds[j] = v3_dot(force[info->bilateral_count + j].v, v) +
                    v3_dot(moment[info->bilateral_count + j].v, w);
    tn_custom_axes_at(custom, q, speeds, &state);
    tn_custom_rows_at(custom, &state, force, moment);
    for (int k = 0; k < 6; k++)
        tn_row_set(dW[k], m3_tmulv(R, v3_sub(force[k].d, v3_cross(w, force[k].v))),
                   m3_tmulv(R, v3_sub(moment[k].d, v3_cross(w, moment[k].v))));
}

static void twists(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                   double T[TN_MAX_ROWS][6])
{
    const tn_custom *custom = custom_of(setup);
    tn_custom_state state;
    tn_custom_axes_at(custom, q, NULL, &state);
    for (int32_t j = 0; j < custom->own.info.dof; j++) {
        tn_dual3 v, w;
        tn_custom_axes_twist(custom, &state, j, &v, &w);
        tn_row_set(T[j], m3_tmulv(&T_GD->R, v.v), m3_tmulv(&T_GD->R, w.v));
    }
}

static void describe(const tn_joint_data *data, tn_joint_own_info *own)
{
    tn_custom_rows_describe(data, &tn_joint_class_custom.info, own);
}

static tn_status build(const tn_joint_data *data, tn_arena *arena, tn_joint_setup *setup,
                       const tn_joint_class **cls)
{
    int32_t slot[TN_MOST_AXES];
    int8_t slot_coordinate[TN_SLOTS];
    tn_custom *custom = tn_arena_alloc(arena, sizeof *custom);
    if (!custom)
        return TN_ERROR_MEMORY;
    const tn_status status = tn_custom_axes_make(data, arena, custom);
    if (status != TN_OK)
        return status;
    describe(data, &custom->own);
    for (int32_t k = 0; k < custom->own.info.coordinate_count; k++) {
        const char *name = data->coordinates[k].name;
        const char *copy = tn_arena_text(arena, name, strlen(name));
        if (!copy)
            return TN_ERROR_MEMORY;
        custom->own.coordinates[k].name = copy;
        custom->own.rows[custom->own.info.bilateral_count + k].name = copy;
    }
    tn_custom_axes_slots(data, slot, slot_coordinate);
    tn_custom_rows_pivots(data, slot, custom->pivot_slot);
    tn_custom_rows_make(custom);
    custom->cls = tn_joint_class_custom;
    custom->cls.info = custom->own.info;
    setup->data = custom;
    *cls = &custom->cls;
    return TN_OK;
}

static const tn_draw_item draw[] = {
    {TN_DRAW_BALL, TN_DRAW_IN_C, 0, 0},
    {TN_DRAW_END, 0, 0, 0},
};

const tn_joint_class tn_joint_class_custom = {
    .info = {.name = "custom",
             .aliases = aliases,
             .summary = "moves along and about up to six axes by functions of its coordinates",
             .dof = 1,
             .row_count = 6,
             .bilateral_count = 5,
             .coordinate_count = 1,
             .rows = rows,
             .coordinates = coordinates,
             .data = TN_JOINT_DATA_AXES},
    .draw = draw,
    .describe = describe,
    .build = build,
    .project_near = project_near,
    .pose_to_coordinates = pose_to_coordinates,
    .coordinates_to_pose = coordinates_to_pose,
    .wrenches = wrenches,
    .wrench_rates = wrench_rates,
    .twists = twists,
};
