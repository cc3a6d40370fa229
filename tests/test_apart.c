/* test_apart.c: trees that share a world and nothing else move, to the last bit, as each does in a world of
 * its own, through events, and the world's report, log and books are those of all of them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/limit_scenes.h"
#include "support/random_numbers.h"
#include "support/run_main.h"
#include "support/saved_states.h"

enum { TREES = 5, MOST_LINKS = 7, STEPS = 400, WORLDS = 12 };

static const double h = 1e-3; /* s */

/* One joint with its outer body; inner: the link it hangs on, -1: ground or the tree's fixed body. */
typedef struct link {
    int inner, kind;
    tn_vec3 axis;
    double length, mass, stop, restitution, speed;
    bool limited;
} link;

typedef struct tree {
    int links;
    bool on_fixed, floats;
    tn_vec3 at;
    link link[MOST_LINKS];
} tree;

static tree random_tree(uint64_t *seed, int t)
{
    tree tr = {.links = 1 + (int)random_between(seed, 0.0, MOST_LINKS),
               .on_fixed = random_between(seed, 0.0, 1.0) < 0.3,
               .floats = random_between(seed, 0.0, 1.0) < 0.2,
               .at = vec(0.3 * t, 2.0 * t, 0.1 * t)};
    for (int k = 0; k < tr.links; k++) {
        link *l = &tr.link[k];
        l->inner = k - 1 - (k > 1 && random_between(seed, 0.0, 1.0) < 0.3);
        l->kind = (int)random_between(seed, 0.0, 3.0);
        l->axis = vec(random_between(seed, -1.0, 1.0), 1.0, random_between(seed, -1.0, 1.0));
        l->length = random_between(seed, 0.1, 0.3);
        l->mass = random_between(seed, 0.2, 1.0);
        l->stop = random_between(seed, 0.02, 0.3);
        l->restitution = random_between(seed, 0.0, 1.0) < 0.3 ? 0.5 : 0.0;
        l->speed = random_between(seed, -3.0, 3.0);
        l->limited = random_between(seed, 0.0, 1.0) < 0.7 && t != TREES - 1;
    }
    return tr;
}

/* Bodies and joints of a tree among those of a world. */
typedef struct place {
    int32_t body[MOST_LINKS], joint[MOST_LINKS], fixed;
} place;

static double end_of(const tree *tr, int k)
{
    return k < 0 ? tr->at.x : end_of(tr, tr->link[k].inner) + tr->link[k].length;
}

static void add_body(mechanism *m, const tree *tr, int k, place *p)
{
    const link *l = &tr->link[k];
    const double x = end_of(tr, l->inner);
    p->body[k] = mechanism_rod(m, &(rod){.p = vec(x, tr->at.y, tr->at.z),
                                         .q = vec(x + l->length, tr->at.y, tr->at.z),
                                         .mass = l->mass,
                                         .along = 1e-2 * l->mass * l->length * l->length,
                                         .across = l->mass * l->length * l->length / 12.0})
                     .i;
}

static void add_joint(mechanism *m, const tree *tr, int k, place *p)
{
    static const char *const kinds[] = {"hinge", "spherical_swing_twist", "hinge"};
    const link *l = &tr->link[k];
    const tn_body inner = l->inner >= 0   ? (tn_body){p->body[l->inner]}
                          : p->fixed >= 0 ? (tn_body){p->fixed}
                                          : tn_ground();
    tn_joint_def def = mechanism_axis_def(kinds[l->kind], (tn_body){p->body[k]}, inner,
                                          vec(end_of(tr, l->inner), tr->at.y, tr->at.z), l->axis);
    p->joint[k] = -1;
    if (k == 0 && tr->floats)
        return;
    if (l->limited && l->kind == 1) {
        def.upper[0] = l->stop;
        def.lower[1] = -l->stop;
        def.upper[1] = 1.5 * l->stop;
        def.restitution[0] = def.restitution[1] = l->restitution;
    } else if (l->limited) {
        def.lower[0] = -l->stop;
        def.upper[0] = 0.5 * l->stop;
        def.restitution[0] = l->restitution;
    }
    p->joint[k] = mechanism_joint(m, &def).i;
}

static void add_fixed(mechanism *m, const tree *tr, place *p)
{
    p->fixed = -1;
    if (!tr->on_fixed)
        return;
    tn_body_def def = tn_default_body_def();
    def.kind = TN_BODY_FIXED;
    def.pose.p = tr->at;
    p->fixed = mechanism_body(m, &def).i;
}

static void push(mechanism *m, const tree *tr, const place *p)
{
    for (int k = 0; k < tr->links; k++) {
        tn_twist v = tn_sim_body_velocity(m->sim, (tn_body){p->body[k]});
        v.w.y += tr->link[k].speed;
        ck_assert_int_eq(tn_sim_set_body_velocity(m->sim, (tn_body){p->body[k]}, v), TN_OK);
    }
}

/* All trees in one world, and each in its own. */
typedef struct scene {
    tree trees[TREES];
    mechanism world, alone[TREES];
    place in_world[TREES], in_own[TREES];
} scene;

static mechanism new_mechanism(void)
{
    return mechanism_new(vec(0.0, 0.0, -9.81));
}

/* in_turn: bodies and joints of the world in turn, so that those of a tree do not stand together. */
static scene make_scene(uint64_t seed, bool in_turn)
{
    scene s = {.world = new_mechanism()};
    for (int t = 0; t < TREES; t++) {
        s.trees[t] = random_tree(&seed, t);
        s.alone[t] = new_mechanism();
        add_fixed(&s.world, &s.trees[t], &s.in_world[t]);
        add_fixed(&s.alone[t], &s.trees[t], &s.in_own[t]);
        for (int k = 0; k < s.trees[t].links; k++) {
            add_body(&s.alone[t], &s.trees[t], k, &s.in_own[t]);
            if (!in_turn)
                add_body(&s.world, &s.trees[t], k, &s.in_world[t]);
        }
        for (int k = 0; k < s.trees[t].links; k++)
            add_joint(&s.alone[t], &s.trees[t], k, &s.in_own[t]);
    }
    for (int k = 0; k < MOST_LINKS; k++) {
        for (int t = 0; t < TREES && in_turn; t++) {
            if (k < s.trees[t].links)
                add_body(&s.world, &s.trees[t], k, &s.in_world[t]);
        }
    }
    for (int n = 0; n < MOST_LINKS * TREES; n++) {
        const int t = in_turn ? n % TREES : n / MOST_LINKS;
        const int k = in_turn ? n / TREES : n % MOST_LINKS;
        if (k < s.trees[t].links)
            add_joint(&s.world, &s.trees[t], k, &s.in_world[t]);
    }
    return s;
}

static void start_scene(scene *s)
{
    mechanism_start(&s->world, TN_GENERALIZED_ALPHA);
    for (int t = 0; t < TREES; t++) {
        mechanism_start(&s->alone[t], TN_GENERALIZED_ALPHA);
        push(&s->world, &s->trees[t], &s->in_world[t]);
        push(&s->alone[t], &s->trees[t], &s->in_own[t]);
    }
}

static void free_scene(scene *s)
{
    mechanism_free(&s->world);
    for (int t = 0; t < TREES; t++)
        mechanism_free(&s->alone[t]);
}

static bool same(const void *a, const void *b, size_t bytes)
{
    return memcmp(a, b, bytes) == 0;
}

static void compare_joint(const scene *s, int t, int k)
{
    const tn_joint a = {s->in_world[t].joint[k]}, b = {s->in_own[t].joint[k]};
    if (b.i < 0)
        return;
    double q[2][TN_MAX_COORDINATES] = {{0.0}}, v[2][TN_MAX_COORDINATES] = {{0.0}};
    tn_sim_joint_coordinates(s->world.sim, a, q[0]);
    tn_sim_joint_coordinates(s->alone[t].sim, b, q[1]);
    tn_sim_joint_speeds(s->world.sim, a, v[0]);
    tn_sim_joint_speeds(s->alone[t].sim, b, v[1]);
    ck_assert(same(q[0], q[1], sizeof q[0]));
    ck_assert(same(v[0], v[1], sizeof v[0]));
    const tn_wrench f = tn_sim_joint_wrench(s->world.sim, a, TN_WRENCH_ON_A);
    const tn_wrench g = tn_sim_joint_wrench(s->alone[t].sim, b, TN_WRENCH_ON_A);
    ck_assert(same(&f, &g, sizeof f));
}

/* Something in it has a range: others are one part of the world together, and end where iterations of theirs
 * do. */
static bool is_limited(const tree *tr)
{
    bool any = false;
    for (int k = tr->floats ? 1 : 0; k < tr->links; k++)
        any |= tr->link[k].limited;
    return any;
}

static void compare_tree(const scene *s, int t)
{
    for (int k = 0; k < s->trees[t].links; k++) {
        const tn_body a = {s->in_world[t].body[k]}, b = {s->in_own[t].body[k]};
        const tn_pose p = tn_sim_body_pose(s->world.sim, a),
                      q = tn_sim_body_pose(s->alone[t].sim, b);
        const tn_twist u = tn_sim_body_velocity(s->world.sim, a),
                       v = tn_sim_body_velocity(s->alone[t].sim, b);
        if (!is_limited(&s->trees[t])) {
            ck_assert_double_le(vec_norm(vec_sub(p.p, q.p)), 1e-8);
            ck_assert_double_le(vec_norm(vec_sub(u.w, v.w)), 1e-6);
            continue;
        }
        ck_assert_msg(same(&p, &q, sizeof p), "tree %d link %d at %g: %g m", t, k,
                      tn_sim_time(s->world.sim), vec_norm(vec_sub(p.p, q.p)));
        ck_assert(same(&u, &v, sizeof u));
        compare_joint(s, t, k);
    }
}

/* Is it in the log of the tree's own world, at the same time, and told of the same joint? */
static bool has_event(const scene *s, int t, const tn_event *event)
{
    bool found = false;
    for (int32_t n = 0; n < tn_sim_event_count(s->alone[t].sim); n++) {
        const tn_event *e = tn_sim_event(s->alone[t].sim, n);
        for (int k = 0; k < s->trees[t].links; k++) {
            found |= s->in_own[t].joint[k] == e->joint.i &&
                     s->in_world[t].joint[k] == event->joint.i && e->kind == event->kind &&
                     e->time == event->time && e->side == event->side &&
                     e->coordinate == event->coordinate && e->value == event->value;
        }
    }
    return found;
}

static int compare_events(const scene *s)
{
    int32_t count = 0;
    double before = -INFINITY;
    for (int t = 0; t < TREES; t++)
        count += tn_sim_event_count(s->alone[t].sim);
    ck_assert_int_eq(tn_sim_event_count(s->world.sim), count);
    for (int32_t n = 0; n < count && n < TN_EVENTS_KEPT; n++) {
        const tn_event *event = tn_sim_event(s->world.sim, n);
        bool found = false;
        ck_assert_double_ge(event->time, before);
        before = event->time;
        for (int t = 0; t < TREES; t++)
            found |= has_event(s, t, event);
        ck_assert(found);
    }
    return count;
}

/* Reports, log and books of the world against those of all. */
static int step_all(scene *s)
{
    tn_step_report report, one;
    int32_t events = 0;
    double open = 0.0;
    ck_assert_int_eq(tn_sim_step(s->world.sim, h, &report), TN_OK);
    for (int t = 0; t < TREES; t++) {
        ck_assert_int_eq(tn_sim_step(s->alone[t].sim, h, &one), TN_OK);
        events += one.events;
        open = fmax(open, is_limited(&s->trees[t]) ? one.position_error : 0.0);
    }
    ck_assert_int_eq(report.events, events);
    ck_assert_double_ge(report.position_error, open);
    for (int t = 0; t < TREES; t++)
        compare_tree(s, t);
    return compare_events(s);
}

static void compare_books(const scene *s)
{
    const tn_energy all = tn_sim_energy(s->world.sim);
    double lost = 0.0, work = 0.0, total = 0.0, made = 0.0, turned = 0.0;
    for (int t = 0; t < TREES; t++) {
        const tn_energy one = tn_sim_energy(s->alone[t].sim);
        lost += one.lost;
        work += one.work;
        total += one.total;
        made += tn_sim_accuracy(s->alone[t].sim).energy_made;
        turned += tn_sim_accuracy(s->alone[t].sim).energy_turnover;
    }
    ck_assert_double_eq_tol(all.lost, lost, 1e-9 * (1.0 + lost));
    ck_assert_double_eq_tol(all.work, work, 1e-9 * (1.0 + work));
    ck_assert_double_eq_tol(all.total, total, 1e-7 * (1.0 + fabs(total)));
    const tn_accuracy accuracy = tn_sim_accuracy(s->world.sim);
    ck_assert_double_le(accuracy.energy_made, 1.001 * made + 1e-6);
    ck_assert_double_le(accuracy.energy_turnover, 1.001 * turned);
    ck_assert_double_ge(accuracy.energy_turnover, 0.3 * turned);
}

START_TEST(each_tree_moves_as_in_a_world_of_its_own)
{
    int events = 0;
    for (int w = 0; w < WORLDS; w++) {
        scene s = make_scene(77u + (uint64_t)w, w % 2 == 1);
        start_scene(&s);
        for (int k = 0; k < STEPS; k++)
            events += step_all(&s);
        compare_books(&s);
        free_scene(&s);
    }
    printf("%d events in %d worlds\n", events, WORLDS);
    ck_assert_int_gt(events, 20 * WORLDS);
}
END_TEST

/* What touches everything begins all anew, in the world as in the others. */
static void touch(mechanism *m, int32_t joint, double lower, double upper)
{
    ck_assert_int_eq(tn_sim_set_range(m->sim, (tn_joint){joint}, 0, lower, upper), TN_OK);
}

static void touch_all(scene *s, double by)
{
    for (int t = 0; t < TREES; t++) {
        const int32_t a = s->in_world[t].joint[s->trees[t].links - 1],
                      b = s->in_own[t].joint[s->trees[t].links - 1];
        if (b >= 0 && is_limited(&s->trees[t])) {
            touch(&s->world, a, -by, by);
            touch(&s->alone[t], b, -by, by);
        } else { /* what has no range gets none */
            push(&s->alone[t], &s->trees[t], &s->in_own[t]);
            push(&s->world, &s->trees[t], &s->in_world[t]);
        }
    }
}

START_TEST(what_is_set_on_the_way_holds)
{
    for (int w = 0; w < WORLDS; w++) {
        scene s = make_scene(1234u + (uint64_t)w, false);
        start_scene(&s);
        for (int k = 0; k < STEPS; k++) {
            if (k % 100 == 50)
                touch_all(&s, 0.5 + 0.1 * k / STEPS);
            if (k % 100 == 90) {
                for (int t = 0; t < TREES; t++) {
                    push(&s.world, &s.trees[t], &s.in_world[t]);
                    push(&s.alone[t], &s.trees[t], &s.in_own[t]);
                }
            }
            step_all(&s);
        }
        free_scene(&s);
    }
}
END_TEST

START_TEST(saved_states_go_on_with_the_same_bits)
{
    for (int w = 0; w < WORLDS; w++) {
        scene s = make_scene(4321u + (uint64_t)w, w % 2 == 0);
        start_scene(&s);
        mechanism_run(&s.world, h, 120, NULL);
        void *middle = saved_state(s.world.sim);
        mechanism_run(&s.world, h, 150, NULL);
        void *end = saved_state(s.world.sim);
        ck_assert_int_eq(tn_sim_restore(s.world.sim, middle), TN_OK);
        mechanism_run(&s.world, h, 150, NULL);
        ck_assert(is_saved_as(s.world.sim, end));
        mechanism_start(&s.world, TN_GENERALIZED_ALPHA); /* another simulation */
        ck_assert_int_eq(tn_sim_restore(s.world.sim, middle), TN_OK);
        mechanism_run(&s.world, h, 150, NULL);
        ck_assert(is_saved_as(s.world.sim, end));
        free(middle);
        free(end);
        free_scene(&s);
    }
}
END_TEST

/* Something that no part knows: the world is one while it is there, and parts go on afterwards. */
START_TEST(worlds_are_one_while_something_acts)
{
    for (int w = 0; w < WORLDS; w++) {
        scene s = make_scene(999u + (uint64_t)w, false);
        start_scene(&s);
        int events = 0;
        for (int k = 0; k < 60 && events == 0; k++) {
            const bool acts = k >= 20 && k < 40;
            const tn_wrench wrench = {vec(0.0, acts ? 0.5 : 0.0, 0.0), vec(0.0, 0.0, 0.0)};
            for (int t = 0; t < TREES; t++) {
                const tn_body a = {s.in_world[t].body[0]}, b = {s.in_own[t].body[0]};
                if (acts)
                    ck_assert_int_eq(tn_sim_apply_wrench(s.world.sim, a, wrench), TN_OK);
                if (acts)
                    ck_assert_int_eq(tn_sim_apply_wrench(s.alone[t].sim, b, wrench), TN_OK);
            }
            mechanism_run(&s.world, h, 1, NULL);
            for (int t = 0; t < TREES; t++)
                mechanism_run(&s.alone[t], h, 1, NULL);
            events = tn_sim_event_count(s.world.sim);
            for (int t = 0; t < TREES && events == 0; t++) {
                const tn_pose p = tn_sim_body_pose(s.world.sim, (tn_body){s.in_world[t].body[0]});
                const tn_pose q = tn_sim_body_pose(s.alone[t].sim, (tn_body){s.in_own[t].body[0]});
                ck_assert_double_le(vec_norm(vec_sub(p.p, q.p)), 1e-9);
            }
        }
        free_scene(&s);
    }
}
END_TEST

START_TEST(a_part_that_cannot_go_stops_the_world)
{
    int stopped = 0;
    for (int w = 0; w < WORLDS; w++) {
        scene s = make_scene(55u + (uint64_t)w, w % 2 == 0);
        start_scene(&s);
        mechanism_run(&s.world, h, 50, NULL);
        const int t = w % TREES;
        const tn_body body = {s.in_world[t].body[s.trees[t].links - 1]};
        const tn_twist fast = {vec(0.0, 1e9, 0.0), vec(1e12, -1e12, 1e12)};
        tn_twist before = tn_sim_body_velocity(s.world.sim, body);
        ck_assert_int_eq(tn_sim_set_body_velocity(s.world.sim, body, fast), TN_OK);
        void *block = saved_state(s.world.sim);
        tn_step_report report;
        const tn_status status = tn_sim_step(s.world.sim, h, &report);
        if (status != TN_OK) {
            stopped++;
            bool of_tree = false;
            ck_assert(is_saved_as(s.world.sim, block));
            for (int k = 0; k < s.trees[t].links; k++) {
                of_tree |= report.culprit_body.i == s.in_world[t].body[k];
                of_tree |=
                    report.culprit_joint.i >= 0 && report.culprit_joint.i == s.in_world[t].joint[k];
            }
            ck_assert(of_tree);
            const tn_residuals open = tn_sim_residuals(s.world.sim); /* of where it is */
            ck_assert_double_le(fmax(open.position, open.angle), 1e-11);
            ck_assert_int_eq(tn_sim_set_body_velocity(s.world.sim, body, before), TN_OK);
            mechanism_run(&s.world, h, 20, NULL);
        }
        free(block);
        free_scene(&s);
    }
    ck_assert_int_gt(stopped, WORLDS / 2);
}
END_TEST

/* One link less, and one tree more: what is left goes on. */
START_TEST(worlds_that_change_go_on)
{
    for (int w = 0; w < WORLDS; w++) {
        scene s = make_scene(31u + (uint64_t)w, true);
        start_scene(&s);
        mechanism_run(&s.world, h, 60, NULL);
        const tree *tr = &s.trees[0];
        const tn_pose kept = tn_sim_body_pose(s.world.sim, (tn_body){s.in_world[1].body[0]});
        place extra;
        uint64_t seed = 5u;
        const tree more = random_tree(&seed, TREES);
        if (s.in_world[0].joint[tr->links - 1] >= 0)
            ck_assert_int_eq(
                tn_spec_remove_joint(s.world.spec, (tn_joint){s.in_world[0].joint[tr->links - 1]}),
                TN_OK);
        add_fixed(&s.world, &more, &extra);
        for (int k = 0; k < more.links; k++) {
            add_body(&s.world, &more, k, &extra);
            add_joint(&s.world, &more, k, &extra);
        }
        ck_assert_int_eq(tn_sim_change(s.world.sim, s.world.spec, NULL), TN_OK);
        const tn_pose now = tn_sim_body_pose(s.world.sim, (tn_body){s.in_world[1].body[0]});
        ck_assert(same(&kept, &now, sizeof now));
        mechanism_run(&s.world, h, 100, NULL);
        ck_assert_double_eq_tol(tn_sim_time(s.world.sim), 160 * h, 1e-12);
        free_scene(&s);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("apart");
    TCase *tc = tcase_create("parts");
    tcase_add_test(tc, each_tree_moves_as_in_a_world_of_its_own);
    tcase_add_test(tc, what_is_set_on_the_way_holds);
    tcase_add_test(tc, saved_states_go_on_with_the_same_bits);
    tcase_add_test(tc, worlds_are_one_while_something_acts);
    tcase_add_test(tc, a_part_that_cannot_go_stops_the_world);
    tcase_add_test(tc, worlds_that_change_go_on);
    tcase_set_timeout(tc, 120);
    suite_add_tcase(suite, tc);
    return suite;
}
