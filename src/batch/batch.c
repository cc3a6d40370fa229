/* batch.c: room batch: many simulations stepped together (tenon/batch.h).
 *
 * Members are simulations with a workspace each; work on them is parted into runs of TN_BATCH_RUN. Those
 * that can are stepped side by side (sides.h).
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "batch/batch.h"
#include "batch/sides.h"
#include "crew/crew.h"
#include "motion/kinematics.h"
#include "tenon/coords.h"
#include "tenon/limits.h"
#include "tenon/load.h"

struct tn_batch {
    int32_t count, coordinates, bodies;
    int32_t joints;
    tn_sim **sims;        /* [count] */
    tn_status *status;    /* [count] */
    unsigned char *start; /* [count][state_size] what they were when made */
    size_t state_size;
    tn_coordinate_request *requests; /* [count][coordinates] of tn_batch_place */
    tn_crew *crew;
    tn_sides sides;
    int32_t door; /* as a simulation's (motion/simulation.h) */
};

/* True if a call works on the batch and this one comes from inside a callback of a member. */
static bool is_at_work(const tn_batch *batch)
{
    return batch != NULL && batch->door > 0 && tn_callbacks() >= batch->door;
}

/* ---- making ---- */

static bool same_build(const tn_model *a, const tn_model *b)
{
    if (a == NULL || b == NULL)
        return false;
    const tn_model_size m = tn_model_get_size(a), n = tn_model_get_size(b);
    bool same = m.bodies == n.bodies && m.joints == n.joints && m.couplings == n.couplings &&
                m.velocities == n.velocities;
    for (int32_t j = 0; same && j < m.joints; j++) {
        same = strcmp(tn_model_joint_info(a, (tn_joint){j})->name,
                      tn_model_joint_info(b, (tn_joint){j})->name) == 0;
    }
    return same;
}

/* Of a joint; one that was removed has no coordinates any more. */
static int32_t coordinates_of(const tn_model *model, int32_t j)
{
    const tn_joint joint = {j};
    return tn_model_has_joint(model, joint) ? tn_model_joint_info(model, joint)->coordinate_count
                                            : 0;
}

static void count_numbers(tn_batch *batch, const tn_model *model)
{
    const tn_model_size size = tn_model_get_size(model);
    batch->bodies = size.bodies;
    batch->joints = size.joints;
    for (int32_t j = 0; j < size.joints; j++)
        batch->coordinates += coordinates_of(model, j);
}

static tn_status make_members(tn_batch *batch, const tn_model *const *models, int32_t model_count,
                              const tn_sim_options *options, tn_diagnostics *diags)
{
    tn_status status = TN_OK;
    for (int32_t i = 0; status == TN_OK && i < batch->count; i++) {
        const tn_model *model = models[model_count > 1 ? i : 0];
        if (!same_build(models[0], model))
            return TN_ERROR_ARGUMENT;
        const tn_sim_options own = tn_default_sim_options(model);
        const size_t before = tn_requested();
        status = tn_sim_create(model, options != NULL ? options : &own, diags, &batch->sims[i]);
        const size_t taken = tn_requested() - before;
        if (i == 0 && taken > 0 && (size_t)batch->count > tn_memory_of_machine() / taken)
            return TN_ERROR_MEMORY;
    }
    return status;
}

static tn_status keep_start(tn_batch *batch)
{
    for (int32_t i = 0; i < batch->count; i++) {
        const size_t size = tn_sim_state_size(batch->sims[i]);
        batch->state_size = size > batch->state_size ? size : batch->state_size;
    }
    batch->start = tn_alloc((size_t)batch->count, batch->state_size);
    if (batch->start == NULL)
        return TN_ERROR_MEMORY;
    for (int32_t i = 0; i < batch->count; i++)
        tn_sim_save(batch->sims[i], batch->start + (size_t)i * batch->state_size);
    return TN_OK;
}

static tn_status make(tn_batch *batch, const tn_model *const *models, int32_t model_count,
                      const tn_sim_options *options, int32_t threads, int32_t lanes,
                      tn_diagnostics *diags)
{
    count_numbers(batch, models[0]);
    const size_t requests = (size_t)(batch->coordinates + 1) * sizeof *batch->requests;
    if ((size_t)batch->count >
        tn_memory_of_machine() / (requests + sizeof *batch->sims + sizeof *batch->status))
        return TN_ERROR_MEMORY;
    batch->sims = TN_NEW_ARRAY(tn_sim *, batch->count);
    batch->status = TN_NEW_ARRAY(tn_status, batch->count);
    batch->requests = tn_alloc((size_t)batch->count, requests);
    if (batch->sims == NULL || batch->status == NULL || batch->requests == NULL)
        return TN_ERROR_MEMORY;
    tn_status status = make_members(batch, models, model_count, options, diags);
    if (status == TN_OK)
        status = keep_start(batch);
    const int32_t runs = (batch->count + TN_BATCH_RUN - 1) / TN_BATCH_RUN;
    batch->crew = status == TN_OK ? tn_crew_create(threads < runs ? threads : runs) : NULL;
    return status == TN_OK ? tn_sides_create(&batch->sides, batch->sims, batch->status,
                                             batch->count, tn_crew_size(batch->crew), lanes)
                           : status;
}

tn_status tn_batch_create_wide(const tn_model *const *models, int32_t model_count, int32_t count,
                               const tn_sim_options *options, int32_t threads, int32_t lanes,
                               tn_diagnostics *diags, tn_batch **out)
{
    if (out == NULL)
        return TN_ERROR_ARGUMENT;
    *out = NULL;
    if (models == NULL || models[0] == NULL || count < 1 ||
        (model_count != 1 && model_count != count))
        return TN_ERROR_ARGUMENT;
    tn_batch *batch = TN_NEW(tn_batch);
    if (batch == NULL)
        return TN_ERROR_MEMORY;
    batch->count = count;
    const tn_status status = make(batch, models, model_count, options, threads, lanes, diags);
    if (status == TN_OK) {
        *out = batch;
    } else {
        tn_batch_destroy(batch);
    }
    return status;
}

tn_status tn_batch_create(const tn_model *const *models, int32_t model_count, int32_t count,
                          const tn_sim_options *options, int32_t threads, tn_diagnostics *diags,
                          tn_batch **out)
{
    return tn_batch_create_wide(models, model_count, count, options, threads, TN_MOST_LANES, diags,
                                out);
}

void tn_batch_destroy(tn_batch *batch)
{
    if (batch == NULL || is_at_work(batch))
        return;
    tn_crew_destroy(batch->crew);
    tn_sides_destroy(&batch->sides);
    for (int32_t i = 0; batch->sims != NULL && i < batch->count; i++)
        tn_sim_destroy(batch->sims[i]);
    tn_free(batch->sims);
    tn_free(batch->status);
    tn_free(batch->start);
    tn_free(batch->requests);
    tn_free(batch);
}

int32_t tn_batch_count(const tn_batch *batch)
{
    return batch != NULL ? batch->count : 0;
}

int32_t tn_batch_threads(const tn_batch *batch)
{
    return batch != NULL ? tn_crew_size(batch->crew) : 0;
}

tn_sim *tn_batch_sim(tn_batch *batch, int32_t index)
{
    if (batch == NULL || index < 0 || index >= batch->count || is_at_work(batch))
        return NULL;
    tn_sides_leave(&batch->sides, index, true); /* the caller may read it after any later step */
    return batch->sims[index];
}

int64_t tn_batch_side_steps(const tn_batch *batch, int32_t index)
{
    return batch->sides.taken != NULL ? batch->sides.taken[index] : 0;
}

/* ---- stepping ---- */

static tn_status report_status(const tn_batch *batch, tn_status *status)
{
    tn_status first = TN_OK;
    if (status != NULL)
        memcpy(status, batch->status, (size_t)batch->count * sizeof *status);
    for (int32_t i = 0; first == TN_OK && i < batch->count; i++)
        first = batch->status[i];
    return first;
}

typedef struct steps {
    tn_batch *batch;
    double h;
    int64_t count;
    const double *efforts;
} steps;

/* The efforts of one member, on all of its coordinates. */
static tn_status apply(tn_sim *sim, int32_t joints, const double *effort)
{
    const tn_model *model = tn_sim_model(sim);
    tn_status status = TN_OK;
    for (int32_t j = 0; j < joints; j++) {
        for (int32_t k = 0; k < coordinates_of(model, j); k++) {
            const double value = *effort++;
            if (status == TN_OK)
                status = tn_sim_apply_effort(sim, (tn_joint){j}, k, value);
        }
    }
    return status;
}

/* With efforts every member is stepped by itself, not in SIMD lanes. */
static void step_pushed(const steps *s, int32_t i)
{
    tn_batch *batch = s->batch;
    tn_sim *sim = batch->sims[i];
    const double *effort = s->efforts + (size_t)i * (size_t)batch->coordinates;
    tn_sides_leave(&batch->sides, i, false);
    for (int64_t k = 0; k < s->count && batch->status[i] == TN_OK; k++) {
        batch->status[i] = apply(sim, batch->joints, effort);
        if (batch->status[i] == TN_OK)
            batch->status[i] = tn_sim_step(sim, s->h, NULL);
        if (batch->status[i] != TN_OK)
            tn_sim_clear_applied(sim);
    }
}

static void do_runs(tn_batch *batch, tn_crew_work *work, void *context)
{
    batch->door = 1 + tn_callbacks();
    const tn_crew_pass pass = {.count = batch->count,
                               .run = TN_BATCH_RUN,
                               .stage_count = 1,
                               .stages = {{work, false}},
                               .context = context};
    tn_crew_do(batch->crew, &pass);
    batch->door = 0;
}

/* Members that were stopped have not failed: they go on when the batch does. */
static tn_status end_stopped(tn_batch *batch)
{
    bool any = false;
    for (int32_t i = 0; i < batch->count; i++) {
        any |= batch->status[i] == TN_ERROR_STOPPED;
        if (batch->status[i] == TN_ERROR_STOPPED)
            batch->status[i] = TN_OK;
    }
    return any ? TN_ERROR_STOPPED : TN_OK;
}

static void step_run(void *context, int32_t thread, int32_t first, int32_t count)
{
    const steps *s = context;
    if (s->efforts == NULL)
        tn_sides_step(&s->batch->sides, s->count, thread, first, count);
    for (int32_t i = first; s->efforts != NULL && i < first + count; i++)
        step_pushed(s, i);
}

tn_status tn_batch_step(tn_batch *batch, double h, int64_t step_count, const double *efforts,
                        tn_status *status)
{
    steps s = {batch, h, step_count, efforts};
    if (batch == NULL || step_count < 0 || !(h > 0.0) || !isfinite(h))
        return TN_ERROR_ARGUMENT;
    if (is_at_work(batch))
        return TN_ERROR_BUSY;
    if (step_count > TN_MOST_STEPS)
        return TN_ERROR_WORK;
    tn_sides_begin(&batch->sides, h);
    do_runs(batch, step_run, &s);
    const tn_status stopped = end_stopped(batch), failed = report_status(batch, status);
    return stopped == TN_OK ? failed : stopped;
}

/* ---- rows ---- */

static bool is_row(tn_batch_row row)
{
    return (unsigned)row < TN_BATCH_ROW_COUNT;
}

const char *tn_batch_row_name(tn_batch_row row)
{
#define TN_BATCH_ROW_NAME(row, name, text) [row] = name,
    static const char *const names[TN_BATCH_ROW_COUNT] = {TN_BATCH_ROW_LIST(TN_BATCH_ROW_NAME)};
#undef TN_BATCH_ROW_NAME
    return is_row(row) ? names[row] : NULL;
}

int32_t tn_batch_width(const tn_batch *batch, tn_batch_row row)
{
    if (batch == NULL || !is_row(row))
        return 0;
    const int32_t widths[TN_BATCH_ROW_COUNT] = {[TN_BATCH_POSES] = 7 * batch->bodies,
                                                [TN_BATCH_VELOCITIES] = 6 * batch->bodies,
                                                [TN_BATCH_COORDINATES] = batch->coordinates,
                                                [TN_BATCH_SPEEDS] = batch->coordinates,
                                                [TN_BATCH_TIMES] = 1};
    return widths[row];
}

static void get_joints(const tn_sim *sim, int32_t joints,
                       void (*get)(const tn_sim *sim, tn_joint joint, double *out), double *out)
{
    const tn_model *model = tn_sim_model(sim);
    for (int32_t j = 0; j < joints; j++) {
        const int32_t count = coordinates_of(model, j);
        if (count > 0)
            get(sim, (tn_joint){j}, out);
        out += count;
    }
}

static void get_row(const tn_batch *batch, tn_batch_row row, int32_t i, double *out)
{
    tn_sim *sim = batch->sims[i];
    tn_sides_show(&batch->sides, i);
    if (batch->sides.in != NULL && batch->sides.in[i] && row == TN_BATCH_SPEEDS)
        tn_refresh_kinematics(sim);
    switch (row) {
    case TN_BATCH_POSES:
        tn_sim_get_poses(sim, out);
        break;
    case TN_BATCH_VELOCITIES:
        tn_sim_get_velocities(sim, out);
        break;
    case TN_BATCH_COORDINATES:
        get_joints(sim, batch->joints, tn_sim_joint_coordinates, out);
        break;
    case TN_BATCH_SPEEDS:
        get_joints(sim, batch->joints, tn_sim_joint_speeds, out);
        break;
    default:
        *out = tn_sim_time(sim);
    }
}

void tn_batch_get(const tn_batch *batch, tn_batch_row row, double *out)
{
    const int32_t width = tn_batch_width(batch, row);
    if (batch == NULL || out == NULL || !is_row(row))
        return;
    for (int32_t i = 0; i < batch->count; i++)
        get_row(batch, row, i, out + (size_t)i * (size_t)width);
}

typedef struct placing {
    tn_batch *batch;
    const double *coordinates, *speeds;
} placing;

/* The values of one member as requests. */
static void fill_requests(const tn_batch *batch, int32_t i, const double *values,
                          tn_coordinate_request *requests)
{
    const tn_model *model = tn_sim_model(batch->sims[i]);
    for (int32_t j = 0; j < batch->joints; j++) {
        for (int32_t k = 0; k < coordinates_of(model, j); k++)
            *requests++ = (tn_coordinate_request){{j}, k, *values++};
    }
}

static void place_run(void *context, int32_t thread, int32_t first, int32_t count)
{
    (void)thread;
    const placing *p = context;
    tn_batch *batch = p->batch;
    const size_t width = (size_t)batch->coordinates;
    for (int32_t i = first; i < first + count; i++) {
        tn_coordinate_request *requests = batch->requests + (size_t)i * width;
        tn_status status = TN_OK;
        tn_sides_leave(&batch->sides, i, false);
        if (p->coordinates != NULL) {
            fill_requests(batch, i, p->coordinates + (size_t)i * width, requests);
            status = tn_sim_set_coordinates(batch->sims[i], requests, batch->coordinates, NULL,
                                            NULL, NULL);
        }
        if (status == TN_OK && p->speeds != NULL) {
            fill_requests(batch, i, p->speeds + (size_t)i * width, requests);
            status = tn_sim_set_coordinate_speeds(batch->sims[i], requests, batch->coordinates,
                                                  NULL, NULL, NULL);
        }
        batch->status[i] = status;
    }
}

tn_status tn_batch_place(tn_batch *batch, const double *coordinates, const double *speeds,
                         tn_status *status)
{
    placing p = {batch, coordinates, speeds};
    if (batch == NULL)
        return TN_ERROR_ARGUMENT;
    if (is_at_work(batch))
        return TN_ERROR_BUSY;
    do_runs(batch, place_run, &p);
    const tn_status stopped = end_stopped(batch), failed = report_status(batch, status);
    return stopped == TN_OK ? failed : stopped;
}

void tn_batch_reset(tn_batch *batch, const unsigned char *marks)
{
    for (int32_t i = 0; batch != NULL && !is_at_work(batch) && i < batch->count; i++) {
        if (marks == NULL || marks[i] != 0) {
            tn_sides_forget(&batch->sides, i);
            batch->status[i] =
                tn_sim_restore(batch->sims[i], batch->start + (size_t)i * batch->state_size);
        }
    }
}
