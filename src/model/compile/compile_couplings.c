/* compile_couplings.c: room model/compile: couplings of coordinates, as elements behind the joints.
 *
 * The value c = sum f_k(q_k) of a coupling has the row dc/dt = sum f_k' W_k . twist_k, W_k the
 * motion row of the coordinate in its joint. A coupling is entered among the joints as one without
 * bodies of its own, with this motion row and the coordinate c; whatever limits, locks, yields or
 * breaks coordinates then does so with couplings. Its row acts on all bodies of its joints.
 */
#include <math.h>
#include <string.h>

#include "model/compile/compile.h"

static const tn_row_info length_row[] = {{"value", TN_LENGTH_ROW(0)}};
static const tn_row_info angle_row[] = {{"value", TN_ANGLE_ROW(0)}};
static const tn_coordinate_info length_coordinate[] = {{"value", 0}};
static const tn_coordinate_info angle_coordinate[] = {{"value", 1}};
static const tn_joint_relief reliefs[] = {{TN_JOINT_free, TN_FIRST_ROWS(1), 0}, {0, 0, 0}};

/* By the first coordinate: a length or an angle. They have no frames: of the joint contract only
 * the table of rows and coordinates is there. */
static const tn_joint_class classes[] = {
    {.info = {.name = "coupling",
              .summary = "a sum of functions of coordinates, in m",
              .dof = 1,
              .row_count = 1,
              .coordinate_count = 1,
              .rows = length_row,
              .coordinates = length_coordinate},
     .reliefs = reliefs},
    {.info = {.name = "coupling",
              .summary = "a sum of functions of coordinates, in rad",
              .dof = 1,
              .row_count = 1,
              .coordinate_count = 1,
              .rows = angle_row,
              .coordinates = angle_coordinate},
     .reliefs = reliefs},
};

static tn_status allocate(tn_model *model, const tn_spec *spec)
{
    int32_t terms = 0;
    for (int32_t k = 0; k < model->coupling_count; k++)
        terms += tn_spec_coupling(spec, (tn_coupling){k})->term_count;
    model->terms = TN_NEW_ARRAY(tn_model_term, terms);
    model->coupled = TN_NEW_ARRAY(int32_t, 2 * (int64_t)terms);
    model->term_start = TN_NEW_ARRAY(int32_t, model->coupling_count + 1);
    model->coupled_start = TN_NEW_ARRAY(int32_t, model->coupling_count + 1);
    model->through_start = TN_NEW_ARRAY(int32_t, model->element_count + 1);
    model->through = TN_NEW_ARRAY(int32_t, model->joint_count + terms);
    return model->terms && model->coupled && model->term_start && model->coupled_start &&
                   model->through_start && model->through
               ? TN_OK
               : TN_ERROR_MEMORY;
}

/* The place of a body among those of coupling k, added if it is new; -1: it does not move. */
static int32_t place_of(tn_model *model, int32_t k, int32_t body)
{
    if (body < 0 || model->bodies[body].dim == 0)
        return -1;
    int32_t *end = &model->coupled_start[k + 1];
    for (int32_t i = model->coupled_start[k]; i < *end; i++) {
        if (model->coupled[i] == body)
            return i - model->coupled_start[k];
    }
    model->coupled[*end] = body;
    return (*end)++ - model->coupled_start[k];
}

static tn_status compile_term(tn_model *model, int32_t k, const tn_coupling_term *from,
                              tn_model_term *term)
{
    const tn_model_joint *joint = &model->joints[from->joint.i];
    term->joint = from->joint.i;
    term->coordinate = from->coordinate;
    term->row = joint->geometry.cls->info.bilateral_count + from->coordinate;
    term->place_a = place_of(model, k, joint->a);
    term->place_b = place_of(model, k, joint->b);
    term->ratio = isnan(from->ratio) ? 1.0 : from->ratio;
    return tn_function_make(&from->function, &model->functions, &term->function);
}

/* Adds the row of a term to those of the coupling's bodies, rows[place]. */
static void add_term(const tn_model *model, const tn_model_term *term, double slope,
                     double (*rows)[6])
{
    const tn_model_joint *joint = &model->joints[term->joint];
    const tn_xform T[2] = {tn_model_initial_xform(model, joint->a),
                           tn_model_initial_xform(model, joint->b)};
    const int32_t place[2] = {term->place_a, term->place_b};
    tn_joint_moving moving;
    tn_joint_kinematics kin = {.moving = &moving};
    tn_joint_kinematics_update(&joint->geometry, &T[0], &T[1], joint->q0, &kin);
    for (int side = 0; side < 2; side++) {
        double row[6];
        if (place[side] < 0)
            continue;
        tn_model_term_covector(model, term, &kin, side, &T[side].R, row);
        for (int i = 0; i < 6; i++)
            rows[place[side]][i] += slope * row[i];
    }
}

/* Value and scale of the row at t = 0. Where the slope is zero there, as at the lowest point of a
 * parabola, it counts as the ratio: the row will act later. */
static tn_status compile_start(tn_model *model, int32_t k, tn_model_joint *element)
{
    const int32_t bodies = model->coupled_start[k + 1] - model->coupled_start[k];
    double(*rows)[6] = tn_alloc((size_t)bodies + 1, sizeof *rows);
    if (!rows)
        return TN_ERROR_MEMORY;
    for (int32_t t = model->term_start[k]; t < model->term_start[k + 1]; t++) {
        const tn_model_term *term = &model->terms[t];
        double f[3];
        tn_model_term_evaluate(term, model->joints[term->joint].q0[term->coordinate], f);
        element->q0[0] += f[0];
        add_term(model, term, f[1] != 0.0 ? f[1] : term->ratio, rows);
    }
    double scale = 0.0, felt = 0.0;
    for (int32_t i = 0; i < bodies; i++) {
        scale += tn_model_inverse_mass(&model->bodies[model->coupled[model->coupled_start[k] + i]],
                                       rows[i], &felt);
    }
    tn_free(rows);
    element->row_scale[0] = scale > 0.0 ? scale : 1.0;
    element->softness = 1.0;
    element->kept_count = felt > 0.0;
    return TN_OK;
}

static double or_zero(double value)
{
    return isnan(value) ? 0.0 : value;
}

static void compile_hold(const tn_coupling_def *def, tn_model_joint *element)
{
    const double value = isnan(def->value) ? element->q0[0] : def->value;
    element->held_at[0] = value;
    element->locked[0] = def->hold == TN_COUPLING_HELD;
    element->lower[0] = def->hold == TN_COUPLING_AT_LEAST ? value : def->lower;
    element->upper[0] = def->hold == TN_COUPLING_AT_MOST ? value : def->upper;
    element->restitution[0] = or_zero(def->restitution);
    element->compliance[0] = or_zero(def->compliance);
    element->damping[0] = or_zero(def->damping);
    element->break_force = isnan(def->break_force) ? INFINITY : def->break_force;
    element->break_torque = INFINITY;
    element->disabled = (int8_t)(def->disabled != 0);
    element->ring = (int8_t)(def->ring != 0);
}

/* By its first term; one that was removed has none. */
static bool is_angle(const tn_model *model, const tn_coupling_def *def)
{
    if (def->term_count == 0)
        return false;
    const tn_coupling_term *first = &def->terms[0];
    const tn_joint_type_info *info = &model->joints[first->joint.i].geometry.cls->info;
    return info->coordinates[first->coordinate].angular != 0;
}

/* As in compile_rows.c. */
static void keep_row(const tn_going_on *from, int32_t k, tn_model_joint *element)
{
    const tn_model_joint *old = &from->model->joints[from->model->joint_count + k];
    element->row_scale[0] = old->row_scale[0];
    element->q0[0] = old->q0[0];
    element->kept_count = old->kept_count;
}

static tn_status compile_coupling(tn_model *model, const tn_coupling_def *def, int32_t k)
{
    const int32_t j = model->joint_count + k;
    tn_model_joint *element = &model->joints[j];
    element->geometry.cls = &classes[is_angle(model, def)];
    element->type.i = -1;
    element->a = element->b = TN_GROUND_INDEX;
    element->outer_body = element->hard_outer = element->hangs = TN_GROUND_INDEX;
    element->in_loop = 1;
    model->term_start[k + 1] = model->term_start[k];
    model->coupled_start[k + 1] = model->coupled_start[k];
    tn_status status = tn_names_add(&model->joint_names, def->name, strlen(def->name), j);
    for (int32_t t = 0; t < def->term_count && status == TN_OK; t++)
        status = compile_term(model, k, &def->terms[t], &model->terms[model->term_start[k + 1]++]);
    if (status == TN_OK)
        status = compile_start(model, k, element);
    if (status == TN_OK && model->from && k < model->from->model->coupling_count &&
        !tn_model_is_removed(model, TN_SECTION_COUPLING, k))
        keep_row(model->from, k, element);
    compile_hold(def, element);
    model->size.rows += element->locked[0] && element->kept_count;
    return status;
}

/* The joints through which elements act. */
static void list_through(tn_model *model)
{
    for (int32_t j = 0; j < model->joint_count; j++)
        model->through_start[j] = model->through[j] = j;
    for (int32_t k = 0; k < model->coupling_count; k++)
        model->through_start[model->joint_count + k] = model->joint_count + model->term_start[k];
    const int32_t terms = model->term_start[model->coupling_count];
    model->through_start[model->element_count] = model->joint_count + terms;
    for (int32_t t = 0; t < terms; t++)
        model->through[model->joint_count + t] = model->terms[t].joint;
}

tn_status tn_model_compile_couplings(tn_model *model, const tn_spec *spec)
{
    model->size.couplings = model->coupling_count;
    tn_status status = allocate(model, spec);
    for (int32_t k = 0; k < model->coupling_count && status == TN_OK; k++)
        status = compile_coupling(model, tn_spec_coupling(spec, (tn_coupling){k}), k);
    if (status == TN_OK)
        list_through(model);
    model->size.gruebler = model->size.velocities - model->size.rows;
    return status;
}
