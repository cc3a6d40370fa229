/* named.c: room measure: the values of the model's measures (tenon/measure.h).
 *
 * In: a simulation. Out: numbers with names and units. Every quantity is a row of a table: what
 * reads it, and the form of its values (a number, a vector, a wrench).
 */
#include <math.h>

#include "real/real.h"
#include "base/base.h"
#include "assemble/elements.h"
#include "motion/kinematics.h"
#include "motion/simulation.h"
#include "measure/formula.h"
#include "measure/measure.h"
#include "spec/measure/measure_fields.h"
#include "tenon/measure.h"

/* In the order x, y, z of force or vector, then of the moment; those a form does not have are not
 * read. */
typedef struct values {
    double at[6];
} values;

static values scalar(double value)
{
    return (values){{value}};
}

static values vector(tn_vec3 v)
{
    return (values){{v.x, v.y, v.z}};
}

/* ---- coordinates ---- */

static values coordinate_value(const tn_sim *sim, const tn_measure_def *def)
{
    double q[TN_MAX_COORDINATES] = {0};
    tn_sim_joint_coordinates(sim, def->joint, q);
    return scalar(q[def->coordinate]);
}

static values coordinate_speed(const tn_sim *sim, const tn_measure_def *def)
{
    double speed[TN_MAX_COORDINATES] = {0};
    tn_sim_joint_speeds(sim, def->joint, speed);
    return scalar(speed[def->coordinate]);
}

static values coordinate_acceleration(const tn_sim *sim, const tn_measure_def *def)
{
    if (!sim->traits.accelerations || sim->state.head->restart)
        return scalar((double)NAN);
    return scalar(
        tn_coordinate_acceleration(sim, tn_sim_element(sim, def->joint), def->coordinate));
}

static double effort_of(const tn_sim *sim, const tn_measure_def *def)
{
    double sum = 0.0;
    if (def->part < TN_WRENCH_PART_COUNT)
        return tn_sim_coordinate_force(sim, def->joint, def->coordinate, def->part);
    for (tn_wrench_part part = TN_WRENCH_LOCK; part < TN_WRENCH_PART_COUNT; part++)
        sum += tn_sim_coordinate_force(sim, def->joint, def->coordinate, part);
    return sum;
}

static values coordinate_effort(const tn_sim *sim, const tn_measure_def *def)
{
    return scalar(effort_of(sim, def));
}

static values coordinate_power(const tn_sim *sim, const tn_measure_def *def)
{
    return scalar(effort_of(sim, def) * coordinate_speed(sim, def).at[0]);
}

/* ---- reactions ---- */

/* Axes and origin of one of the joint's frames or bodies, of the pose the multipliers belong to. */
static tn_xform frame_of(const tn_system *sys, const tn_model_joint *joint, tn_reaction_axes axes)
{
    tn_xform T;
    const tn_xform *A = tn_system_xform(sys, joint->a), *B = tn_joint_xform_b(sys, joint);
    switch (axes) {
    case TN_REACTION_IN_C:
        T = xf_mul(A, &joint->geometry.T_CA);
        return (tn_xform){tn_measure_plane_axes(sys->model, &T.R), T.p};
    case TN_REACTION_IN_D:
        T = xf_mul(B, &joint->geometry.T_DB);
        return (tn_xform){tn_measure_plane_axes(sys->model, &T.R), T.p};
    case TN_REACTION_IN_A:
        return *A;
    case TN_REACTION_IN_B:
        return *B;
    default:
        return tn_ground_xform;
    }
}

static values reaction(const tn_sim *sim, const tn_measure_def *def)
{
    const tn_model_joint *joint = &sim->model->joints[def->joint.i];
    const tn_system sys = tn_measure_reactions(sim);
    const tn_wrench on_a =
        def->part < TN_WRENCH_PART_COUNT
            ? tn_sim_joint_wrench_part(sim, def->joint, def->part, TN_WRENCH_ON_A)
            : tn_sim_joint_wrench(sim, def->joint, TN_WRENCH_ON_A);
    const tn_xform T = frame_of(&sys, joint, def->axes);
    tn_vec3 point =
        frame_of(&sys, joint, def->axes == TN_REACTION_IN_D ? TN_REACTION_IN_D : TN_REACTION_IN_C)
            .p;
    if (def->about.i >= 0) {
        const tn_model_marker *m = &sim->model->markers[def->about.i];
        point = xf_point(tn_system_xform(&sys, m->body), m->p);
    }
    const tn_wrench w = tn_wrench_at(on_a, tn_measure_origin(sim, &sys, joint->a), point);
    const double sign = def->on_b ? -1.0 : 1.0;
    values out;
    v3_store(out.at, v3_scale(sign, m3_tmulv(&T.R, w.f)));
    v3_store(out.at + 3, v3_scale(sign, m3_tmulv(&T.R, w.m)));
    return out;
}

static values reaction_moment(const tn_sim *sim, const tn_measure_def *def)
{
    const values all = reaction(sim, def);
    return (values){{all.at[3], all.at[4], all.at[5]}};
}

/* ---- sections ---- */

/* What the side of body a exerts on that of body b, in axes of the section: of a beam the stiffness of its
 * section times the strain. Rows push a by their multipliers, and b the other way. */
static values section(const tn_sim *sim, const tn_measure_def *def)
{
    double lambda[TN_MAX_ROWS] = {0.0};
    values out;
    tn_sim_joint_multipliers(sim, def->joint, lambda);
    for (int k = 0; k < TN_MAX_ROWS; k++)
        out.at[k] = 0.0 - lambda[k];
    return out;
}

static values section_moment(const tn_sim *sim, const tn_measure_def *def)
{
    const values all = section(sim, def);
    return (values){{all.at[3], all.at[4], all.at[5]}};
}

/* ---- joints ---- */

static values joint_motion(const tn_sim *sim, const tn_measure_def *def)
{
    tn_pose T_CD;
    tn_twist velocity;
    tn_sim_joint_motion(sim, def->joint, &T_CD, &velocity);
    const tn_mat3 R = q_to_m3(T_CD.q);
    const tn_vec3 all[] = {m3_log(&R), velocity.w, T_CD.p, velocity.v};
    const tn_vec3 in_D = all[def->quantity - TN_QUANTITY_JOINT_ROTATION];
    const tn_model_joint *joint = &sim->model->joints[def->joint.i];
    const tn_mat3 D = xf_mul(tn_joint_xform_b(&sim->sys, joint), &joint->geometry.T_DB).R;
    if (!tn_measure_lies_in_plane(sim->model, &D))
        return vector(in_D);
    const tn_mat3 axes = tn_measure_plane_axes(sim->model, &D);
    return vector(m3_tmulv(&axes, m3_mulv(&D, in_D)));
}

/* ---- markers ---- */

/* Position, velocity and acceleration of a point with its body, world. */
typedef struct point_motion {
    tn_mat3 R;
    tn_vec3 p, v, a, w, alpha;
} point_motion;

static point_motion motion_of(const tn_sim *sim, tn_marker marker)
{
    point_motion out = {m3_identity(), {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    if (marker.i < 0)
        return out;
    const tn_model_marker *m = &sim->model->markers[marker.i];
    const tn_xform *T = tn_system_xform(&sim->sys, m->body);
    const tn_twist u = tn_assemble_twist(&sim->sys, sim->state.u, m->body);
    const tn_twist udot = tn_assemble_twist(&sim->sys, sim->state.udot, m->body);
    const tn_mat3 R = q_to_m3(m->q);
    const tn_vec3 r = m3_mulv(&T->R, m->p);
    out.R = m3_mul(&T->R, &R);
    out.p = v3_add(T->p, r);
    out.w = u.w;
    out.alpha = udot.w;
    out.v = v3_add(u.v, v3_cross(u.w, r));
    out.a = v3_add(v3_add(udot.v, v3_cross(udot.w, r)), v3_cross(u.w, v3_cross(u.w, r)));
    return out;
}

static values marker_position(const tn_sim *sim, const tn_measure_def *def)
{
    const point_motion a = motion_of(sim, def->markers[0]), b = motion_of(sim, def->markers[1]);
    return vector(m3_tmulv(&b.R, v3_sub(a.p, b.p)));
}

/* World axes, as seen from b's body. */
static tn_vec3 relative_velocity(const point_motion *a, const point_motion *b)
{
    return v3_sub(v3_sub(a->v, b->v), v3_cross(b->w, v3_sub(a->p, b->p)));
}

static values marker_velocity(const tn_sim *sim, const tn_measure_def *def)
{
    const point_motion a = motion_of(sim, def->markers[0]), b = motion_of(sim, def->markers[1]);
    return vector(m3_tmulv(&b.R, relative_velocity(&a, &b)));
}

/* Without what b's turning adds: Euler's, centrifugal and Coriolis accelerations. */
static values marker_acceleration(const tn_sim *sim, const tn_measure_def *def)
{
    const point_motion a = motion_of(sim, def->markers[0]), b = motion_of(sim, def->markers[1]);
    const tn_vec3 r = v3_sub(a.p, b.p), v = relative_velocity(&a, &b);
    if (!sim->traits.accelerations || sim->state.head->restart)
        return vector(v3(NAN, NAN, NAN));
    tn_vec3 rel = v3_sub(v3_sub(a.a, b.a), v3_cross(b.alpha, r));
    rel = v3_sub(rel, v3_cross(b.w, v3_cross(b.w, r)));
    rel = v3_axpy(rel, -2.0, v3_cross(b.w, v));
    return vector(m3_tmulv(&b.R, rel));
}

static values marker_rotation(const tn_sim *sim, const tn_measure_def *def)
{
    const point_motion a = motion_of(sim, def->markers[0]), b = motion_of(sim, def->markers[1]);
    const tn_mat3 R = m3_tmul(&b.R, &a.R);
    return vector(m3_log(&R));
}

static values marker_spin(const tn_sim *sim, const tn_measure_def *def)
{
    const point_motion a = motion_of(sim, def->markers[0]), b = motion_of(sim, def->markers[1]);
    return vector(m3_tmulv(&b.R, v3_sub(a.w, b.w)));
}

static values distance(const tn_sim *sim, const tn_measure_def *def)
{
    const point_motion a = motion_of(sim, def->markers[0]), b = motion_of(sim, def->markers[1]);
    return scalar(v3_norm(v3_sub(a.p, b.p)));
}

/* NaN where the two meet: the distance has no derivative there. */
static values distance_speed(const tn_sim *sim, const tn_measure_def *def)
{
    const point_motion a = motion_of(sim, def->markers[0]), b = motion_of(sim, def->markers[1]);
    const tn_vec3 r = v3_sub(a.p, b.p);
    return scalar(v3_dot(r, v3_sub(a.v, b.v)) / v3_norm(r));
}

/* In the plane about z with its sign, else the angle of the rotation between the axes. */
static values angle(const tn_sim *sim, const tn_measure_def *def)
{
    const point_motion a = motion_of(sim, def->markers[0]), b = motion_of(sim, def->markers[1]);
    const tn_mat3 R = m3_tmul(&b.R, &a.R);
    return scalar(sim->model->planar ? tn_atan2(R.m[1][0], R.m[0][0]) : v3_norm(m3_log(&R)));
}

/* ---- the whole model ---- */

static values energy(const tn_sim *sim, const tn_measure_def *def)
{
    const tn_energy e = tn_sim_energy(sim);
    const double all[] = {e.total, e.kinetic, e.potential, e.elastic, e.work, e.lost};
    return scalar(all[def->quantity - TN_QUANTITY_TOTAL]);
}

static values momentum(const tn_sim *sim, const tn_measure_def *def)
{
    tn_vec3 linear = {0.0, 0.0, 0.0}, angular = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        tn_vec3 v, w;
        if (body->dim == 0)
            continue;
        tn_body_unpack(body, sim->state.u, &v, &w);
        const tn_vec3 p = v3_scale(body->mass, v), spin = m3_mulv(&body->J, w);
        linear = v3_add(linear, p);
        angular = v3_add(angular, v3_cross(sim->state.x[i], p));
        angular = v3_add(angular, m3_mulv(&sim->sys.T[i].R, spin));
    }
    return vector(def->quantity == TN_QUANTITY_LINEAR ? linear : angular);
}

static values load_power(const tn_sim *sim, const tn_measure_def *def)
{
    return scalar(tn_sim_load_power(sim, def->load));
}

static values load_work(const tn_sim *sim, const tn_measure_def *def)
{
    return scalar(tn_sim_load_work(sim, def->load));
}

/* ---- formulas ---- */

/* Values of formulas in the formula at hand, by their measures: each is evaluated once, however often it is named. */
typedef struct formula_memo {
    double *values; /* [measure_count]; NULL: out of memory, all are evaluated again */
    uint8_t *known;
} formula_memo;

typedef struct formula_context {
    const tn_sim *sim;
    const tn_measure_formula *formula;
    const formula_memo *memo;
} formula_context;

static void measure_with(const tn_sim *sim, tn_measure_id measure, const formula_memo *memo,
                         double *out);

/* Formulas of this depth name no others, or only such: nothing is gained by keeping their values. */
#define PLAIN_DEPTH 2

static double term_value(const tn_sim *sim, const tn_formula_term *term, const formula_memo *memo)
{
    const tn_measure_def of = {
        .joint = term->joint, .coordinate = term->coordinate, .part = TN_WRENCH_PART_COUNT};
    double all[TN_MEASURE_MOST];
    switch (term->what) {
    case TN_TERM_TIME:
        return tn_sim_time(sim);
    case TN_TERM_COORDINATE:
        return coordinate_value(sim, &of).at[0];
    case TN_TERM_SPEED:
        return coordinate_speed(sim, &of).at[0];
    case TN_TERM_EFFORT:
        return effort_of(sim, &of);
    default:
        measure_with(sim, term->measure, memo, all);
        return all[term->field];
    }
}

double tn_formula_term_value(const tn_sim *sim, const tn_formula_term *term)
{
    return term_value(sim, term, NULL);
}

/* By where the name stands in the text. */
static tn_name_answer find_term(void *context, const char *name, size_t length, tn_value *out)
{
    const formula_context *c = context;
    const size_t at = (size_t)(name - c->formula->text);
    for (int32_t i = 0; i < c->formula->term_count; i++) {
        const tn_formula_term *term = &c->formula->terms[i];
        if (term->at == at && term->length == length) {
            *out = (tn_value){
                .v = {term_value(c->sim, term, c->memo)}, .count = 1, .dimension = term->dimension};
            return TN_NAME_KNOWN;
        }
    }
    return TN_NAME_UNKNOWN;
}

static double evaluate(const tn_sim *sim, int32_t measure, const formula_memo *memo)
{
    formula_context context = {sim, &sim->model->formulas[measure], memo};
    const tn_name_source names = tn_formula_names(find_term, &context);
    tn_expression_problem problem;
    tn_value value;
    return tn_expression_evaluate(context.formula->text, &names, &value, &problem) ? value.v[0]
                                                                                   : (double)NAN;
}

static double evaluate_kept(const tn_sim *sim, int32_t measure, const formula_memo *memo)
{
    if (memo->values == NULL)
        return evaluate(sim, measure, memo);
    if (!memo->known[measure]) {
        memo->values[measure] = evaluate(sim, measure, memo);
        memo->known[measure] = 1;
    }
    return memo->values[measure];
}

static values formula(const tn_sim *sim, const tn_measure_def *def, const formula_memo *memo)
{
    const int32_t measure = (int32_t)(def - sim->model->measures);
    if (memo != NULL)
        return scalar(evaluate_kept(sim, measure, memo));
    if (sim->model->formulas[measure].depth <= PLAIN_DEPTH)
        return scalar(evaluate(sim, measure, NULL));
    formula_memo own = {TN_NEW_ARRAY(double, sim->model->measure_count),
                        TN_NEW_ARRAY(uint8_t, sim->model->measure_count)};
    if (own.known == NULL) {
        tn_free(own.values);
        own.values = NULL;
    }
    const values value = scalar(evaluate_kept(sim, measure, &own));
    tn_free(own.values);
    tn_free(own.known);
    return value;
}

/* ---- the table ---- */

static values (*const readers[TN_QUANTITY_COUNT])(const tn_sim *sim, const tn_measure_def *def) = {
    [TN_QUANTITY_VALUE] = coordinate_value,
    [TN_QUANTITY_SPEED] = coordinate_speed,
    [TN_QUANTITY_ACCELERATION] = coordinate_acceleration,
    [TN_QUANTITY_EFFORT] = coordinate_effort,
    [TN_QUANTITY_POWER] = coordinate_power,
    [TN_QUANTITY_WRENCH] = reaction,
    [TN_QUANTITY_FORCE] = reaction,
    [TN_QUANTITY_MOMENT] = reaction_moment,
    [TN_QUANTITY_JOINT_ROTATION] = joint_motion,
    [TN_QUANTITY_JOINT_SPIN] = joint_motion,
    [TN_QUANTITY_JOINT_POSITION] = joint_motion,
    [TN_QUANTITY_JOINT_VELOCITY] = joint_motion,
    [TN_QUANTITY_POSITION] = marker_position,
    [TN_QUANTITY_VELOCITY] = marker_velocity,
    [TN_QUANTITY_POINT_ACCELERATION] = marker_acceleration,
    [TN_QUANTITY_ROTATION] = marker_rotation,
    [TN_QUANTITY_SPIN] = marker_spin,
    [TN_QUANTITY_DISTANCE] = distance,
    [TN_QUANTITY_DISTANCE_SPEED] = distance_speed,
    [TN_QUANTITY_ANGLE] = angle,
    [TN_QUANTITY_TOTAL] = energy,
    [TN_QUANTITY_KINETIC] = energy,
    [TN_QUANTITY_POTENTIAL] = energy,
    [TN_QUANTITY_ELASTIC] = energy,
    [TN_QUANTITY_WORK] = energy,
    [TN_QUANTITY_LOST] = energy,
    [TN_QUANTITY_LINEAR] = momentum,
    [TN_QUANTITY_ANGULAR] = momentum,
    [TN_QUANTITY_LOAD_POWER] = load_power,
    [TN_QUANTITY_LOAD_WORK] = load_work,
    [TN_QUANTITY_SECTION_WRENCH] = section,
    [TN_QUANTITY_SECTION_FORCE] = section,
    [TN_QUANTITY_SECTION_MOMENT] = section_moment,
};

static const tn_measure_def *def_of(const tn_model *model, tn_measure_id measure)
{
    return &model->measures[measure.i];
}

int32_t tn_measure_width(const tn_model *model, tn_measure_id measure)
{
    TN_DEMAND(model && tn_has_measure(model, measure), 0);
    const tn_measure_def *def = def_of(model, measure);
    return def->component == TN_COMPONENT_ALL
               ? tn_measure_fields_of(def->quantity, model->planar)->count
               : 1;
}

const char *tn_measure_field(const tn_model *model, tn_measure_id measure, int32_t field)
{
    TN_DEMAND(TN_IN(field, tn_measure_width(model, measure)), "");
    const tn_measure_def *def = def_of(model, measure);
    return def->component == TN_COMPONENT_ALL
               ? tn_measure_fields_of(def->quantity, model->planar)->names[field]
               : "";
}

static bool is_angular(const tn_model *model, const tn_measure_def *def)
{
    return tn_quantity_kind(def->quantity) == TN_MEASURE_COORDINATE &&
           tn_model_joint_info(model, def->joint)->coordinates[def->coordinate].angular;
}

const char *tn_measure_unit(const tn_model *model, tn_measure_id measure, int32_t field)
{
    TN_DEMAND(TN_IN(field, tn_measure_width(model, measure)), "");
    const tn_measure_def *def = def_of(model, measure);
    return def->quantity == TN_QUANTITY_FORMULA
               ? model->formulas[measure.i].unit
               : tn_measure_field_unit(def, model->planar, is_angular(model, def), field);
}

static void measure_with(const tn_sim *sim, tn_measure_id measure, const formula_memo *memo,
                         double *out)
{
    const tn_measure_def *def = def_of(sim->model, measure);
    const values all = def->quantity == TN_QUANTITY_FORMULA ? formula(sim, def, memo)
                                                            : readers[def->quantity](sim, def);
    const tn_measure_fields *row = tn_measure_fields_of(def->quantity, sim->model->planar);
    if (def->component == TN_COMPONENT_MAGNITUDE) {
        out[0] = row->count == 1 ? fabs(all.at[row->index[0]])
                                 : v3_norm(v3(all.at[0], all.at[1], all.at[2]));
    } else if (def->component != TN_COMPONENT_ALL) {
        out[0] = all.at[def->component - TN_COMPONENT_X];
    } else {
        for (int32_t k = 0; k < row->count; k++)
            out[k] = all.at[row->index[k]];
    }
}

void tn_sim_measure(const tn_sim *sim, tn_measure_id measure, double *out)
{
    TN_DEMAND_OR_RETURN(sim && out && tn_has_measure(sim->model, measure));
    measure_with(sim, measure, NULL, out);
}
