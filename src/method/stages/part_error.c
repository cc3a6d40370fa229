/* part_error.c: room method/stages: what a part of a step by a method of rkmk.c errs, in units of
 * what it may.
 *
 * In: the rates and accelerations of its stages, its end, with the factor of the accelerations of
 * there. Out: the error.
 *
 * Near a fold, at a distance x of a stage, accelerations are off by some r^2 e / x^2 across the path,
 * where joints are open by e and move at a rate r. The end is projected on its constraints in the
 * mass metric, and of that only the square comes out. What an estimate e has along the path,
 *     M d - G^T l = M e,    G d = 0,
 * e as a velocity of the end, of turns by the right Jacobian of the exponential map,
 *     J(T) v = v - (1 - cos x) / x^2 T x v + (x - sin x) / x^3 T x (T x v),    x = |T|,
 * is taken for all of it where the rest is rounding. Parts that were tried again for it, shorter and
 * shorter, would end at the fold. Elsewhere what is across tells of corners of the motion too.
 */
#include <math.h>
#include <string.h>

#include "real/real.h"
#include "method/stages/rkmk.h"
#include "motion/kinematics.h"

/* Finer than this, sizes or rad, no pose is asked for because a motion is slow: what closing leaves
 * of ten parts. */
#define TN_FINEST_POSE (10.0 * TN_CLOSED)
/* The same of speeds, as a share of the pace: poses that are off by that, a tenth of a size apart. */
#define TN_FINEST_SPEED (10.0 * TN_FINEST_POSE)
/* rad or sizes, the way of a part at full pace, of rtol^(1/5): a pendulum's is 1.6, a top's 6. */
#define TN_USUAL_WAY 2.0

double tn_rkmk_larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

void tn_rkmk_weigh(const tn_sim *sim, const double *weight, int count, double *rate, double *udot)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    const int32_t n = sim->model->size.velocities;
    memset(rate, 0, sizeof(double) * (size_t)n);
    memset(udot, 0, sizeof(double) * (size_t)n);
    for (int j = 0; j < count; j++) {
        for (int32_t k = 0; k < n && weight[j] != 0.0; k++) {
            rate[k] += weight[j] * r->rate[j][k];
            udot[k] += weight[j] * r->udot[j][k];
        }
    }
}

double tn_rkmk_followed(const tn_sim *sim)
{
    tn_rkmk *r = tn_rkmk_of(sim);
    if (r->followed_by != r->tableau) {
        r->followed_by = r->tableau;
        r->followed = tn_pow(sim->options.relative_tolerance, 1.0 / r->tableau->order);
    }
    return r->followed;
}

double tn_rkmk_way(const tn_sim *sim, double part, double pace)
{
    return part * pace / (TN_USUAL_WAY * tn_rkmk_followed(sim));
}

/* What share of the tolerance a part may use. What errs by e along its way is late by e / pace from
 * then on, and off by e P / pace when it is at a pace P. Parts of a motion at its full pace go as far as
 * an error of order 5 lets them; ones that go less far, as those of what gets going from near a dead
 * point, or swings about a place, are the more in number and may err less in the same measure: errors
 * add up with the way, not with the parts. One that is shorter than what those before it asked for, for
 * a kink in the motion or the end of the step, is no one of many. */
static double share_of_way(const tn_sim *sim, double pace)
{
    const double part = fmax(tn_rkmk_of(sim)->part, tn_choice_course(sim)->size);
    return sim->options.accuracy > 0.0 ? fmin(1.0, tn_rkmk_way(sim, part, pace)) : 1.0;
}

/* The largest of any body: of pose, sizes or rad, and of velocity, the same per second. */
typedef struct tn_largest {
    double pose, speed;
} tn_largest;

static tn_largest largest_of(const tn_sim *sim, const double *pose, const double *velocity)
{
    const double L = tn_rkmk_of(sim)->length;
    tn_largest worst = {0.0, 0.0};
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        tn_vec3 x, t, v, w;
        tn_body_unpack(&sim->model->bodies[i], pose, &x, &t);
        tn_body_unpack(&sim->model->bodies[i], velocity, &v, &w);
        worst.pose = tn_rkmk_larger(worst.pose, tn_rkmk_larger(v3_norm(x) / L, v3_norm(t)));
        worst.speed = tn_rkmk_larger(worst.speed, tn_rkmk_larger(v3_norm(v) / L, v3_norm(w)));
    }
    return worst;
}

/* Of the part. */
static double pace_of(const tn_sim *sim)
{
    return fmax(tn_rkmk_pace(sim, sim->mark.u).any, tn_rkmk_pace(sim, sim->state.u).any);
}

/* What a part may err. */
static tn_largest tolerance_of(const tn_sim *sim, double pace)
{
    const double rtol = sim->options.relative_tolerance, atol = sim->options.absolute_tolerance;
    const double share = share_of_way(sim, pace);
    return (tn_largest){
        .pose = fmax(share * rtol, fmin(rtol, TN_FINEST_POSE)) + atol,
        .speed = fmax(share * rtol, fmin(rtol, TN_FINEST_SPEED)) * pace + atol,
    };
}

double tn_rkmk_in_tolerances(const tn_sim *sim, const double *pose, double pose_factor,
                             const double *velocity, double velocity_factor)
{
    const tn_largest is = largest_of(sim, pose, velocity), may_be = tolerance_of(sim, pace_of(sim));
    return tn_rkmk_larger(pose_factor * is.pose / may_be.pose,
                          velocity_factor * is.speed / may_be.speed);
}

/* Nobody overestimates this error, as those of stages are: what swings errs by a tenth of what is
 * told, or less. */
#define TN_MADE_OF_TOLD 0.1

/* What closing the end takes away across the path leaves the square of it along the path: of a speed
 * what that takes of the energy, of places no more, by as much as a part is shorter than a size. */
static double error_of_closing(const tn_sim *sim, double h)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    const double pace = pace_of(sim);
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        r->error_udot[k] = sim->state.u[k] - (sim->mark.u[k] + h * r->known_udot[k]);
    const double aside = largest_of(sim, r->error_udot, r->error_udot).speed;
    const double along = aside * fmin(1.0, aside / pace); /* of what rests no more than there was */
    return aside > 0.0 ? along / (TN_MADE_OF_TOLD * tolerance_of(sim, pace).speed) : aside;
}

/* J of the head comment by its series below this angle, rad: what is left out is 1e-13. */
#define TN_SMALL_TURN 1e-3

static tn_vec3 turn_at_end(tn_vec3 T, tn_vec3 v)
{
    const double x2 = v3_dot(T, T), x = sqrt(x2);
    const double half = x < TN_SMALL_TURN ? 0.5 - x2 / 24.0 : (1.0 - tn_cos(x)) / x2;
    const double sixth = x < TN_SMALL_TURN ? 1.0 / 6.0 - x2 / 120.0 : (x - tn_sin(x)) / (x2 * x);
    const tn_vec3 Tv = v3_cross(T, v);
    return v3_axpy(v3_axpy(v, -half, Tv), sixth, v3_cross(T, Tv));
}

/* Errors of the coordinates T as velocities of the end. */
static void turn_to_end(const tn_sim *sim, double h, double *rate)
{
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        if (body->dim != 6)
            continue;
        const tn_vec3 T = v3_scale(h, v3_load(tn_rkmk_of(sim)->dq + body->u + 3));
        v3_store(rate + body->u + 3, turn_at_end(T, v3_load(rate + body->u + 3)));
    }
}

/* e = d of the head comment, but for what E of the rows of loops leaves, E / (E + sigma) of it; and
 * what that takes away. */
static void project_error(tn_sim *sim, double *e, double *across, tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    memset(sys->du, 0, sizeof(double) * (size_t)sys->layout->u_size);
    memset(sys->g, 0, sizeof(double) * (size_t)sys->layout->y_size);
    tn_assemble_momentum(sys, &sim->state, e, sys->du);
    tn_system_solve(sys);
    report->solves++;
    for (int32_t k = 0; k < sim->model->size.velocities; k++) {
        across[k] = e[k] - sys->du[k];
        e[k] = sys->du[k];
    }
}

/* Of the stages by these weights. */
static double weighed_error(tn_sim *sim, double h, const double *weight)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    tn_rkmk_weigh(sim, weight, r->tableau->last + 1, r->error_rate, r->error_udot);
    return tn_rkmk_in_tolerances(sim, r->error_rate, h, r->error_udot, h);
}

/* The same, along the path and across it. */
typedef struct tn_two_ways {
    double along, across;
} tn_two_ways;

static tn_two_ways split_error(tn_sim *sim, double h, const double *weight, tn_step_report *report)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    tn_rkmk_weigh(sim, weight, r->tableau->last + 1, r->error_rate, r->error_udot);
    turn_to_end(sim, h, r->error_rate);
    project_error(sim, r->error_rate, r->known_rate, report);
    project_error(sim, r->error_udot, r->known_udot, report);
    return (tn_two_ways){
        .along = tn_rkmk_in_tolerances(sim, r->error_rate, h, r->error_udot, h),
        .across = tn_rkmk_in_tolerances(sim, r->known_rate, h, r->known_udot, h),
    };
}

/* Of methods with a second, coarser estimate, e3 beside e5: e5 e5 / |e5, e3 / 10| (Hairer's
 * program). Both are known to rounding of the rates only: where the coarser one is nothing, so is
 * the other. */
#define TN_COARSE_SHARE 0.1

static double of_two(double fine, double coarse)
{
    const double both = tn_hypot(fine, TN_COARSE_SHARE * coarse);
    return both > 0.0 ? fine * (fine / both) : both;
}

/* What remains of an error without rounding across the path. Where the coarser estimate is the
 * motion's, no more of the finer one is than of that. */
static double without_rounding(tn_sim *sim, double h, double error, tn_step_report *report)
{
    const tn_tableau *t = tn_rkmk_of(sim)->tableau;
    const tn_two_ways fine = split_error(sim, h, t->error, report),
                      coarse = split_error(sim, h, t->coarse, report);
    if (fine.across > TN_ALIKE * coarse.across)
        return of_two(fine.along, coarse.along);
    const double across = fine.along * (coarse.across / coarse.along); /* NaN: nothing is known */
    return fmin(error, of_two(fmax(fine.along, across), fmax(coarse.along, coarse.across)));
}

void tn_rkmk_find_error(tn_sim *sim, double h, tn_step_report *report)
{
    tn_rkmk *r = tn_rkmk_of(sim);
    const tn_tableau *t = r->tableau;
    r->astray = 0.0;
    r->error = weighed_error(sim, h, t->error);
    if (!t->has_two_errors)
        return;
    r->astray = r->closes ? error_of_closing(sim, h) : 0.0;
    r->error = of_two(r->error, weighed_error(sim, h, t->coarse));
    if (r->closes && r->error > 1.0)
        r->error = without_rounding(sim, h, r->error, report);
}

tn_status tn_rkmk_find_implicit_error(tn_sim *sim, double h, tn_step_report *report)
{
    tn_rkmk *r = tn_rkmk_of(sim);
    tn_rkmk_weigh(sim, r->tableau->error, r->tableau->last + 1, r->error_rate, r->error_udot);
    r->astray = 0.0;
    const tn_status status = r->tableau->sweeps ? tn_collocation_smooth(sim, r->error_udot, report)
                                                : tn_implicit_smooth(sim, r->error_udot, report);
    r->error = tn_rkmk_in_tolerances(sim, r->error_rate, h, r->error_udot, h);
    return status;
}
