/* MJCF files: the motion of what is read, what is told of what is not, and files that are wrong.
 *
 * Reference motions are those of MuJoCo 3.12 of the same file, Runge-Kutta steps of 1e-4 and of
 * 2e-5 s (all digits below agree), without contacts, stops and dry friction, with controls of 0.
 */
#include "support/imported.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/run_main.h"
#include "support/same_spec.h"

#define WORLD(text) "<mujoco>\n<worldbody>\n" text "</worldbody>\n</mujoco>"
#define BALL        "<geom size='.1'/>"

START_TEST(test_motion_is_that_of_mujoco)
{
    static const motion_start starts[] = {{"j1", 0.1, 0.5},  {"s", -0.06, 0.06}, {"u", 0.3, 0.1},
                                          {"v", -0.4, -0.1}, {"w", 0.5, -0.3},   {"c", -0.18, -0.1},
                                          {"p", 0.7, -0.7}};
    static const body_place before[] = {
        {"two", {0.282192409252, 0.045729016636, 0.931505095157}},
        {"three", {0.206066270553, -0.138916512823, 1.212220815501}},
        {"cart", {1.82, 0, 0}}};
    static const body_place after[] = {{"two", {-0.245952902001, -0.093757095269, 0.795830946390}},
                                       {"three", {0.094404036672, -0.144700236551, 0.811718892880}},
                                       {"cart", {1.809874657554, 0, 0}}};
    imported m = import_file(TN_TEST_DATA "/import/machine.xml");
    ck_assert_double_eq_tol(value_of(&m, "p"), 0.5235987755982988, 1e-14); /* ref: 30 degrees */
    set_motion(&m, starts, 7);
    expect_places(&m, before, 3, 1e-12);
    for (int k = 0; k < 40; k++) {
        ck_assert_int_eq(tn_sim_step(m.sim, 0.01, NULL), TN_OK);
    }
    expect_places(&m, after, 3, 1e-8);
    ck_assert_double_eq_tol(value_of(&m, "j1"), 1.942138834811, 1e-8);
    ck_assert_double_eq_tol(value_of(&m, "v"), -0.550718279767, 1e-8);
    ck_assert_double_eq_tol(value_of(&m, "w"), 0.081911289904, 1e-8);
    ck_assert_double_eq_tol(value_of(&m, "p"), 0.141041029763, 1e-8);
    import_free(&m);
}
END_TEST

/* A cart and a pole: (M + m) x'' at the start is m g / ... in closed form, from 90 degrees to the
 * cart: the pole's end falls and does not push the cart: x'' = 0, theta'' = 3 g / (2 l). */
START_TEST(test_cart_and_pole)
{
    imported m = import_text(
        "<mujoco><option gravity='0 0 -9.81'/><worldbody><body name='cart'><joint name='x' "
        "type='slide' axis='1 0 0'/><geom type='box' size='.1 .1 .1' mass='3'/><body name='pole'>"
        "<joint name='q' axis='0 1 0'/><inertial pos='.5 0 0' mass='2' diaginertia='1e-9 "
        "0.16666666666666666 0.16666666666666666'/></body></body></worldbody></mujoco>");
    ck_assert_int_eq(tn_sim_step(m.sim, 1e-3, NULL), TN_OK);
    ck_assert_double_eq_tol(value_of(&m, "q"), 0.5 * 1.5 * 9.81 * 1e-6, 1e-11);
    ck_assert_double_eq_tol(value_of(&m, "x"), 0.0, 1e-11);
    import_free(&m);
}
END_TEST

/* The mass and moments of each kind of geom: density 1000 where nothing is said. */
START_TEST(test_geoms_weigh)
{
    static const struct {
        const char *geom;
        double mass, Jzz;
    } geoms[] = {
        {"<geom size='.1'/>", 4.1887902047863905, 0.016755160819145562},
        {"<geom type='box' size='.1 .2 .3'/>", 48.0, 0.8},
        {"<geom type='cylinder' size='.1 .2' mass='2'/>", 2.0, 0.01},
        {"<geom type='ellipsoid' size='.1 .2 .3' density='500'/>", 12.566370614359172,
         0.12566370614359174},
        {"<geom type='capsule' size='.1 .2' density='100'/>", 1.6755160819145565,
         0.0079587013890941427},
    };
    char text[512];
    for (size_t i = 0; i < sizeof geoms / sizeof geoms[0]; i++) {
        snprintf(text, sizeof text, WORLD("<body name='a'><freejoint/>%s</body>"), geoms[i].geom);
        imported m = import_described(text, "m.xml", NULL, NULL);
        const tn_body_def *a = tn_spec_body(m.spec, (tn_body){0});
        ck_assert_double_eq_tol(a->mass, geoms[i].mass, 1e-12);
        ck_assert_double_eq_tol(a->inertia.m[2][2], geoms[i].Jzz, 1e-13);
        import_free(&m);
    }
}
END_TEST

/* What is written against what is written otherwise: each pair is the same orientation. */
START_TEST(test_orientations)
{
    static const char *const turns[] = {"quat='0.7071067811865476 0 0 0.7071067811865475'",
                                        "axisangle='0 0 2 90'", "euler='0 0 90'",
                                        "xyaxes='0 2 0 -3 0.5 0'"};
    char text[512];
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        snprintf(text, sizeof text,
                 WORLD("<body name='a' pos='1 2 3' %s><freejoint/>" BALL "</body>"), turns[i]);
        imported m = import_described(text, "m.xml", NULL, NULL);
        const tn_pose pose = tn_spec_body(m.spec, (tn_body){0})->pose;
        ck_assert_double_eq_tol(pose.q.w, 0.7071067811865476, 1e-15);
        ck_assert_double_eq_tol(pose.q.z, 0.7071067811865476, 1e-15);
        ck_assert_double_eq(pose.p.y, 2.0);
        import_free(&m);
    }
}
END_TEST

/* Turned axes in small letters, fixed ones in capitals: zyx of (a, b, c) is XYZ of (c, b, a). */
START_TEST(test_orders_of_euler_angles)
{
    static const char *const heads[] = {
        "eulerseq='zyx'/><worldbody><body name='a' euler='10 20 30'",
        "eulerseq='XYZ'/><worldbody><body name='a' euler='30 20 10'"};
    tn_quat q[2];
    char text[512];
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text,
                 "<mujoco><compiler %s><freejoint/>" BALL "</body></worldbody></mujoco>", heads[i]);
        imported m = import_described(text, "m.xml", NULL, NULL);
        q[i] = tn_spec_body(m.spec, (tn_body){0})->pose.q;
        import_free(&m);
    }
    const tn_mat3 R = tn_quat_to_matrix(q[0]);
    ck_assert_double_eq_tol(R.m[2][0], -sin(20 * 3.14159265358979323846 / 180), 1e-15);
    ck_assert_double_eq_tol(q[0].w, q[1].w, 1e-15);
    ck_assert_double_eq_tol(q[0].x, q[1].x, 1e-15);
}
END_TEST

START_TEST(test_defaults_by_class)
{
    imported m = import_described(
        "<mujoco><default><geom density='10'/><joint damping='1'/><default class='x'><joint "
        "damping='2' axis='1 0 0'/></default></default><worldbody><body name='a' childclass='x'>"
        "<joint name='1' stiffness='5'/>" BALL "<body name='b'><joint name='2' class='main'/>" BALL
        "</body></body></worldbody></mujoco>",
        "m.xml", NULL, NULL);
    ck_assert_double_eq(tn_spec_joint(m.spec, (tn_joint){0})->drives[0].friction.viscous, 2.0);
    ck_assert_double_eq(tn_spec_joint(m.spec, (tn_joint){0})->drives[0].spring.stiffness, 5.0);
    ck_assert_double_eq(tn_spec_joint(m.spec, (tn_joint){1})->drives[0].friction.viscous, 1.0);
    ck_assert_double_eq_tol(tn_spec_body(m.spec, (tn_body){0})->mass, 0.041887902047863905, 1e-15);
    import_free(&m);
}
END_TEST

/* Ranges in degrees where the compiler does not say radian, only where they count. */
START_TEST(test_ranges)
{
    imported m = import_described(
        WORLD("<body name='a'><joint name='1' range='-90 45'/>" BALL
              "<body name='b'><joint name='2' range='-90 45' limited='false'/>" BALL
              "<body name='c'><joint name='3' type='slide' range='-1 2'/>" BALL
              "</body></body></body>"),
        "m.xml", NULL, NULL);
    ck_assert_double_eq_tol(tn_spec_joint(m.spec, (tn_joint){0})->upper[0], 0.7853981633974483,
                            1e-15);
    ck_assert(isinf(tn_spec_joint(m.spec, (tn_joint){1})->upper[0]));
    ck_assert_double_eq(tn_spec_joint(m.spec, (tn_joint){2})->lower[0], -1.0);
    import_free(&m);
}
END_TEST

/* Joints of one body whose axes meet are one custom joint; others have a light body between. */
START_TEST(test_several_joints_of_a_body)
{
    imported m = import_described(
        WORLD("<body name='a'><joint name='x' type='slide' axis='1 0 0'/><joint name='y' "
              "axis='0 1 0'/><joint name='z' axis='0 0 1'/>" BALL "</body>"),
        "m.xml", NULL, NULL);
    ck_assert_int_eq(tn_spec_body_count(m.spec), 1);
    ck_assert_int_eq(tn_spec_joint(m.spec, (tn_joint){0})->data->coordinate_count, 3);
    import_free(&m);
    m = import_described(WORLD("<body name='a'><joint name='y' axis='0 1 0'/><joint name='z' "
                               "pos='.1 0 0' axis='0 1 0'/>" BALL "</body>"),
                         "m.xml", NULL, NULL);
    ck_assert_int_eq(tn_spec_body_count(m.spec), 2);
    ck_assert_int_eq(tn_spec_joint_count(m.spec), 2);
    expect_told(m.told, TN_WARNING, 3, "two joints whose axes do not meet");
    import_free(&m);
}
END_TEST

/* A four-bar linkage closed by an equality is the one that Tenon's own model says. */
START_TEST(test_loops_close)
{
    static const char *const closings[] = {
        "<connect body1='c' anchor='0 0 1'/>", "<connect site1='c_end' site2='floor'/>",
        "<connect name='end' body1='world' body2='c' anchor='1 0 0'/>"};
    char text[1024];
    for (size_t i = 0; i < sizeof closings / sizeof closings[0]; i++) {
        snprintf(text, sizeof text,
                 "<mujoco><worldbody><site name='floor' pos='1 0 0'/><body name='a' pos='0 0 0'>"
                 "<joint name='1' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 1' "
                 "size='.02'/><body name='b' pos='0 0 1'><joint name='2' axis='0 1 0'/><geom "
                 "type='capsule' fromto='0 0 0 1 0 0' size='.02'/><body name='c' pos='1 0 0' "
                 "euler='180 0 0'><joint name='3' axis='0 1 0'/><geom type='capsule' "
                 "fromto='0 0 0 0 0 1' size='.02'/><site name='c_end' pos='0 0 1'/></body></body>"
                 "</body></worldbody><equality>%s</equality></mujoco>",
                 closings[i]);
        imported m = import_text(text);
        ck_assert_int_eq(tn_spec_joint_count(m.spec), 4);
        ck_assert_str_eq(tn_spec_joint(m.spec, (tn_joint){3})->type, "spherical");
        ck_assert_double_lt(tn_sim_residuals(m.sim).position, 1e-12);
        tn_rank rank;
        ck_assert_int_eq(tn_sim_rank(m.sim, &rank), TN_OK);
        ck_assert_int_eq(rank.dof, 1);
        import_free(&m);
    }
}
END_TEST

START_TEST(test_welds_and_couplings)
{
    imported m = import_described(
        "<mujoco><worldbody><body name='a'><joint name='1' ref='10'/>" BALL "</body><body name='b' "
        "pos='1 0 0'><joint name='2'/>" BALL "</body><body name='c' pos='2 0 0'><freejoint/>" BALL
        "</body></worldbody><equality><joint joint1='1' joint2='2' polycoef='0.5 -3'/><weld "
        "body1='c' body2='b'/><weld body1='a' active='false'/><joint joint1='1' joint2='2' "
        "polycoef='0 1 2'/></equality></mujoco>",
        "m.xml", NULL, NULL);
    const tn_coupling_def *c = tn_spec_coupling(m.spec, (tn_coupling){0});
    ck_assert_int_eq(tn_spec_coupling_count(m.spec), 1);
    ck_assert_double_eq(c->terms[1].ratio, 3.0);
    ck_assert_double_eq_tol(c->value, 0.5 + 0.17453292519943295, 1e-15);
    ck_assert_str_eq(tn_spec_joint(m.spec, (tn_joint){2})->type, "solid");
    expect_told(m.told, TN_NOTE, 1, "'weld' is off at the start");
    expect_told(m.told, TN_WARNING, 1, "it is not linear");
    import_free(&m);
}
END_TEST

/* Armature is inertia along the coordinate: what the wheel of it and the body have together. */
START_TEST(test_armature)
{
    imported m = import_text(WORLD("<body name='a'><joint name='j' axis='0 0 1' armature='0.25'/>"
                                   "<inertial pos='0 0 0' mass='1' diaginertia='.5 .5 .5'/></body>"
                                   "<body name='b' pos='9 0 0'><joint name='k' axis='0 0 1'/>"
                                   "<inertial pos='0 0 0' mass='1' diaginertia='.75 .75 .75'/>"
                                   "</body>"));
    static const motion_start starts[] = {{"j", 0, 2}, {"k", 0, 2}};
    set_motion(&m, starts, 2);
    const double together = tn_sim_energy(m.sim).kinetic;
    ck_assert_double_eq_tol(together, 0.5 * 4 * (0.75 + 0.75), 1e-12);
    import_free(&m);
}
END_TEST

/* A servo is one law with one cap. Masses of 1 kg, at rest at the start, go ways in closed form:
 * even: 4 N all the time; odd: 6 N of '-10 6'; turned: 2 * 6 N the other way, by its gear;
 * speed: 2 (3 - v), to 4 N: v = 4 t to 0.25 s, then 3 - 2 exp(-2 (t - 0.25));
 * pair: 4 N and 3 N of two servos; joint: 5 N of 'actuatorfrcrange'; motor: 6 N of a control of 7;
 * wide: 4 N from 1 m, towards 1.75 m, where half of the joint's range begins. */
START_TEST(test_caps_of_servos)
{
    static const struct {
        const char *joint;
        double x; /* m, after 0.5 s */
    } ends[] = {{"even", 0.5},    {"odd", 0.75},   {"turned", -1.5}, {"pair", 0.875},
                {"joint", 0.625}, {"motor", 0.75}, {"wide", 1.5}};
    imported m = import_file(TN_TEST_DATA "/import/servos.xml");
    for (int k = 0; k < 5; k++) {
        ck_assert_int_eq(tn_sim_step(m.sim, 0.1, NULL), TN_OK);
    }
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        ck_assert_msg(fabs(value_of(&m, ends[i].joint) - ends[i].x) < 1e-6, "%s at %.9f, not %.9f",
                      ends[i].joint, value_of(&m, ends[i].joint), ends[i].x);
    }
    ck_assert_double_eq_tol(value_of(&m, "speed"), 0.125 + 0.75 - (1.0 - exp(-0.5)), 1e-6);
    import_free(&m);
}
END_TEST

/* MuJoCo holds the knee at the end of its controls that is nearest to 0, -0.9 rad. */
START_TEST(test_servo_with_a_range_of_controls_without_0)
{
    imported m = import_text(
        "<mujoco><compiler angle='radian'/><option gravity='0 0 0'/>\n<worldbody><body>"
        "<joint name='knee' axis='0 1 0' range='-2.8 2.8' damping='0.5'/>"
        "<geom type='capsule' size='.02' fromto='0 0 0 0 0 -.3' mass='1'/></body></worldbody>"
        "<actuator><position joint='knee' kp='50' ctrlrange='-2.8 -0.9' forcerange='-30 30'/>"
        "</actuator></mujoco>");
    ck_assert_int_eq(tn_sim_advance(m.sim, 3.0, NULL), TN_OK);
    ck_assert_double_eq_tol(value_of(&m, "knee"), -0.9, 1e-6);
    import_free(&m);
}
END_TEST

/* 'auto' limits by a range that is not of length 0, as MuJoCo; what says 'true' is locked at it. */
START_TEST(test_null_ranges)
{
    imported m = import_described(
        WORLD("<body name='a'><joint name='1' range='0 0'/>" BALL
              "<body name='b'><joint name='2' range='0 0' limited='true'/>" BALL "</body></body>"),
        "m.xml", NULL, NULL);
    ck_assert(isinf(tn_spec_joint(m.spec, (tn_joint){0})->upper[0]));
    ck_assert_int_eq(tn_spec_joint(m.spec, (tn_joint){0})->locked[0], 0);
    ck_assert_int_eq(tn_spec_joint(m.spec, (tn_joint){1})->locked[0], 1);
    import_free(&m);
}
END_TEST

static void put_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(data, 1, size, file), size);
    fclose(file);
}

/* Directions near the ends of double are directions: their squares would overflow, or vanish. */
START_TEST(test_directions_of_any_length)
{
    static const char *const axes[] = {"1e200", "1e160", "3", "1e-90"};
    static const char *const turns[] = {"quat='0 1e200 0 0'", "xyaxes='1e200 0 0 0 -1e-200 0'",
                                        "zaxis='0 1e-170 -1e200'", "axisangle='1e160 0 0 180'",
                                        "quat='0 1e-200 0 0'"};
    char text[512];
    for (size_t i = 0; i < TN_COUNT_OF(axes); i++) {
        snprintf(text, sizeof text, WORLD("<body name='a'><joint axis='%s 0 0'/>" BALL "</body>"),
                 axes[i]);
        imported m = import_described(text, "m.xml", NULL, NULL);
        const tn_vec3 z = tn_pose_rotate_vector(tn_spec_joint(m.spec, (tn_joint){0})->frame_d,
                                                (tn_vec3){0, 0, 1});
        ck_assert_double_eq_tol(z.x, 1.0, 1e-15);
        import_free(&m);
    }
    for (size_t i = 0; i < TN_COUNT_OF(turns); i++) {
        snprintf(text, sizeof text, WORLD("<body name='a' %s><freejoint/>" BALL "</body>"),
                 turns[i]);
        imported m = import_described(text, "m.xml", NULL, NULL);
        const tn_vec3 z =
            tn_pose_rotate_vector(tn_spec_body(m.spec, (tn_body){0})->pose, (tn_vec3){0, 0, 1});
        ck_assert_double_eq_tol(z.z, -1.0, 1e-15);
        import_free(&m);
    }
}
END_TEST

/* Attributes, elements and files are counted before anything is made of them. */
START_TEST(test_limits_of_xml)
{
    const size_t size = 4000000;
    char *text = malloc(size);
    size_t length = (size_t)sprintf(text, "<mujoco>\n<!-- < -->\n<worldbody ");
    for (int i = 0; i < 200000; i++) {
        length += (size_t)sprintf(text + length, "a%d='>' ", i);
    }
    sprintf(text + length, "/></mujoco>");
    const bad_model crowd = {text, 3, "an element has more than 1000 attributes"};
    expect_refused(&crowd, "m.xml");
    free(text);
    /* ten levels of ten includes each: 1e10 files */
    for (int level = 0; level <= 10; level++) {
        char name[256], body[1024] = "<mujoco>";
        snprintf(name, sizeof name, TN_TEST_OUTPUT "/bomb%d.xml", level);
        for (int i = 0; i < 10 && level < 10; i++) {
            snprintf(body + strlen(body), sizeof body - strlen(body),
                     "<include file='bomb%d.xml'/>", level + 1);
        }
        strcat(body, "</mujoco>");
        put_file(name, body, strlen(body));
    }
    const bad_model bomb = {"<mujoco><include file='bomb0.xml'/></mujoco>", 0,
                            "a model includes at most 256 files"};
    expect_refused(&bomb, TN_TEST_OUTPUT "/m.xml");
}
END_TEST

/* A cube of 2 cm without its lid. */
static const char OPEN_CUBE[] =
    "v 0 0 0\nv .02 0 0\nv 0 .02 0\nv .02 .02 0\nv 0 0 .02\nv .02 0 .02\nv 0 .02 .02\n"
    "v .02 .02 .02\nf 1 3 4 2\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";

/* MuJoCo 3: 0.01287 kg of two such surfaces: pyramids from the centre of those from the mean of the surface. */
START_TEST(test_open_meshes_weigh_as_in_mujoco)
{
    static const char model[] = "<mujoco><asset><mesh name='skin' "
                                "file='mjcf_open.obj'/></asset><worldbody><body name='link'>"
                                "<joint name='pin'/>%s<geom mesh='skin'/>\n<geom mesh='skin' "
                                "pos='0 0 .1'/></body></worldbody></mujoco>";
    char text[1024];
    put_file(TN_TEST_OUTPUT "/mjcf_open.obj", OPEN_CUBE, sizeof OPEN_CUBE - 1);
    snprintf(text, sizeof text, model, "");
    imported m = import_described(text, TN_TEST_OUTPUT "/m.xml", NULL, NULL);
    ck_assert_double_eq_tol(tn_spec_body(m.spec, (tn_body){0})->mass, 0.0128666667, 1e-9);
    expect_told(m.told, TN_WARNING, 1, "the mesh is not closed, nor are 1 more");
    import_free(&m);
    snprintf(text, sizeof text, model,
             "<inertial pos='0 0 .02' mass='.01' diaginertia='1e-6 1e-6 1e-6'/>");
    m = import_described(text, TN_TEST_OUTPUT "/m.xml", NULL, NULL);
    ck_assert_int_eq(tn_diagnostics_count(m.told), 0); /* nothing weighs but what is given */
    ck_assert_double_eq(tn_spec_body(m.spec, (tn_body){0})->mass, 0.01);
    import_free(&m);
}
END_TEST

#define POINTS(x, y, z)                                                                            \
    "-" x " -" y " -" z " " x " -" y " -" z " " x " " y " -" z " -" x " " y " -" z " -" x " -" y   \
    " " z " " x " -" y " " z " " x " " y " " z " -" x " " y " " z

/* Vertices alone are their hull: a cube of 0.2 m, 8 kg, as in MuJoCo; with faces they are those. */
START_TEST(test_meshes_of_vertices)
{
    static const char *const faces[] = {
        "", " face='0 2 1 0 3 2 4 5 6 4 6 7 0 1 5 0 5 4 3 7 6 3 6 2 0 4 7 0 7 3 1 2 6 1 6 5'"};
    char text[1024];
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text,
                 "<mujoco><asset><mesh name='block' vertex='" POINTS(
                     ".1", ".1", ".1") "'%s/></asset><worldbody>"
                                       "<body><joint/><geom mesh='block' pos='.5 0 0'/><geom "
                                       "mesh='block' mass='1'/></body></worldbody></mujoco>",
                 faces[i]);
        imported m = import_described(text, "m.xml", NULL, NULL);
        const tn_body_def *body = tn_spec_body(m.spec, (tn_body){0});
        ck_assert_double_eq_tol(body->mass, 9.0, 1e-12);
        ck_assert_double_eq_tol(body->com.x, 8.0 * 0.5 / 9.0, 1e-12);
        ck_assert_double_eq_tol(body->inertia.m[0][0], 9.0 * 0.04 / 6.0, 1e-12);
        import_free(&m);
    }
}
END_TEST

/* Fitted to a block of 0.2 x 0.4 x 0.6 m turned about x: the box is the block, the others have MuJoCo's rule. */
START_TEST(test_geoms_fitted_to_meshes)
{
    static const struct {
        const char *type;
        double mass;
    } fits[] = {{"box", 48.0},
                {"ellipsoid", 4.0 / 3.0 * 3.14159265358979323846 * 6.0},
                {"sphere", 4.0 / 3.0 * 3.14159265358979323846 * 8.0},
                {"cylinder", 3.14159265358979323846 * 2.25 * 6.0},
                {"capsule", 3.14159265358979323846 * 2.25 * (2.0 * 2.25 + 4.0 / 3.0 * 1.5)}};
    char text[1024];
    for (size_t i = 0; i < TN_COUNT_OF(fits); i++) {
        snprintf(text, sizeof text,
                 "<mujoco><asset><mesh name='block' vertex='" POINTS(
                     ".1", ".3", ".2") "'/></asset><worldbody><body>"
                                       "<freejoint/><geom type='%s' mesh='block' pos='1 2 3' "
                                       "euler='30 0 0'/></body></worldbody></mujoco>",
                 fits[i].type);
        imported m = import_described(text, "m.xml", NULL, NULL);
        const tn_body_def *body = tn_spec_body(m.spec, (tn_body){0});
        ck_assert_double_eq_tol(body->mass, fits[i].mass, 1e-9);
        ck_assert_double_eq_tol(body->com.y, 2.0, 1e-12);
        if (i == 0) {
            ck_assert_double_eq_tol(body->inertia.m[0][0], 48.0 / 3.0 * (0.09 + 0.04), 1e-12);
            ck_assert_double_eq_tol(body->inertia.m[1][2],
                                    -48.0 / 3.0 * 0.05 * sin(1.0471975511965976) / 2.0, 1e-12);
        }
        import_free(&m);
    }
    imported m = import_described(
        "<mujoco><asset><mesh name='block' vertex='" POINTS(
            ".1", ".3", ".2") "'/></asset><worldbody><body>"
                              "<joint/><inertial pos='0 0 0' mass='2' diaginertia='1 1 1'/><geom "
                              "type='capsule' mesh='block'/></body>"
                              "</worldbody></mujoco>",
        "m.xml", NULL, NULL);
    ck_assert_double_eq(tn_spec_body(m.spec, (tn_body){0})->mass, 2.0);
    ck_assert_int_eq(tn_spec_body(m.spec, (tn_body){0})->shapes[0].kind, TN_SHAPE_CAPSULE);
    import_free(&m);
}
END_TEST

/* A relpose says an orientation by a quaternion of any length. */
START_TEST(test_relpose_of_any_length)
{
    imported m = import_text(
        "<mujoco><worldbody><body name='arm' pos='0 0 1' quat='1 1 0 0'><joint axis='0 1 0'/>" BALL
        "</body><body name='hook' pos='0 0 1.5'><freejoint/>" BALL "</body></worldbody>\n<equality>"
        "<weld name='grip' body1='arm' body2='hook' relpose='0 .5 0 2 0 0 "
        "-1'/></equality></mujoco>");
    const tn_quat q = tn_spec_joint(m.spec, (tn_joint){1})->frame_c.q;
    ck_assert_double_eq_tol(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1.0, 1e-15);
    import_free(&m);
}
END_TEST

/* Two hinges about one axis, as for a spring in series, have 2 freedoms: the rotor of the first goes on alone.
 * J1 = 0.1, J2 = 1 (0.25 4 kg m^2) and k = 10 between them: w^2 = k (1/J1 + 1/J2). */
START_TEST(test_two_hinges_about_one_axis)
{
    imported m = import_text("<mujoco><option gravity='0 0 0'/><worldbody><body name='bob'><joint "
                             "name='motor' axis='0 1 0' "
                             "armature='.1'/><joint name='elastic' axis='0 1 0' "
                             "stiffness='10'/><inertial pos='0 0 0' mass='1' "
                             "diaginertia='1 1 1'/></body></worldbody></mujoco>");
    static const motion_start starts[] = {{"motor", 0, 0}, {"elastic", 0.1, 0}};
    tn_rank rank;
    ck_assert_int_eq(tn_sim_rank(m.sim, &rank), TN_OK);
    ck_assert_int_eq(rank.dof, 2);
    set_motion(&m, starts, 2);
    ck_assert_int_eq(tn_sim_advance(m.sim, 3.14159265358979323846 / sqrt(10.0 * 11.0), NULL),
                     TN_OK);
    ck_assert_double_eq_tol(value_of(&m, "elastic"), -0.1,
                            1e-5); /* half a period; a millionth of the mass is between */
    import_free(&m);
}
END_TEST

/* A start by name or number: coordinates, a ball's turn, a free body's place, speeds, and the controls of servos. What is drawn
 * outside of its range proposes the first keyframe that is not. */
START_TEST(test_keyframes)
{
    static const char text[] =
        "<mujoco><compiler angle='radian'/><option gravity='0 0 0'/><worldbody><body name='a'>"
        "<joint name='j' axis='0 1 0' range='0.5 2'/>" BALL "<body name='b' pos='1 0 0'>"
        "<joint name='k' type='ball'/>" BALL
        "</body></body><body name='c' pos='5 0 0'><freejoint/>" BALL
        "</body></worldbody><actuator><position joint='j' kp='9'/></actuator><keyframe>"
        "<key name='bad' qpos='0 1 0 0 0 5 0 0 1 0 0 0'/>"
        "<key name='home' qpos='1 0 0 0 2 7 8 9 0 3 0 0' qvel='0.25 0 0 0 0 0 0 0 0 0' "
        "ctrl='0.75'/>"
        "</keyframe></mujoco>";
    static const char *const names[] = {"home", "1"};
    imported m = import_described(text, "m.xml", NULL, NULL);
    expect_told(m.told, TN_NOTE, 1, "joint 'j' is drawn at 0, outside of its range");
    bool proposed = false;
    for (int32_t i = 0; i < tn_diagnostics_count(m.told); i++) {
        const char *hint = tn_diagnostics_get(m.told, i)->hint;
        proposed = proposed || (hint != NULL && strstr(hint, "--keyframe 'home'") != NULL);
    }
    ck_assert(proposed);
    import_free(&m);
    for (int i = 0; i < 2; i++) {
        m = import_described(text, "m.xml", "keyframe", names[i]);
        import_start(&m);
        ck_assert_double_eq_tol(value_of(&m, "j"), 1.0, 1e-14);
        const tn_body_def *b = tn_spec_body(m.spec, (tn_body){1}),
                          *c = tn_spec_body(m.spec, (tn_body){2});
        ck_assert_double_eq_tol(b->pose.p.x, cos(1.0), 1e-14);
        ck_assert_double_eq_tol(tn_pose_rotate_vector(b->pose, (tn_vec3){0, 0, 1}).x, sin(1.0),
                                1e-14);
        ck_assert_double_eq_tol(tn_pose_rotate_vector(b->pose, (tn_vec3){0, 1, 0}).y, -1.0, 1e-14);
        ck_assert_double_eq_tol(c->pose.p.z, 9.0, 1e-15);
        ck_assert_double_eq_tol(c->pose.q.x, 1.0, 1e-15);
        ck_assert_double_eq(tn_spec_joint(m.spec, (tn_joint){0})->speed[0], 0.25);
        const tn_drive_def *drive = &tn_spec_joint(m.spec, (tn_joint){0})->drives[0];
        ck_assert_double_eq_tol(drive->spring.rest.numbers[0], 0.75, 1e-15);
        import_free(&m);
    }
    tn_spec *spec = NULL;
    const tn_setting none = {"keyframe", "none"};
    ck_assert_int_eq(tn_spec_read_string_with(text, strlen(text), "m.xml", &none, 1, NULL, &spec),
                     TN_ERROR_INPUT);
}
END_TEST

/* Files are read below the model's folder and its package, links followed first, and below what is allowed. */
START_TEST(test_files_outside_are_not_read)
{
    static const char *const folders[] = {"", "/in", "/in/model", "/out"};
    char path[512];
    for (size_t i = 0; i < TN_COUNT_OF(folders); i++) {
        snprintf(path, sizeof path, TN_TEST_OUTPUT "/roots%s", folders[i]);
        mkdir(path, 0777);
    }
    static const char body[] =
        "<mujocoinclude><body name='b'><freejoint/>" BALL "</body></mujocoinclude>";
    put_file(TN_TEST_OUTPUT "/roots/out/x.xml", body, sizeof body - 1);
    put_file(TN_TEST_OUTPUT "/roots/in/y.xml", body, sizeof body - 1);
    unlink(TN_TEST_OUTPUT "/roots/in/model/link.xml");
    unlink(TN_TEST_OUTPUT "/roots/in/package.xml");
    ck_assert_int_eq(symlink("../../out/x.xml", TN_TEST_OUTPUT "/roots/in/model/link.xml"), 0);
    static const bad_model outside[] = {
        {WORLD("<include file='link.xml'/>"), 3, "lies outside of the model's folder and package"},
        {WORLD("<include file='../../out/x.xml'/>"), 3,
         "lies outside of the model's folder and package"},
        {WORLD("<include file='../y.xml'/>"), 3, "lies outside of the model's folder and package"}};
    tn_spec *spec = NULL;
    for (int allowed = 0; allowed < 2; allowed++) {
        for (int i = 0; i < 3; i++) {
            if (!allowed) {
                expect_refused(&outside[i], TN_TEST_OUTPUT "/roots/in/model/m.xml");
                continue;
            }
            ck_assert_int_eq(tn_spec_read_string(outside[i].text, strlen(outside[i].text),
                                                 TN_TEST_OUTPUT "/roots/in/model/m.xml", NULL,
                                                 &spec),
                             TN_OK);
            tn_spec_destroy(spec);
        }
        if (!allowed) {
            ck_assert_int_eq(tn_allow_path(TN_TEST_OUTPUT "/roots/nowhere"), TN_ERROR_IO);
            ck_assert_int_eq(tn_allow_path(TN_TEST_OUTPUT "/roots"), TN_OK);
        }
    }
    ck_assert_int_eq(tn_allow_path(NULL), TN_OK);
    expect_refused(&outside[2], TN_TEST_OUTPUT "/roots/in/model/m.xml");
    put_file(TN_TEST_OUTPUT "/roots/in/package.xml", "<package/>", 10);
    ck_assert_int_eq(tn_spec_read_string(outside[2].text, strlen(outside[2].text),
                                         TN_TEST_OUTPUT "/roots/in/model/m.xml", NULL, &spec),
                     TN_OK);
    tn_spec_destroy(spec);
    expect_refused(&outside[1], TN_TEST_OUTPUT "/roots/in/model/m.xml");
}
END_TEST

START_TEST(test_losses_are_told)
{
    static const struct {
        tn_severity severity;
        int32_t line;
        const char *words;
    } losses[] = {{TN_NOTE, 2, "'integrator' of 'option' is not carried over"},
                  {TN_WARNING, 2, "'viscosity' of 'option'"},
                  {TN_NOTE, 4, "'friction' of 'geom' is not carried over: bodies do not touch"},
                  {TN_WARNING, 4, "'sise' of 'geom' is unknown to MJCF"},
                  {TN_NOTE, 5, "'light' of 'worldbody'"},
                  {TN_WARNING, 7, "'tendon' of 'mujoco'"},
                  {TN_NOTE, 8, "'keyframe' of 'mujoco'"},
                  {TN_WARNING, 9, "'muscle' of 'actuator'"},
                  {TN_NOTE, 10, "'contact' of 'mujoco'"},
                  {TN_NOTE, 9, "1 actuator acts as with controls of 0"}};
    imported m = import_text("<mujoco>\n<option integrator='RK4' viscosity='1'/>\n<worldbody>\n"
                             "<body name='a'><joint name='j'/><geom size='1' friction='1' "
                             "sise='2'/></body>\n<light/>\n</worldbody>\n<tendon/>\n<keyframe/>\n"
                             "<actuator><motor joint='j'/><muscle joint='j'/></actuator>\n"
                             "<contact/>\n</mujoco>");
    for (size_t i = 0; i < sizeof losses / sizeof losses[0]; i++) {
        expect_told(m.told, losses[i].severity, losses[i].line, losses[i].words);
    }
    import_free(&m);
}
END_TEST

START_TEST(test_included_files)
{
    FILE *part = fopen(TN_TEST_OUTPUT "/import_part.xml", "w");
    FILE *whole = fopen(TN_TEST_OUTPUT "/import_whole.xml", "w");
    ck_assert(part != NULL && whole != NULL);
    fputs("<mujocoinclude>\n<body name='b'><joint name='j'/>\n<geom size='1' wrong='2'/></body>"
          "</mujocoinclude>",
          part);
    fputs("<mujoco><worldbody><body name='a'><freejoint/><geom size='1'/><include "
          "file='import_part.xml'/></body></worldbody></mujoco>",
          whole);
    fclose(part);
    fclose(whole);
    imported m = import_file(TN_TEST_OUTPUT "/import_whole.xml");
    ck_assert_int_eq(tn_spec_body_count(m.spec), 2);
    expect_told(m.told, TN_WARNING, 3, "'wrong' of 'geom' is unknown to MJCF");
    import_free(&m);
}
END_TEST

START_TEST(test_written_models_read_back_the_same)
{
    imported m = import_file(TN_TEST_DATA "/import/machine.xml");
    char *text = NULL;
    size_t length = 0;
    tn_spec *again = NULL;
    ck_assert_int_eq(tn_spec_write_string(m.spec, NULL, &text, &length), TN_OK);
    ck_assert_int_eq(tn_spec_read_string(text, length, "machine.yaml", NULL, &again), TN_OK);
    expect_same_spec(m.spec, again);
    tn_text_free(text);
    tn_spec_destroy(again);
    import_free(&m);
}
END_TEST

/* ---- what is wrong ---- */

static const bad_model BAD[] = {
    {"<mujoco>\n<worldbody>", 2, "no XML that can be read"},
    {"<mujoco/>", 1, "there are no bodies"},
    {WORLD("<body name='a'><joint type='screw'/></body>"), 3, "no type of joint 'screw'"},
    {WORLD("<body name='a'><joint axis='0 0 0'/>" BALL "</body>"), 3, "no direction"},
    {WORLD("<body name='a' quat='0 0 0 0'>" BALL "</body>"), 3, "no direction"},
    {WORLD("<body name='a' xyaxes='1 0 0 1 0 0'>" BALL "</body>"), 3, "no direction"},
    {WORLD("<body name='a' xyaxes='0 0 0 1 0 0'>" BALL "</body>"), 3, "no direction"},
    {WORLD("<body name='a' zaxis='0 0 0'>" BALL "</body>"), 3, "no direction"},
    {WORLD("<body name='a' axisangle='0 0 0 1'>" BALL "</body>"), 3, "no direction"},
    {WORLD("<body name='a' pos='1 nan 2'>" BALL "</body>"), 3, "must be 3 numbers"},
    {WORLD("<body name='a'>" BALL "</body><body name='a'>" BALL "</body>"), 3,
     "two bodies called 'a'"},
    {WORLD("<body name='a' childclass='x'>" BALL "</body>"), 3, "no class 'x' of defaults"},
    {WORLD("<body name='a'><geom type='box' size='1 1'/></body>"), 3, "needs 3 numbers"},
    {WORLD("<body name='a'><geom size='-1'/></body>"), 3, "of more than 0"},
    {WORLD("<body name='a'><geom type='capsule' size='1' fromto='0 0 0 0 0 0'/></body>"), 3,
     "the two points are one"},
    {WORLD("<body name='a'><geom mesh='m'/></body>"), 3, "there is no mesh 'm'"},
    {WORLD("<body name='a'><joint range='2 1'/>" BALL "</body>"), 3, "ends below its beginning"},
    {WORLD("<body name='a'><joint damping='-2'/>" BALL "</body>"), 3, "must not be negative"},
    {WORLD("<body name='a'><joint/></body>"), 3, "'a' moves and has no mass"},
    {WORLD("<body name='a'><inertial pos='0 0 0' mass='1'/></body>"), 3, "needs 'diaginertia'"},
    {"<mujoco><compiler eulerseq='xy'/><worldbody/></mujoco>", 1, "three of the letters"},
    {"<mujoco><compiler coordinate='global'/><worldbody/></mujoco>", 1, "places in the world"},
    {"<mujoco><include file='/etc/passwd'/></mujoco>", 1, "cannot be read"},
    {"<mujoco><include file='../x.xml'/></mujoco>", 1, "cannot be read"},
    {"<mujoco><worldbody><body name='a'>" BALL "</body></worldbody>\n<equality><connect body1='b' "
     "anchor='0 0 0'/></equality></mujoco>",
     2, "there is no link 'b'"},
    {"<mujoco><worldbody><body name='a'>" BALL "</body></worldbody>\n<actuator><motor joint='q'/>"
     "</actuator></mujoco>",
     2, "there is no joint 'q'"},
    {"<mujocoinclude/>", 1, "'mujocoinclude' is not read here"},
};

START_TEST(test_what_is_wrong_is_told)
{
    expect_refused(&BAD[_i], "m.xml");
}
END_TEST

/* Each allocation fails once: nothing leaks, nothing is half-built. A problem whose text had no memory
 * makes the input one that cannot be judged. */
START_TEST(test_out_of_memory)
{
    const char *text =
        "<mujoco><default><joint damping='1'/></default><worldbody><body name='a'><joint name='1'/>"
        "<joint name='2' axis='1 0 0' armature='2'/>" BALL "<site name='s'/></body></worldbody>"
        "<actuator><position joint='1'/></actuator></mujoco>";
    check_memory(text, "m.xml");
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("import_mjcf");
    TCase *tests = tcase_create("import_mjcf");
    tcase_add_test(tests, test_motion_is_that_of_mujoco);
    tcase_add_test(tests, test_cart_and_pole);
    tcase_add_test(tests, test_geoms_weigh);
    tcase_add_test(tests, test_orientations);
    tcase_add_test(tests, test_orders_of_euler_angles);
    tcase_add_test(tests, test_defaults_by_class);
    tcase_add_test(tests, test_ranges);
    tcase_add_test(tests, test_several_joints_of_a_body);
    tcase_add_test(tests, test_loops_close);
    tcase_add_test(tests, test_welds_and_couplings);
    tcase_add_test(tests, test_armature);
    tcase_add_test(tests, test_caps_of_servos);
    tcase_add_test(tests, test_servo_with_a_range_of_controls_without_0);
    tcase_add_test(tests, test_null_ranges);
    tcase_add_test(tests, test_directions_of_any_length);
    tcase_add_test(tests, test_limits_of_xml);
    tcase_add_test(tests, test_keyframes);
    tcase_add_test(tests, test_files_outside_are_not_read);
    tcase_add_test(tests, test_open_meshes_weigh_as_in_mujoco);
    tcase_add_test(tests, test_meshes_of_vertices);
    tcase_add_test(tests, test_geoms_fitted_to_meshes);
    tcase_add_test(tests, test_relpose_of_any_length);
    tcase_add_test(tests, test_two_hinges_about_one_axis);
    tcase_add_test(tests, test_losses_are_told);
    tcase_add_test(tests, test_included_files);
    tcase_add_test(tests, test_written_models_read_back_the_same);
    tcase_add_loop_test(tests, test_what_is_wrong_is_told, 0, (int)TN_COUNT_OF(BAD));
    tcase_add_test(tests, test_out_of_memory);
    suite_add_tcase(suite, tests);
    return suite;
}
