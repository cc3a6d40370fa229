/* bodies.c: room assemble: the bodies' part of the equations: mass (with armatures), damping, gravity, gyroscopic
 * moment.
 */
#include <string.h>

#include "assemble/armature.h"
#include "assemble/body_terms.h"
#include "assemble/joint_terms.h"

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

void tn_body_add_damping(const tn_model_body *body, const tn_mat3 *R, double factor, double H[6][6])
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

/* The part of a full 6 x 6 block that a body's motions see. */
static void store_block(const tn_model_body *body, double H[6][6], double *block)
{
    if (body->dim == 6) {
        memcpy(block, H, 36 * sizeof(double));
        return;
    }
    const tn_motion_subspace *s = tn_motion_subspace_get(body->kind);
    for (int32_t r = 0; r < s->dim; r++) {
        for (int32_t c = 0; c < s->dim; c++)
            block[r * s->dim + c] = H[s->column[r]][s->column[c]];
    }
}

/* May S be added to the inertia? It must leave at least half of it about every axis the body turns
 * about: (J + delta) / 2 + S positive definite, by its leading minors. */
static bool is_bearable(const tn_model_body *body, const double *S)
{
    const double d = body->stand_in_inertia;
    const tn_mat3 *J = &body->J;
    if (body->kind == TN_BODY_PLANAR)
        return 0.5 * (J->m[2][2] + d) + S[2] > 0.0;
    const double xx = 0.5 * (J->m[0][0] + d) + S[0], yy = 0.5 * (J->m[1][1] + d) + S[1];
    const double zz = 0.5 * (J->m[2][2] + d) + S[2], xy = 0.5 * J->m[0][1] + S[3];
    const double xz = 0.5 * J->m[0][2] + S[4], yz = 0.5 * J->m[1][2] + S[5];
    const double minor = xx * yy - xy * xy;
    return xx > 0.0 && minor > 0.0 &&
           zz * minor + 2.0 * xy * xz * yz - xx * yz * yz - yy * xz * xz > 0.0;
}

static void add_stiffness(const tn_model_body *body, const double *S, double H[6][6])
{
    if (!is_bearable(body, S))
        return;
    for (int i = 0; i < 3; i++)
        H[3 + i][3 + i] += S[i];
    H[3][4] += S[3];
    H[4][3] += S[3];
    H[3][5] += S[4];
    H[5][3] += S[4];
    H[4][5] += S[5];
    H[5][4] += S[5];
}

/* The block of a rigid body without damping. */
static void put_rigid(const tn_model_body *body, const double *S, double *block)
{
    static const double none[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    const double *s = S && is_bearable(body, S) ? S : none, m = body->mass;
    const tn_mat3 *J = &body->J;
    const tn_vec3 zero = {0.0, 0.0, 0.0};
    const tn_vec3 mass[3] = {{m, 0.0, 0.0}, {0.0, m, 0.0}, {0.0, 0.0, m}};
    const tn_vec3 turn[3] = {{J->m[0][0] + s[0], J->m[0][1] + s[3], J->m[0][2] + s[4]},
                             {J->m[1][0] + s[3], J->m[1][1] + s[1], J->m[1][2] + s[5]},
                             {J->m[2][0] + s[4], J->m[2][1] + s[5], J->m[2][2] + s[2]}};
    for (int i = 0; i < 3; i++) {
        v3_store(block + 6 * i, mass[i]);
        v3_store(block + 6 * i + 3, zero);
        v3_store(block + 6 * i + 18, zero);
        v3_store(block + 6 * i + 21, turn[i]);
    }
}

void tn_body_fill(tn_system *sys, int32_t i, double damping_factor, const double *S)
{
    const tn_model_body *body = &sys->model->bodies[i];
    if (body->dim == 0)
        return;
    double *block = sys->values->h + sys->layout->h_offset[i];
    if (body->kind == TN_BODY_PLANAR && (damping_factor == 0.0 || !tn_body_is_damped(body))) {
        tn_put_planar_mass(body->mass, body->J.m[2][2], body->stand_in_inertia, S ? S[2] : 0.0,
                           block);
        return;
    }
    if (body->dim == 6 && !tn_body_is_damped(body)) {
        put_rigid(body, S, block);
        return;
    }
    double H[6][6] = {{0}};
    add_mass(body, H);
    if (damping_factor != 0.0 && tn_body_is_damped(body))
        tn_body_add_damping(body, &sys->T[i].R, damping_factor, H);
    if (S)
        add_stiffness(body, S, H);
    store_block(body, H, block);
}

void tn_assemble_mass(tn_system *sys, const tn_state *state, double damping_factor,
                      const double *stiffness)
{
    tn_kkt_clear_pairs(sys->model->kkt, sys->values);
    for (int32_t i = 0; i < sys->model->body_count; i++)
        tn_body_fill(sys, i, damping_factor, stiffness ? stiffness + 6 * (size_t)i : NULL);
    if (state) {
        tn_armatures_fill(sys, state);
    } else {
        tn_armatures_leave_out(sys);
    }
}

void tn_assemble_forces(const tn_system *sys, const tn_state *state, const double *u,
                        const double *udot, int damping, double *f)
{
    for (int32_t i = 0; i < sys->model->body_count; i++) {
        if (sys->model->bodies[i].dim > 0) {
            tn_body_force(&sys->model->bodies[i], &sys->T[i].R, sys->model->gravity, u, udot,
                          damping, f);
        }
    }
    tn_armatures_add_forces(sys, state, u, udot, f);
}

void tn_assemble_momentum(const tn_system *sys, const tn_state *state, const double *u, double *f)
{
    for (int32_t i = 0; i < sys->model->body_count; i++) {
        const tn_model_body *body = &sys->model->bodies[i];
        if (body->dim == 0)
            continue;
        tn_vec3 v, w;
        tn_body_unpack(body, u, &v, &w);
        tn_body_add(body, v3_scale(body->mass, v), m3_mulv(&body->J, w), f);
    }
    if (state)
        tn_armatures_add_momenta(sys, state, u, f);
}
