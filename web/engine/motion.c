/* motion.c: room web: the mechanism a little way along one of its possible motions, joints closed.
 */
#include <math.h>

#include "page.h"

/* Body turned by the rotation vector r of its own axes and its centre of mass moved by v. */
static tn_pose moved(int32_t b, tn_vec3 v, tn_vec3 r)
{
    const tn_pose pose = tn_sim_body_pose(the_page.sim, page_body(b));
    const tn_vec3 com = tn_model_body_mass(the_page.model, page_body(b)).com;
    const double angle = sqrt(r.x * r.x + r.y * r.y + r.z * r.z);
    const tn_vec3 axis =
        angle > 0.0 ? (tn_vec3){r.x / angle, r.y / angle, r.z / angle} : (tn_vec3){0.0, 0.0, 1.0};
    const tn_pose turn = {{0.0, 0.0, 0.0}, tn_quat_from_axis_angle(axis, angle)};
    const tn_pose about = tn_pose_multiply(
        (tn_pose){com, turn.q}, (tn_pose){{-com.x, -com.y, -com.z}, tn_pose_identity().q});
    tn_pose out = tn_pose_multiply(pose, about);
    out.p = (tn_vec3){out.p.x + v.x, out.p.y + v.y, out.p.z + v.z};
    return out;
}

/* Moves all bodies by amount times the velocities u (in the order of tn_equations) and closes the
 * joints again. A tn_status. */
int PAGE_EXPORT(page_displace)(const double *u, double amount)
{
    tn_status status = TN_OK;
    for (int32_t b = 0; b < the_page.size.bodies && status == TN_OK; b++) {
        tn_vec3 v = {0.0, 0.0, 0.0}, w = {0.0, 0.0, 0.0};
        switch (tn_model_body_kind(the_page.model, page_body(b))) {
        case TN_BODY_RIGID:
            v = (tn_vec3){amount * u[0], amount * u[1], amount * u[2]};
            w = (tn_vec3){amount * u[3], amount * u[4], amount * u[5]};
            u += 6;
            break;
        case TN_BODY_PLANAR:
            v = (tn_vec3){amount * u[0], amount * u[1], 0.0};
            w = (tn_vec3){0.0, 0.0, amount * u[2]};
            u += 3;
            break;
        case TN_BODY_PLANAR_PARTICLE:
            v = (tn_vec3){amount * u[0], amount * u[1], 0.0};
            u += 2;
            break;
        case TN_BODY_PARTICLE:
            v = (tn_vec3){amount * u[0], amount * u[1], amount * u[2]};
            u += 3;
            break;
        default:
            continue;
        }
        status = tn_sim_set_body_pose(the_page.sim, page_body(b), moved(b, v, w));
    }
    return status == TN_OK ? tn_sim_assemble(the_page.sim, NULL) : status;
}
