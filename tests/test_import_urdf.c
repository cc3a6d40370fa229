/* URDF files: the motion of what is read, what is told of what is not, and files that are wrong.
 *
 * Reference motions are those of MuJoCo 3.12, which reads URDF itself: its own model of the same
 * file, Runge-Kutta steps of 1e-4 and of 2e-5 s (all digits below agree), without contacts, stops
 * and dry friction, from the coordinates and speeds given here. Inertials there have no rpy: those
 * MuJoCo 3.12 takes as not turned; turned ones are compared with R J R^T worked out by hand.
 */
#include "support/imported.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "import/import.h"
#include "support/run_main.h"
#include "support/same_spec.h"

#define MASS(m)    "<inertial><mass value='" #m "'/><inertia ixx='.1' iyy='.1' izz='.1'/></inertial>"
#define LINK(name) "<link name='" name "'>" MASS(1) "</link>\n"
#define BARE(name) "<link name='" name "'/>\n"
#define ENDS(a, b) "<parent link='" a "'/><child link='" b "'/>"
#define JOINT(name, type, a, b, rest)                                                              \
    "<joint name='" name "' type='" type "'>" ENDS(a, b) rest "</joint>\n"
#define ROBOT(text) "<robot name='r'>\n" text "</robot>\n"
#define TURNING     "continuous"

START_TEST(test_motion_is_that_of_mujoco)
{
    static const motion_start starts[] = {
        {"a", 0.1, 0.5}, {"b", -0.2, 0.3}, {"c", 0.09, 0.02}, {"d", -0.4, -0.1}};
    static const body_place before[] = {
        {"one", {0.1, -0.2, 0.9}},
        {"two", {0.146485912113, 0.021653710904, 1.017084125386}},
        {"three", {-0.166597010968, -0.049828906709, 0.936026184288}},
        {"four", {-0.086892188750, -0.180303552028, 1.074313957588}}};
    static const body_place after[] = {
        {"two", {0.068950779021, 0.052568529595, 0.915655150425}},
        {"three", {-0.535751033169, -0.216613866497, 0.654524357057}},
        {"four", {-0.378592422831, -0.241959969399, 0.785515754729}}};
    imported m = import_file(TN_TEST_DATA "/import/arm.urdf");
    set_motion(&m, starts, 4);
    expect_places(&m, before, 4, 1e-12);
    for (int k = 0; k < 40; k++) {
        ck_assert_int_eq(tn_sim_step(m.sim, 0.01, NULL), TN_OK);
    }
    expect_places(&m, after, 3, 1e-7);
    ck_assert_double_eq_tol(value_of(&m, "a"), 0.755182272548, 1e-7);
    ck_assert_double_eq_tol(value_of(&m, "d"), 3.496790728169, 1e-7);
    import_free(&m);
}
END_TEST

/* J about z of the joint: 0.05 cos^2 + 0.07 sin^2 + 2 * 0.004 sin cos of 0.2 rad, and 9 * 0.02^2. */
START_TEST(test_inertia_is_turned_by_its_origin)
{
    imported m = import_text(ROBOT(
        BARE("world") "<link name='a'><inertial><origin xyz='0.02 0 0.12' rpy='0 0.2 0'/>"
                      "<mass value='9'/><inertia ixx='0.07' iyy='0.06' izz='0.05' ixy='0.001' "
                      "ixz='-0.004' iyz='0.002'/></inertial></link>" JOINT(
                          "j", TURNING, "world", "a", "<axis xyz='0 0 2'/>")));
    const double s = 0.19866933079506122, c = 0.9800665778412416;
    const double expected = 0.05 * c * c + 0.07 * s * s + 0.008 * s * c + 9 * 0.0004;
    const tn_coordinate_request j = coordinate(&m, "j", 0.0);
    ck_assert_double_eq_tol(tn_sim_coordinate_mass(m.sim, j.joint, 0), expected, 1e-14);
    import_free(&m);
}
END_TEST

/* A rod of length 1 on a hinge at its end, let go from the horizontal: w^2 = 3 g at the bottom. */
START_TEST(test_pendulum)
{
    imported m = import_text(ROBOT(
        BARE("world") "<link name='rod'><inertial><origin xyz='.5 0 0'/><mass value='2'/>"
                      "<inertia ixx='1e-9' iyy='0.16666666666666666' izz='0.16666666666666666'/>"
                      "</inertial></link>" JOINT("pin", TURNING, "world", "rod",
                                                 "<axis xyz='0 1 0'/>")));
    double energy = 0.0;
    for (int k = 0; k < 100; k++) {
        ck_assert_int_eq(tn_sim_step(m.sim, 0.01, NULL), TN_OK);
    }
    const double q = value_of(&m, "pin");
    double speed[TN_MAX_COORDINATES];
    tn_sim_joint_speeds(m.sim, coordinate(&m, "pin", 0).joint, speed);
    energy = speed[0] * speed[0] / 2 * (2.0 / 3.0) - 2 * 9.81 * 0.5 * sin(q);
    ck_assert_double_eq_tol(energy, 0.0, 1e-8);
    import_free(&m);
}
END_TEST

/* Roll about x first, then pitch about y, yaw about z, all fixed: R = Rz Ry Rx. */
START_TEST(test_angles_are_about_fixed_axes)
{
    static const body_place there[] = {{"b", {1, 2, 3}}};
    imported m = import_text(ROBOT(LINK("a") LINK("b") JOINT(
        "j", "fixed", "a", "b", "<origin xyz='1 2 3' rpy='0.3 -0.5 1.1'/>")));
    expect_places(&m, there, 1, 1e-15);
    tn_body b;
    ck_assert_int_eq(tn_model_find_body(m.model, "b", &b), TN_OK);
    const tn_mat3 R = tn_quat_to_matrix(tn_sim_body_pose(m.sim, b).q);
    ck_assert_double_eq_tol(R.m[2][0], -sin(-0.5), 1e-15);
    ck_assert_double_eq_tol(R.m[2][1], cos(-0.5) * sin(0.3), 1e-15);
    ck_assert_double_eq_tol(R.m[0][0], cos(1.1) * cos(-0.5), 1e-15);
    ck_assert_double_eq_tol(R.m[1][0], sin(1.1) * cos(-0.5), 1e-15);
    import_free(&m);
}
END_TEST

START_TEST(test_root_stands_unless_it_is_asked_to_move)
{
    const char *text = ROBOT(LINK("a") LINK("b") JOINT("j", TURNING, "a", "b", ""));
    imported m = import_described(text, "r.urdf", NULL, NULL);
    ck_assert_int_eq(tn_spec_body(m.spec, (tn_body){0})->kind, TN_BODY_FIXED);
    expect_told(m.told, TN_NOTE, 2, "'a' stands on the ground");
    import_free(&m);
    m = import_described(text, "r.urdf", "root", "free");
    ck_assert_int_eq(tn_spec_body(m.spec, (tn_body){0})->kind, TN_BODY_RIGID);
    import_free(&m);
    const bad_model floating = {text, 0, "no setting 'root' with the value 'hanging'"};
    const tn_setting one = {"root", "hanging"};
    m.told = tn_diagnostics_create();
    ck_assert_int_eq(
        tn_spec_read_string_with(text, strlen(text), "r.urdf", &one, 1, m.told, &m.spec),
        TN_ERROR_INPUT);
    expect_told(m.told, TN_ERROR, 0, floating.words);
    tn_diagnostics_destroy(m.told);
}
END_TEST

START_TEST(test_links_without_mass)
{
    /* fixed ones are markers, of the body above or else of the one below */
    imported m =
        import_text(ROBOT(BARE("world") LINK("a") BARE("tool") BARE("mount") LINK("b")
                              JOINT("1", TURNING, "world", "a", "") JOINT("2", "fixed", "a", "tool",
                                                                          "<origin xyz='1 0 0'/>")
                                  JOINT("3", TURNING, "a", "mount", "")
                                      JOINT("4", "fixed", "mount", "b", "<origin xyz='0 0 .5'/>")));
    ck_assert_int_eq(tn_spec_body_count(m.spec), 2);
    ck_assert_int_eq(tn_spec_joint_count(m.spec), 2);
    ck_assert_int_eq(tn_spec_marker_count(m.spec), 2);
    const tn_marker_def *tool = tn_spec_marker(m.spec, (tn_marker){0});
    const tn_marker_def *mount = tn_spec_marker(m.spec, (tn_marker){1});
    ck_assert_str_eq(tool->name, "tool");
    ck_assert_double_eq(tool->position.x, 1.0);
    ck_assert_double_eq_tol(mount->position.z, -0.5, 1e-15);
    expect_told(m.told, TN_NOTE, 4, "'tool' and 1 more without mass");
    import_free(&m);
}
END_TEST

/* Three joints with nothing between them, as planar bases have: one joint with their names. */
START_TEST(test_joints_with_nothing_between_them)
{
    const char *text = ROBOT(
        BARE("world") BARE("x") BARE("y") LINK("a") JOINT(
            "px", "prismatic", "world", "x", "<axis xyz='1 0 0'/><limit lower='-2' upper='2'/>")
            JOINT("py", "prismatic", "x", "y", "<axis xyz='0 1 0'/><limit lower='-2' upper='2'/>")
                JOINT("turn", TURNING, "y", "a", "<axis xyz='0 0 1'/>"));
    static const motion_start starts[] = {{"px", 0.5, 0}, {"py", -0.25, 0}, {"turn", 0.7, 0}};
    static const body_place there[] = {{"a", {0.5, -0.25, 0}}};
    imported m = import_text(text);
    ck_assert_int_eq(tn_spec_joint_count(m.spec), 1);
    ck_assert_str_eq(tn_spec_joint(m.spec, (tn_joint){0})->type, "custom");
    ck_assert_double_eq(tn_spec_joint(m.spec, (tn_joint){0})->upper[1], 2.0);
    set_motion(&m, starts, 3);
    expect_places(&m, there, 1, 1e-13);
    import_free(&m);
}
END_TEST

START_TEST(test_a_link_that_moves_needs_mass)
{
    const char *text = ROBOT(LINK("a") BARE("b") JOINT("j", TURNING, "a", "b", ""));
    const bad_model bad = {text, 3, "link 'b' moves and has no mass"};
    expect_refused(&bad, "r.urdf");
    imported m = import_described(text, "r.urdf", "massless", "1e-3");
    ck_assert_double_eq(tn_spec_body(m.spec, (tn_body){1})->mass, 1e-3);
    expect_told(m.told, TN_WARNING, 3, "it is given 0.001 kg");
    import_free(&m);
}
END_TEST

START_TEST(test_mimic_is_a_coupling)
{
    imported m =
        import_text(ROBOT(LINK("a") LINK("b") LINK("c")
                              JOINT("q", "revolute", "a", "b", "<limit lower='0.25' upper='2'/>")
                                  JOINT("p", "prismatic", "a", "c",
                                        "<axis xyz='0 0 1'/><limit lower='-9' upper='9'/>"
                                        "<mimic joint='q' multiplier='-2' offset='0.125'/>")));
    const tn_coupling_def *c = tn_spec_coupling(m.spec, (tn_coupling){0});
    ck_assert_int_eq(tn_spec_coupling_count(m.spec), 1);
    ck_assert_double_eq(c->terms[1].ratio, 2.0);
    ck_assert_double_eq(c->value, 0.125);
    ck_assert_double_eq_tol(value_of(&m, "q"), 0.25, 1e-12);
    ck_assert_double_eq_tol(value_of(&m, "p"), -0.375, 1e-12);
    expect_told(m.told, TN_NOTE, 5, "starts at 0.25");
    import_free(&m);
}
END_TEST

START_TEST(test_a_second_joint_to_a_link_closes_a_loop)
{
    imported m = import_text(
        ROBOT(LINK("a") LINK("b") LINK("c") JOINT("1", TURNING, "a", "b", "<axis xyz='0 1 0'/>")
                  JOINT("2", TURNING, "b", "c", "<origin xyz='1 0 0'/><axis xyz='0 1 0'/>")
                      JOINT("3", TURNING, "a", "c", "<origin xyz='1 0 0'/><axis xyz='0 1 0'/>")));
    ck_assert_int_eq(tn_spec_joint_count(m.spec), 3);
    expect_told(m.told, TN_WARNING, 7, "taken as closing a loop");
    import_free(&m);
}
END_TEST

START_TEST(test_every_type_of_joint)
{
    static const struct {
        const char *urdf, *ours;
    } types[] = {{"revolute", "hinge"},     {"continuous", "hinge"}, {"prismatic", "slider"},
                 {"fixed", "solid"},        {"planar", "planar"},    {"floating", NULL},
                 {"spherical", "spherical"}};
    char text[1024];
    for (size_t i = 0; i < TN_COUNT_OF(types); i++) {
        snprintf(text, sizeof text,
                 ROBOT(LINK("a") LINK("b") "<joint name='j' type='%s'>" ENDS("a", "b") "</joint>"),
                 types[i].urdf);
        imported m = import_described(text, "r.urdf", NULL, NULL);
        ck_assert_int_eq(tn_spec_joint_count(m.spec), types[i].ours != NULL);
        if (types[i].ours != NULL)
            ck_assert_str_eq(tn_spec_joint(m.spec, (tn_joint){0})->type, types[i].ours);
        import_free(&m);
    }
}
END_TEST

/* Whatever is not carried over is told with its line. */
START_TEST(test_losses_are_told)
{
    static const struct {
        tn_severity severity;
        int32_t line;
        const char *words;
    } losses[] = {{TN_NOTE, 4, "'effort' of 'limit' is not carried over"},
                  {TN_NOTE, 4, "'velocity' of 'limit'"},
                  {TN_NOTE, 4, "'safety_controller' of 'joint'"},
                  {TN_NOTE, 5,
                   "'gazebo' of 'robot' is not carried over: it is for another "
                   "simulator: its plugins, sensors and contacts (also in line 7)"},
                  {TN_NOTE, 6, "'transmission' of 'robot'"},
                  {TN_WARNING, 8, "'jiont' of 'robot' is unknown to URDF"},
                  {TN_WARNING, 4, "'springyness' of 'dynamics' is unknown to URDF"},
                  {TN_WARNING, 9, "'loop_joint' of 'robot'"}};
    imported m = import_text(ROBOT(
        LINK("a") LINK("b") JOINT("j", "revolute", "a", "b",
                                  "<limit lower='-1' upper='1' effort='5' velocity='2'/>"
                                  "<safety_controller k_velocity='1'/><dynamics damping='1' "
                                  "springyness='3'/>") "<gazebo "
                                                       "reference='a'><mu1>3</mu1></"
                                                       "gazebo>\n<transmission name='t'/>\n"
                                                       "<gazebo/>\n<jiont/>\n<loop_joint/>\n"));
    for (size_t i = 0; i < TN_COUNT_OF(losses); i++) {
        expect_told(m.told, losses[i].severity, losses[i].line, losses[i].words);
    }
    import_free(&m);
}
END_TEST

START_TEST(test_inertias_that_no_body_has_are_mended)
{
    imported m = import_text(ROBOT(
        BARE("world") "<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='3'/>"
                      "</inertial></link>\n<link name='b'><inertial><mass value='1'/>"
                      "<inertia ixx='0' iyy='0' izz='0'/></inertial></link>\n" JOINT(
                          "1", TURNING, "world", "a", "") JOINT("2", TURNING, "world", "b", "")));
    const tn_mat3 J = tn_spec_body(m.spec, (tn_body){0})->inertia;
    ck_assert_double_eq_tol(J.m[0][0], 2.0, 1e-7);
    ck_assert_double_eq_tol(J.m[2][2], 4.0, 1e-7);
    expect_told(m.told, TN_WARNING, 3, "1 is added to each");
    expect_told(m.told, TN_WARNING, 4, "has a mass and no inertia");
    import_free(&m);
}
END_TEST

START_TEST(test_names_are_mended)
{
    imported m =
        import_text(ROBOT(LINK("ground") LINK("a[0]") JOINT("=j", TURNING, "ground", "a[0]", "")));
    ck_assert_str_eq(tn_spec_body(m.spec, (tn_body){0})->name, "ground_");
    ck_assert_str_eq(tn_spec_body(m.spec, (tn_body){1})->name, "a_0_");
    ck_assert_str_eq(tn_spec_joint(m.spec, (tn_joint){0})->name, "_j");
    expect_told(m.told, TN_NOTE, 3, "'a[0]' is called 'a_0_' here");
    import_free(&m);
}
END_TEST

START_TEST(test_shapes)
{
    imported m = import_text(ROBOT("<link name='a'>" MASS(
        1) "<visual><origin xyz='1 0 0'/><geometry><box size='1 2 3'/></geometry></visual>"
           "<visual><geometry><sphere radius='2'/></geometry></visual>"
           "<visual><geometry><cylinder radius='1' length='4'/></geometry></visual>"
           "<visual><geometry><mesh filename='nowhere.stl'/></geometry></visual>"
           "<collision><geometry><sphere radius='9'/></geometry></collision></link>\n"
           "<link name='b'>" MASS(1) "<collision><geometry><box size='1 1 1'/></geometry>"
                                     "</collision></link>\n" JOINT("j", TURNING, "a", "b", "")));
    const tn_body_def *a = tn_spec_body(m.spec, (tn_body){0});
    ck_assert_int_eq(a->shape_count, 3);
    ck_assert_double_eq(a->shapes[0].size.z, 3.0);
    ck_assert_double_eq(a->shapes[0].pose.p.x, 1.0);
    ck_assert_double_eq(a->shapes[2].length, 4.0);
    ck_assert_int_eq(tn_spec_body(m.spec, (tn_body){1})->shape_count, 1);
    expect_told(m.told, TN_WARNING, 2, "'nowhere.stl': not drawn: there is no such file");
    import_free(&m);
}
END_TEST

/* A robot's folder: meshes beside the one of the model, called by the package's name. */
static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

START_TEST(test_meshes_are_found)
{
    const char *folder = TN_TEST_OUTPUT "/import_robot";
    (void)mkdir(folder, 0777), (void)mkdir(TN_TEST_OUTPUT "/import_robot/urdf", 0777);
    (void)mkdir(TN_TEST_OUTPUT "/import_robot/meshes", 0777);
    /* a pyramid without its base: what is only looked at may be open */
    write_text(TN_TEST_OUTPUT "/import_robot/meshes/part.obj",
               "v 0 0 1\nv 1 0 0\nv 0 1 0\nv -1 0 0\nv 0 -1 0\n"
               "f 1 2 3\nf 1 3 4\nf 1 4 5\nf 1 5 2\n");
    write_text(TN_TEST_OUTPUT "/import_robot/urdf/robot.urdf",
               ROBOT("<link name='a'>" MASS(
                   1) "<visual><geometry><mesh "
                      "filename='package://import_robot/meshes/part.obj' scale='.5 .5 .5'/>"
                      "</geometry></visual><visual><geometry><mesh filename='../meshes/part.obj' "
                      "scale='1 1 -1'/></geometry></visual></link>"));
    imported m = import_file(TN_TEST_OUTPUT "/import_robot/urdf/robot.urdf");
    const tn_body_def *a = tn_spec_body(m.spec, (tn_body){0});
    ck_assert_int_eq(a->shape_count, 2);
    ck_assert_str_eq(a->shapes[0].file, "meshes/part.obj");
    ck_assert_double_eq(a->shapes[0].scale, 0.5);
    ck_assert_ptr_null(a->shapes[1].file); /* mirrored: its triangles are turned round */
    ck_assert_int_eq(a->shapes[1].triangles[0].v[1], 2);
    import_free(&m);
}
END_TEST

START_TEST(test_written_models_read_back_the_same)
{
    imported m = import_file(TN_TEST_DATA "/import/arm.urdf");
    char *text = NULL;
    size_t length = 0;
    tn_spec *again = NULL;
    ck_assert_int_eq(tn_spec_write_string(m.spec, NULL, &text, &length), TN_OK);
    ck_assert_int_eq(tn_spec_read_string(text, length, "arm.yaml", NULL, &again), TN_OK);
    expect_same_spec(m.spec, again);
    tn_text_free(text);
    tn_spec_destroy(again);
    import_free(&m);
}
END_TEST

/* ---- what is wrong ---- */

#define TWO LINK("a") LINK("b")

static const bad_model BAD[] = {
    {"<robot name='r'>\n<link name='a'>\n", 3, "no XML that can be read"},
    {"<robot name='r'>\n<link name='a'></lnk></robot>", 2, "no XML that can be read"},
    {"<robot name='r' name='s'/>", 1, "no XML that can be read"},
    {"<!-- nothing -->", 0, "no XML that can be read"},
    {"<?xml version='1.0'?>\n<!DOCTYPE r [<!ENTITY a 'b'>]>\n<robot name='&a;'/>", 2,
     "it declares entities"},
    {"<!DOCTYPE r [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>\n<robot name='&a;'/>", 1,
     "it declares entities"},
    {"<robot name='&nothing;'/>", 1, "no XML that can be read"},
    {"<sdf version='1.9'/>", 1, "'sdf' is not read here"},
    {"<html/>", 1, "there is no format of models that begins with <html>"},
    {ROBOT(""), 1, "there are no links"},
    {ROBOT("<link/>"), 2, "'link' needs 'name'"},
    {ROBOT(LINK("a") LINK("a")), 3, "two links called 'a'"},
    {ROBOT(TWO JOINT("j", TURNING, "a", "b", "") JOINT("j", TURNING, "a", "b", "")), 5,
     "two joints called 'j'"},
    {ROBOT(TWO JOINT("j", TURNING, "a", "c", "")), 4, "there is no link 'c'"},
    {ROBOT(TWO JOINT("j", "hinge", "a", "b", "")), 4, "there is no type of joint 'hinge'"},
    {ROBOT(TWO "<joint name='j' type='fixed'><parent link='a'/></joint>"), 4, "has no 'child'"},
    {ROBOT(TWO JOINT("j", TURNING, "a", "a", "")), 4, "joins a link to itself"},
    {ROBOT(TWO JOINT("j", TURNING, "a", "b", "") JOINT("k", TURNING, "b", "a", "")), 0,
     "go round in a circle"},
    {ROBOT(TWO JOINT("j", TURNING, "a", "b", "<axis xyz='0 0 0'/>")), 4, "no direction"},
    {ROBOT(TWO JOINT("j", TURNING, "a", "b", "<axis xyz='0 nan 1'/>")), 4,
     "must be 3 numbers, not '0 nan 1'"},
    {ROBOT(TWO JOINT("j", TURNING, "a", "b", "<origin xyz='0 0'/>")), 4, "must be 3 numbers"},
    {ROBOT(TWO JOINT("j", TURNING, "a", "b", "<origin xyz='0 0 1e999'/>")), 4, "must be 3 numbers"},
    {ROBOT(TWO JOINT("j", TURNING, "a", "b", "<origin xyz='0 0 0x10'/>")), 4, "must be 3 numbers"},
    {ROBOT(TWO JOINT("j", "revolute", "a", "b", "<limit lower='1' upper='-1'/>")), 4,
     "'lower' limit is above"},
    {ROBOT(TWO JOINT("j", TURNING, "a", "b", "<dynamics damping='-1'/>")), 4,
     "must not be negative"},
    {ROBOT(TWO JOINT("j", TURNING, "a", "b", "<mimic joint='k'/>")), 4, "there is no joint 'k'"},
    {ROBOT(TWO JOINT("j", TURNING, "a", "b", "<mimic joint='j'/>")), 4, "follows itself"},
    {ROBOT("<link name='a'><inertial><mass value='x'/></inertial></link>"), 2,
     "must be 1 number, not 'x'"},
    {ROBOT("<link name='a'><inertial/></link>"), 2, "needs a 'mass'"},
    {"<robot name='r' xmlns:xacro='http://x'>\n<xacro:macro name='m'/></robot>", 2,
     "this is a xacro file"},
    {ROBOT("<link name='${prefix}a'/>"), 2, "this is a xacro file"},
};

START_TEST(test_what_is_wrong_is_told)
{
    expect_refused(&BAD[_i], "r.urdf");
}
END_TEST

/* Every problem of a file at once, in its order. */
START_TEST(test_all_problems_at_once)
{
    const char *text = ROBOT("<link name='a'><inertial><mass value='x'/></inertial></link>\n"
                             "<link/>\n" JOINT("j", "hinge", "q", "a", "<axis xyz='0'/>"));
    tn_diagnostics *told = tn_diagnostics_create();
    tn_spec *spec = NULL;
    ck_assert_int_eq(tn_spec_read_string(text, strlen(text), "r.urdf", told, &spec),
                     TN_ERROR_INPUT);
    ck_assert_int_ge(tn_diagnostics_error_count(told), 4);
    for (int32_t i = 1; i < tn_diagnostics_count(told); i++) {
        ck_assert_int_ge(tn_diagnostics_get(told, i)->at.line,
                         tn_diagnostics_get(told, i - 1)->at.line);
    }
    tn_diagnostics_destroy(told);
}
END_TEST

/* As deep and as many as files get that want to do harm. */
START_TEST(test_deep_and_long_files)
{
    enum { DEPTH = 100000 };
    char *text = malloc(DEPTH * 3 + 64);
    strcpy(text, "<robot name='r'>");
    for (int i = 0; i < DEPTH; i++) {
        strcpy(text + 16 + 3 * i, "<a>");
    }
    const bad_model deep = {text, 0, "no XML that can be read"};
    expect_refused(&deep, "r.urdf");
    free(text);
    char *many = malloc(DEPTH * 40 + 64);
    int used = sprintf(many, "<robot name='r'>");
    for (int i = 0; i < DEPTH / 10; i++) {
        used += sprintf(many + used, "<link name='l%d'/>", i);
    }
    strcpy(many + used, "</robot>");
    imported m = import_described(many, "r.urdf", NULL, NULL);
    ck_assert_int_eq(tn_spec_body_count(m.spec), 0);
    import_free(&m);
    free(many);
}
END_TEST

/* Each allocation fails once: nothing leaks, nothing is half-built. A problem whose text had no memory
 * makes the input one that cannot be judged. */
/* The text ends where its length says, and no mark follows: beginnings and ends of a model, in memory of their own size. */
START_TEST(test_text_without_an_end_mark)
{
    static const char text[] = "<robot name='r'><link name='a'/></robot><robot>";
    const size_t all = sizeof text - 1;
    for (size_t k = 2; k < 2 * all; k++) {
        const size_t length = k / 2;
        char *own = malloc(length);
        tn_spec *spec = NULL;
        tn_diagnostics *told = tn_diagnostics_create();
        ck_assert_ptr_nonnull(own);
        memcpy(own, k % 2 ? text : text + all - length, length);
        const tn_status status = tn_import_read(own, length, "r.urdf", NULL, 0, told, &spec);
        ck_assert_int_eq(status == TN_OK, spec != NULL);
        ck_assert(status == TN_OK || tn_diagnostics_error_count(told) > 0);
        tn_spec_destroy(spec);
        tn_diagnostics_destroy(told);
        free(own);
    }
}
END_TEST

START_TEST(test_out_of_memory)
{
    const char *text =
        ROBOT(LINK("a") BARE("b") LINK("c") JOINT("1", TURNING, "a", "b", "")
                  JOINT("2", "fixed", "b", "c", "")
                      JOINT("3", "prismatic", "c", "d", "<mimic joint='1'/>") LINK("d"));
    check_memory(text, "r.urdf");
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("import_urdf");
    TCase *tests = tcase_create("import_urdf");
    tcase_add_test(tests, test_motion_is_that_of_mujoco);
    tcase_add_test(tests, test_inertia_is_turned_by_its_origin);
    tcase_add_test(tests, test_pendulum);
    tcase_add_test(tests, test_angles_are_about_fixed_axes);
    tcase_add_test(tests, test_root_stands_unless_it_is_asked_to_move);
    tcase_add_test(tests, test_links_without_mass);
    tcase_add_test(tests, test_joints_with_nothing_between_them);
    tcase_add_test(tests, test_a_link_that_moves_needs_mass);
    tcase_add_test(tests, test_mimic_is_a_coupling);
    tcase_add_test(tests, test_a_second_joint_to_a_link_closes_a_loop);
    tcase_add_test(tests, test_every_type_of_joint);
    tcase_add_test(tests, test_losses_are_told);
    tcase_add_test(tests, test_inertias_that_no_body_has_are_mended);
    tcase_add_test(tests, test_names_are_mended);
    tcase_add_test(tests, test_shapes);
    tcase_add_test(tests, test_meshes_are_found);
    tcase_add_test(tests, test_written_models_read_back_the_same);
    tcase_add_loop_test(tests, test_what_is_wrong_is_told, 0, (int)TN_COUNT_OF(BAD));
    tcase_add_test(tests, test_all_problems_at_once);
    tcase_add_test(tests, test_deep_and_long_files);
    tcase_add_test(tests, test_text_without_an_end_mark);
    tcase_add_test(tests, test_out_of_memory);
    suite_add_tcase(suite, tests);
    return suite;
}
