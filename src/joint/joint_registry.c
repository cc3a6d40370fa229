/* joint_registry.c: room joint: finds a type, and the parts of the contract shared by all types. */
#include <stdbool.h>
#include <string.h>

#include "base/base.h"
#include "joint/joint_class.h"
#include "spec/joint/joint_data.h"

#define TN_JOINT_DECLARE(name) extern const tn_joint_class tn_joint_class_##name;
TN_JOINT_LIST(TN_JOINT_DECLARE)
#undef TN_JOINT_DECLARE

static const tn_joint_class *const registry[] = {
#define TN_JOINT_ENTRY(name) &tn_joint_class_##name,
    TN_JOINT_LIST(TN_JOINT_ENTRY)
#undef TN_JOINT_ENTRY
};

int32_t tn_joint_type_count(void)
{
    return TN_JOINT_TYPE_COUNT;
}

const tn_joint_type_info *tn_joint_type_get(tn_joint_type type)
{
    return type.i >= 0 && type.i < TN_JOINT_TYPE_COUNT ? &registry[type.i]->info : NULL;
}

int tn_joint_is_ball(const tn_joint_type_info *info)
{
    TN_DEMAND(info, 0);
    int ball = info->dof == 3 && info->coordinate_count < 3;
    for (int32_t k = 0; k < info->row_count; k++)
        ball = ball && (k < info->bilateral_count) == ((info->rows[k].flags & TN_ROW_LINEAR) != 0);
    return ball;
}

int tn_joint_row_holds(const tn_joint_type_info *info, int32_t row)
{
    TN_DEMAND(info, 0);
    if (info->bilateral_count > 0)
        return row >= 0 && row < info->bilateral_count;
    return row >= 0 && row < info->row_count && info->rows[row].coordinate >= 0;
}

const tn_joint_class *tn_joint_class_get(tn_joint_type type)
{
    TN_ASSERT(type.i >= 0 && type.i < TN_JOINT_TYPE_COUNT);
    return registry[type.i];
}

static bool has_name(const tn_joint_type_info *info, const char *name)
{
    if (strcmp(info->name, name) == 0)
        return true;
    for (const char *const *alias = info->aliases; alias && *alias; alias++) {
        if (strcmp(*alias, name) == 0)
            return true;
    }
    return false;
}

tn_status tn_joint_type_find(const char *name, tn_joint_type *out)
{
    if (!name || !out)
        return TN_ERROR_ARGUMENT;
    for (int32_t i = 0; i < TN_JOINT_TYPE_COUNT; i++) {
        if (has_name(&registry[i]->info, name)) {
            out->i = i;
            return TN_OK;
        }
    }
    return TN_ERROR_NOT_FOUND;
}

const int8_t tn_chain_in_order[] = {0, 1, 2, 3, 4, 5};

int tn_joint_project(const tn_joint_class *cls, const tn_joint_setup *setup, const tn_xform *T_CD,
                     const double *reference, tn_xform *T_GD)
{
    return cls->project ? cls->project(setup, T_CD, T_GD)
                        : cls->project_near(setup, T_CD, reference, T_GD);
}

void tn_joint_wrenches(const tn_joint_class *cls, const tn_joint_setup *setup, const tn_xform *T_GD,
                       const double *q, double W[TN_MAX_ROWS][6])
{
    if (!cls->axes) {
        cls->wrenches(setup, T_GD, q, W);
        return;
    }
    memset(W, 0, sizeof(double) * TN_MAX_ROWS * 6);
    for (int32_t k = 0; k < cls->info.row_count; k++)
        W[k][cls->axes[k]] = 1.0;
}

void tn_joint_twists(const tn_joint_class *cls, const tn_joint_setup *setup, const tn_xform *T_GD,
                     const double *q, double T[TN_MAX_ROWS][6])
{
    double W[TN_MAX_ROWS][6] = {{0.0}};
    if (cls->twists) {
        cls->twists(setup, T_GD, q, T);
        return;
    }
    tn_joint_wrenches(cls, setup, T_GD, q, W);
    memcpy(T, W + cls->info.bilateral_count, sizeof(double) * 6 * (size_t)cls->info.dof);
}

void tn_joint_predict(const tn_joint_class *cls, const double *q, const double *now,
                      const double *speeds, double h, double *predicted)
{
    if (cls->predict) {
        cls->predict(q, now, speeds, h, predicted);
        return;
    }
    for (int32_t i = 0; i < cls->info.coordinate_count; i++)
        predicted[i] = q[i] + h * speeds[i];
}

static void fill_parameters(const tn_joint_class *cls, const double *given,
                            double filled[TN_MAX_PARAMETERS])
{
    for (int32_t i = 0; i < TN_MAX_PARAMETERS; i++)
        filled[i] = 0.0;
    for (int32_t i = 0; i < cls->info.parameter_count; i++)
        filled[i] = given && !isnan(given[i]) ? given[i] : cls->info.parameters[i].default_value;
}

tn_status tn_joint_make(tn_joint_type type, const double *parameters, const tn_joint_data *data,
                        tn_arena *arena, const tn_joint_class **cls, tn_joint_setup *setup)
{
    *cls = tn_joint_class_get(type);
    setup->data = NULL;
    fill_parameters(*cls, parameters, setup->parameters);
    return (*cls)->build ? (*cls)->build(data, arena, setup, cls) : TN_OK;
}

const tn_joint_type_info *tn_joint_info(tn_joint_type type, const tn_joint_data *data,
                                        tn_joint_own_info *own)
{
    if (!tn_joint_type_get(type))
        return NULL;
    const tn_joint_class *cls = tn_joint_class_get(type);
    if (!cls->describe || !data || !own || !tn_joint_data_is_readable(data))
        return &cls->info;
    cls->describe(data, own);
    return &own->info;
}
