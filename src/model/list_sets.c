/* list_sets.c: room model: what is to be set once there is a simulation, and where it was written.
 *
 * Coordinates of loops and speeds cannot be set while a model is compiled: the loops are not closed
 * yet. They wait in lists, with the place in the user's text for the message if they cannot be met.
 */
#include <math.h>
#include <string.h>

#include "model/model.h"
#include "spec/spec_internal.h"

static tn_location written_at(const tn_spec *spec, int32_t j, const char *key, int32_t i)
{
    tn_location at = tn_spec_joint(spec, (tn_joint){j})->at;
    const tn_place *place = tn_spec_find_place(spec, TN_SECTION_JOINT, j, key, i);
    if (!place)
        place = tn_spec_find_place(spec, TN_SECTION_JOINT, j, key, TN_WHOLE_FIELD);
    if (place) {
        at.line = place->line;
        at.column = place->column;
    }
    return at;
}

int32_t tn_model_count_sets(const double *values)
{
    int32_t count = 0;
    for (int32_t i = 0; i < TN_MAX_COORDINATES; i++)
        count += !isnan(values[i]);
    return count;
}

tn_status tn_model_list_sets(const tn_spec *spec, int32_t j, const char *key, const double *values,
                             tn_model_set *list, int32_t *count)
{
    for (int32_t i = 0; i < TN_MAX_COORDINATES; i++) {
        if (isnan(values[i]))
            continue;
        const tn_location at = written_at(spec, j, key, i);
        tn_model_set *set = &list[(*count)++];
        *set = (tn_model_set){j, i, values[i], NULL, at.line, at.column};
        if (at.file && !(set->file = tn_copy_text(at.file, strlen(at.file))))
            return TN_ERROR_MEMORY;
    }
    return TN_OK;
}

tn_status tn_model_compile_speeds(tn_model *model, const tn_spec *spec)
{
    int32_t count = 0;
    tn_status status = TN_OK;
    for (int32_t j = 0; j < model->joint_count; j++) {
        if (!tn_model_keeps(model, TN_SECTION_JOINT, j))
            count += tn_model_count_sets(tn_spec_joint(spec, (tn_joint){j})->speed);
    }
    if (count == 0)
        return TN_OK;
    model->speeds = TN_NEW_ARRAY(tn_model_set, count);
    if (!model->speeds)
        return TN_ERROR_MEMORY;
    for (int32_t j = 0; j < model->joint_count && status == TN_OK; j++) {
        if (!tn_model_keeps(model, TN_SECTION_JOINT, j)) {
            status = tn_model_list_sets(spec, j, "speed", tn_spec_joint(spec, (tn_joint){j})->speed,
                                        model->speeds, &model->speed_count);
        }
    }
    return status;
}

static bool has_spin(const tn_model *model, const tn_spec *spec, int32_t j)
{
    return !tn_model_keeps(model, TN_SECTION_JOINT, j) &&
           !isnan(tn_spec_joint(spec, (tn_joint){j})->angular_velocity.x);
}

tn_status tn_model_compile_spins(tn_model *model, const tn_spec *spec)
{
    int32_t count = 0;
    for (int32_t j = 0; j < model->joint_count; j++)
        count += has_spin(model, spec, j);
    if (count == 0)
        return TN_OK;
    model->spins = TN_NEW_ARRAY(tn_model_spin, count);
    if (!model->spins)
        return TN_ERROR_MEMORY;
    for (int32_t j = 0; j < model->joint_count; j++) {
        if (!has_spin(model, spec, j))
            continue;
        const tn_location at = written_at(spec, j, "angular_velocity", TN_WHOLE_FIELD);
        tn_model_spin *spin = &model->spins[model->spin_count++];
        *spin = (tn_model_spin){j, tn_spec_joint(spec, (tn_joint){j})->angular_velocity, NULL,
                                at.line, at.column};
        if (at.file && !(spin->file = tn_copy_text(at.file, strlen(at.file))))
            return TN_ERROR_MEMORY;
    }
    return TN_OK;
}
