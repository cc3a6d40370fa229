/* mjcf_pose.c: places and orientations (mjcf.h).
 *
 * Room import/mjcf.
 */
#include "import/mjcf/mjcf.h"

#include <math.h>

#include "math/m3.h"

typedef tn_quat (*turn_reader)(const tn_mjcf *m, const double *v);

/* What has no direction. */
static const tn_quat NONE = {0.0, 0.0, 0.0, 0.0};

static tn_quat from_quat(const tn_mjcf *m, const double *v)
{
    (void)m;
    tn_quat q;
    return q_unit((tn_quat){v[0], v[1], v[2], v[3]}, &q) ? q : NONE;
}

static tn_quat from_axis_angle(const tn_mjcf *m, const double *v)
{
    tn_vec3 axis;
    return v3_unit(v3_load(v), &axis) > 0.0 ? tn_quat_from_axis_angle(axis, m->angle * v[3]) : NONE;
}

/* Small letters turn about axes that have been turned, capitals about fixed ones. */
static tn_quat from_euler(const tn_mjcf *m, const double *v)
{
    tn_quat q = {1.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        const char letter = m->eulerseq[i];
        const bool fixed = letter < 'a';
        const int axis = letter - (fixed ? 'X' : 'x');
        const tn_vec3 along = {axis == 0, axis == 1, axis == 2};
        const tn_quat turn = tn_quat_from_axis_angle(along, m->angle * v[i]);
        q = fixed ? q_mul(turn, q) : q_mul(q, turn);
    }
    return q;
}

/* Axes are one when the sine of their angle is below this. */
#define ONE_AXIS 1e-9

static tn_quat from_xy_axes(const tn_mjcf *m, const double *v)
{
    tn_vec3 x, y, z;
    (void)m;
    if (v3_unit(v3_load(v), &x) == 0.0 || v3_unit(v3_load(v + 3), &y) == 0.0 ||
        v3_unit(v3_cross(x, y), &z) < ONE_AXIS)
        return NONE;
    y = v3_cross(z, x);
    const tn_mat3 R = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    return tn_quat_from_matrix(&R);
}

static tn_quat from_z_axis(const tn_mjcf *m, const double *v)
{
    tn_vec3 z;
    (void)m;
    return v3_unit(v3_load(v), &z) > 0.0 ? tn_quat_from_z_axis(z) : NONE;
}

typedef struct turn_kind {
    const char *name;
    int32_t count;
    turn_reader read;
} turn_kind;

static const turn_kind TURNS[] = {{"quat", 4, from_quat},
                                  {"axisangle", 4, from_axis_angle},
                                  {"euler", 3, from_euler},
                                  {"xyaxes", 6, from_xy_axes},
                                  {"zaxis", 3, from_z_axis}};

static bool is_turn(tn_quat q)
{
    return q.w != 0.0 || q.x != 0.0 || q.y != 0.0 || q.z != 0.0;
}

tn_pose tn_mjcf_pose(const tn_mjcf *m, tn_xml_element *element, int32_t class)
{
    tn_pose pose = tn_pose_identity();
    double v[6], p[3] = {0.0, 0.0, 0.0};
    tn_mjcf_numbers(m, element, class, "pos", p, 3, 3);
    pose.p = v3_load(p);
    for (size_t k = 0; k < TN_COUNT_OF(TURNS); k++) {
        const turn_kind *kind = &TURNS[k];
        if (tn_mjcf_numbers(m, element, class, kind->name, v, kind->count, kind->count) == 0)
            continue;
        const tn_quat q = kind->read(m, v);
        if (is_turn(q)) {
            pose.q = q_normalize(q);
        } else {
            tn_xml_error(m->import, element, kind->name, NULL, "'%s' has no direction", kind->name);
        }
    }
    return pose;
}
