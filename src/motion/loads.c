/* loads.c: room motion: the loads of a simulation (loads.h).
 *
 * In: the model's loads, those applied by calls, a callback. Out: their sum wherever the equations are evaluated, and
 * the work of each, by the trapezoidal rule or by the weights of the stages, like that of drives. The state has the
 * works and powers: load k of the model at k, all that is applied after those, the callback last.
 */
#include "math/none.h"
#include "motion/loads.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "assemble/drive_terms.h"
#include "assemble/joint_terms.h"
#include "assemble/load/loads.h"
#include "assemble/load/pressure.h"
#include "assemble/load/solids.h"
#include "base/base.h"
#include "tenon/load.h"

struct tn_sim_loads {
    tn_load_callback callback;
    void *context;
    double *wrenches; /* [bodies][6] applied for the next step; NULL: none so far */
    double *efforts;  /* [joints][TN_MAX_COORDINATES] likewise */
    bool applied, efforts_applied;
    bool used; /* by the last step: the next call that applies a load clears them first */
    int32_t undefined;
    int32_t inverted;         /* an element of a solid; -1: none */
    bool positive;            /* elements enter the matrix without their stress stiffness */
    tn_load_matrix *matrices; /* [bodies] of the last evaluation with derivatives */
    double *f;                /* [velocities] scratch */
};

/* The argument of a callback. */
struct tn_stage {
    const tn_sim *sim;
    const double *u;
    double time;
    tn_load_sums *sums;
};

static tn_status need_matrices(tn_sim *sim)
{
    tn_sim_loads *loads = sim->loads;
    if (!loads->matrices)
        loads->matrices = TN_NEW_ARRAY(tn_load_matrix, sim->model->body_count);
    if (!loads->f)
        loads->f = TN_NEW_ARRAY(double, sim->model->size.velocities);
    return loads->matrices && loads->f ? TN_OK : TN_ERROR_MEMORY;
}

tn_status tn_loads_create(tn_sim *sim)
{
    sim->loads = TN_NEW(tn_sim_loads);
    if (!sim->loads)
        return TN_ERROR_MEMORY;
    sim->loads->undefined = sim->loads->inverted = -1;
    return tn_loads_are(sim) ? need_matrices(sim) : TN_OK;
}

void tn_loads_destroy(tn_sim *sim)
{
    if (!sim->loads)
        return;
    tn_free(sim->loads->wrenches);
    tn_free(sim->loads->efforts);
    tn_free(sim->loads->matrices);
    tn_free(sim->loads->f);
    tn_free(sim->loads);
    sim->loads = NULL;
}

static tn_status need_applied(tn_sim *sim);

tn_status tn_loads_carry(const tn_sim *from, tn_sim *to)
{
    const tn_sim_loads *old = from->loads;
    if (!old->callback && !old->applied)
        return TN_OK;
    const tn_status status = need_applied(to);
    if (status != TN_OK)
        return status;
    tn_sim_loads *loads = to->loads;
    loads->callback = old->callback;
    loads->context = old->context;
    if (!old->applied)
        return TN_OK;
    memcpy(loads->wrenches, old->wrenches, 6 * sizeof(double) * (size_t)from->model->body_count);
    memcpy(loads->efforts, old->efforts,
           TN_MAX_COORDINATES * sizeof(double) * (size_t)from->model->joint_count);
    loads->applied = old->applied;
    loads->efforts_applied = old->efforts_applied;
    loads->used = old->used;
    return TN_OK;
}

bool tn_loads_from_outside(const tn_sim *sim)
{
    return sim->loads->callback || sim->loads->applied;
}

bool tn_loads_are_applied(const tn_sim *sim)
{
    return sim->loads->applied;
}

bool tn_loads_read_joints(const tn_sim *sim)
{
    return sim->loads->callback || sim->loads->efforts_applied;
}

bool tn_loads_are_computed(const tn_sim *sim)
{
    return sim->loads->callback != NULL;
}

bool tn_loads_are(const tn_sim *sim)
{
    return sim->model->load_count > 0 || sim->model->solid_count > 0 || tn_loads_from_outside(sim);
}

static void add_wrenches(const tn_sim *sim, double *f)
{
    const tn_sim_loads *loads = sim->loads;
    for (int32_t i = 0; loads->applied && i < sim->model->body_count; i++) {
        const double *w = loads->wrenches + 6 * (size_t)i;
        tn_add_wrench_at_origin(&sim->sys, i, (tn_wrench){v3_load(w), v3_load(w + 3)}, f);
    }
}

static void add_applied(const tn_sim *sim, double *f)
{
    const tn_sim_loads *loads = sim->loads;
    add_wrenches(sim, f);
    for (int32_t j = 0; loads->efforts_applied && j < sim->model->joint_count; j++) {
        const double *effort = loads->efforts + (size_t)j * TN_MAX_COORDINATES;
        for (int32_t i = 0; i < TN_MAX_COORDINATES; i++) {
            if (effort[i] != 0.0)
                tn_add_effort(&sim->sys, &sim->state, j, i, effort[i], f);
        }
    }
}

static void add_computed(const tn_sim *sim, const double *u, double time, tn_load_sums *sums)
{
    tn_stage stage = {sim, u, time, sums};
    if (!sim->loads->callback)
        return;
    tn_callback_begin();
    sim->loads->callback(sim->loads->context, &stage);
    tn_callback_end();
}

/* Round-off of a time that has been added up, relative. */
#define TN_SAME_TIME (32.0 * DBL_EPSILON)

/* The time at which loads are evaluated: on the side of a jump (motion/ahead/knots.h) on which the sub-step lies. */
static double load_time(const tn_sim *sim)
{
    const double t = sim->stage_time, near = TN_SAME_TIME * fabs(t) + 2.0 * DBL_MIN;
    if (!sim->model->loads_jump)
        return t;
    if (fabs(t - sim->smooth_from) <= near)
        return fmax(t, sim->smooth_from);
    return fabs(t - sim->smooth_to) <= near ? fmin(t, sim->smooth_to) : t;
}

/* Elements of solids: they are no loads, but their forces are added at the same place. */
static void add_solids(const tn_sim *sim, const double *u, tn_load_sums *sums)
{
    if (sim->model->solid_count == 0)
        return;
    const int32_t inverted = tn_solids_add_forces(&sim->sys, u, sums->f);
    sim->loads->inverted = inverted >= 0 ? inverted : sim->loads->inverted;
    if (sums->matrices)
        tn_solids_add_turning(&sim->sys, sums->matrices);
}

void tn_loads_add(const tn_sim *sim, const double *u, bool derivatives, double *f)
{
    tn_load_sums sums = {f, derivatives ? sim->loads->matrices : NULL, -1};
    if (!tn_loads_are(sim))
        return;
    if (sums.matrices)
        memset(sums.matrices, 0, sizeof *sums.matrices * (size_t)sim->model->body_count);
    tn_assemble_loads(&sim->sys, &sim->state, u, load_time(sim), &sums);
    add_solids(sim, u, &sums);
    add_applied(sim, f);
    add_computed(sim, u, sim->stage_time, &sums);
    if (sums.undefined >= 0)
        sim->loads->undefined = sums.undefined;
}

const tn_load_matrix *tn_loads_add_to_bodies(const tn_sim *sim, const double *u, bool derivatives,
                                             double *f)
{
    tn_load_matrix *matrices =
        derivatives && sim->model->load_count > 0 ? sim->loads->matrices : NULL;
    tn_load_sums sums = {f, matrices, -1};
    for (int32_t k = 0; matrices && k < sim->model->load_count; k++) {
        const tn_load_data *load = &sim->model->loads[k];
        for (int32_t n = 0; n < load->body_count; n++)
            memset(&matrices[load->bodies[n]], 0, sizeof *matrices);
    }
    tn_assemble_body_loads(&sim->sys, u, load_time(sim), &sums);
    add_wrenches(sim, f);
    if (sums.undefined >= 0)
        sim->loads->undefined = sums.undefined;
    return matrices;
}

bool tn_loads_efforts(const tn_sim *sim, double *efforts)
{
    const tn_sim_loads *loads = sim->loads;
    bool some = loads->efforts_applied;
    for (size_t n = 0; n < (size_t)sim->model->joint_count * TN_MAX_COORDINATES; n++)
        efforts[n] = some ? loads->efforts[n] : 0.0;
    for (int32_t k = 0; k < sim->model->load_count; k++) {
        const tn_load_data *load = &sim->model->loads[k];
        if (load->kind != TN_LOAD_EFFORT || !tn_state_is_on(sim->model, &sim->state, load->joint))
            continue;
        efforts[load->joint * TN_MAX_COORDINATES + load->coordinate] +=
            tn_load_effort(load, load_time(sim));
        some = true;
    }
    return some;
}

int32_t tn_loads_undefined(const tn_sim *sim)
{
    return sim->loads->undefined;
}

void tn_loads_fill(tn_sim *sim, double stiffness_factor, double damping_factor, const double *u,
                   double *f)
{
    if (tn_loads_are(sim) && sim->loads->matrices) {
        tn_assemble_load_matrices(&sim->sys, sim->loads->matrices, stiffness_factor, damping_factor,
                                  u, f);
    }
    if (sim->model->solid_count > 0) {
        tn_kkt_clear_pairs(sim->model->kkt, sim->sys.values);
        tn_solids_fill(&sim->sys, stiffness_factor, damping_factor, sim->loads->positive, u, f);
        if (!sim->loads->positive)
            tn_pressures_fill(&sim->sys, load_time(sim), stiffness_factor);
    }
}

bool tn_loads_make_positive(tn_sim *sim, bool positive)
{
    const bool changes = sim->model->solid_count > 0 && sim->loads->positive != positive;
    sim->loads->positive = positive;
    return changes;
}

int32_t tn_loads_inverted(const tn_sim *sim)
{
    return sim->loads->inverted;
}

/* Power of the forces in the scratch, which was zeroed before they were added. sim->pushed += their work for a pose
 * that is off by 1 m and 1 rad. */
static double power_of_scratch(tn_sim *sim)
{
    const double *f = sim->loads->f;
    double power = 0.0;
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        for (int64_t k = body->u; k < body->u + body->dim; k++) {
            power += f[k] * sim->state.u[k];
            sim->pushed += body->reach * fabs(f[k]);
        }
    }
    return power;
}

static void clear_scratch(const tn_sim *sim)
{
    memset(sim->loads->f, 0, sizeof(double) * (size_t)sim->model->size.velocities);
}

void tn_loads_power(tn_sim *sim)
{
    const int32_t count = sim->model->load_count;
    double *power = sim->state.load_power;
    const double time = load_time(sim);
    power[count] = power[count + 1] = 0.0;
    for (int32_t k = 0; k < count; k++)
        power[k] =
            tn_assemble_load_power(&sim->sys, &sim->state, sim->state.u, time, k, &sim->pushed);
    if (!tn_loads_from_outside(sim))
        return;
    tn_load_sums sums = {sim->loads->f, NULL, -1};
    clear_scratch(sim);
    add_applied(sim, sim->loads->f);
    power[count] = power_of_scratch(sim);
    clear_scratch(sim);
    add_computed(sim, sim->state.u, sim->stage_time, &sums);
    power[count + 1] = power_of_scratch(sim);
}

void tn_loads_account(tn_sim *sim, double seconds)
{
    for (int32_t k = 0; k < sim->model->load_count + 2; k++) {
        sim->state.load_work[k] += seconds * sim->state.load_power[k];
        sim->state.head->work += seconds * sim->state.load_power[k];
    }
}

/* Applied loads, and what a callback reads and adds ------------------------------------------------
 */

/* Is it a coordinate of a joint? Couplings have none to which efforts could be applied. */
static bool is_coordinate(const tn_model *model, tn_joint joint, int32_t coordinate)
{
    return tn_has_joint(model, joint) && tn_model_has_coordinate(model, joint.i, coordinate);
}

static tn_status need_applied(tn_sim *sim)
{
    tn_sim_loads *loads = sim->loads;
    const tn_model *model = sim->model;
    if (loads->used)
        tn_sim_clear_applied(sim);
    if (!loads->wrenches)
        loads->wrenches = TN_NEW_ARRAY(double, 6 * (int64_t)model->body_count);
    if (!loads->efforts)
        loads->efforts = TN_NEW_ARRAY(double, TN_MAX_COORDINATES *(int64_t)model->joint_count);
    return loads->wrenches && loads->efforts ? need_matrices(sim) : TN_ERROR_MEMORY;
}

tn_status tn_sim_apply_wrench(tn_sim *sim, tn_body body, tn_wrench wrench)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    if (!sim || !tn_has_body(sim->model, body) || !v3_is_finite(wrench.f) ||
        !v3_is_finite(wrench.m))
        return TN_ERROR_ARGUMENT;
    const tn_status status = need_applied(sim);
    if (status != TN_OK)
        return status;
    double *w = sim->loads->wrenches + 6 * (size_t)body.i;
    v3_store(w, v3_add(v3_load(w), wrench.f));
    v3_store(w + 3, v3_add(v3_load(w + 3), wrench.m));
    sim->loads->applied = true;
    return TN_OK;
}

tn_status tn_sim_apply_effort(tn_sim *sim, tn_joint joint, int32_t coordinate, double effort)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    if (!sim || !is_coordinate(sim->model, joint, coordinate) || !isfinite(effort))
        return TN_ERROR_ARGUMENT;
    const tn_status status = need_applied(sim);
    if (status != TN_OK)
        return status;
    sim->loads->efforts[(size_t)joint.i * TN_MAX_COORDINATES + (size_t)coordinate] += effort;
    sim->loads->applied = sim->loads->efforts_applied = true;
    return TN_OK;
}

void tn_sim_clear_applied(tn_sim *sim)
{
    TN_DEMAND_OR_RETURN(sim);
    if (tn_sim_is_at_work(sim))
        return;
    tn_sim_loads *loads = sim->loads;
    loads->used = false;
    if (!loads->applied)
        return;
    memset(loads->wrenches, 0, 6 * sizeof(double) * (size_t)sim->model->body_count);
    memset(loads->efforts, 0,
           TN_MAX_COORDINATES * sizeof(double) * (size_t)sim->model->joint_count);
    loads->applied = loads->efforts_applied = false;
}

/* FNV-1a hash of the nonzero numbers and their indices; 0: all are zero. */
static uint64_t digest(uint64_t seed, const double *values, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        uint64_t bits[2] = {k, 0};
        memcpy(&bits[1], &values[k], sizeof bits[1]);
        for (size_t b = 0; values[k] != 0.0 && b < sizeof bits; b++)
            seed = (seed ^ ((const unsigned char *)bits)[b]) * 0x100000001b3u;
    }
    return seed;
}

void tn_loads_begin_step(tn_sim *sim)
{
    tn_sim_loads *loads = sim->loads;
    uint64_t now = 0;
    if (loads->used)
        tn_sim_clear_applied(sim);
    loads->undefined = loads->inverted = -1;
    if (loads->applied) {
        now = digest(0, loads->wrenches, 6 * (size_t)sim->model->body_count);
        now = digest(now, loads->efforts, TN_MAX_COORDINATES * (size_t)sim->model->joint_count);
    }
    if (now != sim->state.head->applied)
        sim->state.head->restart = 1;
    sim->state.head->applied = now;
}

void tn_loads_end_step(tn_sim *sim)
{
    sim->loads->used = true;
}

tn_status tn_sim_set_load_callback(tn_sim *sim, tn_load_callback callback, void *context)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    if (!sim)
        return TN_ERROR_ARGUMENT;
    const tn_status status = callback ? need_matrices(sim) : TN_OK;
    if (status != TN_OK)
        return status;
    sim->loads->callback = callback;
    sim->loads->context = context;
    sim->state.head->restart = 1;
    return TN_OK;
}

double tn_stage_time(const tn_stage *stage)
{
    TN_DEMAND(stage, NAN);
    return stage->time;
}

tn_pose tn_stage_body_pose(const tn_stage *stage, tn_body body)
{
    TN_DEMAND(stage && tn_has_body(stage->sim->model, body), tn_no_pose());
    const tn_model *model = stage->sim->model;
    const tn_xform *T = &stage->sim->sys.T[body.i];
    return (tn_pose){v3_sub(T->p, m3_mulv(&T->R, model->bodies[body.i].com)),
                     stage->sim->state.q[body.i]};
}

tn_twist tn_stage_body_velocity(const tn_stage *stage, tn_body body)
{
    TN_DEMAND(stage && tn_has_body(stage->sim->model, body), tn_no_twist());
    const tn_sim *sim = stage->sim;
    tn_twist twist = tn_assemble_twist(&sim->sys, stage->u, body.i);
    const tn_vec3 c = m3_mulv(&sim->sys.T[body.i].R, sim->model->bodies[body.i].com);
    twist.v = v3_sub(twist.v, v3_cross(twist.w, c));
    return twist;
}

void tn_stage_coordinates(const tn_stage *stage, tn_joint joint, double *q, double *speed)
{
    const int32_t j = stage ? tn_element_of(stage->sim->model, joint) : -1;
    TN_DEMAND_OR_RETURN(j >= 0 && q && speed);
    const tn_sim *sim = stage->sim;
    tn_drive_motion(&sim->sys, &sim->state, j, stage->u, q, speed);
}

void tn_stage_add_wrench(tn_stage *stage, tn_body body, tn_wrench wrench)
{
    TN_DEMAND_OR_RETURN(stage && tn_has_body(stage->sim->model, body));
    tn_add_wrench_at_origin(&stage->sim->sys, body.i, wrench, stage->sums->f);
}

void tn_stage_add_effort(tn_stage *stage, tn_joint joint, int32_t coordinate, double effort)
{
    TN_DEMAND_OR_RETURN(stage && is_coordinate(stage->sim->model, joint, coordinate));
    const tn_sim *sim = stage->sim;
    tn_add_effort(&sim->sys, &sim->state, joint.i, coordinate, effort, stage->sums->f);
}

void tn_stage_add_derivatives(tn_stage *stage, tn_body body, const double stiffness[36],
                              const double damping[36])
{
    TN_DEMAND_OR_RETURN(stage && tn_has_body(stage->sim->model, body));
    const tn_system *sys = &stage->sim->sys;
    tn_load_matrix *matrix = stage->sums->matrices;
    if (!matrix)
        return;
    const tn_vec3 r =
        v3_scale(-1.0, m3_mulv(&sys->T[body.i].R, stage->sim->model->bodies[body.i].com));
    if (stiffness)
        tn_add_derivative(sys, body.i, r, stiffness, matrix[body.i].stiffness);
    if (damping)
        tn_add_derivative(sys, body.i, r, damping, matrix[body.i].damping);
}
