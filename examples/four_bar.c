/* four_bar.c: the overconstrained four-bar linkage of four_bar_hard.yaml through the C interface:
 * four bars in a square of 1 m, hard joints, three of 20 rows redundant, falling for 10 s. */
#include <math.h>
#include <stdio.h>
#include <tenon/tenon.h>

static const double pi = 3.14159265358979323846;

static void add_bar(tn_spec *spec, double depth, double x, double z, double angle)
{
    tn_shape_def shape = tn_default_shape_def(TN_SHAPE_ROUNDED_BOX);
    shape.length = 1.0, shape.width = 0.25, shape.depth = depth, shape.slices = 20; /* m */
    tn_body_def bar = tn_default_body_def();
    bar.kind = angle == 0.0 ? TN_BODY_FIXED : TN_BODY_RIGID;
    bar.pose = (tn_pose){{x, 0, z}, tn_quat_from_axis_angle((tn_vec3){0, 1, 0}, angle)};
    bar.shapes = &shape, bar.shape_count = 1, bar.density = 1000.0; /* kg/m^3 */
    tn_spec_add_body(spec, &bar, NULL);
}

static void add_hinge(tn_spec *spec, int32_t a, int32_t b)
{
    tn_joint_def hinge = tn_default_joint_def();
    hinge.type = "hinge", hinge.a.i = a, hinge.b.i = b;
    hinge.placement = TN_PLACE_BODY_FRAMES; /* upper end of a, lower end of b, axis along -y */
    hinge.frame_c = (tn_pose){{0, 0, 0.5}, tn_quat_from_rpy(0, 0, pi / 2)};
    hinge.frame_d = (tn_pose){{0, 0, -0.5}, tn_quat_from_rpy(0, 0, pi / 2)};
    tn_spec_add_joint(spec, &hinge, NULL);
}

int main(void)
{
    tn_spec *spec = tn_spec_create();
    tn_world_def world = tn_default_world_def();
    world.gravity.z = -9.8; /* m/s^2 */
    tn_spec_set_world(spec, &world);
    add_bar(spec, 0.2, -0.5, 0, 0);
    add_bar(spec, 0.3, 0, 0.5, pi / 2);
    add_bar(spec, 0.2, 0.5, 0, pi);
    add_bar(spec, 0.3, 0, -0.5, -pi / 2);
    for (int32_t i = 0; i < 4; i++)
        add_hinge(spec, i, (i + 1) % 4);

    tn_model *model = NULL;
    tn_sim *sim = NULL;
    tn_rank rank = {0};
    tn_status status = tn_model_compile(spec, NULL, &model);
    tn_sim_options options = tn_default_sim_options(model);
    if (status == TN_OK && (status = tn_sim_create(model, &options, NULL, &sim)) == TN_OK)
        status = tn_sim_rank(sim, &rank);
    const double energy = status == TN_OK ? tn_sim_energy(sim).total : NAN;
    for (int step = 0; step < 10000 && status == TN_OK; step++)
        status = tn_sim_step(sim, 1e-3, NULL);
    const double drift = status == TN_OK ? tn_sim_energy(sim).total - energy : NAN;
    printf("%s: %d rows of rank %d, energy changed by %.2g J\n", tn_status_text(status), rank.rows,
           rank.rank, drift);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
    tn_spec_destroy(spec);
    return rank.rank == 17 && fabs(drift) < 0.1 ? 0 : 1;
}
