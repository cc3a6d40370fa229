/* compile_drives.c: room model: what acts along coordinates from the start.
 *
 * In: compiled joints with their row scales. Out: a list of settings and the functions they need.
 */
#include "model/model.h"

static tn_status compile_drive(tn_model *model, const tn_model_joint *joint,
                               const tn_drive_def *def, tn_drive_settings *s)
{
    const tn_xform T_A = tn_model_initial_xform(model, joint->a);
    const tn_xform T_B = tn_model_initial_xform(model, joint->b);
    tn_joint_kinematics kin;
    tn_joint_kinematics_update(&joint->geometry, &T_A, &T_B, joint->q0, &kin);
    const double mass = tn_model_motion_mass(model, joint, &kin, &T_A.R, &T_B.R, def->coordinate);
    *s = tn_no_drive();
    tn_settings_take_friction(s, &def->friction);
    tn_status status = tn_settings_take_motion(s, &def->position, &model->drive_functions);
    if (status == TN_OK)
        status = tn_settings_take_motor(s, &def->motor, &model->drive_functions);
    if (status == TN_OK)
        status = tn_settings_take_spring(s, &def->spring, mass, &model->drive_functions);
    return status;
}

/* Can the bodies of the joint move along the coordinate at all? */
static int has_motion(const tn_model_joint *joint, int32_t coordinate)
{
    for (int32_t n = joint->kept_bilateral; n < joint->kept_count; n++)
        if (joint->geometry.cls->info.rows[joint->kept[n]].coordinate == coordinate)
            return 1;
    return 0;
}

static void refuse(const tn_model *model, int32_t j, const tn_joint_def *joint, int32_t coordinate,
                   tn_diagnostics *diags)
{
    const tn_joint_type_info *info = &model->joints[j].geometry.cls->info;
    tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_CONFLICT, joint->at,
                       "its bodies cannot move that way",
                       "joint '%s': nothing can drive the coordinate '%s'", joint->name,
                       info->coordinates[coordinate].name);
}

static int32_t count_drives(const tn_spec *spec)
{
    int32_t count = 0;
    for (int32_t j = 0; j < tn_spec_joint_count(spec); j++)
        count += tn_spec_joint(spec, (tn_joint){j})->drive_count;
    return count;
}

static tn_status compile_joint_drives(tn_model *model, int32_t j, const tn_joint_def *def,
                                      tn_diagnostics *diags)
{
    for (int32_t k = 0; k < def->drive_count; k++) {
        tn_model_drive *drive = &model->drives[model->drive_count];
        drive->joint = j;
        drive->coordinate = def->drives[k].coordinate;
        const tn_status status =
            compile_drive(model, &model->joints[j], &def->drives[k], &drive->settings);
        if (status != TN_OK)
            return status;
        if (!tn_settings_act(&drive->settings))
            continue;
        if (!has_motion(&model->joints[j], drive->coordinate)) {
            refuse(model, j, def, drive->coordinate, diags);
            return TN_ERROR_CONFLICT;
        }
        model->drive_count++;
    }
    return TN_OK;
}

tn_status tn_model_compile_drives(tn_model *model, const tn_spec *spec, tn_diagnostics *diags)
{
    for (int32_t j = 0; j < model->joint_count; j++) {
        model->joints[j].first_coordinate = model->coordinate_count;
        model->coordinate_count += model->joints[j].geometry.cls->info.coordinate_count;
    }
    model->drives = TN_NEW_ARRAY(tn_model_drive, count_drives(spec));
    if (!model->drives)
        return TN_ERROR_MEMORY;
    for (int32_t j = 0; j < tn_spec_joint_count(spec); j++) {
        const tn_status status =
            compile_joint_drives(model, j, tn_spec_joint(spec, (tn_joint){j}), diags);
        if (status != TN_OK)
            return status;
    }
    return TN_OK;
}
