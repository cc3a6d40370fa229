/* bodies.c: room assemble: the bodies' part of the equations: mass, damping, gravity, gyroscopic
 * moment.
 *
 * Frame damping acts on the body's origin, which lies at -c from the centre of mass (c in body
 * axes). Its velocity is B u with B = [ I, R [c]x ], so the damping force is -d B^T B u:
 *     B^T B = [ I, R [c]x ; -[c]x R^T, -[c]x [c]x ].
 * Rotary damping adds -d_r w.
 */
#include <string.h>

#include "assemble/system.h"

static tn_mat3 skew(tn_vec3 a)
{
    return (tn_mat3){{{0.0, -a.z, a.y}, {a.z, 0.0, -a.x}, {-a.y, a.x, 0.0}}};
}

/* H = diag(m I, J). */
static void add_mass(const tn_model_body *body, double H[6][6])
{
    for (int i = 0; i < 3; i++) {
        H[i][i] += body->mass;
        for (int j = 0; j < 3; j++)
            H[3 + i][3 + j] += body->J.m[i][j];
    }
}

static void add_damping(const tn_model_body *body, const tn_mat3 *R, double factor, double H[6][6])
{
    const double d = factor * body->frame_damping;
    for (int i = 0; i < 3; i++) {
        H[i][i] += d;
        H[3 + i][3 + i] += factor * body->rotary_damping;
    }
    if (v3_dot(body->com, body->com) == 0.0)
        return;
    const tn_mat3 C = skew(body->com);
    const tn_mat3 RC = m3_mul(R, &C), CC = m3_mul(&C, &C);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            H[i][3 + j] += d * RC.m[i][j];
            H[3 + j][i] += d * RC.m[i][j];
            H[3 + i][3 + j] -= d * CC.m[i][j];
        }
    }
}

static int is_damped(const tn_model_body *body)
{
    return body->frame_damping != 0.0 || body->rotary_damping != 0.0;
}

void tn_assemble_mass(tn_system *sys, double damping_factor)
{
    for (int32_t i = 0; i < sys->model->body_count; i++) {
        const tn_model_body *body = &sys->model->bodies[i];
        if (body->dim == 0)
            continue;
        double H[6][6] = {{0}};
        add_mass(body, H);
        if (damping_factor != 0.0 && is_damped(body))
            add_damping(body, &sys->T[i].R, damping_factor, H);
        double *block = sys->values->h + sys->layout->h_offset[i];
        if (body->dim == 6) {
            memcpy(block, H, sizeof H);
            continue;
        }
        const tn_motion_subspace *s = tn_motion_subspace_get(body->kind);
        for (int32_t r = 0; r < s->dim; r++)
            for (int32_t c = 0; c < s->dim; c++)
                block[r * s->dim + c] = H[s->column[r]][s->column[c]];
    }
}

/* The damping force of a body on its centre of mass. */
static void damping_force(const tn_model_body *body, const tn_mat3 *R, tn_vec3 v, tn_vec3 w,
                          tn_vec3 *f, tn_vec3 *m)
{
    const tn_vec3 v_origin = v3_add(v, m3_mulv(R, v3_cross(body->com, w)));
    const tn_vec3 force = v3_scale(-body->frame_damping, v_origin);
    *f = v3_add(*f, force);
    *m = v3_axpy(*m, -body->rotary_damping, w);
    *m = v3_sub(*m, v3_cross(body->com, m3_tmulv(R, force)));
}

void tn_assemble_forces(const tn_system *sys, const double *u, const double *udot, int damping,
                        double *f)
{
    const tn_vec3 gravity = sys->model->gravity;
    memset(f, 0, sizeof(double) * (size_t)sys->layout->u_size);
    for (int32_t i = 0; i < sys->model->body_count; i++) {
        const tn_model_body *body = &sys->model->bodies[i];
        if (body->dim == 0)
            continue;
        tn_vec3 v, w, a = {0.0, 0.0, 0.0}, alpha = {0.0, 0.0, 0.0};
        tn_body_unpack(body, u, &v, &w);
        if (udot)
            tn_body_unpack(body, udot, &a, &alpha);
        tn_vec3 force = v3_scale(body->mass, v3_sub(gravity, a));
        tn_vec3 moment = v3_sub(v3_cross(m3_mulv(&body->J, w), w), m3_mulv(&body->J, alpha));
        if (damping && is_damped(body))
            damping_force(body, &sys->T[i].R, v, w, &force, &moment);
        tn_body_add(body, force, moment, f);
    }
}

void tn_assemble_momentum(const tn_system *sys, const double *u, double *f)
{
    for (int32_t i = 0; i < sys->model->body_count; i++) {
        const tn_model_body *body = &sys->model->bodies[i];
        if (body->dim == 0)
            continue;
        tn_vec3 v, w;
        tn_body_unpack(body, u, &v, &w);
        tn_body_add(body, v3_scale(body->mass, v), m3_mulv(&body->J, w), f);
    }
}
