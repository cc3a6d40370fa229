/* joint_data.c: see joint_data.h. */
#include "joint_data.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "joint/custom/pose_family.h"

/* Points of a spline over the range of the samples, three half turns to either side. */
#define SPLINE_POINTS 7
#define SPLINE_REACH  10.0

static tn_arena arena; /* reachable until the end: data are shared by copies of samples */

static void *take(size_t size)
{
    void *block = tn_arena_alloc(&arena, size);
    ck_assert_ptr_nonnull(block);
    return block;
}

static int below(uint64_t *seed, int count)
{
    const int drawn = (int)(0.5 * (random_number(seed) + 1.0) * count);
    return drawn < count ? drawn : count - 1;
}

/* Corners of up to 70 degrees. */
static const tn_joint_data *random_points(uint64_t *seed)
{
    tn_joint_data *data = take(sizeof *data);
    const int count = 2 + below(seed, 5);
    double(*points)[2] = take(sizeof *points * (size_t)count);
    double direction = random_number(seed);
    for (int i = 1; i < count; i++) {
        const double length = 0.7 + 0.4 * random_number(seed);
        points[i][0] = points[i - 1][0] + length * cos(direction);
        points[i][1] = points[i - 1][1] + length * sin(direction);
        direction += 1.2 * random_number(seed);
    }
    data->points = (const double(*)[2])points;
    data->point_count = count;
    return data;
}

/* A sine, by its formula. */
static tn_function_def random_formula(const double n[4])
{
    char *text = take(200);
    snprintf(text, 200, "%.17g*sin(%.17g*x + %.17g) + %.17g", n[0], n[1], n[2], n[3]);
    return (tn_function_def){.kind = TN_FUNCTION_FORMULA, .formula = text};
}

static tn_function_def random_function(uint64_t *seed)
{
    tn_function_def def = {.kind = (tn_function_kind[]){TN_FUNCTION_CONSTANT,
                                                        TN_FUNCTION_POLYNOMIAL, TN_FUNCTION_SINE,
                                                        TN_FUNCTION_SPLINE}[below(seed, 4)]};
    double *numbers = take(sizeof *numbers * 2 * SPLINE_POINTS);
    for (int i = 0; i < 2 * SPLINE_POINTS; i++)
        numbers[i] = random_number(seed);
    def.count = def.kind == TN_FUNCTION_CONSTANT ? 1 : 4;
    if (def.kind == TN_FUNCTION_POLYNOMIAL) {
        numbers[2] *= 0.05;
        numbers[3] *= 0.002;
    }
    if (def.kind == TN_FUNCTION_SPLINE) {
        def.count = 2 * SPLINE_POINTS;
        for (int i = 0; i < SPLINE_POINTS; i++)
            numbers[2 * i] =
                SPLINE_REACH * (2.0 * i / (SPLINE_POINTS - 1) - 1.0 + 0.1 * numbers[2 * i]);
    }
    def.numbers = numbers;
    return def.kind == TN_FUNCTION_SINE && numbers[3] > 0.0 ? random_formula(numbers) : def;
}

/* Up to three turns and three shifts about and along nearly square axes, in any order. */
static int32_t random_axes(uint64_t *seed, tn_joint_axis *axes)
{
    const int turns = below(seed, 4), shifts = turns == 0 ? 1 + below(seed, 3) : below(seed, 4);
    int done[2] = {0, 0}, count = 0;
    while (done[0] + done[1] < turns + shifts) {
        const int angular = done[1] < turns && (done[0] == shifts || below(seed, 2) == 1);
        const int along = done[angular]++;
        axes[count].angular = angular;
        axes[count].axis = v3_axpy(v3_scale(0.3, random_vector(seed)), 1.0,
                                   v3(along == 0, along == 1, along == 2));
        axes[count++].coordinate = -1;
    }
    return count;
}

static const tn_joint_data *random_custom(uint64_t *seed)
{
    static const char *const names[] = {"q1", "q2", "q3", "q4", "q5", "q6"};
    tn_joint_data *data = take(sizeof *data);
    tn_joint_axis *axes = take(sizeof *axes * 6);
    tn_coordinate_info *coordinates = take(sizeof *coordinates * 6);
    data->axis_count = random_axes(seed, axes);
    data->coordinate_count = 1 + below(seed, data->axis_count);
    for (int32_t i = 0; i < data->coordinate_count; i++) { /* any axis, itself */
        int axis = below(seed, data->axis_count);
        while (axes[axis].coordinate >= 0)
            axis = (axis + 1) % data->axis_count;
        axes[axis].coordinate = i;
        coordinates[i] = (tn_coordinate_info){names[i], axes[axis].angular};
    }
    for (int32_t i = 0; i < data->axis_count; i++) {
        if (axes[i].coordinate >= 0)
            continue;
        axes[i].function = random_function(seed);
        axes[i].coordinate = below(seed, data->coordinate_count);
    }
    data->axes = axes;
    data->coordinates = coordinates;
    return data;
}

/* ---- the same by a callback ---------------------------------------------------------------- */

/* What the axes do, told as a program would: the derivatives one coordinate at a time. */
static void motion_of_axes(void *context, const double *q, tn_joint_motion *out)
{
    const tn_pose_family *family = context;
    tn_family_point point;
    for (int32_t k = 0; k < family->own.info.dof; k++) {
        double speeds[TN_MAX_COORDINATES] = {0.0};
        speeds[k] = 1.0;
        family->at(family, q, speeds, &point);
        for (int32_t j = 0; j < family->own.info.dof; j++) {
            out->v[j] = point.v[j].v;
            out->w[j] = point.w[j].v;
            out->dv[j][k] = point.v[j].d;
            out->dw[j][k] = point.w[j].d;
        }
    }
    out->pose = (tn_pose){point.T_GD.p, tn_quat_from_matrix(&point.T_GD.R)};
}

const tn_joint_data *joint_data_by_callback(tn_joint_type type, const tn_joint_data *axes)
{
    const tn_joint_class *cls;
    tn_joint_setup setup;
    tn_joint_data *data = take(sizeof *data);
    ck_assert_int_eq(tn_joint_make(type, NULL, axes, &arena, &cls, &setup), TN_OK);
    data->coordinates = axes->coordinates;
    data->coordinate_count = axes->coordinate_count;
    data->motion = motion_of_axes;
    data->motion_context = (void *)setup.data;
    return data;
}

const tn_joint_data *sample_joint_data(tn_joint_type type, uint64_t *seed)
{
    switch (tn_joint_type_get(type)->data) {
    case TN_JOINT_DATA_POINTS:
        return random_points(seed);
    case TN_JOINT_DATA_AXES:
        return random_custom(seed);
    default:
        return NULL;
    }
}
