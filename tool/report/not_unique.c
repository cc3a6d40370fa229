/* not_unique.c: the columns whose numbers are one of many ways to share a load, by their names in files. */
#include <stdio.h>
#include <stdlib.h>

#include "redundancy/redundancy.h"
#include "report/analysis.h"
#include "tenon/measure.h"

enum { NAME_SIZE = 256 };

/* Of rows that hold a coordinate the column is that of its effort. */
static void take_row(const tn_model *model, tn_joint joint, int32_t k, const analysis_names *names)
{
    char name[NAME_SIZE];
    const tn_joint_type_info *info = tn_model_joint_info(model, joint);
    const bool holds = k >= info->bilateral_count;
    if (holds) {
        snprintf(name, sizeof name, "%s.%s.effort", tn_model_joint_name(model, joint),
                 info->coordinates[k - info->bilateral_count].name);
    } else {
        snprintf(name, sizeof name, "%s.lambda%d", tn_model_joint_name(model, joint), (int)k);
    }
    if (holds || !names->only_what_holds)
        names->take(names->context, name);
}

static void take_couplings(const tn_model *model, const tn_analysis *a, const analysis_names *names)
{
    char name[NAME_SIZE];
    for (int32_t k = 0; k < tn_model_get_size(model).couplings; k++) {
        const tn_joint joint = tn_model_coupling_joint(model, (tn_coupling){k});
        snprintf(name, sizeof name, "%s.force", tn_model_joint_name(model, joint));
        if (!tn_analysis_row_is_unique(a, joint, 0))
            names->take(names->context, name);
    }
}

static void take_measure(const tn_model *model, tn_measure_id measure, uint8_t unique,
                         const analysis_names *names)
{
    char name[NAME_SIZE];
    for (int32_t k = 0; k < tn_measure_width(model, measure); k++) {
        const char *field = tn_measure_field(model, measure, k);
        snprintf(name, sizeof name, "%s%s%s", tn_model_measure_name(model, measure),
                 field[0] == '\0' ? "" : ".", field);
        if (((uint32_t)unique >> k & 1u) == 0)
            names->take(names->context, name);
    }
}

static void take_measures(const tn_sim *sim, const tn_analysis *a, const analysis_names *names)
{
    const tn_model *model = tn_sim_model(sim);
    const int32_t count = tn_model_measure_count(model);
    uint8_t *unique = malloc((size_t)count + 1);
    const bool known = unique != NULL && tn_red_measures_find(sim, a, unique) == TN_OK;
    for (int32_t i = 0; i < count && known; i++)
        take_measure(model, (tn_measure_id){.i = i}, unique[i], names);
    free(unique);
}

void analysis_name_columns(const tn_model *model, const tn_sim *sim, const tn_analysis *a,
                           const analysis_names *names)
{
    for (int32_t j = 0; j < tn_model_get_size(model).joints; j++) {
        const int32_t rows = tn_model_joint_info(model, (tn_joint){j})->row_count;
        for (int32_t k = 0; k < rows; k++) {
            if (!tn_analysis_row_is_unique(a, (tn_joint){j}, k))
                take_row(model, (tn_joint){j}, k, names);
        }
    }
    if (!names->only_what_holds)
        take_couplings(model, a, names);
    if (sim != NULL)
        take_measures(sim, a, names);
}

void analysis_name_friction(const tn_model *model, const tn_analysis *a,
                            const analysis_names *names)
{
    char name[NAME_SIZE];
    for (int32_t j = 0; j < tn_model_get_size(model).joints; j++) {
        const tn_joint_type_info *info = tn_model_joint_info(model, (tn_joint){j});
        for (int32_t i = 0; i < info->coordinate_count; i++) {
            if (tn_analysis_friction_is_unique(a, (tn_joint){j}, i))
                continue;
            snprintf(name, sizeof name, "%s.%s", tn_model_joint_name(model, (tn_joint){j}),
                     info->coordinates[i].name);
            names->take(names->context, name);
        }
    }
}

static void take_break(const tn_model *model, const tn_analysis *a, tn_joint joint,
                       const analysis_names *names)
{
    if (!tn_analysis_break_is_unique(a, joint, 0) || !tn_analysis_break_is_unique(a, joint, 1))
        names->take(names->context, tn_model_joint_name(model, joint));
}

void analysis_name_breaks(const tn_model *model, const tn_analysis *a, const analysis_names *names)
{
    const tn_model_size size = tn_model_get_size(model);
    for (int32_t j = 0; j < size.joints; j++)
        take_break(model, a, (tn_joint){j}, names);
    for (int32_t k = 0; k < size.couplings; k++)
        take_break(model, a, tn_model_coupling_joint(model, (tn_coupling){k}), names);
}
