/* hinge_make.c: room method/hinges: which models are trees of hinges, sliders, screws and solid joints, and their bodies in blocks.
 * See alpha_hinges.h. */
#include <string.h>

#include "base/base.h"
#include "math/lanes.h"
#include "method/hinges/alpha_hinges.h"
#include "tenon/math.h"

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
#define WIDE_STAGES          &tn_hinge_stages_wide
#define WIDE_RECURSIONS      &tn_hinge_recursions_wide
#define WIDE_FLAT_RECURSIONS &tn_hinge_flat_recursions_wide
#else
#define WIDE_STAGES          &tn_hinge_stages_any
#define WIDE_RECURSIONS      &tn_hinge_recursions_any
#define WIDE_FLAT_RECURSIONS &tn_hinge_flat_recursions_any
#endif

size_t tn_alpha_hinges_memory(const tn_model *model)
{
    int32_t bodies = 0, links = 0;
    if (!tn_tree_has_links(model))
        return 0;
    for (int32_t i = 0; i < model->body_count; i++)
        bodies += model->bodies[i].dim > 0;
    for (int32_t j = 0; j < model->joint_count; j++) {
        links += tn_tree_hangs(&model->joints[j]) >= 0 ? tn_hinge_links_by(model, j) : 0;
        bodies -= tn_tree_hangs(&model->joints[j]) >= 0;
    }
    links += bodies * tn_hinge_links_by(model, -1);
    return (size_t)links * sizeof(tn_hinge_memory) / sizeof(double);
}

/* What hangs on a weld that moves hangs on its carrier. */
static tn_hinge_place place_of(const tn_limb_origin *of, const tn_hinge_weld *carrier, int32_t k)
{
    const tn_alpha_link *from = of->link;
    const int32_t inner_body = carrier ? carrier->carrier : from->inner_body;
    return (tn_hinge_place){.u = from->u,
                            .body = from->body,
                            .joint = from->joint < 0 ? 0 : from->joint,
                            .inner_body = of->n > 0 ? from->body : inner_body,
                            .memory = k,
                            .part = of->count == 1           ? TN_LIMB_WHOLE
                                    : of->n == of->count - 1 ? TN_LIMB_LAST
                                                             : TN_LIMB_SHADOW,
                            .is_a = from->sign > 0.0};
}

static bool is_principal(const tn_sym3 *J)
{
    return J->xy == 0.0 && J->xz == 0.0 && J->yz == 0.0;
}

/* Slots that were used and are free. */
typedef struct tn_spare_slots {
    int32_t *slots; /* [links] */
    int32_t count;
} tn_spare_slots;

static int32_t take_slot(tn_alpha_hinges *hinges, tn_spare_slots *spare)
{
    return spare->count > 0 ? spare->slots[--spare->count] : hinges->inertia_count++;
}

/* Going inward, from where the first adds to a link's inertia to the link itself. */
static void put_slots(tn_alpha_hinges *hinges, tn_spare_slots *spare)
{
    for (int32_t k = 0; k < hinges->count; k++)
        hinges->slots[k].own = -1;
    for (int32_t k = hinges->count - 1; k >= 0; k--) {
        tn_hinge_slots *own = &hinges->slots[k];
        own->order.begins = own->own < 0;
        if (own->order.begins)
            own->own = take_slot(hinges, spare);
        own->inner = -1;
        if (hinges->inner[k] >= 0) {
            tn_hinge_slots *inner = &hinges->slots[hinges->inner[k]];
            own->order.begins_inner = inner->own < 0;
            if (own->order.begins_inner)
                inner->own = take_slot(hinges, spare);
            own->inner = inner->own;
        }
        spare->slots[spare->count++] = own->own;
    }
}

static tn_status make_inertias(tn_alpha_hinges *hinges)
{
    tn_spare_slots spare = {TN_NEW_ARRAY(int32_t, hinges->count), 0};
    if (!spare.slots)
        return TN_ERROR_MEMORY;
    put_slots(hinges, &spare);
    tn_free(spare.slots);
    hinges->forest.inertias = TN_NEW_ARRAY(tn_hinge_inertia, hinges->inertia_count);
    hinges->forest.world.loads = TN_NEW_ARRAY(tn_hinge_load, hinges->inertia_count);
    return hinges->forest.inertias && hinges->forest.world.loads ? TN_OK : TN_ERROR_MEMORY;
}

/* What hangs on nothing, does not move, and is not looked at but with others. */
static void put_still(tn_hinge_world *w)
{
    const tn_quat none = {1.0, 0.0, 0.0, 0.0};
    const tn_hinge_trial limb = {
        .turned = none, .half = {1.0, 0.0}, .q = none, .axis = {0.0, 0.0, 1.0}};
    for (int32_t k = -TN_HINGE_WIDTH; k < w->blocks * TN_HINGE_WIDTH; k++)
        hinge_put_numbers(&limb, sizeof limb, hinge_limb_at(w, k));
}

/* Where blocks may begin, in memory that has so much more. */
static double *aligned(unsigned char *memory)
{
    const size_t over = (uintptr_t)memory % TN_HINGE_ALIGNMENT;
    return (double *)(void *)(memory + (TN_HINGE_ALIGNMENT - over));
}

/* Bytes of a kind, and kinds that a block is compared to. */
enum { KIND_BYTES = TN_HINGE_KIND_SIZE * sizeof(double), TN_HINGE_KINDS_NEAR = 8 };

/* Doubles of the records of a block. */
enum { RECORDS_SIZE = TN_HINGE_WIDTH * sizeof(tn_hinge_record) / sizeof(double) };

/* And of wrenches. */
static int64_t pulls_size(const tn_hinge_world *w)
{
    return (int64_t)tn_hinges_crosses(w) / TN_HINGE_WIDTH * TN_HINGE_PULLS_SIZE;
}

/* The blocks, within memory of their own. */
static tn_status make_blocks(tn_alpha_hinges *hinges)
{
    tn_hinge_world *w = &hinges->forest.world;
    const int64_t numbers = (int64_t)(w->blocks + 1) * TN_HINGE_LIMB_SIZE +
                            (int64_t)w->blocks * RECORDS_SIZE + pulls_size(w);
    const int64_t bytes = numbers * (int64_t)sizeof(double) + TN_HINGE_ALIGNMENT;
    hinges->blocks = TN_NEW_ARRAY(unsigned char, bytes);
    if (!hinges->blocks)
        return TN_ERROR_MEMORY;
    hinges->forest.pulls = aligned(hinges->blocks);
    w->limbs = hinges->forest.pulls + pulls_size(w);
    w->records =
        (tn_hinge_record *)(void *)(w->limbs + (size_t)(w->blocks + 1) * TN_HINGE_LIMB_SIZE);
    tn_hinge_forest *forest = &hinges->forest;
    forest->crosses = TN_NEW_ARRAY(tn_hinge_cross, tn_hinges_crosses(w));
    forest->onsets = TN_NEW_ARRAY(tn_hinge_onset, tn_hinges_runs(w));
    forest->told = TN_NEW_ARRAY(tn_hinge_told, tn_hinges_runs(w));
    forest->worst = TN_NEW_ARRAY(tn_hinge_differences, tn_hinges_runs(w));
    put_still(w);
    return forest->crosses && forest->onsets && forest->told && forest->worst ? TN_OK
                                                                              : TN_ERROR_MEMORY;
}

/* Do the links of the block hang each on the one before? The first on link -1, if on none. */
static bool is_in_row(const tn_alpha_hinges *hinges, int32_t first)
{
    for (int32_t k = first; k < first + TN_HINGE_WIDTH && k < hinges->count; k++) {
        if (hinges->inner[k] != k - 1)
            return false;
    }
    return true;
}

/* Lanes without a link are as the last one that has. */
static void put_sorts(tn_alpha_hinges *hinges)
{
    tn_hinge_world *w = &hinges->forest.world;
    const size_t blocks = (size_t)w->blocks;
    int8_t *mixed = hinges->sorts, *in_row = mixed + blocks, *slides = in_row + blocks,
           *chained = slides + blocks, *bears = chained + blocks, *shown = bears + blocks;
    for (int32_t b = 0; b < w->blocks; b++) {
        const tn_hinge_place *of = &hinges->places[b * TN_HINGE_WIDTH];
        in_row[b] = is_in_row(hinges, b * TN_HINGE_WIDTH);
        for (int32_t k = 0; k < TN_HINGE_WIDTH; k++) {
            const double *kind = hinge_kind_at(w, b * TN_HINGE_WIDTH + k);
            slides[b] |= kind[TN_KIND_FIELD(column.lead)] != 0.0;
            chained[b] |= of[k].part != TN_LIMB_WHOLE;
            mixed[b] |= kind[TN_KIND_FIELD(column.alone)] != 0.0 || of[k].is_a != of->is_a;
            if (b * TN_HINGE_WIDTH + k >= w->count)
                continue;
            if (of[k].part != TN_LIMB_SHADOW)
                shown[b] |= TN_SHOWS_BODIES;
            if (of[k].part == TN_LIMB_WHOLE)
                shown[b] |= TN_SHOWS_COORDINATES;
            if (kind[TN_KIND_FIELD(column.alone)] == 0.0)
                shown[b] |= TN_SHOWS_HINGES;
        }
    }
    for (int32_t n = 0; n < hinges->welds.hung_count; n++) {
        const tn_hinge_hung *hung = &hinges->welds.hung[n];
        const int32_t b = hung->link / TN_HINGE_WIDTH;
        bears[b] = 1;
        mixed[b] |= hinges->inner[hung->link] >= 0;
    }
    w->slides = memchr(slides, 1, blocks) ? slides : NULL;
    w->chained = hinges->chain_count > 0 ? chained : NULL;
}

/* What bodies of the tree end with, for links that hang on them. */
typedef struct tn_limb_making {
    const tn_sim *sim;
    const tn_alpha_tree *tree;
    tn_alpha_hinges *hinges;
    tn_limb_origin *origins; /* [count] */
    int32_t *last;           /* [links] */
    int32_t *weld;           /* [links] which of the welds a body is; -1: it is none */
} tn_limb_making;

/* The body that a link hangs on, where that is welded to another one that moves. */
static const tn_hinge_weld *carrier_of(const tn_limb_making *m, const tn_limb_origin *of)
{
    const tn_hinge_weld *weld = of->weld < 0 ? NULL : &m->hinges->welds.all[of->weld];
    return weld && weld->link >= 0 ? weld : NULL;
}

static void put_limb(const tn_limb_making *m, int32_t k, double *kind)
{
    tn_alpha_hinges *hinges = m->hinges;
    const bool is_there = k < hinges->count;
    const int32_t at = is_there ? k : hinges->count - 1;
    const tn_limb_origin *of = &m->origins[at];
    const tn_hinge_weld *carrier = carrier_of(m, of);
    tn_hinge_place *place = &hinges->places[k];
    *place = place_of(of, carrier, at);
    hinges->inner[k] = -1;
    if (is_there && of->n > 0) {
        hinges->inner[k] = k - 1;
    } else if (is_there) {
        const int32_t inner = m->tree->limbs[of->link - m->tree->links].inner;
        hinges->inner[k] = inner < 0 ? -1 : m->last[inner];
    }
    if (is_there && hinges->inner[k] < 0)
        hinges->roots[hinges->root_count++] = k;
    const tn_joint_geometry *geometry = &m->sim->model->joints[place->joint].geometry;
    tn_hinge_kind own = {is_there ? tn_hinge_link_of(m->sim, of, carrier) : tn_no_hinge_link,
                         tn_hinge_axes_of(geometry, place->is_a, carrier), tn_no_hinge_column};
    if (is_there && of->count == 1) {
        own.column = tn_hinge_column_of(geometry, place->is_a, hinges->forest.world.flat);
        hinges->advances |= own.column.lead != 0.0;
    } else if (is_there) {
        const tn_hinge_chain *chain = hinges->chains;
        while (k >= chain->first + chain->count)
            chain++;
        own.column = tn_hinge_column_in_chain(chain, of->n);
    }
    hinge_put_numbers(&own, sizeof own, kind);
    hinges->forest.world.principal &= is_principal(&own.link.J);
}

/* Blocks of one kind are seldom far from each other: the one like this, of so many and as near as that; else this, the last. */
static int32_t kind_like(const double *kinds, int32_t last)
{
    const double *own = kinds + (size_t)last * TN_HINGE_KIND_SIZE;
    for (int32_t n = last - 1; n >= 0 && n >= last - TN_HINGE_KINDS_NEAR; n--) {
        if (memcmp(kinds + (size_t)n * TN_HINGE_KIND_SIZE, own, KIND_BYTES) == 0)
            return n;
    }
    return last;
}

/* Does one of its links hang on what does not move, or is of a chain? That has a place of its own. */
static bool is_its_own(const int32_t *inner, const tn_hinge_place *places)
{
    for (int32_t k = 0; k < TN_HINGE_WIDTH; k++) {
        if (inner[k] < 0 || places[k].part != TN_LIMB_WHOLE)
            return true;
    }
    return false;
}

/* Kinds in memory for as many as there are blocks. Out: how many there are. */
static int32_t put_limbs(const tn_limb_making *m, double *kinds)
{
    tn_alpha_hinges *hinges = m->hinges;
    int32_t count = 0;
    for (int32_t b = 0; b < hinges->forest.world.blocks; b++) {
        const int32_t k = b * TN_HINGE_WIDTH;
        double *own = kinds + (size_t)count * TN_HINGE_KIND_SIZE;
        for (int32_t n = 0; n < TN_HINGE_WIDTH; n++)
            put_limb(m, k + n, own + n);
        hinges->kind[b] =
            is_its_own(&hinges->inner[k], &hinges->places[k]) ? count : kind_like(kinds, count);
        count += hinges->kind[b] == count;
    }
    return count;
}

/* A joint of several freedoms, whose links begin at k. */
static void put_chain(const tn_limb_making *m, int32_t n, int32_t k, int32_t count, int32_t weld)
{
    tn_alpha_hinges *hinges = m->hinges;
    const tn_alpha_link *link = &m->tree->links[n];
    tn_hinge_chain *chain = &hinges->chains[hinges->chain_count++];
    *chain = (tn_hinge_chain){.first = k,
                              .count = count,
                              .body = link->body,
                              .inner_body = link->inner_body,
                              .joint = link->joint,
                              .weld = weld >= 0 && hinges->welds.all[weld].link >= 0 ? weld : -1,
                              .is_a = link->sign > 0.0};
    tn_hinge_chain_make(m->sim->model, chain);
}

/* Body n of the tree, which is welded to another one or to what does not move. */
static void put_weld(const tn_limb_making *m, int32_t n)
{
    tn_hinge_welds *welds = &m->hinges->welds;
    const tn_alpha_link *link = &m->tree->links[n];
    const int32_t inner = m->tree->limbs[n].inner, on = inner < 0 ? -1 : m->weld[inner];
    tn_hinge_weld *weld = &welds->all[welds->count];
    if (on >= 0) {
        const tn_hinge_weld *to = &welds->all[on];
        *weld = tn_hinge_weld_of(m->sim->model, link, to, to->carrier, to->link);
        weld->inner = on;
    } else {
        *weld = tn_hinge_weld_of(m->sim->model, link, NULL, link->inner_body,
                                 inner < 0 ? -1 : m->last[inner]);
    }
    m->last[n] = weld->link;
    m->weld[n] = welds->count;
    welds->seats[weld->body] = (tn_hinge_seat){weld->link, welds->count++};
    if (weld->link < 0)
        return;
    const tn_sym3 J = tn_graph_is_flat(m->sim->model) ? weld->J : tn_hinge_weld_inertia(weld);
    s3_add(&m->origins[weld->link].J, &J);
}

/* Which links bodies of the tree are, chains and welds. */
static void put_origins(const tn_limb_making *m)
{
    tn_hinge_welds *welds = &m->hinges->welds;
    int32_t k = 0;
    for (int32_t n = 0; n < m->tree->count; n++) {
        const tn_alpha_link *link = &m->tree->links[n];
        const int32_t count = tn_hinge_links_by(m->sim->model, link->joint),
                      inner = m->tree->limbs[n].inner, on = inner < 0 ? -1 : m->weld[inner];
        m->weld[n] = -1;
        if (count == 0) {
            put_weld(m, n);
            continue;
        }
        if (count > 1)
            put_chain(m, n, k, count, on);
        if (on >= 0)
            welds->hung[welds->hung_count++] = (tn_hinge_hung){k, on};
        for (int32_t i = 0; i < count; i++)
            m->origins[k++] = (tn_limb_origin){link, link->J, i == 0 ? on : -1, i, count};
        m->last[n] = k - 1;
        welds->seats[link->body] = (tn_hinge_seat){k - 1, -1};
    }
}

/* Links, and kinds in memory of their own size. */
static tn_status make_limbs(const tn_limb_making *m)
{
    tn_alpha_hinges *hinges = m->hinges;
    tn_hinge_world *w = &hinges->forest.world;
    double *all = TN_NEW_ARRAY(double, (int64_t)w->blocks *TN_HINGE_KIND_SIZE);
    if (!all)
        return TN_ERROR_MEMORY;
    put_origins(m);
    const size_t bytes = (size_t)put_limbs(m, all) * KIND_BYTES;
    hinges->kinds = TN_NEW_ARRAY(unsigned char, bytes + TN_HINGE_ALIGNMENT);
    if (hinges->kinds) {
        w->kinds = aligned(hinges->kinds);
        memcpy(w->kinds, all, bytes);
    }
    tn_free(all);
    return hinges->kinds ? TN_OK : TN_ERROR_MEMORY;
}

/* With room for that while they are made. */
static tn_status make_limbs_of(const tn_sim *sim, const tn_alpha_tree *tree,
                               tn_alpha_hinges *hinges)
{
    tn_limb_making m = {sim,
                        tree,
                        hinges,
                        TN_NEW_ARRAY(tn_limb_origin, hinges->count),
                        TN_NEW_ARRAY(int32_t, 2 * (int64_t)tree->count),
                        NULL};
    m.weld = m.last ? m.last + tree->count : NULL;
    const tn_status status = m.origins && m.last ? make_limbs(&m) : TN_ERROR_MEMORY;
    tn_free(m.origins);
    tn_free(m.last);
    return status;
}

/* Which link moves along a coordinate. */
static void put_links_of_coordinates(const tn_model *model, tn_alpha_hinges *hinges)
{
    int32_t *link = hinges->acts.link;
    for (size_t n = 0; n < (size_t)model->joint_count * TN_MAX_COORDINATES; n++)
        link[n] = -1;
    for (int32_t j = 0; j < model->joint_count; j++)
        hinges->acts.cut[j] = -1;
    for (int32_t k = 0; k < hinges->count; k++) {
        if (hinges->places[k].part == TN_LIMB_WHOLE)
            link[hinges->places[k].joint * TN_MAX_COORDINATES] = k;
    }
    for (int32_t m = 0; m < hinges->chain_count; m++) {
        const tn_hinge_chain *chain = &hinges->chains[m];
        for (int32_t n = 0; n < chain->count; n++) {
            if (chain->coordinate[n] >= 0)
                link[chain->joint * TN_MAX_COORDINATES + chain->coordinate[n]] = chain->first + n;
        }
    }
}

/* Of those that are too large for one correction of all to be as cheap as several of a part. */
static tn_status make_head(tn_hinge_forest *forest)
{
    if (forest->world.count < TN_HINGE_LONG || forest->world.chained || forest->world.loops)
        return TN_OK;
    forest->head = TN_NEW(tn_hinge_head);
    if (!forest->head)
        return TN_ERROR_MEMORY;
    if (!tn_hinge_head_find(&forest->world, forest->head)) {
        tn_free(forest->head);
        forest->head = NULL;
    }
    return TN_OK;
}

/* Of so many blocks of links, of a tree of so many bodies. */
static tn_status make_arrays(const tn_model *model, int32_t bodies, int32_t blocks,
                             tn_alpha_hinges *hinges)
{
    const int64_t room = (int64_t)blocks * TN_HINGE_WIDTH;
    hinges->places = TN_NEW_ARRAY(tn_hinge_place, room);
    hinges->inner = TN_NEW_ARRAY(int32_t, room);
    hinges->kind = TN_NEW_ARRAY(int32_t, blocks);
    hinges->roots = TN_NEW_ARRAY(int32_t, hinges->count);
    hinges->slots = TN_NEW_ARRAY(tn_hinge_slots, hinges->count);
    hinges->sorts = TN_NEW_ARRAY(int8_t, (6 + TN_HINGE_WIDTH) * (int64_t)blocks);
    hinges->chains = TN_NEW_ARRAY(tn_hinge_chain, bodies);
    if (!hinges->places || !hinges->inner || !hinges->kind || !hinges->roots || !hinges->slots ||
        !hinges->sorts || !hinges->chains)
        return TN_ERROR_MEMORY;
    return tn_hinge_welds_create(model, hinges->count, &hinges->welds);
}

static const tn_hinge_recursions *recursions_of(bool wide, bool flat)
{
    if (flat)
        return wide ? WIDE_FLAT_RECURSIONS : &tn_hinge_flat_recursions_any;
    return wide ? WIDE_RECURSIONS : &tn_hinge_recursions_any;
}

/* That bodies feel. */
static tn_vec3 gravity_of(const tn_model *model)
{
    const tn_vec3 g = model->gravity;
    return tn_graph_is_flat(model) ? v3(g.x, g.y, 0.0) : g;
}

tn_status tn_alpha_hinges_create(const tn_sim *sim, const tn_alpha_tree *tree,
                                 tn_alpha_hinges **out)
{
    *out = NULL;
    const int32_t count = tn_hinge_links_of(sim->model, tree);
    if (count == 0 || !tn_hinge_links_pay(count, sim->model, tree))
        return TN_OK;
    tn_alpha_hinges *hinges = *out = TN_NEW(tn_alpha_hinges);
    if (!hinges)
        return TN_ERROR_MEMORY;
    const int32_t blocks = (count + TN_HINGE_WIDTH - 1) / TN_HINGE_WIDTH;
    hinges->count = count;
    if (make_arrays(sim->model, tree->count, blocks, hinges) != TN_OK)
        return TN_ERROR_MEMORY;
    const bool wide = TN_WIDE_COPIES && tn_wide_lanes();
    hinges->forest = (tn_hinge_forest){
        .world = {.inner = hinges->inner,
                  .kind = hinges->kind,
                  .places = hinges->places,
                  .slots = hinges->slots,
                  .mixed = hinges->sorts,
                  .in_row = hinges->sorts + blocks,
                  .bears = hinges->sorts + 4 * (size_t)blocks,
                  .shown = hinges->sorts + 5 * (size_t)blocks,
                  .apart = hinges->sorts + 6 * (size_t)blocks,
                  .gravity = gravity_of(sim->model),
                  .count = count,
                  .blocks = blocks,
                  .order = TN_HINGE_DEGREE,
                  .principal = true,
                  .flat = tn_graph_is_flat(sim->model)},
        .stages = wide ? WIDE_STAGES : &tn_hinge_stages_any,
        .recursions = recursions_of(wide, tn_graph_is_flat(sim->model)),
    };
    const tn_status status = make_blocks(hinges);
    if (status != TN_OK)
        return status;
    const tn_status limbs = make_limbs_of(sim, tree, hinges);
    if (limbs != TN_OK)
        return limbs;
    put_sorts(hinges);
    const tn_status acts = tn_hinge_acts_create(sim->model, blocks, &hinges->acts);
    if (acts != TN_OK)
        return acts;
    put_links_of_coordinates(sim->model, hinges);
    bool fits = true;
    const tn_status cuts = tn_hinge_cuts_create(sim->model, hinges, &fits);
    if (cuts != TN_OK || !fits || !tn_hinge_loops_pay(sim->model, hinges)) {
        tn_alpha_hinges_destroy(hinges);
        *out = NULL;
        return cuts;
    }
    hinges->principal = hinges->forest.world.principal;
    const tn_status made = make_inertias(hinges);
    return made == TN_OK && hinges->welds.count == 0 ? make_head(&hinges->forest) : made;
}

void tn_alpha_hinges_destroy(tn_alpha_hinges *hinges)
{
    if (!hinges)
        return;
    tn_free(hinges->blocks);
    tn_free(hinges->forest.crosses);
    tn_free(hinges->forest.onsets);
    tn_free(hinges->forest.told);
    tn_free(hinges->forest.worst);
    tn_free(hinges->forest.head);
    tn_free(hinges->places);
    tn_free(hinges->inner);
    tn_free(hinges->kinds);
    tn_free(hinges->kind);
    tn_free(hinges->roots);
    tn_free(hinges->slots);
    tn_free(hinges->sorts);
    tn_free(hinges->chains);
    tn_free(hinges->forest.inertias);
    tn_free(hinges->forest.world.loads);
    tn_hinge_welds_destroy(&hinges->welds);
    tn_hinge_acts_destroy(&hinges->acts);
    tn_hinge_cuts_destroy(hinges);
    tn_free(hinges);
}
