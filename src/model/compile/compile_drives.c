/* compile_drives.c: room model/compile: what acts along coordinates from the start.
 *
 * In: compiled joints and couplings. Out: a list of settings and the functions they need.
 */
#include "model/compile/compile.h"

static tn_status compile_settings(tn_model *model, int32_t element, const tn_drive_def *def,
                                  tn_drive_settings *s)
{
    const double mass = tn_model_motion_mass(model, element, def->coordinate, NULL, NULL);
    *s = tn_no_drive();
    tn_settings_take_friction(s, &def->friction);
    tn_status status = tn_settings_take_motion(s, &def->position, &model->drive_functions);
    if (status == TN_OK)
        status = tn_settings_take_motor(s, &def->motor, &model->drive_functions);
    if (status == TN_OK)
        status = tn_settings_take_spring(s, &def->spring, mass, &model->drive_functions);
    return status;
}

static void refuse(const tn_model *model, int32_t element, tn_location at, int32_t coordinate,
                   tn_diagnostics *diags)
{
    const tn_joint_type_info *info = &model->joints[element].geometry.cls->info;
    tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_CONFLICT, at, "its bodies cannot move that way",
                       "%s '%s': nothing can drive the coordinate '%s'",
                       tn_model_as_coupling(model, element) < 0 ? "joint" : "coupling",
                       tn_element_name(model, element), info->coordinates[coordinate].name);
}

static tn_status compile_drive(tn_model *model, int32_t element, tn_location at,
                               const tn_drive_def *def, tn_diagnostics *diags)
{
    tn_model_drive *drive = &model->drives[model->drive_count];
    drive->joint = element;
    drive->coordinate = def->coordinate;
    const tn_status status = compile_settings(model, element, def, &drive->settings);
    if (status != TN_OK || !tn_settings_act(&drive->settings))
        return status;
    if (!tn_model_has_motion(&model->joints[element], def->coordinate)) {
        refuse(model, element, at, def->coordinate, diags);
        return TN_ERROR_CONFLICT;
    }
    model->drive_count++;
    return TN_OK;
}

static int32_t count_drives(const tn_spec *spec)
{
    int32_t count = tn_spec_coupling_count(spec);
    for (int32_t j = 0; j < tn_spec_joint_count(spec); j++)
        count += tn_spec_joint(spec, (tn_joint){j})->drive_count;
    return count;
}

tn_status tn_model_compile_drives(tn_model *model, const tn_spec *spec, tn_diagnostics *diags)
{
    tn_status status = TN_OK;
    for (int32_t j = 0; j < model->element_count; j++)
        model->coordinate_count += model->joints[j].geometry.cls->info.coordinate_count;
    model->drives = TN_NEW_ARRAY(tn_model_drive, count_drives(spec));
    if (!model->drives)
        return TN_ERROR_MEMORY;
    for (int32_t j = 0; j < model->joint_count; j++) {
        const tn_joint_def *def = tn_spec_joint(spec, (tn_joint){j});
        for (int32_t k = 0; k < def->drive_count && status == TN_OK; k++)
            status = compile_drive(model, j, def->at, &def->drives[k], diags);
    }
    for (int32_t k = 0; k < model->coupling_count && status == TN_OK; k++) {
        const tn_coupling_def *def = tn_spec_coupling(spec, (tn_coupling){k});
        status = compile_drive(model, model->joint_count + k, def->at, &def->drive, diags);
    }
    return status;
}
