/* urdf_link.c: a link with its mass (urdf.h).
 *
 * Room import/urdf. The inertia is about the centre of mass in the axes of the inertial's origin, all six numbers of it:
 *     J_link = R J R^T,   R = Rz(yaw) Ry(pitch) Rx(roll).
 */
#include "import/urdf/urdf.h"

#include "math/m3.h"

static tn_mat3 read_inertia(tn_import *import, tn_xml_element *element)
{
    static const char *const names[3][3] = {
        {"ixx", "ixy", "ixz"}, {"ixy", "iyy", "iyz"}, {"ixz", "iyz", "izz"}};
    tn_mat3 J;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            J.m[i][j] = i <= j ? tn_xml_number(import, element, names[i][j], 0.0) : J.m[j][i];
        }
    }
    return J;
}

/* R J R^T */
static tn_mat3 turn_inertia(tn_quat q, const tn_mat3 *J)
{
    const tn_mat3 R = q_to_m3(q), RJ = m3_mul(&R, J), Rt = m3_transpose(&R);
    tn_mat3 turned = m3_mul(&RJ, &Rt);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < i; j++) {
            turned.m[i][j] = turned.m[j][i];
        }
    }
    return turned;
}

static bool is_turned(tn_quat q)
{
    return q.x != 0.0 || q.y != 0.0 || q.z != 0.0;
}

static void read_inertial(tn_import *import, tn_xml_element *element, tn_mass_properties *out)
{
    tn_xml_element *mass = tn_xml_child(element, "mass");
    tn_xml_element *inertia = tn_xml_child(element, "inertia");
    const tn_pose origin = tn_urdf_origin(import, element);
    if (mass == NULL) {
        tn_xml_error(import, element, NULL, NULL, "an inertial needs a 'mass'");
        return;
    }
    tn_xml_needed(import, mass, "value");
    out->mass = tn_xml_amount(import, mass, "value", 0.0);
    out->com = origin.p;
    if (inertia != NULL) {
        out->inertia = read_inertia(import, inertia);
        if (is_turned(origin.q))
            out->inertia = turn_inertia(origin.q, &out->inertia);
    } else if (out->mass > 0.0) {
        tn_xml_warning(import, element, NULL, NULL,
                       "the inertial has a mass and no 'inertia': taken as a point");
    }
}

void tn_urdf_read_link(tn_robot *robot, tn_xml_element *element)
{
    tn_import *import = robot->import;
    element->read = true;
    const char *name = tn_xml_needed(import, element, "name");
    tn_robot_link *link = tn_robot_add_link(robot, name != NULL ? name : "", element);
    if (link == NULL)
        return;
    const int32_t index = robot->link_count - 1;
    tn_xml_element *inertial = tn_xml_child(element, "inertial");
    if (inertial != NULL)
        read_inertial(import, inertial, &link->mass);
    tn_robot_mend_inertia(robot, link, inertial);
    tn_urdf_read_shapes(robot, index, element);
}
