/* analyze.c: room redundancy: the redundancy analysis, stage by stage.
 *
 * In: a model, or a simulation at some pose. Out: a tn_analysis. Ranks are counted at this pose and at
 * witness poses, a little away in random directions in which the mechanism can move. Rows that are dependent at
 * all of them are so permanently, the others only here (Michelucci, Foufou 2006).
 */
#include <math.h>
#include <string.h>

#include "motion/simulation.h"
#include "redundancy/redundancy.h"

#define TN_ANALYSIS_COOKIE 0x7e5a0a17u

/* Seeds of random directions: arbitrary, but fixed. */
#define TN_WITNESS_SEED 20u
#define TN_MOTION_SEED  7u
#define TN_FRAME_SEED   3u

/* Opening of a loop after disturbing the frames (sizes or rad), per unit of disturbance, above which the loop closes
 * only because its geometry is exact. */
#define TN_FRAGILE_SHARE 1e-2
/* Share of a stress of length 1 in a row below which the row has no part in it. */
#define TN_PART_OF_STRESS 1e-9
/* Most instantaneous motions listed. */
#define TN_MOTIONS_MOST 24
/* A random motion is new when this share of it is orthogonal to those before. */
#define TN_MOTION_NEW 1e-3

tn_analysis_options tn_default_analysis_options(void)
{
    return (tn_analysis_options){.cookie = TN_ANALYSIS_COOKIE,
                                 .threshold = TN_RED_ZERO,
                                 .closing_tolerance = 1e-10,
                                 .witness_step = TN_RED_STEP,
                                 .disturbance = 1e-6,
                                 .witnesses = 3};
}

static int options_good(const tn_analysis_options *o)
{
    return o->cookie == TN_ANALYSIS_COOKIE && o->threshold > 0.0 && o->threshold < 0.1 &&
           o->closing_tolerance > 0.0 && o->witness_step > 0.0 && o->witness_step < 1.0 &&
           o->disturbance > 0.0 && o->disturbance < 1.0 && o->witnesses >= 0;
}

typedef struct tn_analyzer {
    const tn_analysis_options *options;
    tn_red_pose *pose;
    tn_red_storage *storage;
    tn_arena *keep;   /* the report's, in storage */
    tn_arena scratch; /* freed at the end */
    tn_red_graph graph;
    tn_red_closure here, witness, hard, permanent;
    int32_t has_witness; /* 1: a witness pose has a higher rank than this pose */
    tn_analysis *out;
} tn_analyzer;

/* ---- ranks ---- */

static void fill_counts(tn_analyzer *z)
{
    tn_analysis *out = z->out;
    for (int32_t k = 0; k < z->pose->model->coupling_count; k++)
        out->couplings += z->graph.coupling_group[k] >= 0;
    out->velocities = z->pose->model->size.velocities;
    out->rows = z->here.rows;
    out->rank = z->here.rank;
    out->redundant = out->rows - out->rank;
    out->dof = out->velocities - out->rank;
    out->gruebler = out->velocities - out->rows;
    out->gap_low = z->here.gap_low;
    out->gap_high = z->here.gap_high;
    out->unclear = tn_red_is_unclear(&z->here, z->options->threshold);
    out->residual = z->pose->residual;
    out->worst = tn_joint_of(z->pose->model, z->pose->worst);
    out->generic_rank = out->rank;
}

static tn_status look_at_witness(tn_analyzer *z, uint64_t *seed)
{
    tn_red_pose there;
    int32_t reached = 0;
    tn_red_closure closure = {0};
    tn_status status = tn_red_pose_create(z->pose->model, &there);
    if (status == TN_OK) {
        tn_red_pose_follow(&there, z->pose);
        tn_red_pose_refresh(&there);
        status = tn_red_pose_wander(&there, seed, z->options->witness_step, 0.0, &reached);
    }
    if (status == TN_OK && reached) {
        status =
            tn_red_closure_find(&there, &z->graph, 0, z->options->threshold, &z->scratch, &closure);
    }
    tn_red_pose_destroy(&there);
    z->out->witnesses += status == TN_OK && reached;
    if (status == TN_OK && reached && closure.rank > z->out->generic_rank) {
        z->out->generic_rank = closure.rank;
        z->witness = closure;
        z->has_witness = 1;
    }
    return status;
}

/* Uses the larger of two counts of momentary rows: those independent at a witness pose nearby, and those whose
 * stresses end to second order. */
static void choose_witness(tn_analyzer *z, int32_t momentary)
{
    if (z->out->generic_rank - z->out->rank <= momentary) {
        z->has_witness = 0;
        z->out->generic_rank = z->out->rank + momentary;
        return;
    }
    for (int32_t k = 0; k < z->here.count; k++)
        z->here.stress[k].momentary = 0;
}

static tn_status look_around(tn_analyzer *z)
{
    int32_t momentary = 0;
    tn_status status = TN_OK;
    uint64_t seed = TN_WITNESS_SEED;
    if (z->out->dof > 0) {
        status =
            tn_red_second_split(z->pose, &z->graph, z->options->threshold, &z->here, &momentary);
    }
    for (int32_t i = 0; i < z->options->witnesses && z->out->dof > 0 && status == TN_OK; i++)
        status = look_at_witness(z, &seed);
    choose_witness(z, momentary);
    if (z->out->generic_rank > z->out->velocities)
        z->out->generic_rank =
            z->out->velocities; /* not all rows with momentary stresses are independent nearby */
    z->out->permanent = z->out->rows - z->out->generic_rank;
    z->out->momentary = z->out->generic_rank - z->out->rank;
    z->out->freedoms = z->out->velocities - z->out->generic_rank;
    return status;
}

/* ---- fragility ---- */

static void disturb(tn_xform *T, double size, double amount, uint64_t *seed)
{
    double r[6];
    for (int i = 0; i < 6; i++)
        r[i] = amount * tn_red_random(seed);
    T->p = v3_axpy(T->p, size, v3_load(r));
    const tn_mat3 turn = q_to_m3(q_exp(v3_load(r + 3)));
    T->R = m3_mul(&T->R, &turn);
}

/* The same mechanism with every frame C slightly displaced, closed as well as possible. */
static tn_status close_disturbed(tn_analyzer *z, tn_model_joint *joints)
{
    const tn_model *model = z->pose->model;
    tn_model off = *model;
    off.joints = joints;
    uint64_t seed = TN_FRAME_SEED;
    memcpy(joints, model->joints, sizeof *joints * (size_t)model->element_count);
    for (int32_t j = 0; j < model->joint_count; j++)
        disturb(&joints[j].geometry.T_CA, z->pose->size, z->options->disturbance, &seed);
    tn_red_pose there;
    tn_status status = tn_red_pose_create(&off, &there);
    if (status == TN_OK) {
        tn_red_pose_follow(&there, z->pose);
        status = tn_red_pose_close(&there);
    }
    if (status == TN_OK) {
        z->out->fragile_residual = there.relative;
        z->out->fragile = there.relative > TN_FRAGILE_SHARE * z->options->disturbance;
    }
    tn_red_pose_destroy(&there);
    return status;
}

static tn_status look_at_fragility(tn_analyzer *z)
{
    if (z->out->permanent == 0)
        return TN_OK;
    tn_model_joint *joints = TN_NEW_ARRAY(tn_model_joint, z->pose->model->element_count);
    if (!joints)
        return TN_ERROR_MEMORY;
    const tn_status status = close_disturbed(z, joints);
    tn_free(joints);
    return status;
}

/* ---- motions at a singular pose ---- */

/* Scalar product in the metric of the factored pose, which is diagonal. */
static double metric_dot(const tn_red_pose *pose, const double *a, const double *b)
{
    const tn_kkt_layout *l = pose->sys.layout;
    double sum = 0.0;
    for (int32_t i = 0; i < l->n_primal; i++) {
        const int32_t d = l->primal_dim[i];
        const double *h = pose->sys.values->h + l->h_offset[i];
        for (int32_t c = 0; c < d; c++)
            sum += h[c * d + c] * a[l->u_offset[i] + c] * b[l->u_offset[i] + c];
    }
    return sum;
}

/* Velocity u as twists at the bodies' origins. */
static void store_motion(const tn_red_pose *pose, const double *u, tn_twist *to)
{
    for (int32_t i = 0; i < pose->model->body_count; i++) {
        to[i] = tn_assemble_twist(&pose->sys, u, i);
        const tn_vec3 com = m3_mulv(&pose->sys.T[i].R, pose->model->bodies[i].com);
        to[i].v = v3_sub(to[i].v, v3_cross(to[i].w, com));
    }
}

static tn_status find_motions(tn_analyzer *z, double *u, tn_twist *motions, int32_t wanted)
{
    const int64_t n = z->pose->sys.layout->u_size;
    uint64_t seed = TN_MOTION_SEED;
    tn_status status = tn_red_pose_factor(z->pose);
    if (status != TN_OK)
        return status;
    for (int32_t attempt = 0; attempt < 2 * wanted && z->out->motion_count < wanted; attempt++) {
        const int32_t count = z->out->motion_count;
        double *own = u + (int64_t)count * n, speed = 0.0;
        status = tn_red_pose_velocity(z->pose, &seed, own, &speed);
        if (status != TN_OK)
            return status;
        const double before = sqrt(metric_dot(z->pose, own, own));
        for (int32_t k = 0; k < count; k++) {
            const double *other = u + (int64_t)k * n;
            const double along = metric_dot(z->pose, other, own);
            for (int64_t i = 0; i < n; i++)
                own[i] -= along * other[i];
        }
        const double length = sqrt(metric_dot(z->pose, own, own));
        if (speed == 0.0 || length < TN_MOTION_NEW * before)
            continue;
        for (int64_t i = 0; i < n; i++)
            own[i] /= length;
        store_motion(z->pose, own, motions + (int64_t)count * z->pose->model->body_count);
        z->out->motion_count++;
    }
    return TN_OK;
}

/* Limits the generic rank to velocities minus the freedoms of finite motion: second order may end more stresses than
 * that. */
static void limit_generic_rank(tn_analyzer *z)
{
    tn_analysis *out = z->out;
    const int32_t most = out->velocities - out->freedoms;
    if (out->generic_rank > most)
        out->generic_rank = most;
    out->permanent = out->rows - out->generic_rank;
    out->momentary = out->generic_rank - out->rank;
}

static tn_status look_at_motions(tn_analyzer *z)
{
    if (z->out->momentary == 0)
        return TN_OK;
    const int32_t wanted = z->out->dof < TN_MOTIONS_MOST ? z->out->dof : TN_MOTIONS_MOST;
    tn_twist *motions = TN_ARENA_ARRAY(z->keep, tn_twist, wanted * z->pose->model->body_count);
    double *u = TN_NEW_ARRAY(double, wanted * z->pose->sys.layout->u_size);
    tn_status status = motions && u ? find_motions(z, u, motions, wanted) : TN_ERROR_MEMORY;
    z->out->motions = motions;
    if (status == TN_OK && z->out->motion_count == z->out->dof && !z->has_witness)
        status = tn_red_freedoms(z->pose, &z->here, u, z->out->dof, &z->out->freedoms);
    if (status == TN_OK && z->out->freedoms >= 0)
        limit_generic_rank(z);
    tn_free(u);
    return status;
}

/* ---- loops ---- */

static tn_status list_loop(tn_analyzer *z, int32_t l, tn_loop *to)
{
    const tn_red_loop *from = &z->graph.loops[l];
    tn_joint *joints = TN_ARENA_ARRAY(z->keep, tn_joint, from->count);
    tn_body *bodies = TN_ARENA_ARRAY(z->keep, tn_body, from->count);
    if (!joints || !bodies)
        return TN_ERROR_MEMORY;
    to->joints = joints;
    to->bodies = bodies;
    for (int32_t k = 0; k < from->count; k++) {
        const int32_t joint = z->graph.edges[from->edge[k]].joint;
        const int32_t node = from->node[k];
        if (joint < 0) /* the pseudo-joint of a planar body is no joint of the model */
            continue;
        joints[to->count].i = joint;
        bodies[to->count++].i = node == z->pose->model->body_count ? TN_GROUND_INDEX : node;
    }
    for (int32_t k = 0; k < z->here.count; k++)
        to->redundant += z->here.stress[k].loop == l;
    return TN_OK;
}

/* The condition a joint puts on planar bodies at its ends is a loop of the equations, but none of the mechanism. It is
 * listed only if it repeats something. */
static bool is_listed(const tn_loop *loop)
{
    return loop->count > 1 || loop->redundant > 0;
}

static tn_status list_loops(tn_analyzer *z)
{
    tn_loop *loops = TN_ARENA_ARRAY(z->keep, tn_loop, z->graph.loop_count + 1);
    tn_status status = loops ? TN_OK : TN_ERROR_MEMORY;
    for (int32_t l = 0; l < z->graph.loop_count && status == TN_OK; l++) {
        tn_loop *own = &loops[z->out->loop_count];
        *own = (tn_loop){0};
        status = list_loop(z, l, own);
        z->graph.loops[l].number = z->out->loop_count;
        z->out->loop_count += is_listed(own);
    }
    z->out->loops = loops;
    return status;
}

/* ---- all ---- */

/* True if there are rows held by motors or friction. */
static bool has_others(const tn_red_pose *pose)
{
    for (int32_t j = 0; j < pose->model->element_count; j++) {
        const tn_switches *s = &pose->state.switches[j];
        for (int32_t i = 0; i < TN_MAX_COORDINATES; i++) {
            if (s->hold[i] == TN_HOLD_MOTOR || s->hold[i] == TN_HOLD_FRICTION)
                return true;
        }
    }
    return false;
}

static tn_status find_uniqueness(tn_analyzer *z)
{
    tn_status status = TN_OK;
    z->hard = z->here;
    if (has_others(z->pose)) {
        status = tn_red_closure_find(z->pose, &z->graph, 1, z->options->threshold, &z->scratch,
                                     &z->hard);
    }
    if (status == TN_OK)
        status = tn_red_stresses_keep(z->pose, &z->hard, z->storage);
    if (status == TN_OK)
        status = tn_red_share_keep(z->pose, &z->hard, z->storage);
    return status == TN_OK ? tn_red_uniqueness_find(z->pose, &z->hard, z->storage, z->out) : status;
}

static void take_rigid(tn_analyzer *z, const tn_red_closure *rigid)
{
    z->out->rigid_rows = rigid->rows;
    z->out->rigid_redundant = rigid->rows - rigid->rank;
    z->out->rigid_dof = z->pose->model->size.velocities - rigid->rank;
}

/* Lists the compliant joints and couplings in the stresses of rigid parts: their compliance decides these stresses. */
static tn_status list_yielding(tn_analyzer *z, const tn_red_closure *rigid)
{
    const tn_red_pose *pose = z->pose;
    tn_joint *list = TN_ARENA_ARRAY(z->keep, tn_joint, pose->model->element_count + 1);
    if (!list)
        return TN_ERROR_MEMORY;
    z->out->yielding = list;
    for (int32_t j = 0; j < pose->model->element_count; j++) {
        const tn_switches *s = &pose->state.switches[j];
        bool part = false;
        for (int32_t n = 0; n < s->active_count; n++) {
            const int64_t slot = pose->sys.layout->y_offset[j] + n;
            for (int32_t k = 0; k < rigid->count && s->compliance[s->active[n]] > 0.0; k++)
                part |= fabs(rigid->stress[k].lambda[slot]) > TN_PART_OF_STRESS;
        }
        if (part)
            list[z->out->yielding_count++] = tn_joint_of(pose->model, j);
    }
    return TN_OK;
}

/* The analysis of rigid parts: counts and dependent rows as if no row were compliant. Removes compliant rows from the
 * pose afterwards. */
static tn_status look_at_rigid(tn_analyzer *z)
{
    if (!tn_red_pose_has_yielding(z->pose))
        return TN_OK;
    tn_red_graph graph;
    tn_red_closure rigid = {0}, permanent;
    tn_analysis found = {0};
    const double threshold = z->options->threshold;
    tn_status status = tn_red_graph_build(z->pose, &z->scratch, &graph);
    if (status == TN_OK)
        status = tn_red_closure_find(z->pose, &graph, 0, threshold, &z->scratch, &rigid);
    if (status == TN_OK) {
        for (int32_t l = 0; l < graph.loop_count; l++)
            graph.loops[l].number = -1; /* the list is of loops of hard rows */
        status =
            tn_red_rows_find(z->pose, &graph, &rigid, NULL, INFINITY, z->keep, &permanent, &found);
        z->out->rigid_dependents = found.dependents;
        z->out->rigid_dependent_count = found.dependent_count;
        if (status == TN_OK)
            status = list_yielding(z, &rigid);
        if (status == TN_OK) /* with rigid parts, as compliance leaves every body some motion */
            status = tn_red_idle_find(z->pose, &graph, z->keep, z->out);
    } else if (status == TN_ERROR_UNSUPPORTED) { /* too many loops to list rows: count only */
        status = tn_red_count(z->pose, &graph, threshold, &z->scratch, &rigid);
    }
    take_rigid(z, &rigid);
    tn_red_pose_yield(z->pose);
    return status;
}

static tn_status run_stages(tn_analyzer *z)
{
    const double threshold = z->options->threshold;
    tn_status status = look_at_rigid(z);
    if (status == TN_OK)
        status = tn_red_graph_build(z->pose, &z->scratch, &z->graph);
    if (status == TN_OK)
        status = tn_red_closure_find(z->pose, &z->graph, 0, threshold, &z->scratch, &z->here);
    if (status != TN_OK)
        return status;
    fill_counts(z);
    if (z->out->rigid_rows == 0)
        take_rigid(z, &z->here);
    status = look_around(z);
    if (status == TN_OK)
        status = list_loops(z);
    if (status == TN_OK) {
        status = tn_red_rows_find(z->pose, &z->graph, &z->here, z->has_witness ? &z->witness : NULL,
                                  z->options->closing_tolerance, z->keep, &z->permanent, z->out);
    }
    if (status == TN_OK)
        status = find_uniqueness(z);
    if (status == TN_OK)
        status = tn_red_change_find(z->pose, &z->permanent, z->keep, z->out);
    if (status == TN_OK && !z->pose->yields)
        status = tn_red_idle_find(z->pose, &z->graph, z->keep, z->out);
    if (status == TN_OK)
        status = look_at_fragility(z);
    if (status == TN_OK)
        status = look_at_motions(z);
    return status;
}

static tn_status analyze(tn_red_pose *pose, const tn_analysis_options *options, tn_analysis *out)
{
    tn_analyzer z = {.options = options, .pose = pose, .out = out};
    z.storage = TN_NEW(tn_red_storage);
    if (!z.storage)
        return TN_ERROR_MEMORY;
    z.keep = &z.storage->arena;
    out->storage = z.storage;
    const tn_status status = run_stages(&z);
    tn_arena_free(&z.scratch);
    if (status != TN_OK)
        tn_analysis_free(out);
    return status;
}

void tn_analysis_free(tn_analysis *analysis)
{
    if (!analysis)
        return;
    tn_red_storage *storage = analysis->storage;
    if (storage)
        tn_arena_free(&storage->arena);
    tn_free(storage);
    memset(analysis, 0, sizeof *analysis);
}

tn_status tn_model_analyze(const tn_model *model, const tn_analysis_options *options,
                           tn_analysis *out)
{
    const tn_analysis_options defaults = tn_default_analysis_options();
    options = options ? options : &defaults;
    if (!model || !out || !options_good(options))
        return TN_ERROR_ARGUMENT;
    memset(out, 0, sizeof *out);
    tn_red_pose pose;
    tn_status status = tn_red_pose_create(model, &pose);
    if (status == TN_OK)
        status = tn_red_pose_close(&pose);
    if (status == TN_OK)
        status = analyze(&pose, options, out);
    tn_red_pose_destroy(&pose);
    return status;
}

tn_status tn_sim_analyze(const tn_sim *sim, const tn_analysis_options *options, tn_analysis *out)
{
    const tn_analysis_options defaults = tn_default_analysis_options();
    options = options ? options : &defaults;
    if (!sim || !out || !options_good(options))
        return TN_ERROR_ARGUMENT;
    memset(out, 0, sizeof *out);
    tn_red_pose pose;
    tn_status status = tn_red_pose_create(sim->model, &pose);
    if (status == TN_OK) {
        tn_red_pose_take(&pose, &sim->state);
        tn_red_pose_refresh(&pose);
        status = analyze(&pose, options, out);
    }
    tn_red_pose_destroy(&pose);
    return status;
}
