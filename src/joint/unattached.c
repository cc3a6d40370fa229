/* unattached.c: room joint: coordinates and poses of joints that are attached to nothing.
 *
 * In: a type, or a joint's definition. Out: T_CD of coordinates, and back.
 */
#include "joint/joint_class.h"
#include "spec/joint/joint_data.h"
#include "tenon/spec.h"

static tn_status to_pose(const tn_joint_class *cls, const tn_joint_setup *setup, const double *q,
                         tn_pose *t_cd)
{
    if (!t_cd || (!q && cls->info.coordinate_count > 0))
        return TN_ERROR_ARGUMENT;
    tn_xform T;
    cls->coordinates_to_pose(setup, q, &T);
    t_cd->p = T.p;
    t_cd->q = tn_quat_from_matrix(&T.R);
    return TN_OK;
}

static tn_status to_coordinates(const tn_joint_class *cls, const tn_joint_setup *setup,
                                tn_pose t_cd, const double *reference, double *q, tn_pose *t_gd)
{
    static const double zero[TN_MAX_COORDINATES] = {0};
    if (!q && cls->info.coordinate_count > 0)
        return TN_ERROR_ARGUMENT;
    const double *near = reference ? reference : zero;
    const tn_xform T_CD = xf_from_pose(t_cd);
    tn_xform T_GD;
    tn_joint_project(cls, setup, &T_CD, near, &T_GD);
    cls->pose_to_coordinates(setup, &T_GD, near, q);
    if (t_gd) {
        t_gd->p = T_GD.p;
        t_gd->q = tn_quat_from_matrix(&T_GD.R);
    }
    return TN_OK;
}

/* Class and setup of a type that needs no data. */
static tn_status plain_joint(tn_joint_type type, const double *parameters,
                             const tn_joint_class **cls, tn_joint_setup *setup)
{
    const tn_joint_type_info *info = tn_joint_type_get(type);
    if (!info || info->data != TN_JOINT_DATA_NONE)
        return TN_ERROR_ARGUMENT;
    return tn_joint_make(type, parameters, NULL, NULL, cls, setup);
}

tn_status tn_joint_coordinates_to_pose(tn_joint_type type, const double *parameters,
                                       const double *q, tn_pose *t_cd)
{
    const tn_joint_class *cls;
    tn_joint_setup setup;
    const tn_status status = plain_joint(type, parameters, &cls, &setup);
    return status == TN_OK ? to_pose(cls, &setup, q, t_cd) : status;
}

tn_status tn_joint_pose_to_coordinates(tn_joint_type type, const double *parameters, tn_pose t_cd,
                                       const double *reference, double *q, tn_pose *t_gd)
{
    const tn_joint_class *cls;
    tn_joint_setup setup;
    const tn_status status = plain_joint(type, parameters, &cls, &setup);
    return status == TN_OK ? to_coordinates(cls, &setup, t_cd, reference, q, t_gd) : status;
}

static tn_status defined_joint(const tn_joint_def *def, tn_arena *arena, const tn_joint_class **cls,
                               tn_joint_setup *setup)
{
    tn_joint_type type;
    if (!def)
        return TN_ERROR_ARGUMENT;
    if (!def->type || tn_joint_type_find(def->type, &type) != TN_OK ||
        tn_joint_data_faults(tn_joint_type_get(type)->data, def->data, NULL, NULL) > 0)
        return TN_ERROR_INPUT;
    return tn_joint_make(type, def->parameters, def->data, arena, cls, setup);
}

tn_status tn_joint_def_coordinates_to_pose(const tn_joint_def *def, const double *q, tn_pose *t_cd)
{
    tn_arena arena = {0};
    const tn_joint_class *cls;
    tn_joint_setup setup;
    tn_status status = defined_joint(def, &arena, &cls, &setup);
    if (status == TN_OK)
        status = to_pose(cls, &setup, q, t_cd);
    tn_arena_free(&arena);
    return status;
}

tn_status tn_joint_def_pose_to_coordinates(const tn_joint_def *def, tn_pose t_cd,
                                           const double *reference, double *q, tn_pose *t_gd)
{
    tn_arena arena = {0};
    const tn_joint_class *cls;
    tn_joint_setup setup;
    tn_status status = defined_joint(def, &arena, &cls, &setup);
    if (status == TN_OK)
        status = to_coordinates(cls, &setup, t_cd, reference, q, t_gd);
    tn_arena_free(&arena);
    return status;
}
