/* limit_scenes.h: test support: building joints with ranges, and what is asked of them.
 *
 * Every call asserts success.
 */
#ifndef TENON_TESTS_LIMIT_SCENES_H
#define TENON_TESTS_LIMIT_SCENES_H

#include <check.h>
#include <math.h>
#include <stdio.h>

#include "mechanism.h"

#define DEADBAND 1e-10 /* rad, m */

/* One coordinate with a range. */
typedef struct range {
    double lower, upper, restitution;
} range;

static inline tn_joint limited_joint(mechanism *m, tn_joint_def def, const range *r, int count)
{
    for (int i = 0; i < count; i++) {
        def.lower[i] = r[i].lower;
        def.upper[i] = r[i].upper;
        def.restitution[i] = r[i].restitution;
    }
    return mechanism_joint(m, &def);
}

static inline tn_body small_body(mechanism *m, tn_vec3 at, tn_twist velocity)
{
    tn_body_def def = tn_default_body_def();
    def.pose.p = at;
    def.mass = 1.5;
    def.com = vec(0.0, 0.0, 0.0);
    def.inertia = mat_diagonal(0.1, 0.2, 0.25);
    def.velocity = velocity;
    return mechanism_body(m, &def);
}

static inline double coordinate(const mechanism *m, int32_t joint, int32_t i)
{
    double q[TN_MAX_COORDINATES] = {0};
    tn_sim_joint_coordinates(m->sim, (tn_joint){joint}, q);
    return q[i];
}

static inline double speed(const mechanism *m, int32_t joint, int32_t i)
{
    double v[TN_MAX_COORDINATES] = {0};
    tn_sim_joint_speeds(m->sim, (tn_joint){joint}, v);
    return v[i];
}

static inline void step(mechanism *m, double h)
{
    tn_step_report report;
    const tn_status status = tn_sim_step(m->sim, h, &report);
    ck_assert_msg(status == TN_OK, "%s at t = %g, joint %d", tn_status_text(status),
                  tn_sim_time(m->sim), (int)report.culprit_joint.i);
    ck_assert_msg(report.fallbacks == 0, "fallback at t = %g", tn_sim_time(m->sim));
}

/* The largest distance of any coordinate beyond its limit. */
static inline double overshoot(const mechanism *m)
{
    double worst = -INFINITY;
    const int32_t joints = tn_model_get_size(m->model).joints;
    for (int32_t j = 0; j < joints; j++) {
        const tn_joint_type type = tn_model_joint_type(m->model, (tn_joint){j});
        for (int32_t i = 0; i < tn_joint_type_get(type)->coordinate_count; i++) {
            double lower, upper;
            ck_assert_int_eq(tn_sim_get_range(m->sim, (tn_joint){j}, i, &lower, &upper), TN_OK);
            const double q = coordinate(m, j, i);
            worst = fmax(worst, fmax(lower - q, q - upper));
        }
    }
    return worst;
}

static inline const char *name_of(int integrator)
{
    return method_name(integrator);
}

/* Counts the events of the last step of a kind; *time is the last one's. */
static inline int events_of(const mechanism *m, tn_event_kind kind, double *time)
{
    int count = 0;
    for (int32_t k = 0; k < tn_sim_event_count(m->sim) && k < TN_EVENTS_KEPT; k++) {
        const tn_event *e = tn_sim_event(m->sim, k);
        if (e->kind != kind)
            continue;
        count++;
        if (time)
            *time = e->time;
    }
    return count;
}

static const double chain_gravity = 9.81; /* m/s^2 */

/* 20 links with a range at every hinge, thrown about: chaos, but never outside, never more energy
 * than before (beyond the stepper's own error). */
static inline mechanism thrown_chain(double restitution)
{
    enum { LINKS = 20 };
    mechanism m = mechanism_new(vec(0.0, -chain_gravity, 0.0));
    tn_body last = tn_ground();
    for (int k = 0; k < LINKS; k++) {
        const tn_body link = mechanism_rod(&m, &(rod){.p = vec(0.1 * k, 0.0, 0.0),
                                                      .q = vec(0.1 * (k + 1), 0.0, 0.0),
                                                      .mass = 0.2,
                                                      .along = 1e-4,
                                                      .across = 0.2 * 0.01 / 12.0});
        const range r = {-0.3, 0.5, restitution};
        tn_joint_def def = mechanism_axis_def("hinge", link, last, vec(0.1 * k, 0.0, 0.0),
                                              k % 2 ? vec(0.0, 0.0, 1.0) : vec(0.0, 0.6, 0.8));
        limited_joint(&m, def, &r, 1);
        last = link;
    }
    return m;
}

/* To locate an event takes dormand_prince six solves a trial; the first dozen come within 250 steps,
 * thousands within 600. */
static inline int steps_of_chain(int method)
{
    return method == TN_DORMAND_PRINCE ? 700 : method == BY_SPEEDS ? 600 : 1500;
}

static inline void expect_chain_inside(int integrator, double restitution, int steps)
{
    mechanism m = thrown_chain(restitution);
    mechanism_start(&m, integrator);
    double over = -INFINITY, energy = tn_sim_energy(m.sim).total, gain = 0.0;
    int events = 0, fallbacks = 0, halvings = 0;
    for (int k = 0; k < steps; k++) {
        tn_step_report report;
        const tn_status status = tn_sim_step(m.sim, 1e-3, &report);
        ck_assert_msg(status == TN_OK, "%s at t = %g", tn_status_text(status), tn_sim_time(m.sim));
        fallbacks += report.fallbacks;
        halvings += report.halvings > 0;
        events += tn_sim_event_count(m.sim);
        over = fmax(over, overshoot(&m));
        gain = fmax(gain, tn_sim_energy(m.sim).total - energy);
        energy = fmin(energy, tn_sim_energy(m.sim).total);
    }
    printf("%-27s chain, e = %.1f: %d events, over %.1e rad, energy gained %.1e J, %d "
           "fallbacks, %d halved\n",
           name_of(integrator), restitution, events, over, gain, fallbacks, halvings);
    ck_assert_double_le(over, DEADBAND);
    ck_assert_int_gt(events, 20);
    ck_assert_double_le(gain, 0.02 * 0.2 * 20 * chain_gravity); /* of the drop by 1 m */
    mechanism_free(&m);
}

#endif
