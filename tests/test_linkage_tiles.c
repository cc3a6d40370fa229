/* test_linkage_tiles.c: planar linkages go through the stages of a step tile by tile (method/linkage): tiles of one pin and of several
 * end where the general iteration ends, and what is shown and told on the way has the same bits wherever it is.
 */
#include <check.h>
#include <math.h>
#include <string.h>

#include "alpha_sims.h"
#include "beside_general.h"
#include "random_numbers.h"
#include "run_main.h"
#include "saved_states.h"
#include "scenes/scenes.h"
#include "tenon/tenon.h"

#define STEPS 60

static int32_t any_below(uint64_t *seed, int32_t n)
{
    return (int32_t)random_between(seed, 0.0, n - 1e-9);
}

static int32_t add_bar(tn_spec *spec, uint64_t *seed, tn_vec3 p, tn_body_kind kind)
{
    tn_body_def bar = tn_default_body_def();
    const double size = random_between(seed, 0.1, 0.4);
    bar.kind = kind;
    bar.pose.p = p;
    bar.mass = random_between(seed, 0.5, 2.0);
    bar.inertia = (tn_mat3){{{size, 0.0, 0.01}, {0.0, 2.0 * size, 0.02}, {0.01, 0.02, 1.5 * size}}};
    tn_body id = {0};
    ck_assert_int_eq(tn_spec_add_body(spec, &bar, &id), TN_OK);
    return id.i;
}

static void add_pin(tn_spec *spec, uint64_t *seed, int32_t a, int32_t b, tn_vec3 p)
{
    tn_joint_def joint = tn_default_joint_def();
    joint.type = "hinge";
    joint.a.i = a;
    joint.b.i = b;
    joint.placement = TN_PLACE_AXIS;
    joint.origin = p;
    joint.axis = (tn_vec3){0.0, any_below(seed, 2) ? 1.0 : -1.0, 0.0};
    joint.relative_compliance = any_below(seed, 3) ? NAN : 2.0;
    ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
}

/* Loops of four to nine bars, each on a bar of any before it or on one that stands, pins on bars from both sides and at any height. */
static tn_spec *make_any(uint64_t *seed, int32_t loops)
{
    tn_spec *spec = tn_spec_create();
    int32_t known = 0;
    const int32_t stand = add_bar(spec, seed, (tn_vec3){0.0, 0.0, 0.0}, TN_BODY_FIXED);
    for (int32_t loop = 0; loop < loops; loop++) {
        const int32_t n = 4 + any_below(seed, 6), root = loop % 4 == 3 ? -1
                                                         : known       ? 1 + any_below(seed, known)
                                                                       : stand;
        const double x = 2.0 * loop;
        int32_t before = root;
        for (int32_t k = 0; k < n; k++) {
            const double angle = 6.28 * k / (n + 1), high = random_between(seed, -0.2, 0.2);
            const tn_vec3 p = {x + cos(angle), high, sin(angle)};
            const int32_t next =
                add_bar(spec, seed, (tn_vec3){x + cos(angle + 0.5), 0.1 * k, sin(angle + 0.5)},
                        TN_BODY_RIGID);
            const bool other_way = k % 3 == 1 && before >= 0;
            add_pin(spec, seed, other_way ? before : next, other_way ? next : before, p);
            before = next;
            known++;
        }
        add_pin(spec, seed, before, root, (tn_vec3){x + 0.9, 0.0, -0.3});
    }
    return spec;
}

/* Of what may be told on the way, as nothing is borne across the plane, and of any linkages. */
static tn_model *model_of(int i)
{
    static const struct {
        const char *name;
        int32_t n;
    } scenes[] = {{"n_four_bar", 1}, {"n_four_bar", 30}, {"ring", 12}, {"ring", 90}};
    enum { SCENES = sizeof scenes / sizeof *scenes };
    uint64_t seed = 31u + (uint64_t)i;
    if (i < SCENES)
        return compiled(speed_scene_find(scenes[i].name)->make(scenes[i].n));
    return compiled(make_any(&seed, 1 + 3 * (i % 5)));
}
/* Rings are from the third to the fourth. */
enum { RINGS = 2, LEVEL = 4, MODELS = 14 };

static tn_linkage *with_tiles(const tn_sim *sim, int32_t size)
{
    tn_linkage *linkage = tn_alpha_of(sim)->linkage;
    ck_assert_ptr_nonnull(linkage);
    tn_tiles_destroy(&linkage->tiles);
    ck_assert_int_eq(tn_linkage_make_tiles(linkage, size), TN_OK);
    return linkage;
}

/* ---- where steps end ---- */

START_TEST(test_same_as_general)
{
    tn_model *model = model_of(_i % MODELS);
    tn_sim *tiled = tight_sim(model), *general = tight_sim(model);
    int taken = 0;
    with_tiles(tiled, _i < MODELS ? 1 : 5);
    forget_linkage(general);
    for (int k = 0; k < STEPS; k++) {
        ck_assert_int_eq(step_both(tiled, general, STEP), TN_OK);
        taken += tiled->coordinates_known;
        expect_as_general(tiled, general, k);
    }
    ck_assert_int_ge(taken, 40);
    tn_sim_destroy(tiled);
    tn_sim_destroy(general);
    tn_model_destroy(model);
}
END_TEST

/* ---- what is told on the way ---- */

/* Whichever correction was thought to be the last, none of them, or one that is not, and after a restart: the same bits, also of
 * four numbers at a time and of two. */
START_TEST(test_told_on_the_way)
{
    tn_model *model = model_of(_i % MODELS);
    tn_sim *one = tight_sim(model), *other = tight_sim(model);
    tn_linkage *linkage = with_tiles(one, 3), *twin = with_tiles(other, 3);
    const double h = _i < MODELS ? STEP : 5e-3;
    int taken = 0, told = 0, wrong = 0;
    twin->wide = false;
    for (int k = 0; k < STEPS; k++) {
        if (k == STEPS / 2)
            take_over(other, one);
        twin->corrections = k % 4;
        if (!step_alike(one, other, h, k))
            break;
        taken += one->coordinates_known;
        told += one->coordinates_known && linkage->has_results;
        wrong += linkage->corrections > 1 && k % 4 == 1;
    }
    ck_assert_int_ge(taken, _i < MODELS ? 40 : 1);
    if (_i % MODELS < LEVEL) {
        ck_assert_int_ge(told, 20);
        ck_assert_int_ge(wrong, _i < MODELS + RINGS ? 0 : 5);
    } else {
        ck_assert_int_eq(told, 0);
    }
    tn_sim_destroy(one);
    tn_sim_destroy(other);
    tn_model_destroy(model);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("linkage_tiles");
    TCase *tests = tcase_create("linkage_tiles");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, test_same_as_general, 0, 2 * MODELS);
    tcase_add_loop_test(tests, test_told_on_the_way, 0, 2 * MODELS);
    suite_add_tcase(suite, tests);
    return suite;
}
