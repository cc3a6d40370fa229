/* body_terms.h: room assemble: what one body adds to the equations, for the loops over all bodies.
 *
 * Inline, so that a loop may compute several terms of a body while it is in the cache and the
 * plain loops of system.h use the same code.
 *
 * Frame damping acts on the body's origin, which lies at -c from the centre of mass (c in body
 * axes). Its velocity is B u with B = [ I, R [c]x ], so the damping force is -d B^T B u:
 *     B^T B = [ I, R [c]x ; -[c]x R^T, -[c]x [c]x ].
 * Rotary damping adds -d_r w.
 */
#ifndef TN_ASSEMBLE_BODY_TERMS_H
#define TN_ASSEMBLE_BODY_TERMS_H

#include "model/model.h"

/* A quaternion about z turned by an angle about z. */
static inline tn_quat tn_body_turned_z(tn_quat q, double angle)
{
    double c, sinc;
    tn_half_angle(0.25 * angle * angle, &c, &sinc);
    return q_turn_z(q, c, 0.5 * sinc * angle);
}

/* x + scale v, q exp(scale w), d = (v, w) packed. */
static inline void tn_body_move(const tn_model_body *body, const double *d, double scale,
                                tn_vec3 *x, tn_quat *q)
{
    if (body->dim == 0)
        return;
    if (body->kind == TN_BODY_PLANAR) {
        const double *p = d + body->u;
        x->x += scale * p[0];
        x->y += scale * p[1];
        *q = tn_body_turned_z(*q, scale * p[2]);
        return;
    }
    tn_vec3 v, w;
    tn_body_unpack(body, d, &v, &w);
    *x = v3_axpy(*x, scale, v);
    *q = q_normalize(q_mul(*q, q_exp(v3_scale(scale, w))));
}

/* The orientation as a matrix. */
static inline tn_mat3 tn_body_rotation(const tn_model_body *body, tn_quat q)
{
    return body->kind == TN_BODY_PLANAR ? q_to_m3_z(q) : q_to_m3(q);
}

/* A planar body's block of the matrix without damping: S (tn_assemble_mass) counts where it leaves
 * half of the inertia. */
static inline void tn_put_planar_mass(double mass, double inertia, double stand_in, double S,
                                      double *block)
{
    const int bearable = 0.5 * (inertia + stand_in) + S > 0.0;
    v3_store(block, v3(mass, 0.0, 0.0));
    v3_store(block + 3, v3(0.0, mass, 0.0));
    v3_store(block + 6, v3(0.0, 0.0, bearable ? inertia + S : inertia));
}

/* The damping force of a body on its centre of mass. */
static inline void tn_body_damping_force(const tn_model_body *body, const tn_mat3 *R, tn_vec3 v,
                                         tn_vec3 w, tn_vec3 *f, tn_vec3 *m)
{
    const tn_vec3 v_origin = v3_add(v, m3_mulv(R, v3_cross(body->com, w)));
    const tn_vec3 force = v3_scale(-body->frame_damping, v_origin);
    *f = v3_add(*f, force);
    *m = v3_axpy(*m, -body->rotary_damping, w);
    *m = v3_sub(*m, v3_cross(body->com, m3_tmulv(R, force)));
}

/* H += factor D of its damping, in its full motions (v of the centre of mass, w in body axes). */
void tn_body_add_damping(const tn_model_body *body, const tn_mat3 *R, double factor,
                         double H[6][6]);

/* f = m g, minus the gyroscopic moment w x J w; minus D u if damping is set; minus M udot unless udot is NULL.
 * Overwrites the body's part of f. */
static inline void tn_body_force(const tn_model_body *body, const tn_mat3 *R, tn_vec3 gravity,
                                 const double *u, const double *udot, int damping, double *f)
{
    damping = damping && tn_body_is_damped(body);
    if (body->kind == TN_BODY_PLANAR && !damping) { /* no gyroscopic moment either */
        static const double at_rest[3] = {0.0, 0.0, 0.0};
        const double *a = udot ? udot + body->u : at_rest;
        v3_store(f + body->u, v3(body->mass * (gravity.x - a[0]), body->mass * (gravity.y - a[1]),
                                 -body->J.m[2][2] * a[2]));
        return;
    }
    tn_vec3 v, w, a = {0.0, 0.0, 0.0}, alpha = {0.0, 0.0, 0.0};
    tn_body_unpack(body, u, &v, &w);
    if (udot)
        tn_body_unpack(body, udot, &a, &alpha);
    tn_vec3 force = v3_scale(body->mass, v3_sub(gravity, a));
    tn_vec3 moment = v3_sub(v3_cross(m3_mulv(&body->J, w), w), m3_mulv(&body->J, alpha));
    if (damping)
        tn_body_damping_force(body, R, v, w, &force, &moment);
    tn_body_put(body, force, moment, f);
}

#endif
