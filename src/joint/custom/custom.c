/* custom.c: room joint/custom: a joint whose coordinates move it by functions of the user's.
 *
 * The pose and the rows are those of its family (pose_family.h): up to six axes (custom_axes.h,
 * custom_rows.h), or one callback of the program (custom_motion.h). Frame G is the legal pose
 * nearest to C, searched from the coordinates before (custom_search.h) where its axes have no closed
 * form (custom_plain.h). Everything is known in D
 * and taken to G: a vector x fixed to nothing changes there by R^T (x' - w x x), w of G in D.
 * Limits: the rows are singular where a coordinate moves nothing, all its functions level, and
 * where three turns lock.
 */
#include <string.h>

#include "joint/custom/custom_motion.h"
#include "joint/custom/custom_plain.h"
#include "joint/custom/custom_rows.h"
#include "joint/custom/custom_search.h"
#include "joint/row_vectors.h"

extern const tn_joint_class tn_joint_class_custom;

static const tn_row_info rows[] = {
    {"f1", TN_FORCE_ROW},  {"f2", TN_FORCE_ROW},  {"f3", TN_FORCE_ROW},
    {"m2", TN_MOMENT_ROW}, {"m3", TN_MOMENT_ROW}, {"q", TN_ANGLE_ROW(0)},
};
static const tn_coordinate_info coordinates[] = {{"q", 1}};

static const tn_pose_family *family_of(const tn_joint_setup *setup)
{
    return setup->data;
}

static void coordinates_to_pose(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    tn_family_point point;
    family_of(setup)->at(family_of(setup), q, NULL, &point);
    *T_GD = point.T_GD;
}

/* From coordinates before to those of the legal pose nearest to T_CD. */
static int find(const tn_pose_family *family, const tn_xform *T_CD, tn_search_for what, double *q)
{
    const tn_closed_form found = family->closed ? family->closed(family, T_CD, q) : TN_CLOSED_NONE;
    return found == TN_CLOSED_EXACT || tn_custom_search(family, T_CD, what, q);
}

static int project_near(const tn_joint_setup *setup, const tn_xform *T_CD, const double *reference,
                        tn_xform *T_GD)
{
    const tn_pose_family *family = family_of(setup);
    double q[TN_MAX_COORDINATES];
    memcpy(q, reference, sizeof(double) * (size_t)family->own.info.coordinate_count);
    const int found = find(family, T_CD, TN_SEARCH_ANYWHERE, q);
    coordinates_to_pose(setup, q, T_GD);
    return found;
}

static void pose_to_coordinates(const tn_joint_setup *setup, const tn_xform *T_GD,
                                const double *reference, double *q)
{
    const tn_pose_family *family = family_of(setup);
    if (q != reference)
        memcpy(q, reference, sizeof(double) * (size_t)family->own.info.coordinate_count);
    find(family, T_GD, TN_SEARCH_LEGAL, q);
}

static void wrenches(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                     double W[TN_MAX_ROWS][6])
{
    tn_dual3 force[6], moment[6];
    family_of(setup)->rows(family_of(setup), q, NULL, force, moment);
    for (int k = 0; k < 6; k++)
        tn_row_set(W[k], m3_tmulv(&T_GD->R, force[k].v), m3_tmulv(&T_GD->R, moment[k].v));
}

static void wrench_rates(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                         const double twist_GD[6], double dW[TN_MAX_ROWS][6])
{
    const tn_pose_family *family = family_of(setup);
    const tn_joint_type_info *info = &family->own.info;
    const tn_mat3 *R = &T_GD->R;
    const tn_vec3 v = m3_mulv(R, v3_load(twist_GD)), w = m3_mulv(R, v3_load(twist_GD + 3));
    tn_dual3 force[6], moment[6];
    family->rows(family, q, NULL, force, moment);
    double speeds[TN_MAX_COORDINATES];
    for (int32_t j = 0; j < info->dof; j++) {
        speeds[j] = v3_dot(force[info->bilateral_count + j].v, v) +
                    v3_dot(moment[info->bilateral_count + j].v, w);
    }
    family->rows(family, q, speeds, force, moment);
    for (int k = 0; k < 6; k++) {
        tn_row_set(dW[k], m3_tmulv(R, v3_sub(force[k].d, v3_cross(w, force[k].v))),
                   m3_tmulv(R, v3_sub(moment[k].d, v3_cross(w, moment[k].v))));
    }
}

static void twists(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                   double T[TN_MAX_ROWS][6])
{
    const tn_pose_family *family = family_of(setup);
    tn_family_point point;
    family->at(family, q, NULL, &point);
    for (int32_t j = 0; j < family->own.info.dof; j++)
        tn_row_set(T[j], m3_tmulv(&T_GD->R, point.v[j].v), m3_tmulv(&T_GD->R, point.w[j].v));
}

static int rates(const tn_joint_setup *setup, const tn_xform *T_CD, const double *q,
                 double D[TN_MAX_ROWS][6])
{
    return tn_custom_search_rates(family_of(setup), T_CD, q, D);
}

void tn_family_describe(const tn_joint_data *data, const tn_joint_type_info *type,
                        tn_joint_own_info *own)
{
    tn_joint_type_info *info = &own->info;
    *info = *type;
    info->coordinates = own->coordinates;
    info->rows = own->rows;
    info->coordinate_count =
        data->coordinate_count < TN_MAX_COORDINATES ? data->coordinate_count : TN_MAX_COORDINATES;
    info->dof = info->coordinate_count;
    info->row_count = TN_MAX_ROWS;
    info->bilateral_count = TN_MAX_ROWS - info->dof;
    for (int32_t k = 0; k < info->coordinate_count; k++) {
        const uint32_t flag = data->coordinates[k].angular ? TN_ROW_ROTARY : TN_ROW_LINEAR;
        own->coordinates[k] = data->coordinates[k];
        own->rows[info->bilateral_count + k] =
            (tn_row_info){data->coordinates[k].name, TN_ROW_MOTION | flag, k};
    }
}

static void describe(const tn_joint_data *data, tn_joint_own_info *own)
{
    const tn_joint_type_info *type = &tn_joint_class_custom.info;
    if (data->motion) {
        tn_custom_motion_describe(data, type, own);
    } else {
        tn_custom_rows_describe(data, type, own);
    }
}

/* Names of coordinates and motion rows into the arena. */
static tn_status copy_names(const tn_joint_data *data, tn_arena *arena, tn_joint_own_info *own)
{
    for (int32_t k = 0; k < own->info.coordinate_count; k++) {
        const char *name = data->coordinates[k].name;
        const char *copy = tn_arena_text(arena, name, strlen(name));
        if (!copy)
            return TN_ERROR_MEMORY;
        own->coordinates[k].name = copy;
        own->rows[own->info.bilateral_count + k].name = copy;
    }
    return TN_OK;
}

static tn_status build_axes(const tn_joint_data *data, tn_arena *arena, tn_pose_family **out)
{
    int32_t slot[TN_MOST_AXES];
    int8_t slot_coordinate[TN_SLOTS];
    tn_custom *custom = tn_arena_alloc(arena, sizeof *custom);
    if (!custom)
        return TN_ERROR_MEMORY;
    *out = &custom->family;
    describe(data, &custom->family.own);
    custom->family.at = tn_custom_axes_point;
    custom->family.rows = tn_custom_rows_at;
    const tn_status status = tn_custom_axes_make(data, arena, custom);
    if (status != TN_OK)
        return status;
    tn_custom_axes_slots(data, slot, slot_coordinate);
    tn_custom_rows_pivots(data, slot, custom->pivot_slot);
    tn_custom_rows_make(custom);
    tn_custom_plain_make(custom);
    custom->family.closed = tn_custom_plain;
    custom->family.cls.chain = tn_custom_axes_chain(custom);
    return TN_OK;
}

static tn_status build_motion(const tn_joint_data *data, tn_arena *arena, tn_pose_family **out)
{
    tn_custom_motion *motion = tn_arena_alloc(arena, sizeof *motion);
    if (!motion)
        return TN_ERROR_MEMORY;
    *out = &motion->family;
    describe(data, &motion->family.own);
    motion->family.at = tn_custom_motion_point;
    motion->family.rows = tn_custom_motion_rows;
    motion->family.cls.chain = NULL;
    tn_custom_motion_make(data, motion);
    return TN_OK;
}

static tn_status build(const tn_joint_data *data, tn_arena *arena, tn_joint_setup *setup,
                       const tn_joint_class **cls)
{
    tn_pose_family *family;
    tn_status status =
        data->motion ? build_motion(data, arena, &family) : build_axes(data, arena, &family);
    if (status == TN_OK)
        status = copy_names(data, arena, &family->own);
    if (status != TN_OK)
        return status;
    const int8_t *chain = family->cls.chain;
    family->cls = tn_joint_class_custom;
    family->cls.info = family->own.info;
    family->cls.chain = chain;
    setup->data = family;
    *cls = &family->cls;
    return TN_OK;
}

static const tn_draw_item draw[] = {
    {TN_DRAW_BALL, TN_DRAW_IN_C, 0, 0},
    {TN_DRAW_END, 0, 0, 0},
};

const tn_joint_class tn_joint_class_custom = {
    .info = {.name = "custom",
             .aliases = (const char *const[]){"custom_joint", NULL},
             .summary = "moves along and about up to six axes by functions of its coordinates",
             TN_JOINT_DOF(1),
             .rows = rows,
             TN_JOINT_COORDINATES(coordinates),
             .data = TN_JOINT_DATA_AXES},
    .draw = draw,
    .describe = describe,
    .build = build,
    .project_near = project_near,
    .pose_to_coordinates = pose_to_coordinates,
    .coordinates_to_pose = coordinates_to_pose,
    .wrenches = wrenches,
    .wrench_rates = wrench_rates,
    .rates = rates,
    .twists = twists,
};
