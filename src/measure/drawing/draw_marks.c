/* draw_marks.c: room measure/drawing: signs of engineering drawings: ground under a joint, springs.
 *
 * In: the present joint of the drawing (drawing.h). Lines only, in units of the drawing.
 */
#include <math.h>
#include <stdbool.h>

#include "real/real.h"
#include "measure/drawing/drawing.h"

/* Proportions, in units. */
#define GROUND_HEIGHT 0.8 /* of the triangle whose tip is the joint */
#define GROUND_HALF   0.55
#define HATCH_DEPTH   0.22
#define HATCHES       4
#define COIL_HALF     0.22 /* half width of a spring's coils */
#define COIL_ASIDE    0.45 /* how far it stands aside of the way it acts along */
#define COILS         8
#define SPIRAL_INNER  0.35
#define SPIRAL_OUTER  0.75
#define SPIRAL_TURNS  2.5
#define SPIRAL_POINTS 49

#define ALONG 0.95 /* cosine above which two directions count as the same */

static bool in_plane(const tn_drawing *d)
{
    return tn_kind_is_flat(d->sim->model->bodies[d->joint->a].kind);
}

/* Where weights fall; without gravity against y in the plane, else against z. */
static tn_vec3 down(const tn_drawing *d)
{
    const tn_vec3 g = d->sim->model->gravity;
    const double size = v3_norm(g);
    if (size > 0.0)
        return v3_scale(1.0 / size, g);
    return in_plane(d) ? v3(0.0, -1.0, 0.0) : v3(0.0, 0.0, -1.0);
}

/* A unit vector across v, near `wanted` across it if that is not along v. */
static tn_vec3 across(tn_vec3 v, tn_vec3 wanted, tn_vec3 otherwise)
{
    const double size = v3_norm(v3_cross(v, wanted));
    const tn_vec3 side = v3_cross(v, size > 1.0 - ALONG ? wanted : otherwise);
    return v3_scale(1.0 / v3_norm(side), side);
}

/* A triangle whose tip is the joint, on a hatched line; it faces along the joint's z where that
 * lies, and in the plane the viewer. */
void tn_draw_ground(tn_drawing *d)
{
    const tn_vec3 fall = down(d), x = m3_column(&d->T_DW.R, 0);
    const tn_vec3 z = in_plane(d) ? v3(0.0, 0.0, 1.0) : m3_column(&d->T_DW.R, 2);
    const tn_vec3 side = across(fall, z, x);
    const tn_vec3 foot = v3_axpy(d->T_DW.p, GROUND_HEIGHT * d->unit, fall);
    const double half = GROUND_HALF * d->unit;
    const tn_vec3 corners[3] = {d->T_DW.p, v3_axpy(foot, -half, side), v3_axpy(foot, half, side)};
    if (!(d->unit > 0.0))
        return;
    tn_draw_way(d, TN_ROLE_GROUND, corners, 3, 1);
    for (int k = 0; k < HATCHES; k++) {
        const double at = half * ((2.0 * k + 1.5) / HATCHES - 1.0);
        const tn_vec3 top = v3_axpy(foot, at, side);
        const tn_vec3 end =
            v3_axpy(v3_axpy(top, HATCH_DEPTH * d->unit, fall), -HATCH_DEPTH * d->unit, side);
        tn_draw_line(d, TN_ROLE_GROUND, -1, top, end);
    }
}

/* A zigzag beside the way from D's origin to C's; in the plane it lies in that. */
static void draw_coil(tn_drawing *d)
{
    const tn_vec3 way = v3_sub(d->T_CW.p, d->T_DW.p);
    const double length = v3_norm(way);
    if (!(length > 0.0))
        return;
    const tn_vec3 along = v3_scale(1.0 / length, way);
    const tn_vec3 normal = in_plane(d) ? v3(0.0, 0.0, 1.0) : m3_column(&d->T_DW.R, 0);
    const tn_vec3 side = across(along, normal, m3_column(&d->T_DW.R, 1));
    tn_vec3 points[2 * COILS + 2];
    for (int k = 0; k < 2 * COILS + 2; k++) {
        const double swing = k == 0 || k == 2 * COILS + 1 ? 0.0 : k % 2 ? COIL_HALF : -COIL_HALF;
        points[k] = v3_axpy(v3_axpy(d->T_DW.p, length * k / (2 * COILS + 1), along),
                            (COIL_ASIDE + swing) * d->unit, side);
    }
    tn_draw_way(d, TN_ROLE_COUPLING, points, 2 * COILS + 2, 0);
}

/* A spiral about the axis the coordinate turns about, which winds with it. */
static void draw_spiral(tn_drawing *d, int32_t coordinate)
{
    const tn_mat3 R_GW = m3_mul(&d->T_DW.R, &d->T_GD.R);
    const tn_vec3 turn = m3_mulv(&R_GW, v3_load(d->motions[coordinate] + 3));
    const double size = v3_norm(turn);
    if (!(size > 0.0))
        return;
    const tn_vec3 axis = v3_scale(1.0 / size, turn);
    const tn_vec3 y = across(axis, m3_column(&d->T_DW.R, 0), m3_column(&d->T_DW.R, 1));
    const tn_vec3 x = v3_cross(y, axis);
    const double sweep = 2.0 * TN_PI * SPIRAL_TURNS + d->q[coordinate];
    tn_vec3 points[SPIRAL_POINTS];
    for (int k = 0; k < SPIRAL_POINTS; k++) {
        const double share = (double)k / (SPIRAL_POINTS - 1), angle = sweep * share;
        const double radius = d->unit * (SPIRAL_OUTER + share * (SPIRAL_INNER - SPIRAL_OUTER));
        points[k] =
            v3_axpy(v3_axpy(d->T_CW.p, radius * tn_cos(angle), x), radius * tn_sin(angle), y);
    }
    tn_draw_way(d, TN_ROLE_COUPLING, points, SPIRAL_POINTS, 0);
}

void tn_draw_springs(tn_drawing *d)
{
    const tn_joint_type_info *info = &d->joint->geometry.cls->info;
    for (int32_t i = 0; i < info->coordinate_count; i++) {
        const tn_drive *drive = tn_state_drive(&d->sim->state, d->index, i);
        if (drive == NULL || !drive->set.sprung)
            continue;
        if (info->coordinates[i].angular) {
            draw_spiral(d, i);
        } else {
            draw_coil(d);
        }
    }
}
