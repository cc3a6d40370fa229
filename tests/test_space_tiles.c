/* test_space_tiles.c: loops of ball joints go through the stages of a step tile by tile (method/space): each stage takes each
 * four once, and nobody before what it needs; tiles of one four and of several, and what is asked for ahead, end where the general
 * iteration ends; what is shown and told on the way is what is told afterwards, to the same bits.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alpha_sims.h"
#include "beside_general.h"
#include "random_numbers.h"
#include "run_main.h"
#include "saved_states.h"
#include "scenes/scenes.h"
#include "tenon/tenon.h"

/* ---- mechanisms ---- */

static int32_t any_below(uint64_t *seed, int32_t count)
{
    const int32_t k = (int32_t)(0.5 * (1.0 + random_number(seed)) * count);
    return k < count ? k : count - 1;
}

static int32_t add_body(tn_spec *spec, uint64_t *seed, tn_vec3 p, tn_body_kind kind)
{
    tn_body_def bar = tn_default_body_def();
    tn_body body;
    bar.kind = kind;
    bar.pose.p = (tn_vec3){p.x + 0.2 * random_number(seed), p.y + 0.2 * random_number(seed),
                           p.z + 0.2 * random_number(seed)};
    bar.mass = 2.0 + random_number(seed);
    bar.inertia = (tn_mat3){{{0.3, 0.01, 0.0}, {0.01, 0.2, 0.02}, {0.0, 0.02, 0.25}}};
    ck_assert_int_eq(tn_spec_add_body(spec, &bar, &body), TN_OK);
    return body.i;
}

static void add_ball(tn_spec *spec, uint64_t *seed, int32_t a, int32_t b, tn_vec3 p)
{
    tn_joint_def joint = tn_default_joint_def();
    joint.type = "spherical";
    joint.a.i = a;
    joint.b.i = b;
    joint.placement = TN_PLACE_AXIS;
    joint.origin = (tn_vec3){p.x + 0.1 * random_number(seed), p.y + 0.1 * random_number(seed),
                             p.z + 0.1 * random_number(seed)};
    joint.axis = (tn_vec3){random_number(seed), random_number(seed), 2.0};
    ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
}

/* Loops of four to nine bodies, each of them on a body of any before it or on the ground, numbered in any order, some from both
 * sides; and rungs between neighbours. */
static tn_spec *make_any(uint64_t *seed, int32_t loops)
{
    tn_spec *spec = tn_spec_create();
    int32_t known = 0, last = -1;
    const int32_t stand = add_body(spec, seed, (tn_vec3){0.0, 0.0, 0.0}, TN_BODY_FIXED);
    for (int32_t loop = 0; loop < loops; loop++) {
        const int32_t n = 4 + any_below(seed, 6),
                      from = known > 0 ? any_below(seed, known) + 1 : stand;
        const double x = 2.0 * loop;
        int32_t before = loop % 5 == 3 ? -1 : last >= 0 && loop % 2 ? last : from;
        const int32_t root = before;
        for (int32_t k = 0; k < n; k++) {
            const double angle = 6.28 * k / (n + 1);
            const tn_vec3 p = {x + cos(angle), sin(angle), 0.3 * k};
            const int32_t next = add_body(
                spec, seed, (tn_vec3){x + cos(angle + 0.5), sin(angle + 0.5), 0.3 * k + 0.1},
                TN_BODY_RIGID);
            if (k % 3 == 1 && before >= 0) {
                add_ball(spec, seed, before, next, p);
            } else {
                add_ball(spec, seed, next, before, p);
            }
            before = next;
            known++;
        }
        add_ball(spec, seed, before, root, (tn_vec3){x + 0.9, -0.3, 0.2});
        last = before;
    }
    return spec;
}

/* Ladders of so many cells, and any loops. */
static tn_model *model_of(int i)
{
    const int32_t cells[] = {3, 20, 70};
    uint64_t seed = 77u + (uint64_t)i;
    return compiled(i < 3 ? speed_scene_find("ladder")->make(cells[i])
                          : make_any(&seed, 2 + 3 * (i % 6)));
}
enum { MODELS = 18 };

/* Fours a tile; `far`: as where the caches do not hold them. */
static tn_space *with_tiles(tn_sim *sim, int32_t size, bool far)
{
    tn_space *space = tn_alpha_of(sim)->space;
    ck_assert_ptr_nonnull(space);
    tn_tiles_destroy(&space->tiles);
    ck_assert_int_eq(tn_space_make_tiles(space, size), TN_OK);
    tn_tiles *tiles = &space->tiles;
    tn_turns *turns[] = {&tiles->begun,     &tiles->predicted, &tiles->measured, &tiles->filled,
                         &tiles->corrected, &tiles->placed,    &tiles->residual, &tiles->rhs};
    ck_assert(!tiles->far);
    tiles->far = far;
    for (int n = 0; n < 8; n++) {
        ck_assert_int_eq(turns[n]->known, 0);
        turns[n]->known = far ? turns[n]->start[tiles->count] : 0;
    }
    return space;
}

/* ---- who is in turn when ---- */

/* The tile of each four, each being in turn once. */
static int32_t *tiles_of(const tn_space *space, const tn_turns *turns, int32_t count)
{
    int32_t *tile = malloc(sizeof *tile * (size_t)(count + 1));
    for (int32_t k = 0; k < count; k++)
        tile[k] = -1;
    ck_assert_int_eq(turns->start[0], 0);
    ck_assert_int_eq(turns->start[space->tiles.count], count);
    for (int32_t t = 0; t < space->tiles.count; t++) {
        for (int32_t n = turns->start[t]; n < turns->start[t + 1]; n++) {
            ck_assert_int_eq(tile[turns->item[n]], -1);
            tile[turns->item[n]] = t;
        }
    }
    return tile;
}

/* Nobody of `later` in an earlier tile than what it needs of `sooner`: balls their bodies, or the other way round. */
static void check_bodies(const tn_space *space, const int32_t *ball, const int32_t *body,
                         bool balls_wait)
{
    for (int32_t k = 0; k < space->hinge_count; k++) {
        const tn_space_balls *of = &space->ball_fours[k / TN_SPACE_SIDE];
        const int64_t ends[] = {of->a[k % TN_SPACE_SIDE] - space->bodies,
                                of->b[k % TN_SPACE_SIDE] - space->bodies};
        for (int n = 0; n < 2; n++) {
            if (ends[n] >= space->first_standing)
                continue;
            const int32_t b = body[ends[n] / TN_SPACE_SIDE], p = ball[k / TN_SPACE_SIDE];
            ck_assert(balls_wait ? p >= b : b >= p);
        }
    }
}

START_TEST(test_turns)
{
    tn_model *model = model_of(_i % MODELS);
    tn_sim *sim = tight_sim(model);
    const tn_space *space = with_tiles(sim, _i < MODELS ? 1 : 3, false);
    const tn_tiles *tiles = &space->tiles;
    const int32_t balls = (space->hinge_count + 3) / 4, bodies = space->first_standing / 4;
    int32_t *begun = tiles_of(space, &tiles->begun, bodies),
            *predicted = tiles_of(space, &tiles->predicted, balls),
            *measured = tiles_of(space, &tiles->measured, bodies),
            *filled = tiles_of(space, &tiles->filled, balls);
    check_bodies(space, predicted, begun, true);
    check_bodies(space, predicted, measured, false);
    check_bodies(space, filled, measured, true);
    for (int32_t k = 0; k < space->matrix.n; k++) {
        const int32_t factored = k / TN_SPACE_SIDE / tiles->size;
        ck_assert_int_le(filled[k / TN_SPACE_SIDE], factored);
        for (int32_t i = space->matrix.start[k]; i < space->matrix.start[k + 1]; i++)
            ck_assert_int_le(filled[space->matrix.row[i] / TN_SPACE_SIDE], factored);
    }
    int32_t *corrected = tiles_of(space, &tiles->corrected, bodies),
            *placed = tiles_of(space, &tiles->placed, balls),
            *weighed = tiles_of(space, &tiles->residual, bodies),
            *asked = tiles_of(space, &tiles->rhs, balls);
    for (int32_t p = 0; p < balls; p++)
        ck_assert_int_ge(placed[p], tiles->count - 1 - p / tiles->size);
    int32_t *pushed = malloc(sizeof *pushed * (size_t)(balls + 1));
    for (int32_t p = 0; p < balls; p++)
        pushed[p] = tiles->count - 1 - p / tiles->size;
    check_bodies(space, pushed, corrected, false);
    check_bodies(space, placed, corrected, true);
    check_bodies(space, placed, weighed, false);
    check_bodies(space, asked, weighed, true);
    int32_t *all[] = {begun,  predicted, measured, filled, corrected,
                      placed, weighed,   asked,    pushed};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        free(all[n]);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}
END_TEST

/* ---- where steps end ---- */

START_TEST(test_same_as_general)
{
    tn_model *model = model_of(_i % MODELS);
    tn_sim *tiled = tight_sim(model), *general = tight_sim(model);
    int taken = 0;
    with_tiles(tiled, _i < MODELS ? 1 : 3, _i % 2 == 0);
    forget_linkage(general);
    for (int k = 0; k < 60; k++) {
        if (step_both(tiled, general, STEP) != TN_OK)
            break;
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
 * four at a time and of two, and asked for ahead or not. */
START_TEST(test_told_on_the_way)
{
    tn_model *model = model_of(_i % MODELS);
    tn_sim *one = tight_sim(model), *other = tight_sim(model);
    tn_space *space = with_tiles(one, 2, true), *twin = with_tiles(other, 2, false);
    const double h = _i < MODELS ? STEP : 0.01;
    int taken = 0, wrong = 0;
    twin->kernel = &tn_space_balls_2;
    for (int k = 0; k < 50; k++) {
        if (k == 30)
            take_over(other, one);
        twin->corrections = k % 4;
        if (!step_alike(one, other, h, k))
            break;
        taken += one->coordinates_known;
        wrong += space->corrections > 1 && k % 4 == 1;
    }
    ck_assert_int_ge(taken, _i < MODELS ? 35 : 1);
    ck_assert_int_ge(wrong, _i < 3 ? 5 : 0);
    tn_sim_destroy(one);
    tn_sim_destroy(other);
    tn_model_destroy(model);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("space_tiles");
    TCase *tests = tcase_create("space_tiles");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, test_turns, 0, 2 * MODELS);
    tcase_add_loop_test(tests, test_same_as_general, 0, 2 * MODELS);
    tcase_add_loop_test(tests, test_told_on_the_way, 0, 2 * MODELS);
    suite_add_tcase(suite, tests);
    return suite;
}
