/* draw.c: room measure/drawing: walks a simulation and lists what there is to draw (draw.h).
 *
 * In: the state, the outlines and looks the model keeps. Out: primitives, one at a time on the
 * stack. Order: bodies, then each joint's frames, shapes, coordinates, name.
 */
#include "assemble/joint_terms.h"
#include "base/base.h"
#include "measure/drawing/drawing.h"

#include <math.h>

#define COOKIE 0x1d9a70e3u

/* Sizes of what has none in the model, in units; a unit is a share of the bodies' mean size. */
#define UNIT_SHARE        0.28
#define UNIT_OF_POINTS    0.1 /* m, where all bodies are points */
#define AXIS_UNITS        1.0
#define SHAFT_UNITS       1.8
#define BALL_UNITS        0.35
#define POINT_UNITS       0.3
#define PLANE_UNITS       4.5
#define SHAFT_SLENDERNESS 0.1 /* radius by length of a shaft whose radius is not given */
#define SLOT_BY_SHAFT     3.0 /* width of a slot by the radius of the shaft in it */
#define FRAME_LABEL       1.2 /* where a frame's letter stands, in lengths of its axes */
#define ARROW_SHARE       0.02

tn_draw_options tn_default_draw_options(void)
{
    return (tn_draw_options){.cookie = COOKIE, .what = TN_DRAW_ALL, .unit = (double)NAN};
}

/* Colour of a role, red, green, blue in 0 .. 1. */
static tn_vec3 role_color(tn_draw_role role)
{
    static const tn_vec3 colors[TN_ROLE_COUNT] = {
        [TN_ROLE_BODY] = {0.80, 0.85, 0.91},    [TN_ROLE_FIXED] = {0.85, 0.85, 0.84},
        [TN_ROLE_AXIS_X] = {0.85, 0.15, 0.15},  [TN_ROLE_AXIS_Y] = {0.10, 0.60, 0.20},
        [TN_ROLE_AXIS_Z] = {0.15, 0.35, 0.85},  [TN_ROLE_JOINT] = {0.96, 0.62, 0.14},
        [TN_ROLE_SURFACE] = {0.45, 0.70, 0.85}, [TN_ROLE_LIMIT] = {0.62, 0.35, 0.71},
        [TN_ROLE_VALUE] = {0.80, 0.15, 0.45},   [TN_ROLE_LABEL] = {0.15, 0.15, 0.20},
        [TN_ROLE_GROUND] = {0.45, 0.48, 0.52},  [TN_ROLE_COUPLING] = {0.10, 0.50, 0.48},
    };
    return colors[role];
}

double tn_sim_draw_unit(const tn_sim *sim)
{
    TN_DEMAND(sim, NAN);
    const double size = sim->model->drawing.body_size;
    return size > 0.0 ? UNIT_SHARE * size : UNIT_OF_POINTS;
}

void tn_draw_emit(tn_drawing *d, const tn_primitive *primitive)
{
    if (d->status == TN_OK)
        d->status = d->callback(d->context, primitive);
}

tn_primitive tn_draw_start(const tn_drawing *d, tn_primitive_kind kind, tn_draw_role role,
                           const tn_xform *T)
{
    tn_primitive p = {.kind = kind, .role = role, .coordinate = -1};
    p.body.i = -1;
    p.joint = tn_joint_of(d->sim->model, d->index);
    p.color = role_color(role);
    if (!isnan(d->look.color.x) && (role == TN_ROLE_JOINT || role == TN_ROLE_SURFACE))
        p.color = d->look.color;
    p.pose = (tn_pose){T->p, tn_quat_from_matrix(&T->R)};
    return p;
}

static const tn_xform *world(void)
{
    static const tn_xform identity = {{{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}},
                                      {0.0, 0.0, 0.0}};
    return &identity;
}

void tn_draw_line(tn_drawing *d, tn_draw_role role, int32_t coordinate, tn_vec3 from, tn_vec3 to)
{
    const tn_vec3 points[2] = {from, to};
    tn_primitive p = tn_draw_start(d, TN_PRIMITIVE_LINE, role, world());
    p.coordinate = coordinate;
    p.points = points;
    p.point_count = 2;
    tn_draw_emit(d, &p);
}

void tn_draw_way(tn_drawing *d, tn_draw_role role, const tn_vec3 *points, int32_t count, int closed)
{
    tn_primitive p = tn_draw_start(d, TN_PRIMITIVE_POLYLINE, role, world());
    p.points = points;
    p.point_count = count;
    p.closed = closed;
    tn_draw_emit(d, &p);
}

void tn_draw_label(tn_drawing *d, int32_t coordinate, tn_vec3 at, const char *text)
{
    if (!(d->what & TN_DRAW_LABELS))
        return;
    tn_primitive p = tn_draw_start(d, TN_PRIMITIVE_LABEL, TN_ROLE_LABEL, world());
    p.coordinate = coordinate;
    p.pose.p = at;
    p.text = text;
    tn_draw_emit(d, &p);
}

/* frames --------------------------------------------------------------------------------------- */

static void draw_axis(tn_drawing *d, const tn_xform *T, int axis, tn_draw_frame frame,
                      tn_frame_style style)
{
    static const tn_draw_role roles[] = {TN_ROLE_AXIS_X, TN_ROLE_AXIS_Y, TN_ROLE_AXIS_Z};
    const tn_vec3 tip = v3_axpy(T->p, d->look.axis_length, m3_column(&T->R, axis));
    const tn_vec3 points[2] = {T->p, tip};
    const tn_primitive_kind kind = style == TN_FRAME_ARROW ? TN_PRIMITIVE_ARROW : TN_PRIMITIVE_LINE;
    tn_primitive p = tn_draw_start(d, kind, roles[axis], world());
    p.frame = frame;
    p.size.x = ARROW_SHARE * d->look.axis_length;
    p.points = points;
    p.point_count = 2;
    tn_draw_emit(d, &p);
}

/* The letter of C stands at its x axis, that of D at its y axis: apart where the frames coincide.
 */
static void draw_frame(tn_drawing *d, const tn_xform *T, tn_draw_frame frame, tn_frame_style style)
{
    if (style == TN_FRAME_NONE || d->look.axis_length == 0.0)
        return;
    for (int axis = 0; axis < 3; axis++)
        draw_axis(d, T, axis, frame, style);
    if (!(d->what & TN_DRAW_VALUES))
        return;
    const int c = frame == TN_DRAW_FRAME_C;
    const tn_vec3 axis = m3_column(&T->R, c ? 0 : 1);
    tn_draw_label(d, -1, v3_axpy(T->p, FRAME_LABEL * d->look.axis_length, axis), c ? "C" : "D");
}

static void draw_frames(tn_drawing *d)
{
    const tn_frame_style style_c = d->look.draw_frame_c, style_d = d->look.draw_frame_d;
    draw_frame(d, &d->T_DW, TN_DRAW_FRAME_D, style_d == TN_FRAME_AUTO ? TN_FRAME_LINE : style_d);
    draw_frame(d, &d->T_CW, TN_DRAW_FRAME_C, style_c == TN_FRAME_AUTO ? TN_FRAME_ARROW : style_c);
}

/* joints --------------------------------------------------------------------------------------- */

static double given_or(double given, double otherwise)
{
    return isnan(given) ? otherwise : given;
}

/* Every size with its default. */
static void resolve_look(tn_drawing *d)
{
    d->look = d->sim->model->drawing.looks[d->index];
    tn_joint_look *look = &d->look;
    d->auto_shaft = isnan(look->shaft_length);
    look->axis_length = given_or(look->axis_length, AXIS_UNITS * d->unit);
    look->shaft_length = given_or(look->shaft_length, SHAFT_UNITS * d->unit);
    if (!(look->shaft_radius > 0.0))
        look->shaft_radius = SHAFT_SLENDERNESS * look->shaft_length;
    look->joint_radius = given_or(look->joint_radius, BALL_UNITS * d->unit);
    look->slot_width = given_or(look->slot_width, SLOT_BY_SHAFT * look->shaft_radius);
    look->plane_size = given_or(look->plane_size, PLANE_UNITS * d->unit);
}

void tn_draw_enter(tn_drawing *d, int32_t index)
{
    d->index = index;
    d->joint = &d->sim->model->joints[index];
    const tn_joint_geometry *geometry = &d->joint->geometry;
    d->T_CW = xf_mul(tn_system_xform(&d->sim->sys, d->joint->a), &geometry->T_CA);
    d->T_DW = xf_mul(tn_joint_xform_b(&d->sim->sys, d->joint), &geometry->T_DB);
    d->T_GD = d->sim->sys.kin[index].T_GD;
    d->q = d->sim->state.coordinates + (size_t)index * TN_MAX_COORDINATES;
    tn_joint_twists(geometry->cls, &geometry->setup, &d->T_GD, d->q, d->motions);
    resolve_look(d);
}

/* At frame D; of an element of a beam between its nodes, which have names like those of elements. */
static tn_vec3 place_of_name(const tn_drawing *d)
{
    const bool is_element = d->joint->geometry.cls->errors != NULL;
    return is_element ? v3_scale(0.5, v3_add(d->T_CW.p, d->T_DW.p)) : d->T_DW.p;
}

static void draw_joint(tn_drawing *d, int32_t index)
{
    tn_draw_enter(d, index);
    if (d->what & TN_DRAW_FRAMES)
        draw_frames(d);
    if (d->what & TN_DRAW_SHAPES)
        tn_draw_shapes(d);
    if (d->what & (TN_DRAW_LIMITS | TN_DRAW_VALUES))
        tn_draw_coordinates(d);
    if ((d->what & TN_DRAW_MARKS) && d->joint->b < 0)
        tn_draw_ground(d);
    if (d->what & TN_DRAW_COUPLINGS)
        tn_draw_springs(d);
    tn_draw_label(d, -1, place_of_name(d), tn_element_name(d->sim->model, index));
}

/* bodies --------------------------------------------------------------------------------------- */

/* Moving bodies take turns, so that neighbours differ; a beam has one colour. */
static tn_vec3 body_color(const tn_drawing *d, tn_draw_role role, int32_t body)
{
    static const tn_vec3 tints[] = {{0.76, 0.84, 0.93}, {0.95, 0.87, 0.73}, {0.80, 0.90, 0.78},
                                    {0.90, 0.80, 0.88}, {0.96, 0.82, 0.78}, {0.77, 0.90, 0.90}};
    return role == TN_ROLE_BODY
               ? tints[(size_t)d->sim->model->drawing.hues[body] % TN_COUNT_OF(tints)]
               : role_color(role);
}

/* A body without a shape is shown by lines from its centre of mass to its joints. */
static void draw_stick(tn_drawing *d, int32_t body, const tn_xform *T_frame)
{
    const tn_model_drawing *drawing = &d->sim->model->drawing;
    if (body < 0 || drawing->first[body] < drawing->first[body + 1])
        return;
    const tn_xform *T = tn_system_xform(&d->sim->sys, body);
    const tn_vec3 points[2] = {T->p, xf_point(T, T_frame->p)};
    const int moves = d->sim->model->bodies[body].dim > 0;
    tn_primitive p = {.kind = TN_PRIMITIVE_LINE,
                      .role = moves ? TN_ROLE_BODY : TN_ROLE_FIXED,
                      .body = {body},
                      .joint = {-1},
                      .coordinate = -1,
                      .pose = tn_pose_identity(),
                      .points = points,
                      .point_count = 2};
    p.color = body_color(d, p.role, body);
    tn_draw_emit(d, &p);
}

/* A body without a shape that moves is a ball at its centre of mass. */
static void draw_point_mass(tn_drawing *d, int32_t body)
{
    const tn_model *model = d->sim->model;
    if (!(d->what & TN_DRAW_MARKS) || model->bodies[body].dim == 0 ||
        tn_model_is_node(model, body) ||
        model->drawing.first[body] < model->drawing.first[body + 1])
        return;
    tn_primitive p = {.kind = TN_PRIMITIVE_SPHERE,
                      .role = TN_ROLE_BODY,
                      .body = {body},
                      .joint = {-1},
                      .coordinate = -1,
                      .color = body_color(d, TN_ROLE_BODY, body),
                      .pose = {tn_system_xform(&d->sim->sys, body)->p, tn_pose_identity().q},
                      .size = {POINT_UNITS * d->unit, 0.0, 0.0}};
    tn_draw_emit(d, &p);
}

/* The sticks of one body (only) or of all (-1). */
static void draw_sticks(tn_drawing *d, int32_t only)
{
    for (int32_t j = 0; d->status == TN_OK && j < d->sim->model->joint_count; j++) {
        const tn_model_joint *joint = &d->sim->model->joints[j];
        if (tn_model_is_removed(d->sim->model, TN_SECTION_JOINT, j))
            continue;
        if (only < 0 || joint->a == only)
            draw_stick(d, joint->a, &joint->geometry.T_CA);
        if (joint->mean == 0 && (only < 0 || joint->b == only))
            draw_stick(d, joint->b, &joint->geometry.T_DB);
    }
}

static void draw_outlines(tn_drawing *d, int32_t body)
{
    const tn_model_drawing *drawing = &d->sim->model->drawing;
    const tn_pose pose = tn_sim_body_pose(d->sim, (tn_body){body});
    for (int32_t k = drawing->first[body]; k < drawing->first[body + 1]; k++) {
        tn_primitive p = drawing->outlines[k];
        p.pose = tn_pose_multiply(pose, p.pose);
        p.color = body_color(d, p.role, body);
        tn_draw_emit(d, &p);
    }
    draw_point_mass(d, body);
}

/* ---------------------------------------------------------------------------------------------- */

static tn_status start(tn_drawing *d, const tn_sim *sim, const tn_draw_options *options,
                       tn_draw_callback callback, void *context)
{
    const tn_draw_options used = options ? *options : tn_default_draw_options();
    if (!sim || !callback || used.cookie != COOKIE || used.unit < 0.0 || isinf(used.unit))
        return TN_ERROR_ARGUMENT;
    *d = (tn_drawing){.sim = sim,
                      .what = used.what,
                      .unit = given_or(used.unit, tn_sim_draw_unit(sim)),
                      .callback = callback,
                      .context = context,
                      .status = TN_OK};
    return TN_OK;
}

tn_status tn_sim_draw(const tn_sim *sim, const tn_draw_options *options, tn_draw_callback callback,
                      void *context)
{
    tn_drawing d;
    const tn_status status = start(&d, sim, options, callback, context);
    if (status != TN_OK)
        return status;
    for (int32_t i = 0; (d.what & TN_DRAW_BODIES) && i < sim->model->body_count; i++) {
        if (!tn_model_is_removed(sim->model, TN_SECTION_BODY, i))
            draw_outlines(&d, i);
    }
    if (d.what & TN_DRAW_BODIES)
        draw_sticks(&d, -1);
    if (d.what & TN_DRAW_BODIES)
        tn_draw_solids(&d);
    for (int32_t j = 0; d.status == TN_OK && j < sim->model->joint_count; j++) {
        if (!tn_model_is_removed(sim->model, TN_SECTION_JOINT, j))
            draw_joint(&d, j);
    }
    for (int32_t k = 0; (d.what & TN_DRAW_COUPLINGS) && k < sim->model->coupling_count; k++)
        tn_draw_coupling(&d, k);
    return d.status;
}

tn_status tn_sim_draw_joint(const tn_sim *sim, tn_joint joint, const tn_draw_options *options,
                            tn_draw_callback callback, void *context)
{
    tn_drawing d;
    const tn_status status = start(&d, sim, options, callback, context);
    if (status != TN_OK)
        return status;
    if (!tn_has_joint(sim->model, joint))
        return TN_ERROR_ARGUMENT;
    draw_joint(&d, joint.i);
    return d.status;
}

tn_status tn_sim_draw_body(const tn_sim *sim, tn_body body, const tn_draw_options *options,
                           tn_draw_callback callback, void *context)
{
    tn_drawing d;
    const tn_status status = start(&d, sim, options, callback, context);
    if (status != TN_OK)
        return status;
    if (!tn_has_body(sim->model, body))
        return TN_ERROR_ARGUMENT;
    draw_outlines(&d, body.i);
    draw_sticks(&d, body.i);
    return d.status;
}
