/* pull.c: room web: a body in the hand while time goes on: a damped spring from a point of it.
 *
 * The force is that of a mass as large as the mechanism's on a spring of FREQUENCY, so it can lift
 * what there is. It is a load of the simulation, evaluated wherever the equations are.
 */
#include "page.h"

#define FREQUENCY 1.3 /* Hz */
#define DAMPING   0.7 /* share of the critical damping */
#define TN_PI     3.14159265358979323846

static struct {
    tn_body body;
    tn_vec3 point, to;         /* in the body's frame, in the world */
    double stiffness, damping; /* N/m, N s/m */
} hand;

static tn_vec3 add(tn_vec3 a, double s, tn_vec3 b)
{
    return (tn_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static tn_vec3 cross(tn_vec3 a, tn_vec3 b)
{
    return (tn_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double whole_mass(void)
{
    double sum = 0.0;
    for (int32_t b = 0; b < the_page.size.bodies; b++)
        if (tn_model_body_kind(the_page.model, page_body(b)) != TN_BODY_FIXED)
            sum += tn_model_body_mass(the_page.model, page_body(b)).mass;
    return sum;
}

/* times J^T J of the point at `arm` from the origin, whose speed is J (v, w) = v - arm x w. */
static void fill_square(tn_vec3 arm, double times, double out[36])
{
    const double j[3][6] = {
        {1, 0, 0, 0, arm.z, -arm.y}, {0, 1, 0, -arm.z, 0, arm.x}, {0, 0, 1, arm.y, -arm.x, 0}};
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++)
            out[6 * r + c] = times * (j[0][r] * j[0][c] + j[1][r] * j[1][c] + j[2][r] * j[2][c]);
}

static void pull(void *context, tn_stage *stage)
{
    const tn_pose pose = tn_stage_body_pose(stage, hand.body);
    const tn_twist u = tn_stage_body_velocity(stage, hand.body);
    const tn_vec3 at = tn_pose_transform_point(pose, hand.point), arm = add(at, -1.0, pose.p);
    const tn_vec3 speed = add(u.v, 1.0, cross(u.w, arm));
    const tn_vec3 none = {0.0, 0.0, 0.0};
    const tn_vec3 force =
        add(add(none, hand.stiffness, add(hand.to, -1.0, at)), -hand.damping, speed);
    double stiffness[36], damping[36];
    (void)context;
    fill_square(arm, hand.stiffness, stiffness);
    fill_square(arm, hand.damping, damping);
    tn_stage_add_wrench(stage, hand.body, (tn_wrench){force, cross(arm, force)});
    tn_stage_add_derivatives(stage, hand.body, stiffness, damping);
}

/* body -1 lets go. */
void PAGE_EXPORT(page_pull)(int body, double px, double py, double pz, double x, double y, double z)
{
    const double rate = 2.0 * TN_PI * FREQUENCY;
    const bool held = body >= 0 && the_page.sim != NULL &&
                      tn_model_body_kind(the_page.model, page_body(body)) != TN_BODY_FIXED;
    hand.body = page_body(body);
    hand.point = (tn_vec3){px, py, pz};
    hand.to = (tn_vec3){x, y, z};
    hand.stiffness = held ? whole_mass() * rate * rate : 0.0;
    hand.damping = held ? 2.0 * DAMPING * rate * whole_mass() : 0.0;
    if (the_page.sim != NULL)
        (void)tn_sim_set_load_callback(the_page.sim, held ? pull : NULL, NULL);
}
