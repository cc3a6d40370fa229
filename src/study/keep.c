/* keep.c: room study: what can be kept of a case, by its name.
 *
 * A simulation and a sweep keep statistics ("tip.x.max") of a measure's value, of a coordinate, and a
 * sweep of the transmission; a check keeps its counts.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "measure/formula.h"
#include "model/model.h"
#include "study/study.h"

static const char *const statistics[] = {"min",  "max",      "mean",     "rms",
                                         "last", "min_time", "max_time", "above_time"};

const char *tn_kept_statistic(int32_t index)
{
    return index < (int32_t)TN_COUNT_OF(statistics) ? statistics[index] : NULL;
}

static const struct {
    const char *name, *unit;
} transmissions[] = {{"transmission.index", "1"}, {"transmission.angle", "rad"}};

static const struct {
    const char *name, *unit;
} checks[TN_CHECK_COUNT] = {
    [TN_CHECK_DOF] = {"dof", "1"},
    [TN_CHECK_ROWS] = {"rows", "1"},
    [TN_CHECK_RANK] = {"rank", "1"},
    [TN_CHECK_REDUNDANT] = {"redundant", "1"},
    [TN_CHECK_POSITION_ERROR] = {"position_error", "m"},
    [TN_CHECK_ANGLE_ERROR] = {"angle_error", "rad"},
};

static bool is_text(const char *name, size_t length, const char *text)
{
    return strlen(text) == length && memcmp(name, text, length) == 0;
}

/* "tip" or "tip.x" for a value of a measure. */
static bool find_measure(const tn_model *model, const char *name, size_t length, tn_series *out)
{
    for (int32_t i = 0; i < tn_model_measure_count(model); i++) {
        const tn_measure_id id = {i};
        const char *own = tn_model_measure_name(model, id);
        const size_t own_length = strlen(own);
        if (own_length > length || memcmp(own, name, own_length) != 0)
            continue;
        for (int32_t k = 0; k < tn_measure_width(model, id); k++) {
            const char *field = tn_measure_field(model, id, k);
            const bool whole = own_length == length && field[0] == '\0';
            if (!whole && (own_length >= length || name[own_length] != '.' ||
                           !is_text(name + own_length + 1, length - own_length - 1, field)))
                continue;
            *out = (tn_series){.source = TN_SOURCE_MEASURE, .measure = id, .field = k};
            return true;
        }
    }
    return false;
}

static bool find_joint(const tn_model *model, const char *name, size_t length, tn_joint *joint)
{
    for (int32_t j = 0; j < tn_model_get_size(model).joints; j++) {
        if (is_text(name, length, tn_model_joint_name(model, (tn_joint){j}))) {
            *joint = (tn_joint){j};
            return true;
        }
    }
    return false;
}

bool tn_study_coordinate(const tn_model *model, const char *name, size_t length, tn_joint *joint,
                         int32_t *coordinate)
{
    *coordinate = 0;
    if (find_joint(model, name, length, joint))
        return tn_model_joint_info(model, *joint)->coordinate_count == 1;
    size_t dot = length;
    while (dot > 0 && name[dot - 1] != '.')
        dot--;
    if (dot == 0 || !find_joint(model, name, dot - 1, joint))
        return false;
    const tn_joint_type_info *info = tn_model_joint_info(model, *joint);
    for (; *coordinate < info->coordinate_count; ++*coordinate) {
        if (is_text(name + dot, length - dot, info->coordinates[*coordinate].name))
            return true;
    }
    return false;
}

static bool find_check(const char *name, size_t length, tn_series *out)
{
    for (int32_t i = 0; i < TN_CHECK_COUNT; i++) {
        if (is_text(name, length, checks[i].name)) {
            *out = (tn_series){.source = TN_SOURCE_CHECK, .field = i};
            return true;
        }
    }
    return false;
}

static bool find_transmission(const tn_study *study, const char *name, size_t length,
                              tn_series *out, const char **why)
{
    for (int32_t i = 0; i < (int32_t)TN_COUNT_OF(transmissions); i++) {
        if (is_text(name, length, transmissions[i].name)) {
            *out = (tn_series){.source = TN_SOURCE_TRANSMISSION, .field = i};
            *why = study->task != TN_TASK_SWEEP  ? "there is a transmission in a sweep only"
                   : study->sweep.output == NULL ? "the sweep needs an 'output' for it"
                                                 : NULL;
            return *why == NULL;
        }
    }
    return false;
}

bool tn_series_find(const tn_study *study, const tn_model *model, const char *name, size_t length,
                    tn_series *out, const char **why)
{
    *why = NULL;
    if (study->task == TN_TASK_CHECK)
        return find_check(name, length, out);
    if (find_measure(model, name, length, out)) {
        if (study->task == TN_TASK_SWEEP && !tn_measure_is_of_pose(model, out->measure))
            *why = "a sweep goes from pose to pose: there are no speeds, no forces and no time";
        return *why == NULL;
    }
    if (find_transmission(study, name, length, out, why) || *why != NULL)
        return *why == NULL;
    *out = (tn_series){.source = TN_SOURCE_COORDINATE};
    return tn_study_coordinate(model, name, length, &out->joint, &out->coordinate);
}

const char *tn_series_unit(const tn_model *model, const tn_series *series)
{
    switch (series->source) {
    case TN_SOURCE_MEASURE:
        return tn_measure_unit(model, series->measure, series->field);
    case TN_SOURCE_TRANSMISSION:
        return transmissions[series->field].unit;
    case TN_SOURCE_CHECK:
        return checks[series->field].unit;
    default:
        return tn_model_joint_info(model, series->joint)->coordinates[series->coordinate].angular
                   ? "rad"
                   : "m";
    }
}

/* The index-th value of all measures. */
static const char *measure_name(const tn_model *model, int32_t *index, char *buffer, size_t size)
{
    for (int32_t i = 0; i < tn_model_measure_count(model); i++) {
        const int32_t width = tn_measure_width(model, (tn_measure_id){i});
        if (*index < width) {
            const char *field = tn_measure_field(model, (tn_measure_id){i}, *index);
            snprintf(buffer, size, "%s%s%s", tn_model_measure_name(model, (tn_measure_id){i}),
                     field[0] != '\0' ? "." : "", field);
            return buffer;
        }
        *index -= width;
    }
    return NULL;
}

static const char *coordinate_name(const tn_model *model, int32_t index, char *buffer, size_t size)
{
    for (int32_t j = 0; j < tn_model_get_size(model).joints; j++) {
        const tn_joint_type_info *info = tn_model_joint_info(model, (tn_joint){j});
        if (index < info->coordinate_count) {
            snprintf(buffer, size, "%s.%s", tn_model_joint_name(model, (tn_joint){j}),
                     info->coordinates[index].name);
            return buffer;
        }
        index -= info->coordinate_count;
    }
    return NULL;
}

const char *tn_series_name(const tn_study *study, const tn_model *model, int32_t index,
                           char *buffer, size_t size)
{
    if (study->task == TN_TASK_CHECK)
        return index < TN_CHECK_COUNT ? checks[index].name : NULL;
    if (study->task == TN_TASK_SWEEP && study->sweep.output != NULL) {
        if (index < (int32_t)TN_COUNT_OF(transmissions))
            return transmissions[index].name;
        index -= (int32_t)TN_COUNT_OF(transmissions);
    }
    const char *name = measure_name(model, &index, buffer, size);
    return name != NULL ? name : coordinate_name(model, index, buffer, size);
}
