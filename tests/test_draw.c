/* What there is to draw: primitives of known joints at known poses against geometry worked out by
 * hand, every type of the registry, outlines of bodies, callbacks that end the drawing, no memory.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "joint_samples.h"
#include "joint_sims.h"
#include "model/model.h"
#include "support/allocator.h"
#include "support/run_main.h"
#include "tenon/draw.h"
#include "tenon/io.h"

#define MOST_PRIMITIVES 256

/* Everything one drawing hands out; points of lines copied to the world. */
typedef struct collected {
    tn_primitive list[MOST_PRIMITIVES];
    tn_vec3 ends[MOST_PRIMITIVES][2];
    tn_vec3 coil[18]; /* of the last spring, in its own frame */
    char text[MOST_PRIMITIVES][64];
    int count, limit; /* stop at limit */
} collected;

static tn_status collect(void *context, const tn_primitive *p)
{
    collected *c = context;
    if (c->count == c->limit)
        return TN_ERROR_UNSUPPORTED;
    ck_assert_int_lt(c->count, MOST_PRIMITIVES);
    c->list[c->count] = *p;
    if (p->point_count == 2)
        for (int i = 0; i < 2; i++)
            c->ends[c->count][i] = tn_pose_transform_point(p->pose, p->points[i]);
    if (p->kind == TN_PRIMITIVE_POLYLINE && p->role == TN_ROLE_COUPLING)
        memcpy(c->coil, p->points,
               sizeof c->coil[0] * (size_t)(p->point_count < 18 ? p->point_count : 18));
    if (p->text)
        snprintf(c->text[c->count], sizeof c->text[0], "%s", p->text);
    c->count++;
    return TN_OK;
}

static int index_of(const collected *c, tn_primitive_kind kind, tn_draw_role role)
{
    for (int i = 0; i < c->count; i++)
        if (c->list[i].kind == kind && c->list[i].role == role)
            return i;
    return -1;
}

static const tn_primitive *find(const collected *c, tn_primitive_kind kind, tn_draw_role role)
{
    const int i = index_of(c, kind, role);
    ck_assert_msg(i >= 0, "no primitive of kind %d and role %d", (int)kind, (int)role);
    return &c->list[i];
}

static int count_role(const collected *c, tn_draw_role role)
{
    int count = 0;
    for (int i = 0; i < c->count; i++)
        count += c->list[i].role == role;
    return count;
}

static void draw_all(const tn_sim *sim, collected *c)
{
    c->count = 0;
    c->limit = -1;
    ck_assert_int_eq(tn_sim_draw(sim, NULL, collect, c), TN_OK);
}

static void expect_vector(tn_vec3 v, double x, double y, double z)
{
    ck_assert_double_eq_tol(v.x, x, 1e-12);
    ck_assert_double_eq_tol(v.y, y, 1e-12);
    ck_assert_double_eq_tol(v.z, z, 1e-12);
}

/* A bar of 1 m on the ground: the hinge's axis is along world y through (0, 0, 2). */
static joint_sim hinge_scene(double angle, const tn_joint_look *look, double lower, double upper)
{
    tn_spec *spec = tn_spec_create();
    tn_shape_def shape = tn_default_shape_def(TN_SHAPE_BOX);
    shape.size = (tn_vec3){1.0, 0.1, 0.2};
    tn_body_def body = tn_default_body_def();
    body.pose.p = (tn_vec3){0.5, 0.0, 2.0};
    body.density = 100.0;
    body.shapes = &shape;
    body.shape_count = 1;
    tn_body a;
    ck_assert_int_eq(tn_spec_add_body(spec, &body, &a), TN_OK);
    tn_joint_def joint = tn_default_joint_def();
    joint.name = "pin & <1>";
    joint.type = "hinge";
    joint.a = a;
    joint.placement = TN_PLACE_AXIS;
    joint.origin = (tn_vec3){0.0, 0.0, 2.0};
    joint.axis = (tn_vec3){0.0, 1.0, 0.0};
    joint.set[0] = angle;
    joint.lower[0] = lower;
    joint.upper[0] = upper;
    if (look)
        joint.look = *look;
    ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
    const joint_sim s = joint_sim_of_spec(spec, NULL);
    tn_spec_destroy(spec);
    return s;
}

START_TEST(test_hinge)
{
    const double angle = 0.7;
    tn_joint_look look = tn_default_joint_def().look;
    look.shaft_length = 0.5;
    look.shaft_radius = 0.05;
    look.axis_length = 0.4;
    look.color = (tn_vec3){0.0, 0.0, 1.0};
    joint_sim s = hinge_scene(angle, &look, -1.0, 2.0);
    static collected c;
    draw_all(s.sim, &c);

    /* the shaft stands on the hinge's axis */
    const tn_primitive *shaft = find(&c, TN_PRIMITIVE_CYLINDER, TN_ROLE_JOINT);
    expect_vector(shaft->pose.p, 0.0, 0.0, 2.0);
    expect_vector(tn_pose_rotate_vector(shaft->pose, (tn_vec3){0.0, 0.0, 1.0}), 0.0, 1.0, 0.0);
    expect_vector(shaft->size, 0.05, 0.05, 0.5);
    expect_vector(shaft->color, 0.0, 0.0, 1.0);
    ck_assert_int_eq(shaft->joint.i, 0);

    /* the arcs are the coordinate and its range */
    const tn_primitive *value = find(&c, TN_PRIMITIVE_ARC, TN_ROLE_VALUE);
    ck_assert_double_eq(value->from, 0.0);
    ck_assert_double_eq_tol(value->to, angle, 1e-12);
    expect_vector(value->pose.p, 0.0, 0.0, 2.0);
    const tn_primitive *limit = find(&c, TN_PRIMITIVE_ARC, TN_ROLE_LIMIT);
    ck_assert_double_eq(limit->from, -1.0);
    ck_assert_double_eq(limit->to, 2.0);
    ck_assert_int_eq(limit->coordinate, 0);

    /* the arc's zero is x of D, its end x of C: that of the bar turned about y */
    double q;
    tn_sim_joint_coordinates(s.sim, (tn_joint){0}, &q);
    ck_assert_double_eq_tol(q, angle, 1e-12);
    const tn_vec3 end = {cos(value->to), sin(value->to), 0.0};
    const tn_vec3 tip = tn_pose_rotate_vector(value->pose, end);
    const int x_of_C = index_of(&c, TN_PRIMITIVE_ARROW, TN_ROLE_AXIS_X);
    ck_assert_int_ge(x_of_C, 0);
    expect_vector(c.ends[x_of_C][0], 0.0, 0.0, 2.0);
    expect_vector(c.ends[x_of_C][1], 0.4 * tip.x, 0.4 * tip.y, 2.0 + 0.4 * tip.z);
    const tn_pose pose = tn_sim_body_pose(s.sim, (tn_body){0});
    const tn_vec3 start = tn_pose_rotate_vector(value->pose, (tn_vec3){1.0, 0.0, 0.0});
    expect_vector(tn_pose_rotate_vector(pose, start), tip.x, tip.y, tip.z);

    /* the bar's outline, and the name */
    const tn_primitive *box = find(&c, TN_PRIMITIVE_BOX, TN_ROLE_BODY);
    expect_vector(box->size, 1.0, 0.1, 0.2);
    expect_vector(box->pose.p, 0.5 * cos(angle), 0.0, 2.0 - 0.5 * sin(angle));
    int named = 0;
    for (int i = 0; i < c.count; i++)
        named += c.list[i].kind == TN_PRIMITIVE_LABEL && strcmp(c.text[i], "pin & <1>") == 0;
    ck_assert_int_eq(named, 1);
    joint_sim_destroy(&s);
}
END_TEST

START_TEST(test_what_is_left_out)
{
    static collected c;
    tn_joint_look look = tn_default_joint_def().look;
    look.draw_frame_c = TN_FRAME_NONE;
    look.draw_frame_d = TN_FRAME_ARROW;
    look.shaft_length = 0.0;
    joint_sim s = hinge_scene(0.1, &look, -INFINITY, INFINITY);
    draw_all(s.sim, &c);
    ck_assert_int_eq(count_role(&c, TN_ROLE_AXIS_X), 1);
    ck_assert_int_eq(find(&c, TN_PRIMITIVE_ARROW, TN_ROLE_AXIS_Z)->frame, TN_DRAW_FRAME_D);
    ck_assert_int_eq(count_role(&c, TN_ROLE_JOINT), 0);
    ck_assert_int_eq(count_role(&c, TN_ROLE_LIMIT), 0);
    ck_assert_int_gt(count_role(&c, TN_ROLE_VALUE), 0);

    /* the value of a coordinate without a range is asked for */
    tn_draw_options options = tn_default_draw_options();
    options.what = TN_DRAW_LIMITS;
    c.count = 0;
    ck_assert_int_eq(tn_sim_draw(s.sim, &options, collect, &c), TN_OK);
    ck_assert_int_eq(c.count, 0);

    /* unit 0: only what the model gives a size; here nothing but the bar and the name */
    options = tn_default_draw_options();
    options.unit = 0.0;
    ck_assert_int_eq(tn_sim_draw(s.sim, &options, collect, &c), TN_OK);
    ck_assert_int_eq(c.count, 2);
    joint_sim_destroy(&s);
}
END_TEST

START_TEST(test_wrong_arguments)
{
    static collected c;
    joint_sim s = hinge_scene(0.1, NULL, -1.0, 1.0);
    tn_draw_options options = tn_default_draw_options();
    c.limit = -1;
    ck_assert_int_eq(tn_sim_draw(NULL, NULL, collect, &c), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_draw(s.sim, NULL, NULL, &c), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_draw_joint(s.sim, (tn_joint){1}, NULL, collect, &c), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_draw_body(s.sim, (tn_body){-1}, NULL, collect, &c), TN_ERROR_ARGUMENT);
    options.unit = -1.0;
    ck_assert_int_eq(tn_sim_draw(s.sim, &options, collect, &c), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_draw(s.sim, &(tn_draw_options){0}, collect, &c), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(c.count, 0);
    joint_sim_destroy(&s);
}
END_TEST

/* Whatever the callback answers comes back, after exactly so many calls. */
START_TEST(test_callback_ends_drawing)
{
    static collected c;
    joint_sim s = hinge_scene(0.1, NULL, -1.0, 1.0);
    draw_all(s.sim, &c);
    const int all = c.count;
    ck_assert_int_gt(all, 10);
    for (int limit = 0; limit < all; limit++) {
        c.count = 0;
        c.limit = limit;
        ck_assert_int_eq(tn_sim_draw(s.sim, NULL, collect, &c), TN_ERROR_UNSUPPORTED);
        ck_assert_int_eq(c.count, limit);
    }
    joint_sim_destroy(&s);
}
END_TEST

static int is_finite_pose(tn_pose pose)
{
    const double q = pose.q.w + pose.q.x + pose.q.y + pose.q.z;
    return v3_is_finite(pose.p) && isfinite(q);
}

/* Every type, at random poses: both frames where they are, everything finite, an arc for every
 * angle that is not shown as a way. */
static void check_type(tn_joint_type type, uint64_t *seed)
{
    static collected c;
    const joint_scene scene = sample_scene(type, seed);
    joint_sim s =
        joint_sim_create(&scene, 0, (tn_vec3){0.0, 0.0, 0.0}, TN_GENERALIZED_ALPHA, *seed);
    draw_all(s.sim, &c);
    tn_pose t_ca, t_db;
    tn_model_joint_frames(s.model, (tn_joint){0}, &t_ca, &t_db);
    const tn_pose T_CW = tn_pose_multiply(tn_sim_body_pose(s.sim, (tn_body){0}), t_ca);
    const tn_pose T_DW = tn_pose_multiply(tn_sim_body_pose(s.sim, (tn_body){1}), t_db);
    int axes[3] = {0, 0, 0}, arcs = 0;
    for (int i = 0; i < c.count; i++) {
        const tn_primitive *p = &c.list[i];
        ck_assert(is_finite_pose(p->pose) && v3_is_finite(p->size) && v3_is_finite(p->color));
        ck_assert(isfinite(p->from) && isfinite(p->to));
        ck_assert_msg(p->body.i >= 0 || p->joint.i == 0, "belongs to nothing");
        axes[p->frame] += p->frame != TN_DRAW_NO_FRAME;
        arcs += p->kind == TN_PRIMITIVE_ARC && p->role == TN_ROLE_VALUE;
        if (p->frame == TN_DRAW_NO_FRAME)
            continue;
        const tn_pose *T = p->frame == TN_DRAW_FRAME_C ? &T_CW : &T_DW;
        expect_vector(c.ends[i][0], T->p.x, T->p.y, T->p.z);
        const double along[3] = {p->role == TN_ROLE_AXIS_X, p->role == TN_ROLE_AXIS_Y,
                                 p->role == TN_ROLE_AXIS_Z};
        const double length = tn_sim_draw_unit(s.sim);
        const tn_vec3 tip =
            tn_pose_transform_point(*T, v3_scale(length, v3(along[0], along[1], along[2])));
        expect_vector(c.ends[i][1], tip.x, tip.y, tip.z);
    }
    ck_assert_int_eq(axes[TN_DRAW_FRAME_C], 3);
    ck_assert_int_eq(axes[TN_DRAW_FRAME_D], 3);
    int expected = 0;
    const tn_joint_class *cls = scene.joint.cls;
    for (int32_t i = 0; i < cls->info.coordinate_count; i++) {
        int traced = 0;
        for (const tn_draw_item *item = cls->draw; item && item->shape != TN_DRAW_END; item++)
            traced |= item->shape == TN_DRAW_TRACE && item->coordinate_after == i + 1;
        expected += cls->info.coordinates[i].angular && !traced;
    }
    ck_assert_int_eq(arcs, expected);
    joint_sim_destroy(&s);
}

START_TEST(test_every_type)
{
    uint64_t seed = 77;
    for (tn_joint_type type = {0}; type.i < tn_joint_type_count(); type.i++)
        for (int round = 0; round < 5; round++)
            check_type(type, &seed);
}
END_TEST

/* Roll, pitch and yaw one after the other take the zero direction of each arc to its end: turning
 * an axis of C as it was before by the arc is the axis of C after it. */
START_TEST(test_gimbal_arcs)
{
    static collected c;
    uint64_t seed = 5;
    tn_joint_type type;
    ck_assert_int_eq(tn_joint_type_find("gimbal", &type), TN_OK);
    const joint_scene scene = sample_scene(type, &seed);
    joint_sim s = joint_sim_create(&scene, 0, (tn_vec3){0.0, 0.0, 0.0}, TN_GENERALIZED_ALPHA, seed);
    draw_all(s.sim, &c);
    double q[3];
    tn_sim_joint_coordinates(s.sim, (tn_joint){0}, q);
    tn_pose t_ca, T_DB;
    tn_model_joint_frames(s.model, (tn_joint){0}, &t_ca, &T_DB);
    tn_pose T = tn_pose_multiply(tn_sim_body_pose(s.sim, (tn_body){1}), T_DB);
    static const tn_vec3 axes[3] = {{0.0, 0.0, 1.0}, {0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}};
    static const tn_vec3 zeros[3] = {{1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int i = 0; i < 3; i++) {
        const tn_primitive *arc = NULL;
        for (int k = 0; k < c.count; k++)
            if (c.list[k].kind == TN_PRIMITIVE_ARC && c.list[k].coordinate == i)
                arc = &c.list[k];
        ck_assert_ptr_nonnull(arc);
        ck_assert_double_eq_tol(arc->to, q[i], 1e-12);
        tn_vec3 zero = tn_pose_rotate_vector(T, zeros[i]);
        const tn_vec3 x = tn_pose_rotate_vector(arc->pose, (tn_vec3){1.0, 0.0, 0.0});
        expect_vector(x, zero.x, zero.y, zero.z);
        const tn_pose turn = {{0.0, 0.0, 0.0}, tn_quat_from_axis_angle(axes[i], q[i])};
        T = tn_pose_multiply(T, turn);
        zero = tn_pose_rotate_vector(T, zeros[i]);
        const tn_vec3 end =
            tn_pose_rotate_vector(arc->pose, (tn_vec3){cos(arc->to), sin(arc->to), 0});
        expect_vector(end, zero.x, zero.y, zero.z);
    }
    joint_sim_destroy(&s);
}
END_TEST

/* The arc of a tilt goes from z of D to z of C, whatever C's spin is. */
START_TEST(test_tilt_arc)
{
    static collected c;
    uint64_t seed = 9;
    tn_joint_type type;
    ck_assert_int_eq(tn_joint_type_find("spherical_tilt", &type), TN_OK);
    const joint_scene scene = sample_scene(type, &seed);
    joint_sim s = joint_sim_create(&scene, 0, (tn_vec3){0.0, 0.0, 0.0}, TN_GENERALIZED_ALPHA, seed);
    draw_all(s.sim, &c);
    tn_pose t_ca, t_db;
    tn_model_joint_frames(s.model, (tn_joint){0}, &t_ca, &t_db);
    const tn_pose T_CW = tn_pose_multiply(tn_sim_body_pose(s.sim, (tn_body){0}), t_ca);
    const tn_pose T_DW = tn_pose_multiply(tn_sim_body_pose(s.sim, (tn_body){1}), t_db);
    const tn_primitive *arc = find(&c, TN_PRIMITIVE_ARC, TN_ROLE_VALUE);
    const tn_vec3 z = {0.0, 0.0, 1.0}, z_C = tn_pose_rotate_vector(T_CW, z);
    const tn_vec3 z_D = tn_pose_rotate_vector(T_DW, z);
    ck_assert_double_eq_tol(cos(arc->to), v3_dot(z_C, z_D), 1e-12);
    const tn_vec3 start = tn_pose_rotate_vector(arc->pose, (tn_vec3){1.0, 0.0, 0.0});
    expect_vector(start, z_D.x, z_D.y, z_D.z);
    const tn_vec3 end =
        tn_pose_rotate_vector(arc->pose, (tn_vec3){cos(arc->to), sin(arc->to), 0.0});
    expect_vector(end, z_C.x, z_C.y, z_C.z);
    joint_sim_destroy(&s);
}
END_TEST

/* A dimension line is as long as the coordinate says. */
START_TEST(test_slider_line)
{
    static collected c;
    tn_spec *spec = tn_spec_create();
    tn_body_def body = tn_default_body_def();
    body.mass = 1.0;
    body.inertia = (tn_mat3){{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    tn_body a;
    ck_assert_int_eq(tn_spec_add_body(spec, &body, &a), TN_OK);
    tn_joint_def joint = tn_default_joint_def();
    joint.type = "slider";
    joint.a = a;
    joint.placement = TN_PLACE_AXIS;
    joint.axis = (tn_vec3){1.0, 0.0, 0.0};
    joint.set[0] = 0.3;
    joint.lower[0] = -0.5;
    joint.upper[0] = 1.0;
    ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
    joint_sim s = joint_sim_of_spec(spec, NULL);
    tn_spec_destroy(spec);
    draw_all(s.sim, &c);
    const int value = index_of(&c, TN_PRIMITIVE_LINE, TN_ROLE_VALUE);
    const tn_vec3 way = v3_sub(c.ends[value][1], c.ends[value][0]);
    expect_vector(way, 0.3, 0.0, 0.0);
    const int limit = index_of(&c, TN_PRIMITIVE_LINE, TN_ROLE_LIMIT);
    expect_vector(v3_sub(c.ends[limit][1], c.ends[limit][0]), 1.5, 0.0, 0.0);
    /* the rail of automatic length covers the range */
    const tn_primitive *rail = find(&c, TN_PRIMITIVE_BOX, TN_ROLE_JOINT);
    ck_assert_double_le(rail->pose.p.x - 0.5 * rail->size.z, -0.5);
    ck_assert_double_ge(rail->pose.p.x + 0.5 * rail->size.z, 1.0);
    joint_sim_destroy(&s);
}
END_TEST

/* Outlines have the extents of their shapes. */
START_TEST(test_outlines)
{
    static const tn_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const tn_triangle sides[4] = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}};
    tn_shape_def shapes[2] = {tn_default_shape_def(TN_SHAPE_ROUNDED_BOX),
                              tn_default_shape_def(TN_SHAPE_MESH)};
    shapes[0].length = 1.0;
    shapes[0].width = 0.4;
    shapes[0].depth = 0.1;
    shapes[1].vertices = corners;
    shapes[1].vertex_count = 4;
    shapes[1].triangles = sides;
    shapes[1].triangle_count = 4;
    shapes[1].scale = 0.001;
    tn_spec *spec = tn_spec_create();
    tn_body_def body = tn_default_body_def();
    body.density = 1000.0;
    body.shapes = shapes;
    body.shape_count = 2;
    ck_assert_int_eq(tn_spec_add_body(spec, &body, NULL), TN_OK);
    joint_sim s = joint_sim_of_spec(spec, NULL);
    tn_spec_destroy(spec);
    static collected c;
    draw_all(s.sim, &c);
    ck_assert_int_eq(c.count, 2);
    const tn_primitive *plate = find(&c, TN_PRIMITIVE_PRISM, TN_ROLE_BODY);
    tn_vec3 low = {1e9, 1e9, 1e9}, high = {-1e9, -1e9, -1e9};
    for (int32_t i = 0; i < plate->point_count; i++)
        for (int side = -1; side <= 1; side += 2) {
            const tn_vec3 at = v3_add(plate->points[i], v3(0.0, 0.0, 0.5 * side * plate->size.z));
            const tn_vec3 p = tn_pose_transform_point(plate->pose, at);
            low = v3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
            high = v3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
        }
    expect_vector(low, -0.2, -0.05, -0.7);
    expect_vector(high, 0.2, 0.05, 0.7);
    const tn_primitive *mesh = find(&c, TN_PRIMITIVE_MESH, TN_ROLE_BODY);
    ck_assert_int_eq(mesh->triangle_count, 4);
    expect_vector(mesh->points[3], 0.0, 0.0, 0.001);
    joint_sim_destroy(&s);
}
END_TEST

/* Compiling keeps the outlines or gives everything back; drawing needs no memory. */
static joint_sim scene_of(const char *text)
{
    tn_spec *spec = NULL;
    ck_assert_int_eq(tn_spec_read_string(text, strlen(text), "test", NULL, &spec), TN_OK);
    joint_sim s = joint_sim_of_spec(spec, NULL);
    tn_spec_destroy(spec);
    return s;
}

/* Wheels 0.3 m apart that turn against each other with the ratio 2: pitch circles of 0.2 and 0.1
 * m. A rack that moves by 0.05 m a radian: a pitch circle of that radius, and a line it rolls on.
 */
START_TEST(test_gears_and_racks)
{
    joint_sim s =
        scene_of("tenon: 1\n"
                 "bodies:\n"
                 "  big: {position: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}\n"
                 "  small: {position: [0.3, 0, 0], mass: 1, inertia: [1, 1, 1]}\n"
                 "  rack: {position: [0, 0.05, 0], mass: 1, inertia: [1, 1, 1]}\n"
                 "joints:\n"
                 "  b: {type: hinge, a: big, origin: [0, 0, 0], axis: [0, 0, 1]}\n"
                 "  s: {type: hinge, a: small, origin: [0.3, 0, 0], axis: [0, 0, 1]}\n"
                 "  r: {type: slider, a: rack, origin: [0, 0.05, 0], axis: [1, 0, 0]}\n"
                 "couplings:\n"
                 "  mesh: {gear: {a: b.theta, b: s.theta, ratio: -2}}\n"
                 "  way: {rack_and_pinion: {rack: r.z, pinion: b.theta, radius: 0.05}}\n");
    static collected c;
    draw_all(s.sim, &c);
    double big = 0.0, small = 0.0, pinion = 0.0, rack = INFINITY;
    for (int i = 0; i < c.count; i++) {
        const tn_primitive *p = &c.list[i];
        if (p->role != TN_ROLE_COUPLING)
            continue;
        ck_assert_int_ge(p->joint.i, TN_COUPLING_JOINTS);
        if (p->kind == TN_PRIMITIVE_ARC) {
            double *radius = p->joint.i == TN_COUPLING_JOINTS + 1 ? &pinion
                             : p->pose.p.x > 0.1                  ? &small
                                                                  : &big;
            *radius = p->size.x;
        } else if (fabs(c.ends[i][0].y) > 1e-15 && fabs(c.ends[i][0].y - c.ends[i][1].y) < 1e-15) {
            rack = c.ends[i][0].y;
        }
    }
    ck_assert_double_eq_tol(big, 0.2, 1e-15);
    ck_assert_double_eq_tol(small, 0.1, 1e-15);
    ck_assert_double_eq_tol(pinion, 0.05, 1e-15);
    /* z' = +0.05 theta': the rack moves as the lowest point of the wheel does, y = -0.05 */
    ck_assert_double_eq_tol(rack, -0.05, 1e-15);
    joint_sim_destroy(&s);
}
END_TEST

/* A belt lies round the cylinder that is on one axle, 50 mm, and a circle of the radius that the ratio gives there: 100 mm. */
START_TEST(test_belt_round_a_wheel)
{
    joint_sim s = scene_of("tenon: 1\n"
                           "world: planar\n"
                           "bodies:\n"
                           "  one: {density: 1, shapes: [cylinder: {radius: 0.05, length: 0.01}]}\n"
                           "  other: {position: [0.3, 0], mass: 1, inertia: 1}\n"
                           "joints:\n"
                           "  a: {type: hinge, a: one, origin: [0, 0]}\n"
                           "  b: {type: hinge, a: other, origin: [0.3, 0]}\n"
                           "couplings: {round: {belt: {a: a.theta, b: b.theta, ratio: 1/2}}}\n");
    static collected c;
    draw_all(s.sim, &c);
    int circles = 0;
    for (int i = 0; i < c.count; i++) {
        const tn_primitive *p = &c.list[i];
        if (p->role != TN_ROLE_COUPLING || p->kind != TN_PRIMITIVE_ARC)
            continue;
        circles++;
        ck_assert_double_eq_tol(p->size.x, p->pose.p.x > 0.1 ? 0.1 : 0.05, 1e-15);
    }
    ck_assert_int_eq(circles, 2);
    joint_sim_destroy(&s);
}
END_TEST

/* Radii of the circles of a coupling: first, the pitch circles left of x = 0.03 m, with their rims, and right of it. */
static void pitch_circles(const collected *c, int32_t coupling, double left[2], double *right,
                          int *teeth)
{
    left[0] = left[1] = *right = 0.0;
    *teeth = 0;
    for (int i = 0, k = 0; i < c->count; i++) {
        const tn_primitive *p = &c->list[i];
        if (p->role != TN_ROLE_COUPLING || p->joint.i != TN_COUPLING_JOINTS + coupling)
            continue;
        *teeth += p->kind == TN_PRIMITIVE_POLYLINE && p->point_count > 2;
        if (p->kind != TN_PRIMITIVE_ARC)
            continue;
        if (p->pose.p.x > 0.03)
            *right = p->size.x;
        else if (k < 2)
            left[k++] = p->size.x;
    }
}

/* A gear with a positive ratio is a ring round a wheel: with 50 mm between the axes and 1/6, rings of 60 mm and wheels of 10 mm
 * (R - r = e, R / r = 6). Of a planetary gear the same against the arm, by the planet's cylinder; sun and planet touch: 40 and
 * 10 mm. */
START_TEST(test_wheels_in_rings)
{
    static const char arm[] = "tenon: 1\n"
                              "world: planar\n"
                              "bodies:\n"
                              "  sun: {mass: 1, inertia: 1}\n"
                              "  ring: {mass: 1, inertia: 1}\n"
                              "  arm: {mass: 1, inertia: 1}\n"
                              "  planet: {position: [0.05, 0], density: 1, shapes: [cylinder: "
                              "{radius: 0.01, length: 0.01}]}\n"
                              "joints:\n"
                              "  s: {type: hinge, a: sun, origin: [0, 0]}\n"
                              "  r: {type: hinge, a: ring, origin: [0, 0]}\n"
                              "  c: {type: hinge, a: arm, origin: [0, 0]}\n"
                              "  p: {type: hinge, a: planet, b: arm, origin: [0.05, 0]}\n"
                              "couplings:\n"
                              "  in: {terms: [{coordinate: s.theta, ratio: 4}, {coordinate: "
                              "p.theta}, {coordinate: c.theta, ratio: -4}]}\n"
                              "  out: {terms: [{coordinate: r.theta, ratio: 6}, {coordinate: "
                              "p.theta, ratio: -1}, {coordinate: c.theta, ratio: -6}]}\n";
    static const char fixed[] = "tenon: 1\n"
                                "world: planar\n"
                                "bodies: {ring: {mass: 1, inertia: 1}, planet: {position: [0.05, "
                                "0], mass: 1, inertia: 1}}\n"
                                "joints:\n"
                                "  r: {type: hinge, a: ring, origin: [0, 0]}\n"
                                "  p: {type: hinge, a: planet, origin: [0.05, 0]}\n"
                                "couplings: {out: {gear: {a: p.theta, b: r.theta, ratio: 1/6}}}\n";
    static collected c;
    double left[2], right;
    int teeth;
    joint_sim s = scene_of(arm);
    draw_all(s.sim, &c);
    pitch_circles(&c, 0, left, &right, &teeth);
    ck_assert_double_eq_tol(left[0], 0.04, 1e-15);
    ck_assert_double_eq_tol(right, 0.01, 1e-15);
    ck_assert_int_eq(teeth, 0);
    pitch_circles(&c, 1, left, &right, &teeth);
    joint_sim_destroy(&s);
    for (int round = 0; round < 2; round++) {
        ck_assert_double_eq_tol(left[0], 0.06, 1e-15);
        ck_assert_double_gt(left[1], 0.06); /* the rim */
        ck_assert_double_eq_tol(right, 0.01, 1e-15);
        ck_assert_int_eq(teeth, 1);
        s = scene_of(fixed);
        draw_all(s.sim, &c);
        pitch_circles(&c, 0, left, &right, &teeth);
        joint_sim_destroy(&s);
    }
}
END_TEST

/* A pendulum of a point: a ball for the mass, a triangle under the joint as gravity has it, and a
 * spiral for the spring. */
START_TEST(test_marks)
{
    joint_sim s =
        scene_of("tenon: 1\n"
                 "gravity: [0, 0, -10]\n"
                 "bodies: {bob: {position: [0, 0, -2], mass: 1, inertia: [1, 1, 1]}}\n"
                 "joints: {pin: {type: hinge, a: bob, origin: [0, 0, 0], axis: [0, 1, 0],\n"
                 "  spring: {theta: {stiffness: 5}}}}\n");
    static collected c;
    draw_all(s.sim, &c);
    const tn_primitive *ball = find(&c, TN_PRIMITIVE_SPHERE, TN_ROLE_BODY);
    ck_assert_double_eq(ball->pose.p.z, -2.0);
    ck_assert_int_eq(ball->body.i, 0);
    ck_assert_int_eq(find(&c, TN_PRIMITIVE_POLYLINE, TN_ROLE_GROUND)->point_count, 3);
    ck_assert_int_eq(count_role(&c, TN_ROLE_GROUND), 5);
    for (int i = 0; i < c.count; i++)
        if (c.list[i].role == TN_ROLE_GROUND && c.list[i].kind == TN_PRIMITIVE_LINE)
            ck_assert_double_lt(c.ends[i][1].z, c.ends[i][0].z); /* downwards */
    ck_assert_int_eq(count_role(&c, TN_ROLE_COUPLING), 1);
    tn_draw_options options = tn_default_draw_options();
    options.what = TN_DRAW_ALL & ~(uint32_t)(TN_DRAW_MARKS | TN_DRAW_COUPLINGS);
    c.count = 0;
    ck_assert_int_eq(tn_sim_draw(s.sim, &options, collect, &c), TN_OK);
    ck_assert_int_eq(count_role(&c, TN_ROLE_GROUND) + count_role(&c, TN_ROLE_COUPLING), 0);
    ck_assert_int_eq(index_of(&c, TN_PRIMITIVE_SPHERE, TN_ROLE_BODY), -1);
    joint_sim_destroy(&s);
}
END_TEST

/* Two beams and a block: all that is drawn of a beam's nodes has one colour, and the others have others. */
START_TEST(test_colours_of_beams)
{
#define BEAM(name, y)                                                                              \
    name ": {beam: {from: [0, " y ", 0], to: [1, " y                                               \
         ", 0], elements: 7}, section: {circle: 5 mm}, material: steel}"
    joint_sim s = scene_of(
        "tenon: 1\n"
        "materials: {steel: {density: 7850, young: 210 GPa, poisson: 0.3}}\n"
        "bodies: {block: {mass: 1, inertia: [1, 1, 1], shapes: [box: {size: [1, 1, 1]}]}}\n"
        "flexible: {" BEAM("one", "2") ", " BEAM("two", "3") "}\n");
#undef BEAM
    static collected c;
    draw_all(s.sim, &c);
    tn_vec3 colors[3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    int seen[3] = {0, 0, 0};
    for (int i = 0; i < c.count; i++) {
        if (c.list[i].role != TN_ROLE_BODY)
            continue;
        const int which = c.list[i].body.i == 0 ? 0 : 1 + (c.list[i].body.i - 1) / 8;
        const tn_vec3 color = c.list[i].color;
        if (seen[which]++ == 0)
            colors[which] = color;
        ck_assert(memcmp(&color, &colors[which], sizeof color) == 0);
    }
    for (int k = 0; k < 3; k++) {
        ck_assert_int_ge(seen[k], k == 0 ? 1 : 8);
        ck_assert(memcmp(&colors[k], &colors[(k + 1) % 3], sizeof colors[k]) != 0);
    }
    joint_sim_destroy(&s);
}
END_TEST

/* A spring in the plane, 3 m long: its zigzag keeps to the plane, to one side of the line that it acts along. */
START_TEST(test_spring_in_the_plane)
{
    joint_sim s = scene_of("tenon: 1\n"
                           "world: planar\n"
                           "gravity: [0, 0]\n"
                           "bodies: {bob: {position: [3, 0], mass: 1, inertia: 1}}\n"
                           "joints: {pull: {type: distance, a: bob, frame_c: {position: [3, 0]},\n"
                           "  frame_d: {position: [0, 0]}, spring: {length: {stiffness: 5}}}}\n");
    static collected c;
    draw_all(s.sim, &c);
    const tn_primitive *coil = find(&c, TN_PRIMITIVE_POLYLINE, TN_ROLE_COUPLING);
    ck_assert_int_eq(coil->point_count, 18);
    double least = INFINITY, most = 0.0;
    for (int k = 0; k < coil->point_count; k++) {
        const tn_vec3 at = tn_pose_transform_point(coil->pose, c.coil[k]);
        ck_assert_double_eq(at.z, 0.0);
        ck_assert_double_eq_tol(at.x, 3.0 * k / 17, 1e-14);
        least = fmin(least, fabs(at.y)), most = fmax(most, fabs(at.y));
    }
    ck_assert_double_gt(least, 0.0);
    ck_assert_double_gt(most, 2.0 * least);
    joint_sim_destroy(&s);
}
END_TEST

START_TEST(test_memory)
{
    test_allocator allocator = {.left = -1};
    tn_set_allocator(test_realloc, &allocator);
    tn_spec *spec = tn_spec_create();
    tn_shape_def shape = tn_default_shape_def(TN_SHAPE_ROUNDED_BOX);
    shape.length = shape.width = shape.depth = 1.0;
    tn_body_def body = tn_default_body_def();
    body.density = 1.0;
    body.shapes = &shape;
    body.shape_count = 1;
    ck_assert_int_eq(tn_spec_add_body(spec, &body, NULL), TN_OK);
    const int64_t before = allocator.alive;
    tn_model *model = NULL;
    int64_t allowed = -1;
    do {
        allocator.left = ++allowed;
        const tn_status status = tn_model_compile(spec, NULL, &model);
        ck_assert(status == TN_OK || status == TN_ERROR_MEMORY);
        if (!model)
            ck_assert_int_eq(allocator.alive, before);
    } while (!model && allowed < 1000);
    ck_assert_ptr_nonnull(model);
    allocator.left = -1;
    tn_sim *sim = NULL;
    ck_assert_int_eq(tn_sim_create(model, NULL, NULL, &sim), TN_OK);
    static collected c;
    allocator.left = 0;
    draw_all(sim, &c);
    ck_assert_int_eq(c.count, 1);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
    tn_spec_destroy(spec);
    tn_set_allocator(NULL, NULL);
    ck_assert_int_eq(allocator.alive, 0);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("draw");
    TCase *tests = tcase_create("primitives");
    tcase_add_test(tests, test_hinge);
    tcase_add_test(tests, test_what_is_left_out);
    tcase_add_test(tests, test_wrong_arguments);
    tcase_add_test(tests, test_callback_ends_drawing);
    tcase_add_test(tests, test_every_type);
    tcase_add_test(tests, test_gimbal_arcs);
    tcase_add_test(tests, test_tilt_arc);
    tcase_add_test(tests, test_slider_line);
    tcase_add_test(tests, test_outlines);
    tcase_add_test(tests, test_gears_and_racks);
    tcase_add_test(tests, test_belt_round_a_wheel);
    tcase_add_test(tests, test_wheels_in_rings);
    tcase_add_test(tests, test_marks);
    tcase_add_test(tests, test_colours_of_beams);
    tcase_add_test(tests, test_spring_in_the_plane);
    tcase_add_test(tests, test_memory);
    suite_add_tcase(suite, tests);
    return suite;
}
