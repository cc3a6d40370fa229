/* pull.c: room web: a body in the hand while time goes on: a damped spring from a point of it.
 *
 * The force is that of a mass as large as the mechanism's on a spring of FREQUENCY, so it can lift
 * what there is. Every few milliseconds its impulse is given to the body (centre of mass and
 * rotation); the next step shares it through the joints. First order, and only while something is
 * pulled.
 */
#include <math.h>
#include <string.h>

#include "page.h"

#define FREQUENCY 1.3 /* Hz */
#define DAMPING   0.7 /* share of the critical damping */
#define TN_PI     3.14159265358979323846

#define PERIOD 8e-3 /* s from impulse to impulse: after each the step starts anew, which costs */

static struct {
    int32_t body; /* index + 1; 0: nothing is pulled */
    tn_vec3 point, to;
    double waited; /* s since the last impulse */
} hand;

/* body -1 lets go. */
void PAGE_EXPORT(page_pull)(int body, double px, double py, double pz, double x, double y, double z)
{
    hand.body = body + 1;
    hand.point = (tn_vec3){px, py, pz};
    hand.to = (tn_vec3){x, y, z};
}

static tn_vec3 add(tn_vec3 a, double s, tn_vec3 b)
{
    return (tn_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static tn_vec3 cross(tn_vec3 a, tn_vec3 b)
{
    return (tn_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(tn_vec3 a, tn_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double whole_mass(void)
{
    double sum = 0.0;
    for (int32_t b = 0; b < the_page.size.bodies; b++)
        if (tn_model_body_kind(the_page.model, page_body(b)) != TN_BODY_FIXED)
            sum += tn_model_body_mass(the_page.model, page_body(b)).mass;
    return sum;
}

/* Change of the angular velocity by a moment's impulse, world axes. */
static tn_vec3 spin_of(const tn_mass_properties *mass, tn_body_kind kind, tn_pose pose,
                       tn_vec3 turn)
{
    tn_vec3 change = {0.0, 0.0, 0.0}, moments;
    tn_quat principal;
    if (kind == TN_BODY_PARTICLE)
        return change;
    if (kind == TN_BODY_PLANAR) {
        change.z = mass->inertia.m[2][2] > 0.0 ? turn.z / mass->inertia.m[2][2] : 0.0;
        return change;
    }
    tn_mass_properties_principal(mass, &moments, &principal);
    const tn_pose axes =
        tn_pose_multiply((tn_pose){{0.0, 0.0, 0.0}, pose.q}, (tn_pose){{0.0, 0.0, 0.0}, principal});
    const double about[3] = {moments.x, moments.y, moments.z};
    for (int i = 0; i < 3; i++) {
        const tn_vec3 axis = tn_pose_rotate_vector(axes, (tn_vec3){i == 0, i == 1, i == 2});
        if (about[i] > 0.0)
            change = add(change, dot(axis, turn) / about[i], axis);
    }
    return change;
}

void page_give_impulse(double h)
{
    if (hand.body == 0 || (hand.waited += h) < PERIOD)
        return;
    h = hand.waited;
    hand.waited = 0.0;
    const tn_body body = page_body(hand.body - 1);
    const tn_body_kind kind = tn_model_body_kind(the_page.model, body);
    const tn_mass_properties mass = tn_model_body_mass(the_page.model, body);
    const tn_pose pose = tn_sim_body_pose(the_page.sim, body);
    tn_twist u = tn_sim_body_velocity(the_page.sim, body);
    if (kind == TN_BODY_FIXED || !(mass.mass > 0.0))
        return;
    const tn_vec3 at = tn_pose_transform_point(pose, hand.point);
    const tn_vec3 com = tn_pose_transform_point(pose, mass.com);
    const tn_vec3 speed = add(u.v, 1.0, cross(u.w, add(at, -1.0, pose.p)));
    const double rate = 2.0 * TN_PI * FREQUENCY, all = whole_mass();
    tn_vec3 force = add((tn_vec3){0.0, 0.0, 0.0}, all * rate * rate, add(hand.to, -1.0, at));
    force = add(force, -2.0 * DAMPING * rate * all, speed);
    if (kind == TN_BODY_PLANAR)
        force.z = 0.0;
    const tn_vec3 turn = cross(add(at, -1.0, com), force);
    const tn_vec3 spin = spin_of(&mass, kind, pose, (tn_vec3){h * turn.x, h * turn.y, h * turn.z});
    u.v = add(u.v, h / mass.mass, force);
    u.v = add(u.v, 1.0, cross(spin, add(pose.p, -1.0, com)));
    u.w = add(u.w, 1.0, spin);
    (void)tn_sim_set_body_velocity(the_page.sim, body, u);
}
