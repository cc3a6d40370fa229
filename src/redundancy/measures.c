/* measures.c: room redundancy: which measures do not depend on how redundant rows share the load.
 *
 * In: the stresses of the hard rows, and the simulation they were found in. Out: a bit for each value of a measure. A
 * reaction (any axes, any point) or a section force is evaluated with multipliers 0 and with those of each stress; a
 * value that differs is not unique. An effort depends on its row; a formula on what it names.
 */
#include <string.h>

#include "base/base.h"
#include "measure/formula.h"
#include "model/model.h"
#include "motion/simulation.h"
#include "redundancy/redundancy.h"
#include "tenon/measure.h"

/* N, N m: alpha, so large that known forces beside it leave no rounding that counts. */
#define TN_STRESS_FORCE 1e6
/* In a mask: the measure has been evaluated. */
#define TN_MASK_KNOWN 0x80u
#define TN_MASK_ALL   ((1u << TN_MEASURE_MOST) - 1u)

typedef struct tn_measure_look {
    const tn_sim *sim;
    const tn_analysis *analysis;
    const tn_red_stresses *stresses;
    tn_sim *other;  /* the simulation with these multipliers: */
    double *lambda; /* [lambda_size] */
    size_t lambda_size;
    uint8_t *mask; /* [measures] */
} tn_measure_look;

tn_status tn_red_stresses_keep(const tn_red_pose *pose, const tn_red_closure *hard,
                               tn_red_storage *storage)
{
    tn_red_stresses *kept = &storage->stresses;
    const int64_t slots = pose->sys.layout->y_size;
    kept->place = TN_ARENA_ARRAY(&storage->arena, int32_t, slots + 1);
    kept->lambda = TN_ARENA_ARRAY(&storage->arena, double, (int64_t)hard->count *slots + 1);
    if (!kept->place || !kept->lambda)
        return TN_ERROR_MEMORY;
    kept->count = hard->count;
    kept->length = pose->size;
    double *to = kept->lambda;
    for (int32_t j = 0; j < pose->model->element_count; j++) {
        for (int32_t n = 0; n < pose->state.switches[j].active_count; n++) {
            kept->place[kept->size++] = j * TN_MAX_ROWS + tn_red_row(pose, j, n);
            for (int32_t k = 0; k < hard->count; k++)
                *to++ = hard->stress[k].lambda[pose->sys.layout->y_offset[j] + n];
        }
    }
    return TN_OK;
}

/* The values of a measure where the multipliers are those of a stress alone; -1: none. */
static void read_with(const tn_measure_look *l, tn_measure_id measure, int32_t stress, double *out)
{
    const tn_red_stresses *s = l->stresses;
    memset(l->lambda, 0, l->lambda_size);
    for (int32_t i = 0; i < s->size && stress >= 0; i++)
        l->lambda[s->place[i]] = TN_STRESS_FORCE * s->lambda[(int64_t)i * s->count + stress];
    tn_sim_measure(l->other, measure, out);
}

static uint32_t look_at_reaction(const tn_measure_look *l, tn_measure_id measure)
{
    const tn_model *model = l->sim->model;
    double none[TN_MEASURE_MOST] = {0}, with[TN_MEASURE_MOST] = {0}, squares[TN_MEASURE_MOST] = {0};
    uint32_t mask = TN_MASK_ALL;
    read_with(l, measure, -1, none);
    for (int32_t k = 0; k < l->stresses->count; k++) {
        read_with(l, measure, k, with);
        for (int i = 0; i < TN_MEASURE_MOST; i++)
            squares[i] += (with[i] - none[i]) * (with[i] - none[i]);
    }
    for (int32_t i = 0; i < tn_measure_width(model, measure); i++) {
        const bool moment = strcmp(tn_measure_unit(model, measure, i), "N m") == 0;
        const double zero =
            TN_STRESS_FORCE * l->stresses->zero * (moment ? l->stresses->length : 1.0);
        mask &= squares[i] <= zero * zero ? TN_MASK_ALL : ~(1u << i);
    }
    return mask;
}

/* Is the part of an effort given by what holds the coordinate, or by friction where nothing does? */
static bool is_of_hold(tn_hold hold, tn_wrench_part part)
{
    static const uint32_t parts[TN_HOLD_COUNT] = {
        [TN_HOLD_NONE] = 1u << TN_WRENCH_FRICTION, /* that slides */
        [TN_HOLD_SPRING] = 1u << TN_WRENCH_FRICTION,
        [TN_HOLD_FRICTION] = 1u << TN_WRENCH_FRICTION,
        [TN_HOLD_MOTOR] = 1u << TN_WRENCH_MOTOR | 1u << TN_WRENCH_FRICTION,
        [TN_HOLD_DRIVER] = 1u << TN_WRENCH_DRIVER,
        [TN_HOLD_LOCK] = 1u << TN_WRENCH_LOCK,
        [TN_HOLD_PINNED] = 1u << TN_WRENCH_LOCK,
        [TN_HOLD_LOWER] = 1u << TN_WRENCH_LIMIT,
        [TN_HOLD_UPPER] = 1u << TN_WRENCH_LIMIT,
    };
    return part == TN_WRENCH_PART_COUNT || (parts[hold] >> part & 1u) != 0;
}

static bool is_unique_effort(const tn_measure_look *l, tn_joint joint, int32_t coordinate,
                             tn_wrench_part part)
{
    const int32_t j = tn_sim_element(l->sim, joint);
    const int32_t row = tn_motion_row(&l->sim->model->joints[j], coordinate);
    return (l->analysis->joints[j].rows >> row & 1u) != 0 ||
           !is_of_hold((tn_hold)l->sim->state.switches[j].hold[coordinate], part);
}

static uint32_t look_at(const tn_measure_look *l, tn_measure_id measure);

static bool is_unique_term(const tn_measure_look *l, const tn_formula_term *term)
{
    if (term->what == TN_TERM_EFFORT)
        return is_unique_effort(l, term->joint, term->coordinate, TN_WRENCH_PART_COUNT);
    return term->what != TN_TERM_MEASURE || (look_at(l, term->measure) >> term->field & 1u) != 0;
}

static uint32_t look_at_formula(const tn_measure_look *l, tn_measure_id measure)
{
    const tn_measure_formula *formula = &l->sim->model->formulas[measure.i];
    bool unique = true;
    for (int32_t k = 0; k < formula->term_count; k++)
        unique &= is_unique_term(l, &formula->terms[k]);
    return unique ? TN_MASK_ALL : 0u;
}

static uint32_t find(const tn_measure_look *l, tn_measure_id measure)
{
    const tn_measure_def *def = &l->sim->model->measures[measure.i];
    if (!tn_has_measure(l->sim->model, measure))
        return TN_MASK_ALL; /* it was removed */
    if (tn_quantity_kind(def->quantity) == TN_MEASURE_REACTION ||
        tn_quantity_kind(def->quantity) == TN_MEASURE_SECTION)
        return look_at_reaction(l, measure);
    if (def->quantity == TN_QUANTITY_FORMULA)
        return look_at_formula(l, measure);
    if (def->quantity == TN_QUANTITY_EFFORT || def->quantity == TN_QUANTITY_POWER) {
        const bool unique = is_unique_effort(l, def->joint, def->coordinate, def->part);
        return unique ? TN_MASK_ALL : 0u;
    }
    return TN_MASK_ALL;
}

/* Formulas may name the same ones again and again, though not in circles. */
static uint32_t look_at(const tn_measure_look *l, tn_measure_id measure)
{
    if (!(l->mask[measure.i] & TN_MASK_KNOWN))
        l->mask[measure.i] = (uint8_t)(find(l, measure) | TN_MASK_KNOWN);
    return l->mask[measure.i] & TN_MASK_ALL;
}

tn_status tn_red_measures_find(const tn_sim *sim, const tn_analysis *analysis, uint8_t *mask)
{
    const int32_t count = tn_model_measure_count(sim->model);
    const int64_t places = (int64_t)sim->model->element_count * TN_MAX_ROWS;
    tn_measure_look look = {
        .sim = sim,
        .analysis = analysis,
        .stresses = &((const tn_red_storage *)analysis->storage)->stresses,
        .other = TN_NEW(tn_sim),
        .lambda = TN_NEW_ARRAY(double, places),
        .lambda_size = sizeof(double) * (size_t)places,
        .mask = mask,
    };
    const tn_status status = look.other && look.lambda ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK) {
        *look.other = *sim;
        look.other->state.lambda = look.lambda;
        look.other->traits.reactions_at_start = false; /* stresses belong to the state's pose */
        memset(mask, 0, (size_t)count);
    }
    for (int32_t i = 0; i < count && status == TN_OK; i++)
        look_at(&look, (tn_measure_id){.i = i});
    tn_free(look.other);
    tn_free(look.lambda);
    return status;
}
