/* hinge_cuts.c: room method/hinges: joints that close loops of a tree of links, and couplings (method/loops/loops.h).
 *
 * The rows of a cut are those that its type has (joint/joint_rows.h): whatever it holds, it can be a cut. Its multipliers
 * are what the bodies' equations have of it at the end of the step, as general steps have them.
 *
 * In: a trial. Out: openings of rows, and the wrenches of their multipliers on what bodies weigh; after the step what is shown of
 * such joints.
 *
 * What acts along a coordinate of a cut is a wrench by its motion row; how that answers is a compliance of the row, 1 by what it
 * would add to the pivot of a link. A coordinate that is held is a hard row. Others are no rows.
 *
 * Rows that yield, with compliance C and damping D, are met where phi + C (lambda + D phi') = 0, divided by what that changes by with phi:
 * 1 + C D gamma'.
 *
 * Where the bodies of a cut rest, rounding of where they are is no motion; by h^2 it would be a force. Hard rows that are met but for
 * rounding are led by their speeds there, as in general steps (method/alpha/alpha_residual.c).
 *
 * Limits: coordinates of cuts are held hard, couplings too (tn_hinges_bear).
 */
#include <math.h>
#include <string.h>

#include "assemble/elements.h"
#include "base/base.h"
#include "method/hinges/alpha_hinges.h"

/* ---- making ---- */

/* Those that hold, and those of coordinates, which bodies feel: row n of the cut is row kept[n] of the joint. */
static int32_t rows_of(const tn_model_joint *joint)
{
    const tn_joint_type_info *info = &joint->geometry.cls->info;
    int32_t count = 0;
    for (int32_t n = 0; n < joint->kept_count; n++)
        count += joint->kept[n] < info->bilateral_count + info->coordinate_count;
    return count;
}

/* Joints through which an element acts on bodies: a joint through itself, a coupling through those of its terms. */
static int32_t joint_through(const tn_model *model, int32_t element, int32_t n)
{
    return model->through[model->through_start[element] + n];
}

static int32_t through_count(const tn_model *model, int32_t element)
{
    return model->through_start[element + 1] - model->through_start[element];
}

/* A coupling that was removed acts through nothing. */
static bool is_cut(const tn_model *model, int32_t element)
{
    return element < model->joint_count ? tn_tree_hangs(&model->joints[element]) < 0
                                        : through_count(model, element) > 0;
}

static tn_hinge_seat seat_of(const tn_alpha_hinges *hinges, int32_t body)
{
    return body < 0 ? (tn_hinge_seat){-1, -1} : hinges->welds.seats[body];
}

static void note_body(tn_alpha_hinges *hinges, int32_t body)
{
    if (body >= 0)
        hinges->is_cut[body] = 1;
}

/* Two ends for each joint that it acts through. */
static tn_status put_cut(const tn_model *model, const tn_alpha_hinges *hinges, int32_t element,
                         tn_loop_cut *cut)
{
    const int32_t count = through_count(model, element);
    const bool couples = element >= model->joint_count;
    *cut = (tn_loop_cut){.ends = TN_NEW_ARRAY(tn_loop_end, 2 * (int64_t)count),
                         .end_count = 2 * count,
                         .count = couples ? 1 : rows_of(&model->joints[element]),
                         .couples = couples};
    for (int32_t n = 0; n < count && cut->ends; n++) {
        const tn_model_joint *joint = &model->joints[joint_through(model, element, n)];
        cut->ends[2 * n].link = seat_of(hinges, joint->a).link;
        cut->ends[2 * n + 1].link = seat_of(hinges, joint->b).link;
    }
    return cut->ends ? TN_OK : TN_ERROR_MEMORY;
}

/* Of cut n of the loops, which is that element. */
static void note_cut(const tn_model *model, tn_alpha_hinges *hinges, int32_t n, int32_t element)
{
    hinges->cuts[n].joint = element;
    if (element < model->joint_count)
        hinges->acts.cut[element] = n;
    for (int32_t i = 0; i < through_count(model, element); i++) {
        const tn_model_joint *joint = &model->joints[joint_through(model, element, i)];
        note_body(hinges, joint->a);
        note_body(hinges, joint->b);
    }
}

static tn_status make(const tn_model *model, int32_t count, tn_alpha_hinges *hinges)
{
    tn_loop_cut *cuts = TN_NEW_ARRAY(tn_loop_cut, count);
    int32_t *elements = TN_NEW_ARRAY(int32_t, count), n = 0;
    tn_status status = cuts && elements ? TN_OK : TN_ERROR_MEMORY;
    for (int32_t j = 0; j < model->element_count && status == TN_OK; j++) {
        if (!is_cut(model, j))
            continue;
        elements[n] = j;
        status = put_cut(model, hinges, j, &cuts[n++]);
    }
    if (status == TN_OK)
        status = tn_loops_create(hinges->inner, hinges->count, cuts, count, &hinges->loops);
    for (n = 0; hinges->loops && n < count; n++)
        note_cut(model, hinges, n, elements[hinges->loops->cuts[n].given]);
    for (n = 0; cuts && n < count; n++)
        tn_free(cuts[n].ends);
    tn_free(cuts);
    tn_free(elements);
    return status;
}

tn_status tn_hinge_cuts_create(const tn_model *model, tn_alpha_hinges *hinges, bool *fits)
{
    int32_t count = 0;
    for (int32_t j = 0; j < model->element_count; j++)
        count += is_cut(model, j);
    if (count == 0)
        return TN_OK;
    hinges->cuts = TN_NEW_ARRAY(tn_hinge_cut, count);
    hinges->is_cut = TN_NEW_ARRAY(int8_t, model->body_count);
    const tn_status status =
        hinges->cuts && hinges->is_cut ? make(model, count, hinges) : TN_ERROR_MEMORY;
    hinges->forest.world.loops = hinges->loops;
    *fits = hinges->loops != NULL;
    return status == TN_OK && *fits ? tn_hinge_shares_create(model, hinges) : status;
}

void tn_hinge_cuts_destroy(tn_alpha_hinges *hinges)
{
    tn_hinge_shares_destroy(hinges->shares);
    tn_loops_destroy(hinges->loops);
    tn_free(hinges->cuts);
    tn_free(hinges->is_cut);
}

/* ---- a step ---- */

/* Do all bodies of a cut rest? */
static bool rests(const tn_sim *sim, const tn_alpha *alpha, const tn_loop_cut *cut)
{
    bool rest = true;
    for (int32_t e = 0; e < cut->end_count && rest; e++)
        rest = tn_hinge_link_rests(sim, alpha, cut->ends[e].link);
    return rest;
}

/* Of rows of what a joint holds: do some yield, and is one of these damped? */
static void add_softness(const tn_sim *sim, int32_t j, tn_hinge_acts *acts)
{
    const tn_switches *s = &sim->state.switches[j];
    for (int32_t row = 0; row < TN_MAX_ROWS && j < sim->model->joint_count; row++) {
        acts->yields |= s->compliance[row] > 0.0;
        acts->on_cuts |= s->compliance[row] > 0.0 && s->damping[row] > 0.0;
    }
}

void tn_hinge_cuts_begin(const tn_sim *sim, const tn_alpha *alpha, const tn_hinge_rule *c)
{
    tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const double *rate = tn_alpha_remembers(sim->model, &sim->state).lambda_rate;
    hinges->acts.on_cuts = hinges->acts.yields = false;
    for (int32_t n = 0; hinges->cuts && n < hinges->loops->cut_count; n++) {
        const size_t at = (size_t)hinges->cuts[n].joint * TN_MAX_ROWS;
        tn_hinge_cut *cut = &hinges->cuts[n];
        cut->still = rests(sim, alpha, &hinges->loops->cuts[n]) ? alpha->round_off : 0.0;
        hinges->acts.on_cuts |= cut->still > 0.0;
        add_softness(sim, cut->joint, &hinges->acts);
        for (size_t row = 0; row < TN_MAX_ROWS; row++)
            cut->lambda[row] = sim->state.lambda[at + row] + c->h * rate[at + row];
        for (int32_t i = 0; i < TN_MAX_COORDINATES; i++)
            cut->effort[i] = cut->yield[i] = cut->off[i] = 0.0;
    }
}

/* What a row that yields by C and D is divided by. */
static double divisor_of(const tn_hinge_rule *c, double C, double D)
{
    return 1.0 + C * D * (c->eps * c->beta);
}

/* Of a row of what joint j holds, by multipliers in units of beta'. */
static double compliance_of_row(const tn_sim *sim, const tn_hinge_rule *c, int32_t j, int32_t row)
{
    const tn_switches *s = &sim->state.switches[j];
    const double C = s->compliance[row];
    return C > 0.0 ? C * c->beta / divisor_of(c, C, s->damping[row]) : 0.0;
}

/* Of the row of coordinate i. */
static double compliance_along(const tn_hinge_cut *cut, int32_t i)
{
    return cut->yield[i] > 0.0 ? 1.0 / cut->yield[i] : TN_NO_ROW;
}

/* Where a joint acts on a body: the origin of its G, r from the body's centre, from O of its tree. */
static void place_end(const tn_alpha_hinges *hinges, tn_loop_end *end, int32_t body, tn_vec3 r)
{
    const double *link = hinge_limb_at(&hinges->forest.world, end->link);
    r = v3_add(r, tn_hinge_seat_offset(hinges, seat_of(hinges, body)));
    end->at =
        v3_add(r, v3_sub(limb_v3(link + TN_LIMB_FIELD(place)), limb_v3(link + TN_LIMB_FIELD(arm))));
}

static void place_ends(const tn_sim *sim, const tn_alpha_hinges *hinges, tn_loop_end *ends,
                       int32_t j)
{
    const tn_joint_kinematics *kin = &sim->sys.kin[j];
    place_end(hinges, &ends[0], sim->model->joints[j].a, kin->r_A);
    place_end(hinges, &ends[1], sim->model->joints[j].b, kin->r_B);
}

/* A wrench by its point from O. */
static void put_wrench(tn_loop_end *end, int32_t row, tn_vec3 f, tn_vec3 m)
{
    m = v3_add(m, v3_cross(end->at, f));
    const double six[6] = {f.x, f.y, f.z, m.x, m.y, m.z};
    for (int i = 0; i < 6; i++)
        end->W.of[i][row] = six[i];
}

/* A unit of a row on both, a wrench about the origin of G. */
static void put_unit(tn_loop_end *ends, int32_t row, const tn_wrench *W)
{
    put_wrench(&ends[0], row, W->f, W->m);
    put_wrench(&ends[1], row, v3_scale(-1.0, W->f), v3_scale(-1.0, W->m));
}

/* Rows of the matrix. */
static void put_rows(const tn_sim *sim, const tn_hinge_rule *c, const tn_alpha_hinges *hinges,
                     int32_t n)
{
    const tn_loop_cut *cut = &hinges->loops->cuts[n];
    const int32_t j = hinges->cuts[n].joint;
    const tn_joint_geometry *geometry = tn_joint_geometry_now(&sim->sys, j);
    place_ends(sim, hinges, cut->ends, j);
    for (int32_t i = 0; i < cut->count; i++) {
        const int32_t row = sim->model->joints[j].kept[i],
                      coordinate = row - geometry->cls->info.bilateral_count;
        tn_loop_row *to = &hinges->loops->rows[cut->first + i];
        tn_wrench W;
        to->compliance = coordinate < 0 ? compliance_of_row(sim, c, j, row)
                                        : compliance_along(&hinges->cuts[n], coordinate);
        if (to->compliance < 0.0)
            continue;
        tn_joint_row_wrench(geometry, &sim->sys.kin[j], row, &W.f, &W.m);
        to->turns = v3_dot(W.f, W.f) == 0.0;
        put_unit(cut->ends, i, &W);
    }
}

/* On both bodies of a joint, about the origin of its G. */
static void push_both(const tn_sim *sim, const tn_hinge_rule *c, int32_t j, bool predicted,
                      tn_wrench W)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_joint_kinematics *kin = &sim->sys.kin[j];
    const tn_model_joint *joint = &sim->model->joints[j];
    tn_hinge_push(hinges, c, seat_of(hinges, joint->a), predicted, W.f,
                  v3_add(W.m, v3_cross(kin->r_A, W.f)));
    W = (tn_wrench){v3_scale(-1.0, W.f), v3_scale(-1.0, W.m)};
    tn_hinge_push(hinges, c, seat_of(hinges, joint->b), predicted, W.f,
                  v3_add(W.m, v3_cross(kin->r_B, W.f)));
}

/* So much of a row, to a wrench in G. */
static void add_row(const tn_joint_geometry *geometry, const tn_joint_kinematics *kin, int32_t row,
                    double by, double wrench[6])
{
    const int8_t *axes = tn_joint_axes(geometry, kin);
    if (axes)
        wrench[axes[row]] += by;
    for (int i = 0; i < 6 && !axes; i++)
        wrench[i] += by * kin->moving->W[row][i];
}

static double speed_of(const tn_sim *sim, int32_t j, int32_t row, const double *u)
{
    const int8_t rows[] = {(int8_t)row};
    double speed;
    tn_joint_speeds(&sim->sys, j, u, (tn_row_list){rows, 1}, &speed);
    return speed;
}

/* By how much a hard row is open in the trial, that is off by phi. */
static double led(const tn_sim *sim, const tn_hinge_rule *c, const tn_hinge_cut *cut, int32_t row,
                  double phi, const double *u)
{
    if (!(fabs(phi) <= cut->still))
        return phi;
    const double speed = speed_of(sim, cut->joint, row, u), rate = c->eps * c->beta;
    return fabs(speed) <= rate * cut->still ? speed / rate : phi;
}

/* By how much a row of what a joint holds is open in the trial, under its multiplier. One without a direction at this pose is left out,
 * and closed by no step. */
static double opening_of(const tn_sim *sim, const tn_hinge_rule *c, const tn_hinge_cut *cut,
                         int32_t row, const double *u)
{
    const int32_t j = cut->joint;
    const tn_joint_geometry *geometry = tn_joint_geometry_now(&sim->sys, j);
    const tn_switches *s = &sim->state.switches[j];
    const double phi = tn_joint_row_error(geometry, &sim->sys.kin[j], row);
    const double C = s->compliance[row], D = s->damping[row];
    if (tn_joint_row_vanished(geometry, &sim->sys.kin[j], row))
        return INFINITY;
    if (!(C > 0.0))
        return led(sim, c, cut, row, phi, u);
    const double speed = D > 0.0 ? speed_of(sim, j, row, u) : 0.0;
    return (phi + C * (cut->lambda[row] + D * speed)) / divisor_of(c, C, D);
}

static void weigh(const tn_sim *sim, const tn_hinge_rule *c, int32_t n, tn_hinge_trial_kind trial)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_loop_cut *cut = &hinges->loops->cuts[n];
    const tn_hinge_cut *own = &hinges->cuts[n];
    const int32_t j = own->joint;
    const tn_joint_geometry *geometry = tn_joint_geometry_now(&sim->sys, j);
    const tn_joint_kinematics *kin = &sim->sys.kin[j];
    const double *u = trial == TN_HINGE_SHOWN ? hinges->forest.world.to.u : hinges->acts.u;
    double wrench[6] = {0.0};
    for (int32_t k = 0; k < cut->count; k++) {
        const int32_t row = sim->model->joints[j].kept[k],
                      i = row - geometry->cls->info.bilateral_count;
        const double by = i < 0 ? own->lambda[row]
                                : own->effort[i] + (isinf(own->yield[i]) ? own->lambda[row] : 0.0);
        add_row(geometry, kin, row, by, wrench);
        hinges->loops->rows[cut->first + k].off =
            i < 0 ? opening_of(sim, c, own, row, u) : led(sim, c, own, row, own->off[i], u);
    }
    push_both(sim, c, j, trial == TN_HINGE_PREDICTED,
              (tn_wrench){m3_mulv(&kin->R_GW, v3_load(wrench)),
                          m3_mulv(&kin->R_GW, v3_load(wrench + 3))});
}

/* A coupling pushes along the motion rows of its joints, by what its value changes with each. */
static void weigh_coupling(tn_sim *sim, const tn_hinge_rule *c, int32_t n, bool predicted)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_loop_cut *cut = &hinges->loops->cuts[n];
    const int32_t element = hinges->cuts[n].joint;
    const bool holds = sim->state.switches[element].active_count > 0;
    tn_loop_row *row = &hinges->loops->rows[cut->first];
    for (int32_t i = 0; 2 * i < cut->end_count; i++)
        tn_joint_refresh(&sim->sys, &sim->state, joint_through(sim->model, element, i));
    sim->sys.lead = c->h;
    tn_coupling_ops.refresh(&sim->sys, &sim->state, element);
    row->off = holds ? tn_element_hold_error(&sim->sys, &sim->state, element, 0) : 0.0;
    row->compliance = holds ? 0.0 : TN_NO_ROW;
    for (int32_t i = 0; 2 * i < cut->end_count && holds; i++) {
        const int32_t j = joint_through(sim->model, element, i),
                      t = sim->model->through_start[element] - sim->model->joint_count + i;
        const tn_wrench unit = tn_coupling_wrench(&sim->sys, t, 1.0);
        if (predicted) {
            place_ends(sim, hinges, cut->ends + 2 * i, j);
            put_unit(cut->ends + 2 * i, 0, &unit);
        }
        push_both(sim, c, j, predicted,
                  tn_coupling_wrench(&sim->sys, t, hinges->cuts[n].lambda[0]));
    }
    sim->sys.lead = 0.0;
}

void tn_hinge_cuts_weigh(tn_sim *sim, const tn_hinge_rule *c, tn_hinge_trial_kind trial)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const bool predicted = trial == TN_HINGE_PREDICTED;
    for (int32_t n = 0; hinges->cuts && n < hinges->loops->cut_count; n++) {
        if (hinges->loops->cuts[n].couples) {
            weigh_coupling(sim, c, n, predicted);
            continue;
        }
        tn_joint_refresh(&sim->sys, &sim->state, hinges->cuts[n].joint);
        if (predicted)
            put_rows(sim, c, hinges, n);
        weigh(sim, c, n, trial);
    }
}

bool tn_hinge_couplings_bear(const tn_sim *sim)
{
    bool bear = true;
    for (int32_t j = sim->model->joint_count; j < sim->model->element_count && bear; j++) {
        const tn_switches *s = &sim->state.switches[j];
        if (!is_cut(sim->model, j))
            continue;
        bear = tn_state_is_on(sim->model, &sim->state, j) && s->drive == TN_NO_DRIVE &&
               !(s->compliance[0] > 0.0);
    }
    return bear;
}

void tn_hinge_cuts_take(const tn_sim *sim, const tn_hinge_rule *c)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    for (int32_t n = 0; hinges->cuts && n < hinges->loops->cut_count; n++) {
        const tn_loop_cut *cut = &hinges->loops->cuts[n];
        const int8_t *kept = sim->model->joints[hinges->cuts[n].joint].kept;
        for (int32_t i = 0; i < cut->count; i++)
            hinges->cuts[n].lambda[cut->couples ? i : kept[i]] +=
                c->beta * hinges->loops->rows[cut->first + i].mu;
    }
}

bool tn_hinge_cuts_are_closed(const tn_alpha_hinges *hinges, double enough)
{
    bool closed = true;
    for (int32_t i = 0; hinges->cuts && i < hinges->loops->count && closed; i++) {
        const tn_link_loop *of = &hinges->loops->all[i];
        for (int32_t p = 0; p < of->rows; p++) {
            const tn_loop_row *row = &hinges->loops->rows[of->first + of->V.order[p]];
            closed &= !tn_loop_matrix_leaves_out(&of->V, p) || row->compliance != 0.0 ||
                      fabs(row->off) <= enough;
        }
    }
    return closed;
}

/* ---- the end ---- */

/* The multipliers of so many rows of an element, and how they changed. */
static void show_lambda(const tn_hinge_world *w, int32_t j, const double *found, int32_t count,
                        double h)
{
    const size_t at = (size_t)j * TN_MAX_ROWS;
    double before[TN_MAX_ROWS], *lambda = w->to.lambda + at;
    memcpy(before, w->at.lambda + at, sizeof before);
    memcpy(lambda, before, sizeof before);
    memcpy(lambda, found, sizeof *lambda * (size_t)count);
    for (size_t row = 0; row < TN_MAX_ROWS && w->has_rates; row++)
        w->to.lambda_rate[at + row] = 1.0 / h * (lambda[row] - before[row]);
}

/* Frames are those of the wrenches found last, where bodies are. */
static void show(tn_sim *sim, const tn_alpha_hinges *hinges, int32_t n, double h)
{
    const tn_hinge_world *w = &hinges->forest.world;
    const int32_t j = hinges->cuts[n].joint;
    const tn_joint_geometry *geometry = tn_joint_geometry_now(&sim->sys, j);
    const int32_t count = geometry->cls->info.bilateral_count;
    const size_t at = (size_t)j * TN_MAX_COORDINATES;
    show_lambda(w, j, hinges->cuts[n].lambda, count, h);
    memmove(w->to.coordinates + at, w->at.coordinates + at, sizeof(double) * TN_MAX_COORDINATES);
    if (geometry->cls->info.coordinate_count > 0)
        tn_joint_follow(&sim->sys, &sim->state, j, h, w->to.coordinates + at);
    tn_hinge_put_errors(sim, j);
}

/* When the coordinates of its joints are those of now. */
static void show_coupling(tn_sim *sim, const tn_alpha_hinges *hinges, int32_t n, double h)
{
    const tn_hinge_world *w = &hinges->forest.world;
    const int32_t j = hinges->cuts[n].joint;
    const size_t at = (size_t)j * TN_MAX_COORDINATES;
    show_lambda(w, j, hinges->cuts[n].lambda, 1, h);
    memmove(w->to.coordinates + at, w->at.coordinates + at, sizeof(double) * TN_MAX_COORDINATES);
    tn_coupling_ops.follow(&sim->sys, &sim->state, j, 0.0, w->to.coordinates + at);
    if (sim->state.switches[j].active_count > 0)
        sim->sys.phi[sim->sys.layout->y_offset[j]] =
            tn_element_hold_error(&sim->sys, &sim->state, j, 0);
}

void tn_hinge_cuts_show(tn_sim *sim, double h)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    for (int32_t n = 0; hinges->cuts && n < hinges->loops->cut_count; n++) {
        if (!hinges->loops->cuts[n].couples)
            show(sim, hinges, n, h);
    }
    for (int32_t n = 0; hinges->cuts && n < hinges->loops->cut_count; n++) {
        if (hinges->loops->cuts[n].couples)
            show_coupling(sim, hinges, n, h);
    }
}
