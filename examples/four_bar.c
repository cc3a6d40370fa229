/* four_bar.c: the overconstrained four-bar linkage through the C interface, in one page.
 *
 * Four bars form a square of 1 m, the left one is fixed; the linkage falls and swings for 10 s with
 * hard joints, three of its 20 rows redundant. The same model is four_bar_hard.yaml.
 * Answers 1 when something fails or when the result is not what it should be.
 */
#include <math.h>
#include <stdio.h>
#include <tenon/tenon.h>

static const double pi = 3.14159265358979323846;

static void add_bar(tn_spec *spec, double depth, double x, double z, double angle,
                    tn_body_kind kind)
{
    tn_shape_def shape = tn_default_shape_def(TN_SHAPE_ROUNDED_BOX);
    shape.length = 1.0; /* m, between the joints */
    shape.width = 0.25;
    shape.depth = depth;
    shape.slices = 20;
    tn_body_def bar = tn_default_body_def();
    bar.kind = kind;
    bar.pose.p = (tn_vec3){x, 0.0, z};
    bar.pose.q = tn_quat_from_axis_angle((tn_vec3){0.0, 1.0, 0.0}, angle);
    bar.shapes = &shape;
    bar.shape_count = 1;
    bar.density = 1000.0; /* kg/m^3 */
    tn_spec_add_body(spec, &bar, NULL);
}

static void add_hinge(tn_spec *spec, int32_t a, int32_t b)
{
    tn_joint_def hinge = tn_default_joint_def();
    hinge.type = "hinge";
    hinge.a.i = a;
    hinge.b.i = b;
    hinge.placement = TN_PLACE_BODY_FRAMES; /* upper end of a, lower end of b, axis along -y */
    hinge.frame_c = (tn_pose){{0.0, 0.0, 0.5}, tn_quat_from_rpy(0.0, 0.0, pi / 2)};
    hinge.frame_d = (tn_pose){{0.0, 0.0, -0.5}, tn_quat_from_rpy(0.0, 0.0, pi / 2)};
    tn_spec_add_joint(spec, &hinge, NULL);
}

static tn_status simulate(const tn_model *model, tn_diagnostics *problems)
{
    tn_sim_options options = tn_default_sim_options(model);
    tn_sim *sim = NULL;
    tn_status status = tn_sim_create(model, &options, problems, &sim);
    if (status != TN_OK)
        return status;
    tn_rank rank;
    status = tn_sim_rank(sim, &rank);
    printf("%d rows of rank %d, %d degree of freedom\n", rank.rows, rank.rank, rank.dof);
    const double before = tn_sim_energy(sim).total;
    tn_step_report report = {.position_error = 0.0};
    for (int step = 0; step < 10000 && status == TN_OK; step++)
        status = tn_sim_step(sim, 1e-3, &report);
    const double change = tn_sim_energy(sim).total - before;
    double theta;
    tn_sim_joint_coordinates(sim, (tn_joint){0}, &theta);
    printf("t = %g s: theta = %.6f deg, energy changed by %.2g J, joint error %.1e m\n",
           tn_sim_time(sim), theta * 180.0 / pi, change, report.position_error);
    tn_sim_destroy(sim);
    return status != TN_OK || (rank.rank == 17 && fabs(change) < 1.0) ? status : TN_ERROR_CONFLICT;
}

int main(void)
{
    tn_spec *spec = tn_spec_create();
    tn_diagnostics *problems = tn_diagnostics_create();
    tn_world_def world = tn_default_world_def();
    world.gravity = (tn_vec3){0.0, 0.0, -9.8}; /* m/s^2 */
    tn_spec_set_world(spec, &world);
    add_bar(spec, 0.2, -0.5, 0.0, 0.0, TN_BODY_FIXED);
    add_bar(spec, 0.3, 0.0, 0.5, pi / 2, TN_BODY_RIGID);
    add_bar(spec, 0.2, 0.5, 0.0, pi, TN_BODY_RIGID);
    add_bar(spec, 0.3, 0.0, -0.5, -pi / 2, TN_BODY_RIGID);
    for (int32_t i = 0; i < 4; i++)
        add_hinge(spec, i, (i + 1) % 4);
    tn_model *model = NULL;
    tn_status status = tn_model_compile(spec, problems, &model);
    if (status == TN_OK)
        status = simulate(model, problems);
    for (int32_t i = 0; i < tn_diagnostics_count(problems); i++)
        printf("%s\n", tn_diagnostics_get(problems, i)->message);
    tn_model_destroy(model);
    tn_diagnostics_destroy(problems);
    tn_spec_destroy(spec);
    return status == TN_OK ? 0 : 1;
}
