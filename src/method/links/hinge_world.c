/* hinge_world.c: room method/links: see hinge_world.h. */
#include <float.h>
#include <math.h>

#include "joint/rotation_about_z.h"
#include "method/links/hinge_fetch.h"
#include "method/links/hinge_world.h"
#include "method/links/hinge_loops.h"

/* ---- passes ---- */

/* What the stages of a pass share. */
typedef struct tn_hinge_pass {
    const tn_hinge_forest *forest;
    const tn_hinge_rule *c;
    tn_hinge_off off;
    double widest;
    tn_hinge_settling how;
    int32_t begin; /* blocks before this one have been corrected */
    bool good, moves;
} tn_hinge_pass;

/* Blocks that one stage after the other goes through. */
static int32_t blocks_at_a_time(const tn_hinge_forest *forest)
{
    const int32_t tiles = tn_hinges_runs(&forest->world) / TN_HINGE_RUNS_SHARED;
    if (tn_crew_size(forest->crew) < 2 || tiles < 2)
        return TN_HINGE_TILE;
    return (tiles < TN_HINGE_TILES_SHARED ? tiles : TN_HINGE_TILES_SHARED) * TN_HINGE_TILE;
}

/* Out of the way of trees that are one run: what is to be shared takes as long to write down as one of their stages. */
static __attribute__((noinline)) void go_in_runs(tn_hinge_pass *pass, bool inward, int32_t count,
                                                 const tn_crew_stage *stages)
{
    tn_crew_pass of = {.count = pass->forest->world.blocks,
                       .run = blocks_at_a_time(pass->forest),
                       .backward = inward,
                       .stage_count = count,
                       .context = pass};
    for (int32_t n = 0; n < count; n++)
        of.stages[n] = stages[n];
    tn_crew_do(pass->forest->crew, &of);
}

static void go_through(tn_hinge_pass *pass, bool inward, int32_t count, const tn_crew_stage *stages)
{
    const int32_t blocks = pass->forest->world.blocks;
    if (blocks > TN_HINGE_TILE) {
        go_in_runs(pass, inward, count, stages);
        return;
    }
    for (int32_t n = 0; n < count; n++)
        stages[n].work(pass, 0, 0, blocks);
}

/* The end of the tile that begins at block b, of blocks before `end`. */
TN_INLINE int32_t tile_end(int32_t b, int32_t end)
{
    return end - b < TN_HINGE_TILE ? end : b + TN_HINGE_TILE;
}

static void start_run(void *context, int32_t thread, int32_t b, int32_t count)
{
    const tn_hinge_pass *pass = context;
    const tn_hinge_forest *forest = pass->forest;
    const int32_t end = b + count;
    (void)thread;
    if (pass->moves) {
        forest->stages->start(&forest->world, b, end, NULL);
        return;
    }
    for (; b < end; b = tile_end(b, end)) {
        tn_hinge_onset *onset = &forest->onsets[b / TN_HINGE_TILE];
        *onset = (tn_hinge_onset){0.0};
        forest->stages->start(&forest->world, b, tile_end(b, end), onset);
    }
}

static void turn_run(void *context, int32_t thread, int32_t b, int32_t count)
{
    const tn_hinge_pass *pass = context;
    const tn_hinge_forest *forest = pass->forest;
    (void)thread;
    forest->recursions->compose_turns(&forest->world, b, b + count);
    forest->stages->turn(&forest->world, b, b + count);
    forest->recursions->add_places(&forest->world, b, b + count);
}

static void strive_run(void *context, int32_t thread, int32_t b, int32_t count)
{
    const tn_hinge_pass *pass = context;
    (void)thread;
    pass->forest->stages->strive(&pass->forest->world, pass->c, b, b + count);
}

/* Runs that are under way at a time have crosses and wrenches in places of their own: where the block's are. One thread uses
 * those of a run again and again, which stay in the caches. */
static size_t place_of_run(const tn_hinge_pass *pass, int32_t b)
{
    const int32_t runs = tn_crew_size(pass->forest->crew) < 2 ? 1 : TN_CREW_NEAR;
    return (size_t)(b % (runs * blocks_at_a_time(pass->forest)));
}

static tn_hinge_cross *crosses_of(const tn_hinge_pass *pass, int32_t b)
{
    return pass->forest->crosses + place_of_run(pass, b) * TN_HINGE_WIDTH;
}

static double *pulls_of(const tn_hinge_pass *pass, int32_t b)
{
    return pass->forest->pulls + place_of_run(pass, b) * TN_HINGE_PULLS_SIZE;
}

static void weigh_run(void *context, int32_t thread, int32_t b, int32_t count)
{
    const tn_hinge_pass *pass = context;
    (void)thread;
    const tn_hinge_forest *forest = pass->forest;
    forest->recursions->weigh(&forest->world, forest->inertias, b, b + count, pulls_of(pass, b));
}

/* The first link of the run b .. b + count that is not of the head, where that is the one or the other; else its last. */
static int32_t end_of_head(const tn_hinge_forest *forest, tn_limb_range r)
{
    const bool has = forest->head && r.first < forest->head->limbs && r.last > forest->head->limbs;
    return has ? forest->head->limbs : r.last;
}

/* Where the head ends what all others weigh is noted. */
static void weigh_trial_run(void *context, int32_t thread, int32_t b, int32_t count)
{
    const tn_hinge_pass *pass = context;
    const tn_hinge_forest *forest = pass->forest;
    const tn_limb_range r = limbs_of(&forest->world, b, b + count);
    const int32_t end = end_of_head(forest, r);
    const int32_t inner = end < r.last ? end / TN_HINGE_WIDTH - b : count;
    double *pulls = pulls_of(pass, b);
    (void)thread;
    forest->recursions->weigh(&forest->world, forest->inertias, b + inner, b + count,
                              pulls + (size_t)inner * TN_HINGE_PULLS_SIZE);
    if (forest->head && end == forest->head->limbs)
        tn_hinge_head_note_pulls(&forest->world, forest->inertias, forest->head);
    forest->recursions->weigh(&forest->world, forest->inertias, b, b + inner, pulls);
}

static void cross_run(void *context, int32_t thread, int32_t b, int32_t count)
{
    const tn_hinge_pass *pass = context;
    (void)thread;
    pass->forest->stages->cross(&pass->forest->world, pass->c, b, b + count, pulls_of(pass, b),
                                crosses_of(pass, b));
}

static void eliminate_run(void *context, int32_t thread, int32_t b, int32_t count)
{
    tn_hinge_pass *pass = context;
    const tn_hinge_world *w = &pass->forest->world;
    const tn_limb_range r = limbs_of(w, b, b + count);
    (void)thread;
    const tn_hinge_forest *forest = pass->forest;
    const tn_hinge_cross *crosses = crosses_of(pass, b);
    const int32_t end = end_of_head(forest, r);
    pass->good &= forest->stages->eliminate(w, end, r.last, crosses + (end - r.first), &pass->off);
    if (forest->head && end == forest->head->limbs)
        tn_hinge_head_note_matrix(w, &pass->off, forest->head);
    pass->good &= forest->stages->eliminate(w, r.first, end, crosses, &pass->off);
}

static void compare_run(void *context, int32_t thread, int32_t b, int32_t count)
{
    const tn_hinge_pass *pass = context;
    const tn_hinge_world *w = &pass->forest->world;
    const int32_t end = b + count;
    (void)thread;
    for (; b < end; b = tile_end(b, end)) {
        const tn_limb_range r = limbs_of(w, b, tile_end(b, end));
        tn_hinge_differences worst = {{0.0}};
        for (int32_t k = r.first; k < r.last; k++) {
            const tn_hinge_memory *of =
                (const tn_hinge_memory *)(const void *)(w->at.memory +
                                                        HINGE_MEMORY_SIZE *
                                                            (size_t)w->places[k].memory);
            for (size_t n = 0; n < TN_HINGE_DEGREE; n += 2)
                tn_v2_store(worst.of + n, tn_v2_max(tn_v2_abs(tn_v2_load(of->turns + n)),
                                                    tn_v2_load(worst.of + n)));
        }
        pass->forest->worst[b / TN_HINGE_TILE] = worst;
    }
}

int32_t tn_hinges_order(const tn_hinge_forest *forest, int32_t steps)
{
    static const tn_crew_stage compared[] = {{compare_run, false}};
    tn_hinge_pass pass = {.forest = forest};
    go_through(&pass, false, 1, compared);
    const int32_t runs = tn_hinges_runs(&forest->world);
    tn_hinge_differences worst = forest->worst[0];
    for (int32_t r = 1; r < runs; r++) {
        for (size_t n = 0; n < TN_HINGE_DEGREE; n++)
            worst.of[n] = r_max(forest->worst[r].of[n], worst.of[n]);
    }
    int32_t order = 1;
    for (int32_t n = 1; n < steps; n++)
        order = worst.of[n] <= worst.of[order - 1] ? n + 1 : order;
    return order;
}

tn_hinge_onset tn_hinges_predict(const tn_hinge_forest *forest, const tn_hinge_rule *c)
{
    static const tn_crew_stage outward[] = {
        {start_run, false}, {turn_run, true}, {strive_run, false}};
    tn_hinge_pass pass = {.forest = forest, .c = c};
    go_through(&pass, false, 3, outward);
    tn_hinge_onset all = {0.0};
    for (int32_t r = 0; r < tn_hinges_runs(&forest->world); r++)
        all.change = r_max(forest->onsets[r].change, all.change);
    return all;
}

void tn_hinges_try_again(const tn_hinge_forest *forest, const tn_hinge_rule *c)
{
    static const tn_crew_stage outward[] = {
        {start_run, false}, {turn_run, true}, {strive_run, false}};
    tn_hinge_pass pass = {.forest = forest, .c = c, .moves = true};
    go_through(&pass, false, 3, outward);
}

/* Loops between what does not move. */
static void close_on_ground(const tn_hinge_forest *forest, tn_hinge_off *off)
{
    tn_vec3 f, n;
    if (hinge_hosts(&forest->world, -1))
        tn_loops_close(&forest->world, -1, &f, &n, off);
}

/* What they leave links to move by, before these do. */
static void follow_ground(const tn_hinge_forest *forest)
{
    const tn_vec3 still = {0.0, 0.0, 0.0};
    if (hinge_hosts(&forest->world, -1))
        tn_loops_follow(&forest->world, -1, still, still);
}

bool tn_hinges_factorize(const tn_hinge_forest *forest, const tn_hinge_rule *c, tn_hinge_off *left)
{
    static const tn_crew_stage inward[] = {
        {weigh_trial_run, true}, {cross_run, false}, {eliminate_run, true}};
    tn_hinge_pass pass = {.forest = forest, .c = c, .off = {.definite = true}, .good = true};
    go_through(&pass, true, 3, inward);
    pass.good =
        pass.good && (!hinge_hosts(&forest->world, -1) || tn_loops_factor(&forest->world, -1));
    if (pass.good)
        close_on_ground(forest, &pass.off);
    *left = pass.off;
    return pass.good && left->sum < TN_HINGE_LARGE;
}

/* The first block of the run from b on that has not been corrected yet; its end, where all have. */
TN_INLINE int32_t begin_of(const tn_hinge_pass *pass, int32_t b, int32_t end)
{
    const int32_t begin = b > pass->begin ? b : pass->begin;
    return begin < end ? begin : end;
}

static void scatter_run(void *context, int32_t thread, int32_t b, int32_t count)
{
    const tn_hinge_pass *pass = context;
    (void)thread;
    pass->forest->recursions->scatter(&pass->forest->world, begin_of(pass, b, b + count),
                                      b + count);
}

static void nudge_run(void *context, int32_t thread, int32_t b, int32_t count)
{
    const tn_hinge_pass *pass = context;
    (void)thread;
    pass->forest->stages->nudge(&pass->forest->world, pass->c, begin_of(pass, b, b + count),
                                b + count);
}

static void compose_run(void *context, int32_t thread, int32_t b, int32_t count)
{
    const tn_hinge_pass *pass = context;
    (void)thread;
    pass->forest->recursions->compose(&pass->forest->world, begin_of(pass, b, b + count),
                                      b + count);
}

static void settle_run(void *context, int32_t thread, int32_t b, int32_t count)
{
    tn_hinge_pass *pass = context;
    const tn_hinge_world *w = &pass->forest->world;
    const int32_t begin = begin_of(pass, b, b + count), end = b + count;
    (void)thread;
    const double widest = pass->forest->stages->settle(w, pass->c, begin, end, pass->how);
    pass->widest = r_max(widest, pass->widest);
    pass->forest->recursions->seat(w, begin, end);
}

/* Arms are turned from those of the start before any is settled, as hinge_turn_again does. */
void tn_hinges_turn_again(const tn_hinge_forest *forest, const tn_hinge_rule *c)
{
    static const tn_crew_stage turned[] = {{start_run, false}, {turn_run, true}};
    static const tn_crew_stage settled[] = {{settle_run, true}};
    tn_hinge_pass pass = {.forest = forest, .c = c, .how = TN_HINGE_BY_TURNS, .moves = true};
    go_through(&pass, false, 2, turned);
    go_through(&pass, false, 1, settled);
}

static void gather_run(void *context, int32_t thread, int32_t b, int32_t count)
{
    tn_hinge_pass *pass = context;
    const tn_hinge_forest *forest = pass->forest;
    tn_hinge_sizes left = {pass->off.largest, pass->off.sum};
    weigh_run(context, thread, b, count);
    forest->recursions->gather(&forest->world, pass->c, forest->inertias, b, b + count,
                               pulls_of(pass, b), &left);
    pass->off = (tn_hinge_off){left.largest, left.sum};
}

bool tn_hinges_look(const tn_hinge_forest *forest, const tn_hinge_rule *c, tn_hinge_sizes *left)
{
    static const tn_crew_stage inward[] = {{gather_run, true}};
    tn_hinge_pass pass = {.forest = forest, .c = c};
    go_through(&pass, true, 1, inward);
    close_on_ground(forest, &pass.off);
    *left = (tn_hinge_sizes){pass.off.largest, pass.off.sum};
    return left->sum < TN_HINGE_LARGE;
}

void tn_hinges_spin(const tn_hinge_forest *forest)
{
    if (forest->world.acting)
        forest->stages->spin(&forest->world, 0, forest->world.blocks);
}

/* ---- the end ---- */

double tn_alpha_hinge_coordinate(const tn_hinge_memory *memory, bool is_a, double near)
{
    const double c = memory->half[0], s = memory->half[1];
    const double turn = c < 0.0 ? 2.0 * tn_atan2(-s, -c) : 2.0 * tn_atan2(s, c);
    const double angle = is_a ? turn : -turn;
    return angle + 2.0 * TN_PI * tn_whole_turns(near - angle);
}

static void show_motion_run(void *context, int32_t thread, int32_t b, int32_t count)
{
    const tn_hinge_pass *pass = context;
    const tn_hinge_forest *forest = pass->forest;
    const int32_t end = b + count;
    (void)thread;
    for (b = begin_of(pass, b, end); b < end; b = tile_end(b, end)) {
        forest->stages->show_motion(&forest->world, pass->c, b, tile_end(b, end),
                                    &forest->told[b / TN_HINGE_TILE]);
    }
}

static void show_forces_run(void *context, int32_t thread, int32_t b, int32_t count)
{
    const tn_hinge_pass *pass = context;
    const tn_hinge_forest *forest = pass->forest;
    const int32_t begin = b, end = b + count;
    const double *pulls = pulls_of(pass, b);
    (void)thread;
    for (; b < end; b = tile_end(b, end))
        forest->stages->show_forces(&forest->world, pass->c, b, tile_end(b, end),
                                    pulls + (size_t)(b - begin) * TN_HINGE_PULLS_SIZE,
                                    &forest->told[b / TN_HINGE_TILE]);
}

static double correct_from(const tn_hinge_forest *forest, const tn_hinge_rule *c, int32_t begin,
                           bool shows)
{
    static const tn_crew_stage outward[] = {{scatter_run, true},
                                            {nudge_run, false},
                                            {compose_run, true},
                                            {settle_run, true},
                                            {show_motion_run, false}};
    tn_hinge_pass pass = {.forest = forest, .c = c, .begin = begin};
    follow_ground(forest);
    go_through(&pass, false, shows ? 5 : 4, outward);
    return pass.widest;
}

double tn_hinges_correct(const tn_hinge_forest *forest, const tn_hinge_rule *c, bool shows)
{
    return correct_from(forest, c, 0, shows);
}

double tn_hinges_correct_rest(const tn_hinge_forest *forest, const tn_hinge_rule *c, bool shows)
{
    const int32_t blocks = forest->head->limbs / TN_HINGE_WIDTH;
    tn_hinge_pass pass = {.forest = forest, .c = c};
    if (shows)
        show_motion_run(&pass, 0, 0, blocks);
    return correct_from(forest, c, blocks, shows);
}

/* The twist of the second half, of which angles alone are taken. */
static void scatter_angles_run(void *context, int32_t thread, int32_t b, int32_t count)
{
    const tn_hinge_pass *pass = context;
    const tn_hinge_world *w = &pass->forest->world;
    const tn_limb_range r = limbs_of(w, b, b + count);
    scatter_run(context, thread, b, count);
    for (int32_t k = r.first; k < r.last; k++) {
        double *own = hinge_limb_at(w, k);
        own[TN_LIMB_FIELD(turn)] += own[TN_LIMB_FIELD(s)];
    }
}

double tn_hinges_correct_widely(const tn_hinge_forest *forest, const tn_hinge_rule *c)
{
    static const tn_crew_stage outward[] = {
        {scatter_angles_run, true}, {start_run, false}, {turn_run, true}, {settle_run, true}};
    tn_hinge_pass pass = {.forest = forest, .c = c, .how = TN_HINGE_AT_ONCE, .moves = true};
    follow_ground(forest);
    go_through(&pass, false, 4, outward);
    return pass.widest;
}

/* By the angles, as waves are more than of the first order. */
static void correct_head(tn_hinge_pass *pass)
{
    const int32_t blocks = pass->forest->head->limbs / TN_HINGE_WIDTH;
    for (int32_t b = 0; b < blocks; b += TN_HINGE_TILE) {
        scatter_angles_run(pass, 0, b, TN_HINGE_TILE);
        start_run(pass, 0, b, TN_HINGE_TILE);
        turn_run(pass, 0, b, TN_HINGE_TILE);
        settle_run(pass, 0, b, TN_HINGE_TILE);
    }
    tn_hinge_head_follow(&pass->forest->world, pass->forest->head);
}

/* What that has left, and the first half of the next solve. */
static tn_hinge_off look_at_head(tn_hinge_pass *pass)
{
    const tn_hinge_forest *forest = pass->forest;
    const int32_t blocks = forest->head->limbs / TN_HINGE_WIDTH;
    pass->off = (tn_hinge_off){0.0, 0.0, true};
    tn_hinge_head_hang(&forest->world, pass->c, forest->head, forest->inertias);
    for (int32_t b = blocks - TN_HINGE_TILE; b >= 0; b -= TN_HINGE_TILE)
        gather_run(pass, 0, b, TN_HINGE_TILE);
    return pass->off;
}

bool tn_hinges_lead(const tn_hinge_forest *forest, const tn_hinge_rule *c, double enough,
                    int32_t most, double *rest)
{
    tn_hinge_pass pass = {.forest = forest, .c = c, .how = TN_HINGE_AT_ONCE, .moves = true};
    double before = HUGE_VAL;
    bool met = false, goes_on = true;
    for (int32_t n = 1; !met && goes_on; n++) {
        correct_head(&pass);
        const tn_hinge_off now = look_at_head(&pass);
        goes_on = now.sum < TN_HINGE_LARGE && hinge_goes_on(now.largest, before, enough, most - n);
        met = now.sum < TN_HINGE_LARGE && hinge_is_met(now.largest, before, enough);
        before = now.largest;
    }
    tn_hinge_head_put_twists(&forest->world, forest->head);
    *rest = tn_hinge_head_rest_off(&forest->world, forest->head);
    return met;
}

void tn_hinges_show(const tn_hinge_forest *forest, const tn_hinge_rule *c, bool shown)
{
    tn_crew_stage inward[3] = {{weigh_run, true}};
    int32_t count = 1;
    if (!shown)
        inward[count++] = (tn_crew_stage){show_motion_run, false};
    inward[count++] = (tn_crew_stage){show_forces_run, false};
    tn_hinge_pass pass = {.forest = forest, .c = c};
    go_through(&pass, true, count, inward);
}

tn_hinge_told tn_hinges_told(const tn_hinge_forest *forest)
{
    tn_hinge_told all = {.worst_limb = -1, .joints = true};
    for (int32_t r = 0; r < tn_hinges_runs(&forest->world); r++) {
        const tn_hinge_told *run = &forest->told[r];
        for (size_t n = 0; n < sizeof all.books / sizeof *all.books; n++)
            all.books[n] += run->books[n];
        all.position = r_max(run->position, all.position);
        all.angle = r_max(run->angle, all.angle);
        all.sum += run->sum;
        all.joints &= run->joints;
        if (run->worst > all.worst) {
            all.worst = run->worst;
            all.worst_limb = run->worst_limb;
        }
    }
    return all;
}
