/* alpha_hinges.c: room method/hinges: which models are trees of hinges, and a step of one. See alpha_hinges.h. */
#include <math.h>
#include <string.h>

#include "assemble/elements.h"
#include "base/base.h"
#include "joint/rotation_about_z.h"
#include "method/hinges/alpha_hinges.h"
#include "method/method.h"
#include "tenon/math.h"

/* Steps for which an iteration that did not end is not tried again, so that it costs little in vain. */
#define TN_HINGE_PAUSE 24.0

/* ---- making ---- */

static bool hangs_on_a_hinge(const tn_limb *limb)
{
    return limb->joint == TN_LIMB_HINGE;
}

static bool is_of_hinges(const tn_alpha_tree *tree)
{
    for (int32_t k = 0; k < tree->count; k++) {
        if (!hangs_on_a_hinge(&tree->limbs[k]))
            return false;
    }
    return tree->limbs && tree->count > 0;
}

size_t tn_alpha_hinges_memory(const tn_model *model)
{
    return tn_alpha_is_tree(model)
               ? (size_t)model->joint_count * sizeof(tn_hinge_memory) / sizeof(double)
               : 0;
}

static tn_quat conjugate(tn_quat q)
{
    return (tn_quat){q.w, -q.x, -q.y, -q.z};
}

/* The body's orientation in the inner one's, the hinge at 0 and at half a turn. */
static void put_orientations(const tn_joint_geometry *geometry, bool is_a, tn_realq *rel)
{
    const tn_xform *here = is_a ? &geometry->T_CA : &geometry->T_DB;
    const tn_xform *there = is_a ? &geometry->T_DB : &geometry->T_CA;
    const tn_quat inner = tn_quat_from_matrix(&there->R), own = tn_quat_from_matrix(&here->R);
    const tn_quat about_z = {0.0, 0.0, 0.0, 1.0};
    rel[0] = q_normalize(q_mul(inner, conjugate(own)));
    rel[1] = q_normalize(q_mul(q_mul(inner, about_z), conjugate(own)));
}

static void put_link(const tn_sim *sim, const tn_alpha_link *from, tn_hinge_place *place,
                     tn_hinge_link *link)
{
    *place = (tn_hinge_place){.u = from->u,
                              .body = from->body,
                              .joint = from->joint,
                              .inner_body = from->inner_body,
                              .is_a = from->sign > 0.0};
    *link = (tn_hinge_link){.at = from->at,
                            .inner_at = from->inner_at,
                            .axis = from->axis,
                            .J = from->J,
                            .mass = from->mass};
    put_orientations(&sim->model->joints[from->joint].geometry, place->is_a, link->rel);
}

static bool is_principal(const tn_sym3 *J)
{
    return J->xy == 0.0 && J->xz == 0.0 && J->yz == 0.0;
}

/* Slots that were used and are free. */
typedef struct tn_spare_slots {
    int32_t *slots; /* [limbs] */
    int32_t count;
} tn_spare_slots;

static int32_t take_slot(tn_alpha_hinges *hinges, tn_spare_slots *spare)
{
    return spare->count > 0 ? spare->slots[--spare->count] : hinges->inertia_count++;
}

/* Going inward, from where the first adds to a limb's inertia to the limb itself. */
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
    hinges->inertias = TN_NEW_ARRAY(tn_hinge_inertia, hinges->inertia_count);
    return hinges->inertias ? TN_OK : TN_ERROR_MEMORY;
}

tn_status tn_alpha_hinges_create(const tn_sim *sim, const tn_alpha_tree *tree,
                                 tn_alpha_hinges **out)
{
    *out = NULL;
    if (!is_of_hinges(tree))
        return TN_OK;
    tn_alpha_hinges *hinges = *out = TN_NEW(tn_alpha_hinges);
    if (!hinges)
        return TN_ERROR_MEMORY;
    hinges->count = tree->count;
    hinges->principal = true;
    hinges->limbs = TN_NEW_ARRAY(tn_hinge_limb, tree->count);
    hinges->states = TN_NEW_ARRAY(tn_hinge_state, 2 * (int64_t)tree->count);
    hinges->places = TN_NEW_ARRAY(tn_hinge_place, tree->count);
    hinges->inner = TN_NEW_ARRAY(int32_t, tree->count);
    hinges->slots = TN_NEW_ARRAY(tn_hinge_slots, tree->count);
    if (!hinges->limbs || !hinges->states || !hinges->places || !hinges->inner || !hinges->slots)
        return TN_ERROR_MEMORY;
    hinges->from = hinges->states;
    hinges->to = hinges->states + hinges->count;
    for (int32_t k = 0; k < tree->count; k++) {
        hinges->inner[k] = tree->limbs[k].inner;
        put_link(sim, &tree->links[k], &hinges->places[k], &hinges->limbs[k].link);
        hinges->principal &= is_principal(&tree->links[k].J);
    }
    return make_inertias(hinges);
}

void tn_alpha_hinges_destroy(tn_alpha_hinges *hinges)
{
    if (!hinges)
        return;
    tn_free(hinges->limbs);
    tn_free(hinges->states);
    tn_free(hinges->places);
    tn_free(hinges->inner);
    tn_free(hinges->slots);
    tn_free(hinges->inertias);
    tn_free(hinges);
}

const tn_alpha_hinges *tn_alpha_hinges_of(const tn_sim *sim)
{
    return sim->method == &tn_method_generalized_alpha ? tn_alpha_of(sim)->hinges : NULL;
}

static const tn_quat no_turn = {1.0, 0.0, 0.0, 0.0};

tn_hinge_link tn_alpha_hinge_link(const tn_sim *sim, int32_t k)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const int32_t base = hinges->places[k].inner_body;
    tn_hinge_link link = hinges->limbs[k].link;
    if (hinges->inner[k] < 0) {
        link.ground = base < 0 ? no_turn : sim->state.q[base];
        link.ground_at = xf_point(tn_system_xform(&sim->sys, base), link.inner_at);
    }
    return link;
}

/* ---- memory ---- */

tn_hinge_memory *tn_alpha_hinge_memory(const tn_sim *sim, const tn_state *state, int32_t joint)
{
    return (tn_hinge_memory *)(void *)tn_alpha_remembers(sim->model, state).hinges + joint;
}

double tn_alpha_hinge_coordinate(const tn_hinge_memory *memory, bool is_a, double near)
{
    const double c = memory->half[0], s = memory->half[1];
    const double turn = c < 0.0 ? 2.0 * tn_atan2(-s, -c) : 2.0 * tn_atan2(s, c);
    const double angle = is_a ? turn : -turn;
    return angle + 2.0 * TN_PI * tn_whole_turns(near - angle);
}

/* Cosine and sine of half the angle. */
static void half_angle(const tn_hinge_limb *limb, const tn_hinge_place *place, const tn_state *s,
                       double *half)
{
    const tn_quat inner = place->inner_body < 0 ? no_turn : s->q[place->inner_body];
    const tn_quat rel = q_mul(conjugate(inner), s->q[place->body]);
    for (int i = 0; i < 2; i++) {
        const tn_quat *to = &limb->link.rel[i];
        half[i] = rel.w * to->w + rel.x * to->x + rel.y * to->y + rel.z * to->z;
    }
}

static void follow_hinge(tn_sim *sim, const tn_hinge_limb *limb, const tn_hinge_place *place)
{
    tn_hinge_memory *memory = tn_alpha_hinge_memory(sim, &sim->state, place->joint);
    double before[2], *now = memory->half;
    half_angle(limb, place, tn_alpha_of(sim)->from, before);
    half_angle(limb, place, &sim->state, now);
    const double c = now[0] * before[0] + now[1] * before[1];
    const double s = now[1] * before[0] - now[0] * before[1];
    const double by = 1.0 / sqrt(now[0] * now[0] + now[1] * now[1]);
    now[0] *= by;
    now[1] *= by;
    hinge_remember(2.0 * tn_atan2(s, c), memory, memory);
}

static void count_step(tn_sim *sim)
{
    tn_alpha_balance *balance = tn_alpha_remembers(sim->model, &sim->state).balance;
    balance->hinge_steps = fmin(balance->hinge_steps + 1.0, TN_HINGE_DEGREE);
    balance->hinge_believed = 0.0;
}

void tn_alpha_hinges_follow(tn_sim *sim)
{
    const tn_alpha_work *w = tn_alpha_of(sim);
    if (!w->hinges)
        return;
    if (!w->tree->on) {
        tn_alpha_remembers(sim->model, &sim->state).balance->hinge_steps = 0.0;
        return;
    }
    for (int32_t k = 0; k < w->hinges->count; k++)
        follow_hinge(sim, &w->hinges->limbs[k], &w->hinges->places[k]);
    count_step(sim);
}

/* ---- one step ---- */

static tn_hinge_tree tree_of(const tn_sim *sim)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    return (tn_hinge_tree){.limbs = hinges->limbs,
                           .from = hinges->from,
                           .to = hinges->to,
                           .inner = hinges->inner,
                           .slots = hinges->slots,
                           .inertias = hinges->inertias,
                           .count = hinges->count,
                           .principal = hinges->principal};
}

bool tn_alpha_hinges_go_on(const tn_sim *sim, double h)
{
    return tn_alpha_hinges_of(sim) && tn_alpha_tree_goes_on(sim, h) &&
           tn_alpha_remembers(sim->model, &sim->state).balance->hinge_steps == TN_HINGE_DEGREE;
}

/* Bits of numbers, two by two. */
typedef uint64_t tn_bits __attribute__((vector_size(16)));

/* Not 0 where two arrays differ. */
static inline tn_bits difference(const void *a, const void *b, size_t numbers)
{
    const char *one = a, *other = b;
    tn_bits all = {0, 0};
    for (size_t n = 0; n < numbers; n += 2) {
        const size_t bytes = (n + 2 <= numbers ? 2 : 1) * sizeof(double);
        tn_bits left = {0, 0}, right = {0, 0};
        memcpy(&left, one + n * sizeof(double), bytes);
        memcpy(&right, other + n * sizeof(double), bytes);
        all |= left ^ right;
    }
    return all;
}

/* Is the state, to the last bit, where the last step left the limbs? */
static bool goes_on(const tn_sim *sim)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_state *s = &sim->state;
    const tn_alpha_memory m = tn_alpha_remembers(sim->model, s);
    tn_bits all = {0, 0};
    for (int32_t k = 0; k < hinges->count; k++) {
        const tn_hinge_place *place = &hinges->places[k];
        const tn_hinge_state *to = &hinges->to[k];
        all |= difference(&to->pose.x, &s->x[place->body], 3) |
               difference(&to->pose.q, &s->q[place->body], 4) |
               difference(to->at.u, s->u + place->u, 6) |
               difference(to->at.udot, s->udot + place->u, 6) |
               difference(to->at.acc, m.acc + place->u, 6) |
               difference(&to->memory, tn_alpha_hinge_memory(sim, s, place->joint),
                          sizeof to->memory / sizeof(double));
    }
    return (all[0] | all[1]) == 0;
}

static void take_state(const tn_sim *sim, const tn_alpha_hinges *hinges)
{
    const tn_state *s = &sim->state;
    const tn_alpha_memory m = tn_alpha_remembers(sim->model, s);
    for (int32_t k = 0; k < hinges->count; k++) {
        const tn_hinge_place *place = &hinges->places[k];
        tn_hinge_state *from = &hinges->from[k];
        from->pose = (tn_body_pose){s->x[place->body], s->q[place->body]};
        memcpy(from->at.u, s->u + place->u, sizeof from->at.u);
        memcpy(from->at.udot, s->udot + place->u, sizeof from->at.udot);
        memcpy(from->at.acc, m.acc + place->u, sizeof from->at.acc);
        from->memory = *tn_alpha_hinge_memory(sim, s, place->joint);
    }
}

/* What limbs are at the start of a step. */
static void begin(const tn_sim *sim, const tn_hinge_rule *c)
{
    tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    if (hinges->next == c->h && goes_on(sim)) {
        tn_hinge_state *free = hinges->from;
        hinges->from = hinges->to;
        hinges->to = free;
    } else {
        take_state(sim, hinges);
        const tn_hinge_tree tree = tree_of(sim);
        hinge_tree_begin(&tree, c);
    }
    hinges->next = 0.0;
    for (int32_t k = 0; k < hinges->count; k++) {
        if (hinges->inner[k] < 0)
            hinges->limbs[k].link = tn_alpha_hinge_link(sim, k);
    }
}

static bool is_near(const tn_sim *sim)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    double sum = 0.0;
    for (int32_t k = 0; k < hinges->count; k++)
        hinge_note_change(tn_alpha_hinge_memory(sim, &sim->state, hinges->places[k].joint), &sum);
    return hinge_is_near(sum);
}

/* A correction of what was off; then, where that cannot be told, what it leaves. */
typedef struct tn_hinge_course {
    double enough, small; /* m, rad; rad^2 */
    double before,
        now; /* rad: off before the last correction, and after it where that was looked at */
    bool looked;
} tn_hinge_course;

static void correct(const tn_sim *sim, const tn_hinge_rule *c, tn_hinge_course *at,
                    tn_step_report *report)
{
    const tn_hinge_tree tree = tree_of(sim);
    report->iterations++;
    report->solves++;
    hinge_tree_correct(&tree, c, at->small, r_yes(), true);
    at->looked = false;
}

static bool look(const tn_sim *sim, const tn_hinge_rule *c, tn_hinge_course *at)
{
    const tn_hinge_tree tree = tree_of(sim);
    tn_hinge_sizes now;
    const bool good = hinge_tree_look(&tree, c, sim->model->gravity, &now);
    at->now = now.largest;
    at->looked = true;
    return good;
}

/* From the first correction on, which is not known to be enough. */
static bool correct_on(const tn_sim *sim, const tn_hinge_rule *c, tn_hinge_course *at,
                       tn_hinge_trust *trust, tn_step_report *report)
{
    const int32_t most = sim->options.max_iterations;
    for (int32_t iteration = 1; look(sim, c, at); iteration++) {
        if (iteration == 1)
            hinge_learn(r_yes(), at->now, at->before, trust);
        if (hinge_is_met(at->now, at->before, at->enough))
            return true;
        if (!hinge_goes_on(at->now, at->before, at->enough, most - iteration))
            return false;
        correct(sim, c, at, report);
        if (hinge_will_be_met_now(at->now, at->before, at->enough))
            return true;
        at->before = at->now;
    }
    return false;
}

static bool iterate(const tn_sim *sim, const tn_hinge_rule *c, double round_off,
                    tn_step_report *report)
{
    tn_alpha_balance *balance = tn_alpha_remembers(sim->model, &sim->state).balance;
    tn_hinge_trust trust = {balance->hinge_rate, balance->hinge_growth, balance->hinge_believed};
    tn_hinge_course at = {.enough = fmax(sim->options.position_tolerance, round_off)};
    const tn_hinge_tree tree = tree_of(sim);
    tn_hinge_sizes before;
    at.small = hinge_small(at.enough, round_off / TN_ROUND_OFF);
    report->factorizations++;
    if (!hinge_tree_predict(&tree, c, sim->model->gravity, &before))
        return false;
    at.before = before.largest;
    correct(sim, c, &at, report);
    if (hinge_will_be_met(&trust, at.before, at.enough)) {
        hinge_learn(0, 0.0, 1.0, &trust);
    } else if (!correct_on(sim, c, &at, &trust, report)) {
        return false;
    }
    if (!at.looked)
        hinge_tree_pull(&tree, sim->model->gravity);
    balance->hinge_rate = trust.rate;
    balance->hinge_growth = trust.growth;
    balance->hinge_believed = trust.steps;
    return true;
}

/* ---- the end ---- */

static void show_multipliers(tn_sim *sim, int32_t k)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_hinge_place *place = &hinges->places[k];
    const int32_t j = place->joint;
    const tn_model_joint *joint = &sim->model->joints[j];
    const tn_mat3 *R_A = &tn_system_xform(&sim->sys, joint->a)->R;
    const tn_mat3 *R_CA = &joint->geometry.T_CA.R;
    const tn_vec3 axes[3] = {m3_mulv(R_A, m3_column(R_CA, 0)), m3_mulv(R_A, m3_column(R_CA, 1)),
                             hinges->limbs[k].axis};
    hinge_multipliers(&hinges->limbs[k].pull, axes, place->is_a ? 1.0 : -1.0,
                      sim->state.lambda + (size_t)j * TN_MAX_ROWS);
    tn_joint_refresh(&sim->sys, &sim->state, j);
    memcpy(sim->sys.phi + sim->sys.layout->y_offset[j], sim->sys.kin[j].error,
           TN_HINGE_ROWS * sizeof(double));
}

/* What was found, to where everybody else looks for it; and what the next step begins with. */
static void show(tn_sim *sim, const tn_hinge_rule *c)
{
    const tn_hinge_tree tree = tree_of(sim);
    tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_alpha_memory m = tn_alpha_remembers(sim->model, &sim->state);
    for (int32_t k = 0; k < hinges->count; k++) {
        const tn_hinge_place *place = &hinges->places[k];
        const tn_hinge_limb *limb = &hinges->limbs[k];
        const tn_hinge_pair pair = hinge_pair(&tree, k);
        tn_hinge_state *to = pair.to;
        double *coordinate = sim->state.coordinates + (size_t)place->joint * TN_MAX_COORDINATES;
        const double near = *coordinate + (place->is_a ? limb->turn : -limb->turn);
        hinge_place(&pair);
        memcpy(m.acc + place->u, limb->acc, sizeof limb->acc);
        hinge_go_on(c, &pair);
        *coordinate = tn_alpha_hinge_coordinate(&to->memory, place->is_a, near);
        sim->state.x[place->body] = to->pose.x;
        sim->state.q[place->body] = to->pose.q;
        sim->sys.T[place->body] = (tn_xform){limb->R, to->pose.x};
        memcpy(sim->state.u + place->u, to->at.u, sizeof to->at.u);
        memcpy(sim->state.udot + place->u, to->at.udot, sizeof to->at.udot);
        *tn_alpha_hinge_memory(sim, &sim->state, place->joint) = to->memory;
    }
    for (int32_t k = 0; k < hinges->count; k++)
        show_multipliers(sim, k);
    sim->coordinates_known = true;
    hinges->next = c->h;
}

bool tn_alpha_hinges_step(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    if (!tn_alpha_hinges_go_on(sim, c->h) || c->index_2 || c->needs_reactions || c->some_rest ||
        !is_near(sim))
        return false;
    const tn_hinge_rule rule = tn_hinge_rule_of(c);
    begin(sim, &rule);
    if (!iterate(sim, &rule, c->round_off, report)) {
        tn_alpha_remembers(sim->model, &sim->state).balance->hinge_steps = -TN_HINGE_PAUSE;
        return false;
    }
    show(sim, &rule);
    return true;
}
