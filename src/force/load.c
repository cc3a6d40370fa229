/* load.c: room force: what a load does to a body (load.h). One function for each kind. With p the
 * point, v its velocity less the medium's, r the way from the centre and e = r / |r|:
 *     drag      F = -(c1 + c2 |v|) v,        -dF/dv = (c1 + c2 |v|) 1 + c2 v v^T / |v|
 *     central   F = -m s e / |r|^n,          -dF/dr = m s / |r|^(n + 1) (1 - (n + 1) e e^T)
 *     dead or follower forces depend on the place where they act: assemble/load/loads.c
 */
#include "real/real.h"
#include "force/load.h"

#include <math.h>

/* 0 without a function. */
static double value_of(const tn_function *f, double time)
{
    double out[3] = {0.0, 0.0, 0.0};
    if (f->def.kind != TN_FUNCTION_NONE)
        tn_function_evaluate(f, time, out);
    return out[0];
}

static tn_vec3 vector_of(const tn_function f[3], double time)
{
    return v3(value_of(&f[0], time), value_of(&f[1], time), value_of(&f[2], time));
}

/* c1 + c2 |v|, and c1 1 + c2 (|v| 1 + v v^T / |v|). */
static double resistance(double linear, double quadratic, tn_vec3 v, tn_mat3 *derivative)
{
    const double speed = v3_norm(v), factor = linear + quadratic * speed;
    const double along = speed > 0.0 ? quadratic / speed : 0.0;
    double x[3];
    v3_store(x, v);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            derivative->m[i][j] = (i == j ? factor : 0.0) + along * x[i] * x[j];
    }
    return factor;
}

/* Velocity of the body at a point of the world. */
static tn_vec3 velocity_at(const tn_load_motion *body, tn_vec3 point)
{
    return v3_add(body->v, v3_cross(body->w, v3_sub(point, body->T.p)));
}

static tn_vec3 world_point(const tn_load_place *place, const tn_load_motion *body)
{
    return xf_point(&body->T, place->p);
}

/* Force and moment given by components into world axes. */
static void add_components(const tn_load_data *load, double time, const tn_load_motion *a,
                           tn_wrench *out)
{
    tn_vec3 f = vector_of(load->force, time), m = vector_of(load->moment, time);
    if (load->axes == TN_AXES_MARKER) {
        f = m3_mulv(&load->places[0].R, f);
        m = m3_mulv(&load->places[0].R, m);
    }
    if (load->axes != TN_AXES_WORLD) {
        f = m3_mulv(&a->T.R, f);
        m = m3_mulv(&a->T.R, m);
    }
    out->f = v3_add(out->f, f);
    out->m = v3_add(out->m, m);
}

static void wrench(const tn_load_data *load, double time, const tn_load_motion *a,
                   const tn_load_motion *b, tn_load_effect *out)
{
    (void)b;
    out->point = world_point(&load->places[0], a);
    add_components(load, time, a, &out->wrench);
}

/* NaN where thrust has no direction. */
static void pair(const tn_load_data *load, double time, const tn_load_motion *a,
                 const tn_load_motion *b, tn_load_effect *out)
{
    wrench(load, time, a, b, out);
    const double thrust = value_of(&load->thrust, time);
    if (thrust == 0.0)
        return;
    const tn_vec3 line = v3_sub(out->point, world_point(&load->places[1], b));
    out->wrench.f = v3_axpy(out->wrench.f, thrust / v3_norm(line), line);
}

static void uniform(const tn_load_data *load, double time, const tn_load_motion *a,
                    const tn_load_motion *b, tn_load_effect *out)
{
    (void)b;
    out->wrench.f = v3_scale(a->mass, vector_of(load->acceleration, time));
}

static void gravity(const tn_load_data *load, double time, const tn_load_motion *a,
                    const tn_load_motion *b, tn_load_effect *out)
{
    (void)time;
    (void)b;
    out->wrench.f = v3_scale(a->mass, load->weight);
}

static void drag(const tn_load_data *load, double time, const tn_load_motion *a,
                 const tn_load_motion *b, tn_load_effect *out)
{
    (void)b;
    out->point = world_point(&load->places[0], a);
    const tn_vec3 v = v3_sub(velocity_at(a, out->point), vector_of(load->medium, time));
    const double c = resistance(load->linear, load->quadratic, v, &out->damping);
    const double d = resistance(load->rotary, load->rotary_quadratic, a->w, &out->rotary_damping);
    out->wrench = (tn_wrench){v3_scale(-c, v), v3_scale(-d, a->w)};
    out->yields = true;
}

/* At the centre itself: no force, unless one grows beyond all bounds there. */
static void central(const tn_load_data *load, double time, const tn_load_motion *a,
                    const tn_load_motion *b, tn_load_effect *out)
{
    (void)time;
    const tn_vec3 way = v3_sub(out->point, world_point(&load->places[1], b));
    const double r = v3_norm(way), n = load->exponent;
    if (r == 0.0 && n <= 0.0)
        return;
    const double pull = a->mass * load->strength / tn_pow(r, n + 1.0);
    double e[3];
    v3_store(e, v3_scale(1.0 / r, way));
    out->wrench.f = v3_scale(-pull, way);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            out->stiffness.m[i][j] = pull * ((i == j ? 1.0 : 0.0) - (n + 1.0) * e[i] * e[j]);
    }
    out->yields = true;
}

int tn_load_effect_of(const tn_load_data *load, double time, const tn_load_motion *a,
                      const tn_load_motion *b, tn_load_effect *out)
{
    static void (*const kinds[TN_LOAD_KIND_COUNT])(const tn_load_data *, double,
                                                   const tn_load_motion *, const tn_load_motion *,
                                                   tn_load_effect *) = {
        [TN_LOAD_WRENCH] = wrench,   [TN_LOAD_PAIR] = pair, [TN_LOAD_UNIFORM] = uniform,
        [TN_LOAD_GRAVITY] = gravity, [TN_LOAD_DRAG] = drag, [TN_LOAD_CENTRAL] = central};
    *out = (tn_load_effect){.point = a->T.p};
    TN_ASSERT(kinds[load->kind] != NULL);
    kinds[load->kind](load, time, a, b, out);
    return v3_is_finite(out->wrench.f) && v3_is_finite(out->wrench.m);
}

double tn_load_effort(const tn_load_data *load, double time)
{
    return value_of(&load->effort, time);
}

double tn_load_pressure(const tn_load_data *load, double time)
{
    return value_of(&load->pressure, time);
}
