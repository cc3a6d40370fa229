/* transmission.c: room coords: how well one coordinate drives another through a joint.
 *
 * The input is held, the output coordinate is loaded by a unit force, and G^T y balances it:
 *     M du + G^T y = W_out,   G du = 0;      du = 0 where the input holds the output.
 * y is then the static transmission of the load. The joint through which the output member is
 * driven passes the wrench (f, m) to it; f acts along the wrench's own axis, at its point nearest
 * to the joint, P = P_joint + f x m / |f|^2, with the moment p f along it. A unit speed of the
 * output moves P with v and turns the member with w, and
 *     index = |f . v + p f . w| / (|f| |v| + |p f| |w|),    0 .. 1,
 * is the share of the most that a wrench so large could do there in the best direction (Sutherland
 * and Roth 1973). A wrench without force counts by its moment, |m . w| / (|m| |w|). In a planar
 * four-bar f lies along the coupler and v across the rocker: the index is the sine of the angle
 * between the two, Alt's transmission angle. Limit: where redundant rows share the load (hinges of
 * links in different planes), f is that of least multipliers, and part of it may be self-stress.
 */
#include <math.h>
#include <string.h>

#include "assemble/joint_terms.h"
#include "coords/coords.h"

/* A force times the distance of the joints below this share of the moment is none. */
#define TN_NO_FORCE 1e-6

/* One member: its speed at unit speed of the output, and the wrench on it. */
typedef struct tn_member {
    int32_t body;
    tn_vec3 v, w; /* of the point x, world axes, against the other member of the output joint */
    tn_vec3 x;    /* m, origin of the output joint's G */
} tn_member;

static tn_vec3 origin_of_G(const tn_coords *c, int32_t joint)
{
    return v3_add(tn_system_xform(c->sys, c->model->joints[joint].a)->p, c->sys->kin[joint].r_A);
}

static tn_member member_of(const tn_coords *c, int32_t joint, int32_t coordinate, int side)
{
    const tn_model_joint *j = &c->model->joints[joint];
    const tn_joint_class *cls = j->geometry.cls;
    const tn_joint_kinematics *kin = &c->sys->kin[joint];
    double T[TN_MAX_ROWS][6] = {{0.0}};
    tn_member member = {.body = side ? j->b : j->a, .x = origin_of_G(c, joint)};
    tn_joint_twists(cls, &j->geometry.setup, &kin->T_GD,
                    c->state->coordinates + (size_t)joint * TN_MAX_COORDINATES, T);
    for (int32_t k = cls->info.bilateral_count; k < cls->info.row_count; k++) {
        if (cls->info.rows[k].coordinate == coordinate) {
            const double *t = T[k - cls->info.bilateral_count];
            const double sign = side ? -1.0 : 1.0;
            member.v = v3_scale(sign, m3_mulv(&kin->R_GW, v3_load(t)));
            member.w = v3_scale(sign, m3_mulv(&kin->R_GW, v3_load(t + 3)));
        }
    }
    return member;
}

/* The wrench of y through a joint, on its body A, at its G's origin. */
static tn_wrench passed_by(const tn_coords *c, int32_t joint)
{
    const tn_switches *s = &c->state->switches[joint];
    double lambda[TN_MAX_ROWS] = {0.0};
    for (int32_t n = 0; n < s->active_count; n++)
        lambda[s->active[n]] = c->sys->y[c->sys->layout->y_offset[joint] + n];
    return tn_assemble_joint_wrench(c->sys, c->state, joint, lambda);
}

/* Power of the wrench at unit speed of the output, and the most it could have been. */
static double power_of(const tn_coords *c, const tn_member *member, int32_t joint, double *most)
{
    const tn_wrench r = passed_by(c, joint);
    tn_vec3 x = origin_of_G(c, joint), m = r.m;
    const double f2 = v3_dot(r.f, r.f), arm = v3_norm(v3_sub(x, member->x));
    if (sqrt(f2) * fmax(arm, c->size * TN_NO_FORCE) > TN_NO_FORCE * v3_norm(m)) {
        x = v3_axpy(x, 1.0 / f2, v3_cross(r.f, m));
        m = v3_scale(v3_dot(r.f, m) / f2, r.f);
    }
    const tn_vec3 v = v3_add(member->v, v3_cross(member->w, v3_sub(x, member->x)));
    *most = sqrt(f2) * v3_norm(v) + v3_norm(m) * v3_norm(member->w);
    return v3_dot(r.f, v) + v3_dot(m, member->w);
}

/* The joint of the member through which most of the load goes; -1: there is none. */
static int32_t busiest(const tn_coords *c, const tn_member *member, int32_t output, double *power)
{
    int32_t best = -1;
    double most;
    if (member->body < 0 || c->model->bodies[member->body].dim == 0)
        return -1;
    for (int32_t j = 0; j < c->model->joint_count; j++) {
        const tn_model_joint *joint = &c->model->joints[j];
        if (j == output || !c->in[j] || (joint->a != member->body && joint->b != member->body))
            continue;
        const double p = fabs(power_of(c, member, j, &most));
        if (best < 0 || p > *power) {
            best = j;
            *power = p;
        }
    }
    return best;
}

/* Which member is driven, and through which joint. */
static tn_status choose(const tn_coords *c, int32_t output, int32_t coordinate, int32_t *through,
                        tn_member *member)
{
    double best = -1.0;
    int32_t found = -1;
    for (int side = 0; side < 2; side++) {
        const tn_member m = member_of(c, output, coordinate, side);
        double power = -1.0;
        if (*through >= 0) {
            const tn_model_joint *t = &c->model->joints[*through];
            if (*through == output || m.body < 0 || (t->a != m.body && t->b != m.body))
                continue;
            found = *through;
            *member = m;
            break;
        }
        const int32_t j = busiest(c, &m, output, &power);
        if (j >= 0 && power > best) {
            found = j;
            best = power;
            *member = m;
        }
    }
    *through = found;
    return found >= 0 ? TN_OK : TN_ERROR_NOT_FOUND;
}

/* y of the head comment; *held: the input holds the output. */
static tn_status balance_load(tn_coords *c, int32_t input, int32_t output, int *held)
{
    tn_coords_activate(c);
    tn_status status = tn_coords_factor(c, 0.0);
    const int32_t i = output % TN_MAX_COORDINATES, j = output / TN_MAX_COORDINATES;
    const int64_t slot = tn_coords_slot(c, j, i);
    if (slot < 0 || tn_coords_slot(c, input / TN_MAX_COORDINATES, input % TN_MAX_COORDINATES) < 0)
        return TN_ERROR_SINGULAR;
    memset(c->lambda, 0, sizeof(double) * (size_t)c->sys->layout->y_size);
    c->lambda[slot] = 1.0;
    tn_kkt_apply_gt(c->model->kkt, c->sys->values, c->lambda, c->sys->f);
    if (status == TN_OK)
        status = tn_coords_solve(c);
    tn_kkt_apply_g(c->model->kkt, c->sys->values, c->sys->du, c->lambda);
    *held = fabs(c->lambda[slot]) <= TN_AS_NONE * c->sys->values->a[slot];
    return status;
}

tn_status tn_coords_transmission(tn_coords *c, int32_t input, int32_t output, int32_t *through,
                                 double *index)
{
    tn_member member;
    int held;
    tn_state_copy(&c->saved, c->state);
    tn_tree_build(c->model, c->state, -1, &c->tree);
    tn_coords_enter_whole(c);
    memset(c->outcome, 0, (size_t)c->model->element_count); /* scratch: which joints are moved */
    c->outcome[input / TN_MAX_COORDINATES] = c->outcome[output / TN_MAX_COORDINATES] = 1;
    tn_coords_carry_others(c, c->outcome);
    c->hold[input] = TN_KEEP_REQUEST;
    c->hold[output] = TN_KEEP_IDLE;
    tn_status status = balance_load(c, input, output, &held);
    if (status == TN_OK) {
        status =
            choose(c, output / TN_MAX_COORDINATES, output % TN_MAX_COORDINATES, through, &member);
    }
    if (status == TN_OK) {
        double most = 0.0;
        const double power = fabs(power_of(c, &member, *through, &most));
        *index = held && most > 0.0 ? fmin(1.0, power / most) : 0.0;
    }
    tn_state_copy(c->state, &c->saved);
    return status;
}
