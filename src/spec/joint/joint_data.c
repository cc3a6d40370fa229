/* joint_data.c: rules for the points and axes of joints (joint_data.h).
 *
 * Room spec/joint. Points: a line that can be followed: two points at least, none on the one before, no
 * corner that turns straight back. Axes (p = sum of the shifts, R = product of the turns): shifts
 * in independent directions, so that each row along one of them has a dual; turns that move about
 * axes that are not parallel to the one before; each coordinate moves something.
 */
#include "real/real.h"
#include "spec/joint/joint_data.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "math/function/function.h"
#include "math/m3.h"

/* Points closer than this share of the line's length are one point. */
#define TN_SAME_POINT 1e-9

/* A corner whose cosine is below this turns back: its rounding would have no room. */
#define TN_TURNS_BACK (-0.999)

/* Sine of an angle, or volume of a corner of unit edges, that counts as none. */
#define TN_PARALLEL 1e-6

typedef struct tn_faults {
    int32_t count;
    tn_fault_sink sink;
    void *context;
} tn_faults;

static void fault(tn_faults *faults, const char *key, int32_t item, const char *hint,
                  const char *format, ...) TN_PRINTF(5, 6);

static void fault(tn_faults *faults, const char *key, int32_t item, const char *hint,
                  const char *format, ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    faults->count++;
    if (faults->sink != NULL) {
        faults->sink(faults->context, key, item, hint, text);
    }
}

/* points --------------------------------------------------------------------------------------- */

static int points_are_finite(tn_faults *faults, const tn_joint_data *data)
{
    int finite = 1;
    for (int32_t i = 0; i < data->point_count; i++) {
        if (!isfinite(data->points[i][0]) || !isfinite(data->points[i][1])) {
            fault(faults, "points", i, NULL, "point %d is not finite", (int)i);
            finite = 0;
        }
    }
    return finite;
}

static void check_corner(tn_faults *faults, const double (*p)[2], int32_t i)
{
    const double ax = p[0][0] - p[-1][0], az = p[0][1] - p[-1][1];
    const double bx = p[1][0] - p[0][0], bz = p[1][1] - p[0][1];
    if (ax * bx + az * bz < TN_TURNS_BACK * tn_hypot(ax, az) * tn_hypot(bx, bz)) {
        fault(faults, "points", i, "put a short segment across the tip",
              "the line turns straight back at point %d", (int)i);
    }
}

static void check_points(tn_faults *faults, const tn_joint_data *data)
{
    if (data == NULL || data->point_count < 2) {
        fault(faults, "points", -1, "points: [[0, 0], [1, 0.2]] are x and z in frame D",
              "a line needs two points at least");
        return;
    }
    if (!points_are_finite(faults, data)) {
        return;
    }
    double length = 0.0;
    for (int32_t i = 1; i < data->point_count; i++) {
        const double *a = data->points[i - 1], *b = data->points[i];
        length += tn_hypot(b[0] - a[0], b[1] - a[1]);
    }
    int distinct = 1;
    for (int32_t i = 1; i < data->point_count; i++) {
        const double *a = data->points[i - 1], *b = data->points[i];
        if (!(tn_hypot(b[0] - a[0], b[1] - a[1]) > TN_SAME_POINT * length)) {
            fault(faults, "points", i, NULL, "point %d is the same as the one before", (int)i);
            distinct = 0;
        }
    }
    for (int32_t i = 1; distinct && i < data->point_count - 1; i++) {
        check_corner(faults, data->points + i, i);
    }
}

/* axes ----------------------------------------------------------------------------------------- */

int tn_joint_axis_moves(const tn_joint_axis *axis)
{
    const tn_function_def *f = &axis->function;
    const int constant =
        f->kind == TN_FUNCTION_CONSTANT || (f->kind == TN_FUNCTION_POLYNOMIAL && f->count == 1);
    return axis->coordinate >= 0 && !constant;
}

static void check_names(tn_faults *faults, const tn_joint_data *data)
{
    for (int32_t i = 0; i < data->coordinate_count; i++) {
        const char *name = data->coordinates[i].name;
        if (name == NULL || name[0] == '\0' || strchr(name, '.') != NULL) {
            fault(faults, "coordinates", i, NULL, "coordinate %d needs a name without a dot",
                  (int)i);
            continue;
        }
        for (int32_t k = 0; k < i; k++) {
            if (data->coordinates[k].name != NULL && strcmp(data->coordinates[k].name, name) == 0) {
                fault(faults, "coordinates", i, NULL, "the coordinate '%.60s' is named twice",
                      name);
                break;
            }
        }
    }
}

static void check_axis(tn_faults *faults, const tn_joint_data *data, int32_t i)
{
    const tn_joint_axis *axis = &data->axes[i];
    const double size = v3_norm(axis->axis);
    if (!isfinite(size) || !(size > 0.0)) {
        fault(faults, "axes", i, NULL, "axis %d has no direction", (int)i);
    }
    if (axis->coordinate < -1 || axis->coordinate >= data->coordinate_count) {
        fault(faults, "axes", i, NULL, "axis %d: there is no coordinate number %d", (int)i,
              (int)axis->coordinate);
    }
    char text[TN_FUNCTION_TEXT];
    const char *problem = tn_function_explain(&axis->function, 'x', text);
    const double jump =
        problem == NULL ? tn_function_jump(&axis->function, (double)-INFINITY) : (double)NAN;
    if (problem != NULL) {
        fault(faults, "axes", i, NULL, "axis %d: its function %s", (int)i, problem);
    } else if (!isnan(jump)) {
        fault(faults, "axes", i, NULL, "axis %d: its function jumps at x = %.9g", (int)i, jump);
    } else if (axis->coordinate == -1 && axis->function.kind != TN_FUNCTION_CONSTANT) {
        fault(faults, "axes", i, "name a coordinate, or give a number as function",
              "axis %d has no coordinate to go by", (int)i);
    }
}

static void check_count(tn_faults *faults, const tn_joint_data *data, int angular)
{
    int32_t count = 0;
    for (int32_t i = 0; i < data->axis_count; i++) {
        count += (data->axes[i].angular != 0) == angular;
    }
    if (count > TN_AXES_OF_A_KIND) {
        fault(faults, "axes", -1, NULL, "there are %d %s, at most three make a joint", (int)count,
              angular ? "rotations" : "translations");
    }
}

static void check_use(tn_faults *faults, const tn_joint_data *data)
{
    for (int32_t k = 0; k < data->coordinate_count; k++) {
        int moves = 0;
        for (int32_t i = 0; i < data->axis_count; i++) {
            moves |= data->axes[i].coordinate == k && tn_joint_axis_moves(&data->axes[i]);
        }
        if (!moves) {
            fault(faults, "coordinates", k, NULL, "the coordinate '%.60s' moves no axis",
                  data->coordinates[k].name);
        }
    }
}

static tn_vec3 unit(tn_vec3 v)
{
    return v3_scale(1.0 / v3_norm(v), v);
}

static void check_shifts(tn_faults *faults, const tn_joint_data *data)
{
    tn_vec3 a[TN_AXES_OF_A_KIND];
    int count = 0;
    for (int32_t i = 0; i < data->axis_count; i++) {
        if (!data->axes[i].angular) {
            a[count++] = unit(data->axes[i].axis);
        }
    }
    const int dependent = (count >= 2 && v3_norm(v3_cross(a[0], a[1])) < TN_PARALLEL) ||
                          (count == 3 && fabs(v3_dot(v3_cross(a[0], a[1]), a[2])) < TN_PARALLEL);
    if (dependent) {
        fault(faults, "axes", -1, NULL, "the translations are not in independent directions");
    }
}

/* Two turns in a row about one axis are one turn, and a sum of coordinates. The angle between two
 * that move is that at which constant turns between them leave it. */
static void check_turns(tn_faults *faults, const tn_joint_data *data)
{
    int32_t before = -1;
    tn_mat3 R = m3_identity();
    tn_vec3 last = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < data->axis_count; i++) {
        const tn_joint_axis *axis = &data->axes[i];
        if (!axis->angular) {
            continue;
        }
        if (!tn_joint_axis_moves(axis)) {
            const double angle = axis->function.numbers != NULL ? axis->function.numbers[0] : 0.0;
            const tn_mat3 turn = q_to_m3(q_exp(v3_scale(angle, unit(axis->axis))));
            R = m3_mul(&R, &turn);
            continue;
        }
        const tn_vec3 now = m3_mulv(&R, unit(axis->axis));
        if (before >= 0 && v3_norm(v3_cross(last, now)) < TN_PARALLEL) {
            fault(faults, "axes", i, "two turns about one axis are one",
                  "rotation %d is about the same axis as rotation %d", (int)i, (int)before);
        }
        before = i;
        last = unit(axis->axis);
        R = m3_identity();
    }
}

/* Of a motion computed by the program: at zero, and a little aside. */
static void check_motion(tn_faults *faults, const tn_joint_data *data)
{
    const char *problem = tn_joint_motion_problem(data);
    if (data->axis_count > 0) {
        fault(faults, "axes", -1, NULL, "give axes or a callback for its motion, not both");
    } else if (problem != NULL) {
        fault(faults, "coordinates", -1, NULL, "its motion %s", problem);
    }
}

static void check_axes(tn_faults *faults, const tn_joint_data *data)
{
    const int computed = data != NULL && data->motion != NULL;
    if (data == NULL || data->coordinate_count < 1 || (data->axis_count < 1 && !computed)) {
        fault(faults, "axes", -1,
              "coordinates: [q], axes: [{rotation: [0, 0, 1], coordinate: q}] makes a hinge",
              "it needs coordinates and axes");
        return;
    }
    if (data->coordinate_count > TN_MAX_COORDINATES) {
        fault(faults, "coordinates", -1, NULL, "there are %d coordinates, at most six make a joint",
              (int)data->coordinate_count);
        return;
    }
    const int32_t before = faults->count;
    check_names(faults, data);
    if (computed) {
        check_motion(faults, data);
        return;
    }
    for (int32_t i = 0; i < data->axis_count; i++) {
        check_axis(faults, data, i);
    }
    check_count(faults, data, 0);
    check_count(faults, data, 1);
    if (faults->count == before) { /* the rest needs sound axes */
        check_use(faults, data);
        check_shifts(faults, data);
        check_turns(faults, data);
    }
}

int tn_joint_data_is_readable(const tn_joint_data *data)
{
    return data->point_count >= 0 && data->coordinate_count >= 0 && data->axis_count >= 0 &&
           (data->point_count == 0 || data->points != NULL) &&
           (data->coordinate_count == 0 || data->coordinates != NULL) &&
           (data->axis_count == 0 || data->axes != NULL);
}

int32_t tn_joint_data_faults(tn_joint_data_kind wanted, const tn_joint_data *data,
                             tn_fault_sink sink, void *context)
{
    tn_faults faults = {0, sink, context};
    if (data != NULL && !tn_joint_data_is_readable(data)) {
        fault(&faults, "type", -1, NULL, "a list of its data is counted but not given");
        return faults.count;
    }
    if (data != NULL && wanted != TN_JOINT_DATA_POINTS && data->point_count > 0) {
        fault(&faults, "points", -1, NULL, "this type takes no points");
    }
    if (data != NULL && wanted != TN_JOINT_DATA_AXES &&
        (data->axis_count + data->coordinate_count > 0 || data->motion != NULL)) {
        fault(&faults, "axes", -1, NULL, "this type takes no axes and coordinates of its own");
    }
    if (wanted == TN_JOINT_DATA_POINTS) {
        check_points(&faults, data);
    } else if (wanted == TN_JOINT_DATA_AXES) {
        check_axes(&faults, data);
    }
    return faults.count;
}
