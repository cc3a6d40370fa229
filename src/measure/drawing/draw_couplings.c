/* draw_couplings.c: room measure/drawing: what couples coordinates: gears, belts, racks, anything else a
 * line.
 *
 * A coupling c = k_1 q_1 + k_2 q_2 knows its ratio, not what it is made of. Two angles about
 * parallel axes at a distance e that turn against each other are shown as pitch circles that touch,
 * r_1 / r_2 = |q_2' / q_1'|, r_1 + r_2 = e; in the same sense as a wheel in a ring with teeth, |r_1 - r_2| = e, where
 * the coupling says so or a cylinder about an axis has that radius, else as a belt round two circles, of which one is
 * the rim of a cylinder about its axis, if there is such a body. Of three angles one may be that of the arm that
 * carries the axes: the wheels are drawn as they turn against it (Willis). An angle and a length across its axis are a
 * pitch circle of radius |dz/dq| and the rack on it.
 */
#include <math.h>

#include "real/real.h"
#include "measure/drawing/drawing.h"

#define ALONG      0.999 /* cosine above which axes are parallel */
#define ACROSS     0.01  /* below which they lie across */
#define BELT_SHARE 0.3   /* radius of a belt's larger circle by the distance of the axes */
#define LARGEST    60.0  /* units: a larger circle hides the rest and is left out */
#define RACK_HALF  1.6   /* half length of a rack, in radii of its pinion */
#define ARC_POINTS 17    /* of each end of a belt */
#define TEETH      48    /* of a ring */
#define TOOTH      0.025 /* half their height, in radii of the pitch circle */
#define RIM        1.1   /* outer radius of a ring, likewise */
#define MESHES     0.01  /* share to which a cylinder has the radius of a wheel that meshes */

/* Of the first cylinder of a body about an axis through a point; 0: none. */
static double radius_about(const tn_drawing *d, int32_t body, tn_vec3 origin, tn_vec3 axis)
{
    const tn_model_drawing *drawing = &d->sim->model->drawing;
    const tn_pose pose = tn_sim_body_pose(d->sim, (tn_body){body});
    for (int32_t k = drawing->first[body]; k < drawing->first[body + 1]; k++) {
        const tn_primitive *p = &drawing->outlines[k];
        const tn_pose at = tn_pose_multiply(pose, p->pose);
        const tn_vec3 z = tn_pose_rotate_vector(at, v3(0.0, 0.0, 1.0));
        if (p->kind == TN_PRIMITIVE_CYLINDER && fabs(v3_dot(z, axis)) > ALONG &&
            v3_norm(v3_cross(v3_sub(at.p, origin), axis)) < ACROSS * p->size.x)
            return p->size.x;
    }
    return 0.0;
}

/* One term: its coordinate's axis at C's origin, and a direction across it that turns with A. */
typedef struct member {
    tn_vec3 origin, axis, spoke;
    tn_vec3 base; /* D's origin */
    double ratio;
    double radius;    /* of a cylinder of A about C's origin; 0: it has none */
    int32_t body, on; /* of the joint; -1: ground */
    int angular, usable;
    int even; /* the coordinate itself counts, not a function of it */
} member;

static member look_at(tn_drawing *d, const tn_model_term *term)
{
    tn_draw_enter(d, term->joint);
    const tn_joint_type_info *info = &d->joint->geometry.cls->info;
    member m = {.origin = d->T_CW.p,
                .base = d->T_DW.p,
                .ratio = term->ratio,
                .body = d->joint->a,
                .on = d->joint->b,
                .even = term->function.def.kind == TN_FUNCTION_NONE,
                .angular = info->coordinates[term->coordinate].angular};
    const tn_mat3 R_GW = m3_mul(&d->T_DW.R, &d->T_GD.R);
    const double *twist = d->motions[term->coordinate];
    const tn_vec3 way = m3_mulv(&R_GW, v3_load(m.angular ? twist + 3 : twist));
    const double size = v3_norm(way);
    m.usable = size > 0.0 && isfinite(size) && m.ratio != 0.0;
    if (!m.usable)
        return m;
    m.axis = v3_scale(1.0 / size, way);
    m.radius = radius_about(d, d->joint->a, m.origin, m.axis);
    const tn_vec3 x = m3_column(&d->T_CW.R, 0), y = m3_column(&d->T_CW.R, 1);
    m.spoke = fabs(v3_dot(x, m.axis)) < fabs(v3_dot(y, m.axis)) ? x : y;
    m.spoke = v3_axpy(m.spoke, -v3_dot(m.spoke, m.axis), m.axis);
    m.spoke = v3_scale(1.0 / v3_norm(m.spoke), m.spoke);
    return m;
}

/* A circle with one spoke, so that one sees it turn. */
static void draw_wheel(tn_drawing *d, const member *m, double radius)
{
    const tn_xform T = {tn_m3_from_z_axis(m->axis), m->origin};
    if (!(radius > 0.0 && radius < LARGEST * d->unit))
        return;
    tn_primitive p = tn_draw_start(d, TN_PRIMITIVE_ARC, TN_ROLE_COUPLING, &T);
    p.size.x = radius;
    p.to = 2.0 * TN_PI;
    tn_draw_emit(d, &p);
    tn_draw_line(d, TN_ROLE_COUPLING, -1, m->origin, v3_axpy(m->origin, radius, m->spoke));
}

/* A ring with teeth inside: pitch circle, teeth and rim, with a mark in the rim that turns with it. */
static void draw_ring(tn_drawing *d, const member *m, double radius)
{
    const tn_vec3 x = m->spoke, y = v3_cross(m->axis, x), z = m->axis;
    const tn_xform T = {{{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}}, m->origin};
    if (!(radius > 0.0 && radius < LARGEST * d->unit))
        return;
    tn_primitive p = tn_draw_start(d, TN_PRIMITIVE_ARC, TN_ROLE_COUPLING, &T);
    p.to = 2.0 * TN_PI;
    p.size.x = radius;
    tn_draw_emit(d, &p);
    p.size.x = RIM * radius;
    tn_draw_emit(d, &p);
    tn_vec3 points[4 * TEETH];
    for (int k = 0; k < 4 * TEETH; k++) { /* up, along the tip, down, along the root */
        const double angle = TN_PI / TEETH * (k / 2);
        const double r = radius * (k % 4 == 1 || k % 4 == 2 ? 1.0 - TOOTH : 1.0 + TOOTH);
        points[k] = v3(r * tn_cos(angle), r * tn_sin(angle), 0.0);
    }
    tn_primitive teeth = tn_draw_start(d, TN_PRIMITIVE_POLYLINE, TN_ROLE_COUPLING, &T);
    teeth.points = points;
    teeth.point_count = 4 * TEETH;
    teeth.closed = 1;
    tn_draw_emit(d, &teeth);
    tn_draw_line(d, TN_ROLE_COUPLING, -1, v3_axpy(m->origin, radius, m->spoke),
                 v3_axpy(m->origin, RIM * radius, m->spoke));
}

static bool is_about(double radius, double wanted)
{
    return fabs(radius - wanted) < MESHES * wanted;
}

/* Round two circles, in the plane of the first. */
static void draw_belt(tn_drawing *d, const member *a, const member *b, double r_a, double r_b)
{
    tn_vec3 way = v3_sub(b->origin, a->origin);
    way = v3_axpy(way, -v3_dot(way, a->axis), a->axis);
    const double distance = v3_norm(way);
    const tn_vec3 x = v3_scale(1.0 / distance, way), y = v3_cross(a->axis, x);
    const tn_vec3 far = v3_add(a->origin, way);
    /* where the tangents leave, from x; of circles inside each other there is none */
    const double touch = tn_acos(fmax(-1.0, fmin(1.0, (r_a - r_b) / distance)));
    tn_vec3 points[2 * ARC_POINTS];
    for (int k = 0; k < ARC_POINTS; k++) {
        const double share = (double)k / (ARC_POINTS - 1);
        const double back = touch + share * 2.0 * (TN_PI - touch);
        const double front = touch * (2.0 * share - 1.0);
        points[k] = v3_axpy(v3_axpy(a->origin, r_a * tn_cos(back), x), r_a * tn_sin(back), y);
        points[ARC_POINTS + k] =
            v3_axpy(v3_axpy(far, r_b * tn_cos(front), x), r_b * tn_sin(front), y);
    }
    tn_draw_way(d, TN_ROLE_COUPLING, points, 2 * ARC_POINTS, 1);
}

/* Both angles; ring: where they turn the same way one is a ring round the other. */
static void draw_pair(tn_drawing *d, const member *a, const member *b, bool ring)
{
    const double cosine = v3_dot(a->axis, b->axis);
    const double speed = -a->ratio / b->ratio * (cosine < 0.0 ? -1.0 : 1.0); /* q_b' / q_a' */
    tn_vec3 way = v3_sub(b->origin, a->origin);
    way = v3_axpy(way, -v3_dot(way, a->axis), a->axis);
    const double distance = v3_norm(way), size = fabs(speed);
    if (fabs(cosine) < ALONG || distance < ACROSS * d->unit) {
        draw_wheel(d, a, d->unit * fmin(1.0, size));
        draw_wheel(d, b, d->unit * fmin(1.0, 1.0 / size));
        tn_draw_line(d, TN_ROLE_COUPLING, -1, a->origin, b->origin);
        return;
    }
    const double inside =
        distance / fabs(size - 1.0); /* radius of b's circle if one is in the other */
    if (speed > 0.0 && isfinite(inside) &&
        (ring || is_about(a->radius, inside * size) || is_about(b->radius, inside))) {
        (size > 1.0 ? draw_ring : draw_wheel)(d, a, inside * size);
        (size > 1.0 ? draw_wheel : draw_ring)(d, b, inside);
        return;
    }
    double whole = distance / (1.0 + size); /* radius of b's circle */
    if (speed > 0.0) {
        whole = b->radius > 0.0 ? b->radius : a->radius / size;
    }
    if (!(whole > 0.0)) {
        whole = BELT_SHARE * distance / fmax(1.0, size);
    }
    draw_wheel(d, a, whole * size);
    draw_wheel(d, b, whole);
    if (speed > 0.0)
        draw_belt(d, a, b, whole * size, whole);
}

/* An angle and a length: z' = speed q'. */
static void draw_rack(tn_drawing *d, const member *wheel, const member *rack)
{
    const double speed = -wheel->ratio / rack->ratio, radius = fabs(speed);
    if (fabs(v3_dot(wheel->axis, rack->axis)) > ACROSS) {
        tn_draw_line(d, TN_ROLE_COUPLING, -1, wheel->origin, rack->origin);
        return;
    }
    draw_wheel(d, wheel, radius);
    /* the point of the wheel that moves as the rack does */
    const tn_vec3 touch = v3_axpy(wheel->origin, speed, v3_cross(rack->axis, wheel->axis));
    tn_draw_line(d, TN_ROLE_COUPLING, -1, v3_axpy(touch, -RACK_HALF * radius, rack->axis),
                 v3_axpy(touch, RACK_HALF * radius, rack->axis));
}

/* Does the value stay when all bodies of the terms turn as one? Then what is coupled are turns against each other. */
static bool turns_as_one(const member *m)
{
    double sum = 0.0, most = 0.0;
    for (int i = 0; i < 3; i++) {
        const double cosine = v3_dot(m[i].axis, m[0].axis);
        const bool carried = m[i].on == m[0].body || m[i].on == m[1].body || m[i].on == m[2].body;
        if (fabs(cosine) < ALONG)
            return false;
        sum += carried ? 0.0 : m[i].ratio * (cosine < 0.0 ? -1.0 : 1.0);
        most = fmax(most, fabs(m[i].ratio));
    }
    return fabs(sum) < ACROSS * ACROSS * most;
}

/* Of three angles the one of an arm that carries another: its place; -1: there is none. */
static int arm_of(const member *m)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            if (j != i && m[i].body >= 0 && m[j].on == m[i].body)
                return turns_as_one(m) ? i : -1;
        }
    }
    return -1;
}

/* Wheels on an arm, with its turn as the third term. Returns whether the terms are such. */
static bool draw_planet(tn_drawing *d, const tn_model_term *terms, int32_t element)
{
    member m[3];
    for (int i = 0; i < 3; i++) {
        m[i] = look_at(d, &terms[i]);
        if (!m[i].usable || !m[i].angular || !m[i].even)
            return false;
    }
    const int arm = arm_of(m);
    if (arm < 0)
        return false;
    d->index = element;
    d->look.color.x = (double)NAN;
    draw_pair(d, &m[arm == 0 ? 1 : 0], &m[arm == 2 ? 1 : 2], d->sim->model->joints[element].ring);
    return true;
}

void tn_draw_coupling(tn_drawing *d, int32_t k)
{
    const tn_model *model = d->sim->model;
    const int32_t first = model->term_start[k], count = model->term_start[k + 1] - first;
    const int32_t element = model->joint_count + k;
    if (count < 2 || !d->sim->state.switches[element].enabled || !(d->unit > 0.0))
        return;
    if (count == 3 && draw_planet(d, &model->terms[first], element))
        return;
    const member a = look_at(d, &model->terms[first]), b = look_at(d, &model->terms[first + 1]);
    d->index = element;
    d->look.color.x = (double)NAN; /* joints have colours of their own, couplings have not */
    if (!a.usable || !b.usable)
        return;
    const int simple = count == 2 && a.even && b.even;
    if (simple && a.angular && b.angular) {
        draw_pair(d, &a, &b, model->joints[element].ring);
    } else if (simple && a.angular != b.angular) {
        draw_rack(d, a.angular ? &a : &b, a.angular ? &b : &a);
    } else { /* ropes go from pulley to pulley */
        tn_draw_line(d, TN_ROLE_COUPLING, -1, a.angular ? a.origin : a.base,
                     b.angular ? b.origin : b.base);
    }
}
