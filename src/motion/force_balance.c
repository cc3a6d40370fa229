/* force_balance.c: room motion: residual forces relative to the forces on a body.
 *
 * In: the residual of the Newton-Euler equations. Out: the largest ratio of a residual force to the largest single
 * force on its body (weight, inertia, or that of a joint), and of a residual moment to the largest moment about the
 * centre of mass. The moment of a joint counts as the sum of the magnitudes of its couple and of its force's moment,
 * and the reference is at least the force at the body's radius of gyration. A point mass has no such radius: there it
 * is the force at the arms of its joints, whose own forces may all be zero, as when it begins to fall. The net force
 * would be no reference: on a body at rest it is zero.
 */
#include <math.h>

#include "math/dense/worst.h"
#include "assemble/load/solids.h"
#include "assemble/armature.h"
#include "assemble/elements.h"
#include "motion/force_balance.h"

static double largest_inertia(const tn_model_body *body)
{
    return fmax(body->J.m[0][0], fmax(body->J.m[1][1], body->J.m[2][2]));
}

static void add_body(const tn_sim *sim, const tn_balance_of *of, int32_t i, double *scale)
{
    const tn_model_body *body = &sim->model->bodies[i];
    tn_vec3 v, w, a, alpha;
    tn_body_unpack(body, sim->state.u, &v, &w);
    tn_body_unpack(body, of->udot, &a, &alpha);
    const double load = fmax(fmax(v3_norm(sim->model->gravity), v3_norm(a)), TN_NO_LOAD);
    const double floor = TN_NO_LOAD * largest_inertia(body);
    const tn_vec3 spin = v3_cross(w, m3_mulv(&body->J, w));
    scale[0] = body->mass * load;
    scale[1] = fmax(floor, fmax(v3_norm(m3_mulv(&body->J, alpha)), v3_norm(spin)));
}

static bool is_among(const tn_balance_of *of, int32_t body)
{
    return body >= of->first && body < of->end;
}

static bool any_among(const tn_balance_of *of, const int32_t *bodies, int32_t count)
{
    bool any = false;
    for (int32_t i = 0; i < count && !any; i++)
        any = is_among(of, bodies[i]);
    return any;
}

/* r: from the centre of mass to the point of action. */
static void add_load(const tn_sim *sim, const tn_balance_of *of, double *scale, int32_t body,
                     tn_vec3 r, tn_wrench w)
{
    if (!is_among(of, body))
        return;
    const double force = v3_norm(w.f), arm = v3_norm(r);
    scale[2 * body] = fmax(scale[2 * body], force);
    const double moment = v3_norm(w.m) + arm * force;
    const bool is_point = largest_inertia(&sim->model->bodies[body]) == 0.0;
    scale[2 * body + 1] =
        fmax(scale[2 * body + 1], is_point ? fmax(moment, arm * scale[2 * body]) : moment);
}

/* known: the wrenches of the element; NULL: they are computed here. */
static void add_element(const tn_sim *sim, const tn_balance_of *of, int32_t j,
                        const tn_wrench *known, double *scale)
{
    const tn_model *model = sim->model;
    for (int32_t p = model->through_start[j]; p < model->through_start[j + 1]; p++) {
        const tn_model_joint *joint = &model->joints[model->through[p]];
        const tn_joint_kinematics *kin = &of->sys->kin[model->through[p]];
        const int32_t *others, count = tn_model_side_b(model, joint, &others);
        if (!is_among(of, joint->a) && !any_among(of, others, count))
            continue;
        const tn_wrench w = known ? known[p - model->through_start[j]]
                                  : tn_element_total(of->sys, &sim->state, j, p);
        add_load(sim, of, scale, joint->a, kin->r_A, w);
        for (int32_t i = 0; i < count; i++)
            add_load(sim, of, scale, others[i], kin->r_B, w);
    }
}

static void add_armatures(const tn_sim *sim, const tn_balance_of *of, double *scale)
{
    for (int32_t n = 0; n < sim->model->armature_count; n++) {
        const int32_t j = sim->model->armatures[n].joint;
        const tn_model_joint *joint = &sim->model->joints[j];
        if (!is_among(of, joint->a) && !is_among(of, joint->b))
            continue;
        const tn_wrench w = tn_armature_wrench(of->sys, &sim->state, n, sim->state.u, of->udot);
        add_load(sim, of, scale, joint->a, of->sys->kin[j].r_A, w);
        add_load(sim, of, scale, joint->b, of->sys->kin[j].r_B, w);
    }
}

static void gather_scales(const tn_sim *sim, const tn_balance_of *of, double *scale)
{
    for (int32_t i = of->first; i < of->end; i++)
        add_body(sim, of, i, scale + 2 * (size_t)i);
    const tn_wrench *known = of->wrenches;
    for (int32_t k = 0; k < of->element_count; k++) {
        const int32_t j = of->elements ? of->elements[k] : k;
        if (!tn_state_is_on(sim->model, &sim->state, j))
            continue;
        add_element(sim, of, j, known, scale);
        if (known)
            known += sim->model->through_start[j + 1] - sim->model->through_start[j];
    }
    add_armatures(sim, of, scale);
    tn_solids_note_forces(of->sys, of->first, of->end, scale);
    for (int32_t i = of->first; i < of->end; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        if (body->mass > 0.0) {
            scale[2 * i + 1] =
                fmax(scale[2 * i + 1], scale[2 * i] * sqrt(largest_inertia(body) / body->mass));
        }
    }
    double largest[2] = {0.0, 0.0};
    for (int32_t k = 2 * of->first; k < 2 * of->end; k++)
        largest[k % 2] = fmax(largest[k % 2], scale[k]);
    for (int32_t k = 2 * of->first; k < 2 * of->end; k++)
        scale[k] = fmax(scale[k], TN_SMALL_LOAD * largest[k % 2]);
}

/* NaN in, NaN out. */
static double ratio(tn_vec3 residual, double unknown, double scale)
{
    const double size = v3_norm(residual);
    return size <= unknown ? 0.0 : (size - unknown) / scale;
}

tn_force_balance tn_force_balance_among(const tn_sim *sim, const tn_balance_of *of,
                                        const double *residual, double *scale)
{
    tn_force_balance out = {0.0, 0.0, -1};
    /* poses with a tolerance e leave the forces of elements uncertain by their stiffness times e */
    const double unknown =
        of->unknown + sim->options.position_tolerance * tn_solids_stiffest(sim->model);
    gather_scales(sim, of, scale);
    for (int32_t i = of->first; i < of->end; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        if (body->dim == 0)
            continue;
        tn_vec3 f, m;
        tn_body_unpack(body, residual, &f, &m);
        const double *s =
            scale + 2 * (size_t)i; /* the moment is uncertain by the force at the same arm */
        const double arm = s[0] > 0.0 ? s[1] / s[0] : 0.0;
        const double force = ratio(f, unknown, s[0]);
        const double moment = ratio(m, unknown * arm, s[1]);
        const double before = tn_worst(out.force, out.moment);
        out.force = tn_worst(out.force, force);
        out.moment = tn_worst(out.moment, moment);
        if (!isnan(before) && !(tn_worst(force, moment) <= before))
            out.worst = i;
    }
    return out;
}

tn_force_balance tn_force_balance_of(const tn_sim *sim, const double *residual, double *scale)
{
    const tn_balance_of all = {.sys = &sim->sys,
                               .udot = sim->state.udot,
                               .end = sim->model->body_count,
                               .element_count = sim->model->element_count};
    return tn_force_balance_among(sim, &all, residual, scale);
}
