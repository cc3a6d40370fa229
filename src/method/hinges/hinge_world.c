/* hinge_world.c: room method/hinges: see hinge_world.h. */
#include <float.h>
#include <math.h>

#include "joint/rotation_about_z.h"
#include "method/hinges/hinge_fetch.h"
#include "method/hinges/hinge_world.h"

/* ---- numbers of a limb, TN_HINGE_WIDTH apart ---- */

TN_INLINE tn_vec3 limb_v3(const double *p)
{
    return v3(p[0], p[TN_HINGE_WIDTH], p[2 * TN_HINGE_WIDTH]);
}

TN_INLINE void put_v3(double *p, tn_vec3 v)
{
    p[0] = v.x;
    p[TN_HINGE_WIDTH] = v.y;
    p[2 * TN_HINGE_WIDTH] = v.z;
}

TN_INLINE tn_quat limb_q(const double *p)
{
    return (tn_quat){p[0], p[TN_HINGE_WIDTH], p[2 * TN_HINGE_WIDTH], p[3 * TN_HINGE_WIDTH]};
}

TN_INLINE void put_q(double *p, tn_quat q)
{
    p[0] = q.w;
    p[TN_HINGE_WIDTH] = q.x;
    p[2 * TN_HINGE_WIDTH] = q.y;
    p[3 * TN_HINGE_WIDTH] = q.z;
}

TN_INLINE tn_vec3 vector_v3(const tn_v4 *a)
{
    return v3_load((const double *)a);
}

/* The limbs of blocks begin .. end. */
typedef struct tn_limb_range {
    int32_t first, last;
} tn_limb_range;

TN_INLINE tn_limb_range limbs_of(const tn_hinge_world *w, int32_t begin, int32_t end)
{
    const int32_t last = end * TN_HINGE_WIDTH;
    return (tn_limb_range){begin * TN_HINGE_WIDTH, last < w->count ? last : w->count};
}

/* ---- outward ---- */

/* The orientation, from that in the inner body's. */
TN_INLINE void compose_limb(const tn_hinge_world *w, int32_t k, int32_t inner)
{
    double *q = hinge_end_at(w, k) + TN_END_FIELD(pose.q);
    const double *base = inner < 0 ? hinge_limb_at(w, k) + TN_LIMB_FIELD(link.ground)
                                   : hinge_end_at(w, inner) + TN_END_FIELD(pose.q);
    put_q(q, hinge_compose(limb_q(base), limb_q(q)));
}

static void compose(const tn_hinge_world *w, int32_t begin, int32_t end)
{
    const tn_limb_range r = limbs_of(w, begin, end);
    for (int32_t k = r.first; k < r.last; k++)
        compose_limb(w, k, w->inner[k]);
}

/* D too, from what the hinge turns by. */
static void compose_turns(const tn_hinge_world *w, int32_t begin, int32_t end)
{
    const tn_limb_range r = limbs_of(w, begin, end);
    for (int32_t k = r.first; k < r.last; k++) {
        const int32_t inner = w->inner[k];
        double *turned = hinge_limb_at(w, k) + TN_LIMB_FIELD(turned);
        compose_limb(w, k, inner);
        if (inner >= 0)
            put_q(turned,
                  q_mul(limb_q(hinge_limb_at(w, inner) + TN_LIMB_FIELD(turned)), limb_q(turned)));
    }
}

/* p and Dx. */
static void add_places(const tn_hinge_world *w, int32_t begin, int32_t end)
{
    const tn_limb_range r = limbs_of(w, begin, end);
    for (int32_t k = r.first; k < r.last; k++) {
        double *own = hinge_limb_at(w, k);
        if (w->inner[k] < 0) {
            put_v3(own + TN_LIMB_FIELD(place), v3(0.0, 0.0, 0.0));
            continue;
        }
        const double *inner = hinge_limb_at(w, w->inner[k]);
        put_v3(own + TN_LIMB_FIELD(place),
               v3_add(limb_v3(inner + TN_LIMB_FIELD(place)), limb_v3(own + TN_LIMB_FIELD(span))));
        put_v3(own + TN_LIMB_FIELD(moved),
               v3_add(limb_v3(inner + TN_LIMB_FIELD(moved)), limb_v3(own + TN_LIMB_FIELD(moved))));
    }
}

/* The second half of a solve: as hinge_scatter. */
static void scatter(const tn_hinge_world *w, int32_t begin, int32_t end)
{
    const tn_limb_range r = limbs_of(w, begin, end);
    for (int32_t k = r.first; k < r.last; k++) {
        double *own = hinge_limb_at(w, k);
        const int32_t base = w->inner[k];
        if (k % TN_HINGE_WIDTH == 0)
            hinge_fetch_scatter(w, k / TN_HINGE_WIDTH + TN_HINGE_AHEAD);
        tn_hinge_limb limb, inner;
        const tn_hinge_record *record = &w->records[k];
        limb.s = record->factor.s;
        limb.axis = limb_v3(own + TN_LIMB_FIELD(axis));
        if (base >= 0) {
            const double *from = hinge_limb_at(w, base);
            inner.v = limb_v3(from + TN_LIMB_FIELD(v));
            inner.w = limb_v3(from + TN_LIMB_FIELD(w));
            limb.screw = limb_v3(own + TN_LIMB_FIELD(screw));
            limb.row_f = v3_load(record->factor.row_f);
            limb.row_m = v3_load(record->factor.row_m);
            limb.by_d = record->factor.by_d;
        }
        hinge_scatter(base >= 0 ? &inner : NULL, &limb);
        own[TN_LIMB_FIELD(s)] = limb.s;
        put_v3(own + TN_LIMB_FIELD(v), limb.v);
        put_v3(own + TN_LIMB_FIELD(w), limb.w);
    }
}

/* Where bodies are: as hinge_place. */
static void seat(const tn_hinge_world *w, int32_t begin, int32_t end)
{
    const tn_limb_range r = limbs_of(w, begin, end);
    for (int32_t k = r.first; k < r.last; k++) {
        const double *own = hinge_limb_at(w, k);
        const int32_t inner = w->inner[k];
        const tn_vec3 base = inner < 0
                                 ? limb_v3(own + TN_LIMB_FIELD(link.ground_at))
                                 : v3_add(limb_v3(hinge_end_at(w, inner) + TN_END_FIELD(pose.x)),
                                          limb_v3(own + TN_LIMB_FIELD(base)));
        put_v3(hinge_end_at(w, k) + TN_END_FIELD(pose.x),
               v3_sub(base, limb_v3(own + TN_LIMB_FIELD(arm))));
    }
}

/* ---- inward ---- */

/* What wrenches are summed of. */
TN_INLINE void load_weights(const double *own, tn_hinge_limb *limb)
{
    limb->f = limb_v3(own + TN_LIMB_FIELD(f));
    limb->n = limb_v3(own + TN_LIMB_FIELD(n));
    limb->span = limb_v3(own + TN_LIMB_FIELD(span));
}

TN_INLINE void keep_pull(const tn_hinge_pull *pull, double *to)
{
    put_v3(to, pull->force);
    put_v3(to + 3 * TN_HINGE_WIDTH, pull->moment);
}

/* That of limb n of them. */
TN_INLINE double *pull_at(double *pulls, int32_t n)
{
    const uint32_t i = (uint32_t)n;
    return pulls + (size_t)(i / TN_HINGE_WIDTH) * TN_HINGE_PULLS_SIZE + i % TN_HINGE_WIDTH;
}

TN_INLINE void weigh(const tn_hinge_forest *forest, int32_t k, const double *own, double *pull)
{
    const tn_hinge_world *w = &forest->world;
    const tn_hinge_slots slots = w->slots[k];
    tn_hinge_limb limb;
    load_weights(own, &limb);
    const tn_hinge_pull now = hinge_weigh(slots.order, &limb, &forest->inertias[slots.own],
                                          w->inner[k] >= 0 ? &forest->inertias[slots.inner] : NULL);
    keep_pull(&now, pull);
}

/* Blocks end - 1 .. begin; `pulls`: of those from `begin` on. */
static void weigh_blocks(const tn_hinge_forest *forest, int32_t begin, int32_t end, double *pulls)
{
    const tn_hinge_world *w = &forest->world;
    for (int32_t b = end - 1; b >= begin; b--) {
        const tn_limb_range r = limbs_of(w, b, b + 1);
        const double *own = hinge_limb_at(w, r.first);
        double *to = pulls + (size_t)(b - begin) * TN_HINGE_PULLS_SIZE;
        hinge_fetch_weights(w, b - TN_HINGE_AHEAD);
        for (int32_t n = r.last - r.first - 1; n >= 0; n--)
            weigh(forest, r.first + n, own + n, to + n);
    }
}

/* With the factor there is, after the wrench. */
TN_INLINE void gather_limb(const tn_hinge_forest *forest, const tn_hinge_rule *c, int32_t k,
                           const double *of, tn_hinge_sizes *left)
{
    const tn_hinge_world *w = &forest->world;
    const tn_hinge_slots slots = w->slots[k];
    const double *own = hinge_limb_at(w, k);
    tn_hinge_record *record = &w->records[k];
    tn_hinge_inertia *hung = &forest->inertias[slots.own];
    tn_hinge_inertia *inner_hung = w->inner[k] >= 0 ? &forest->inertias[slots.inner] : NULL;
    const tn_hinge_pull pull = {limb_v3(of), limb_v3(of + 3 * TN_HINGE_WIDTH)};
    tn_hinge_limb limb;
    if (k % TN_HINGE_WIDTH == 0)
        hinge_fetch_records(w, k / TN_HINGE_WIDTH - TN_HINGE_AHEAD);
    limb.axis = limb_v3(own + TN_LIMB_FIELD(axis));
    limb.screw = limb_v3(own + TN_LIMB_FIELD(screw));
    limb.col_f = vector_v3(&record->factor.col_f);
    limb.col_m = vector_v3(&record->factor.col_m);
    limb.by_d = record->factor.by_d;
    hinge_gather(c, slots.order, &pull, &limb, hung, inner_hung, left);
    record->factor.s = limb.s;
}

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
        forest->stages->start(&forest->world, pass->c, b, end, NULL);
        return;
    }
    for (; b < end; b = tile_end(b, end)) {
        tn_hinge_onset *onset = &forest->onsets[b / TN_HINGE_TILE];
        *onset = (tn_hinge_onset){0.0, DBL_MAX};
        forest->stages->start(&forest->world, pass->c, b, tile_end(b, end), onset);
    }
}

static void turn_run(void *context, int32_t thread, int32_t b, int32_t count)
{
    const tn_hinge_pass *pass = context;
    const tn_hinge_world *w = &pass->forest->world;
    (void)thread;
    compose_turns(w, b, b + count);
    pass->forest->stages->turn(w, b, b + count);
    add_places(w, b, b + count);
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
    weigh_blocks(pass->forest, b, b + count, pulls_of(pass, b));
}

/* The first limb of the run b .. b + count that is not of the head, where that is the one or the other; else its last. */
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
    weigh_blocks(forest, b + inner, b + count, pulls + (size_t)inner * TN_HINGE_PULLS_SIZE);
    if (forest->head && end == forest->head->limbs)
        tn_hinge_head_note_pulls(&forest->world, forest->inertias, forest->head);
    weigh_blocks(forest, b, b + inner, pulls);
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
                                                            (size_t)w->places[k].joint);
            for (size_t n = 0; n < TN_HINGE_DEGREE; n++)
                worst.of[n] = r_max(fabs(of->turns[n]), worst.of[n]);
        }
        pass->forest->worst[b / TN_HINGE_TILE] = worst;
    }
}

int32_t tn_hinges_order(const tn_hinge_forest *forest, int32_t steps)
{
    static const tn_crew_stage compared[] = {{compare_run, false}};
    tn_hinge_pass pass = {.forest = forest};
    go_through(&pass, false, 1, compared);
    double least = DBL_MAX;
    int32_t order = 1;
    for (int32_t n = 0; n < steps; n++) {
        double worst = 0.0;
        for (int32_t r = 0; r < tn_hinges_runs(&forest->world); r++)
            worst = fmax(forest->worst[r].of[n], worst);
        if (worst <= least) {
            least = worst;
            order = n + 1;
        }
    }
    return order;
}

tn_hinge_onset tn_hinges_predict(const tn_hinge_forest *forest, const tn_hinge_rule *c)
{
    static const tn_crew_stage outward[] = {
        {start_run, false}, {turn_run, true}, {strive_run, false}};
    tn_hinge_pass pass = {.forest = forest, .c = c};
    go_through(&pass, false, 3, outward);
    tn_hinge_onset all = {0.0, DBL_MAX};
    for (int32_t r = 0; r < tn_hinges_runs(&forest->world); r++) {
        all.change = fmax(forest->onsets[r].change, all.change);
        all.slowest = fmin(forest->onsets[r].slowest, all.slowest);
    }
    return all;
}

void tn_hinges_try_again(const tn_hinge_forest *forest, const tn_hinge_rule *c)
{
    static const tn_crew_stage outward[] = {
        {start_run, false}, {turn_run, true}, {strive_run, false}};
    tn_hinge_pass pass = {.forest = forest, .c = c, .moves = true};
    go_through(&pass, false, 3, outward);
}

bool tn_hinges_factorize(const tn_hinge_forest *forest, const tn_hinge_rule *c, tn_hinge_off *left)
{
    static const tn_crew_stage inward[] = {
        {weigh_trial_run, true}, {cross_run, false}, {eliminate_run, true}};
    tn_hinge_pass pass = {.forest = forest, .c = c, .off = {.definite = true}, .good = true};
    go_through(&pass, true, 3, inward);
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
    scatter(&pass->forest->world, begin_of(pass, b, b + count), b + count);
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
    compose(&pass->forest->world, begin_of(pass, b, b + count), b + count);
}

static void settle_run(void *context, int32_t thread, int32_t b, int32_t count)
{
    tn_hinge_pass *pass = context;
    const tn_hinge_world *w = &pass->forest->world;
    const int32_t begin = begin_of(pass, b, b + count), end = b + count;
    (void)thread;
    const double widest = pass->forest->stages->settle(w, pass->c, begin, end, pass->how);
    pass->widest = r_max(widest, pass->widest);
    seat(w, begin, end);
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
    const tn_limb_range r = limbs_of(&pass->forest->world, b, b + count);
    tn_hinge_sizes left = {pass->off.largest, pass->off.sum};
    double *pulls = pulls_of(pass, b);
    weigh_run(context, thread, b, count);
    for (int32_t k = r.last - 1; k >= r.first; k--)
        gather_limb(pass->forest, pass->c, k, pull_at(pulls, k - r.first), &left);
    pass->off = (tn_hinge_off){left.largest, left.sum};
}

bool tn_hinges_look(const tn_hinge_forest *forest, const tn_hinge_rule *c, tn_hinge_sizes *left)
{
    static const tn_crew_stage inward[] = {{gather_run, true}};
    tn_hinge_pass pass = {.forest = forest, .c = c};
    go_through(&pass, true, 1, inward);
    *left = (tn_hinge_sizes){pass.off.largest, pass.off.sum};
    return left->sum < TN_HINGE_LARGE;
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
        all.position = fmax(run->position, all.position);
        all.angle = fmax(run->angle, all.angle);
        all.sum += run->sum;
        all.joints &= run->joints;
        if (run->worst > all.worst) {
            all.worst = run->worst;
            all.worst_limb = run->worst_limb;
        }
    }
    return all;
}
