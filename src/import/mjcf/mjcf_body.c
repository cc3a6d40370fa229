/* mjcf_body.c: bodies in bodies (mjcf.h).
 *
 * Room import/mjcf. A body's frame is given in the one around it, through the frames in between, which only stand
 * for a pose. Its mass is that of its inertial, else that of its geoms.
 */
#include "import/mjcf/mjcf.h"

#include <math.h>
#include <string.h>

#include "math/m3.h"

static tn_mat3 full_inertia(const double *v)
{
    return (tn_mat3){{{v[0], v[3], v[4]}, {v[3], v[1], v[5]}, {v[4], v[5], v[2]}}};
}

/* R J R^T, symmetric to the last bit. */
static tn_mat3 turned(tn_quat q, tn_mat3 J)
{
    if (q.x == 0.0 && q.y == 0.0 && q.z == 0.0)
        return J;
    const tn_mat3 R = q_to_m3(q), RJ = m3_mul(&R, &J), Rt = m3_transpose(&R);
    J = m3_mul(&RJ, &Rt);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < i; j++) {
            J.m[i][j] = J.m[j][i];
        }
    }
    return J;
}

void tn_mjcf_read_inertial(tn_mjcf *m, tn_xml_element *element, tn_mjcf_place place,
                           tn_mass_properties *out)
{
    tn_import *import = m->import;
    double v[6] = {0.0};
    const tn_pose pose = tn_pose_multiply(place.frame, tn_mjcf_pose(m, element, -1));
    *out = (tn_mass_properties){.com = pose.p};
    tn_xml_needed(import, element, "mass");
    out->mass = tn_xml_amount(import, element, "mass", 0.0);
    if (tn_xml_numbers(import, element, "fullinertia", v, 6, 6) == 6) {
        out->inertia = full_inertia(v);
    } else if (tn_xml_numbers(import, element, "diaginertia", v, 3, 3) == 3) {
        out->inertia = (tn_mat3){{{v[0], 0, 0}, {0, v[1], 0}, {0, 0, v[2]}}};
    } else {
        tn_xml_error(import, element, NULL, NULL,
                     "an inertial needs 'diaginertia' or 'fullinertia'");
    }
    out->inertia = turned(pose.q, out->inertia);
}

static void read_site(tn_mjcf *m, tn_xml_element *element, tn_mjcf_place place)
{
    element->read = true;
    const int32_t class = tn_mjcf_find_class(m, element, "class", place.class);
    const char *name = tn_xml_text(element, "name");
    const char *called = name != NULL ? name : tn_import_print(m->import, "site%d", ++m->unnamed);
    tn_robot_marker *marker = tn_robot_add_marker(m->robot, called, element);
    if (marker == NULL)
        return;
    marker->link = place.link;
    marker->pose = tn_pose_multiply(place.frame, tn_mjcf_pose(m, element, class));
    if (name != NULL && tn_names_add(&m->site_names, name, strlen(name),
                                     m->robot->marker_count - 1) == TN_ERROR_MEMORY)
        m->import->status = TN_ERROR_MEMORY;
}

static void read_content(tn_mjcf *m, tn_xml_element *element, tn_mjcf_place place,
                         tn_mass_properties *sum);

static void read_frame(tn_mjcf *m, tn_xml_element *element, tn_mjcf_place place,
                       tn_mass_properties *sum)
{
    element->read = true;
    place.class = tn_mjcf_find_class(m, element, "childclass", place.class);
    place.frame = tn_pose_multiply(place.frame, tn_mjcf_pose(m, element, -1));
    read_content(m, element, place, sum);
}

/* MuJoCo's lower bounds of mass and inertia, if the file sets them. */
static void bound(const tn_mjcf *m, tn_mass_properties *mass)
{
    if (mass->mass == 0.0 && m->least_mass == 0.0)
        return;
    mass->mass = mass->mass > m->least_mass ? mass->mass : m->least_mass;
    for (int i = 0; i < 3; i++) {
        if (mass->inertia.m[i][i] < m->least_inertia)
            mass->inertia.m[i][i] = m->least_inertia;
    }
}

static void weigh(tn_mjcf *m, tn_xml_element *element, tn_mjcf_place place,
                  const tn_mass_properties *geoms)
{
    tn_xml_element *inertial = tn_xml_child(element, "inertial");
    tn_mass_properties mass = *geoms;
    if (inertial != NULL && m->inertia_from_geom == 1) {
        tn_xml_take(inertial);
        tn_xml_note(m->import, inertial, NULL, NULL,
                    "the geoms have the mass, as 'compiler' requires");
    } else if (inertial != NULL) {
        place.frame = tn_pose_identity();
        tn_mjcf_read_inertial(m, inertial, place, &mass);
    } else if (m->inertia_from_geom == 0) {
        mass = (tn_mass_properties){0};
    }
    bound(m, &mass);
    tn_robot_link *link = &m->robot->links[place.link];
    link->mass = mass;
    tn_robot_mend_inertia(m->robot, link, inertial != NULL ? inertial : element);
}

static void read_body(tn_mjcf *m, tn_xml_element *element, tn_mjcf_place place)
{
    element->read = true;
    const char *name = tn_xml_text(element, "name");
    tn_mass_properties geoms = {0};
    if (name == NULL)
        name = tn_import_print(m->import, "body%d", (int)++m->unnamed);
    place.class = tn_mjcf_find_class(m, element, "childclass", place.class);
    place.frame = tn_pose_multiply(place.frame, tn_mjcf_pose(m, element, -1));
    place.link = tn_mjcf_read_joints(m, element, name, place, place.class);
    if (place.link < 0)
        return;
    place.frame = tn_pose_identity();
    place.seen = tn_mjcf_has_seen(m, element, place.class);
    place.weighs = m->inertia_from_geom == 1 ||
                   (m->inertia_from_geom == 2 && tn_xml_child(element, "inertial") == NULL);
    m->robot->links[place.link].weight = 1.0 - tn_xml_number(m->import, element, "gravcomp", 0.0);
    const char *mocap = tn_xml_text(element, "mocap");
    if (mocap != NULL && strcmp(mocap, "true") == 0)
        tn_xml_warning(m->import, element, "mocap", NULL,
                       "body '%.100s' is moved by a program there; here it stands", name);
    read_content(m, element, place, &geoms);
    weigh(m, element, place, &geoms);
}

static void read_content(tn_mjcf *m, tn_xml_element *element, tn_mjcf_place place,
                         tn_mass_properties *sum)
{
    for (tn_xml_element *e = element->first; e != NULL && m->import->status == TN_OK; e = e->next) {
        if (tn_xml_is(e, "body")) {
            read_body(m, e, place);
        } else if (tn_xml_is(e, "frame")) {
            read_frame(m, e, place, sum);
        } else if (tn_xml_is(e, "geom")) {
            tn_mjcf_read_geom(m, e, place, sum);
        } else if (tn_xml_is(e, "site")) {
            read_site(m, e, place);
        }
    }
}

/* Scales all masses to the sum that the file's compiler element requires. */
void tn_mjcf_scale_masses(tn_mjcf *m)
{
    double sum = 0.0;
    for (int32_t i = 0; i < m->robot->link_count; i++) {
        sum += m->robot->links[i].mass.mass;
    }
    const double factor = m->total_mass > 0.0 && sum > 0.0 ? m->total_mass / sum : 1.0;
    for (int32_t i = 0; factor != 1.0 && i < m->robot->link_count; i++) {
        tn_mass_properties *mass = &m->robot->links[i].mass;
        mass->mass *= factor;
        for (int k = 0; k < 9; k++) {
            (&mass->inertia.m[0][0])[k] *= factor;
        }
    }
}

/* What stands in the world without a body is of a link of its own, which is drawn. */
void tn_mjcf_read_world(tn_mjcf *m)
{
    tn_mass_properties none = {0};
    tn_xml_element *first = tn_xml_child(m->root, "worldbody");
    if (first == NULL || tn_robot_add_link(m->robot, NULL, first) == NULL)
        return;
    m->robot->links[0].name = "world";
    for (tn_xml_element *e = first; e != NULL; e = tn_xml_same(e)) {
        const tn_mjcf_place place = {.frame = tn_pose_identity(),
                                     .seen = tn_mjcf_has_seen(m, e, 0)};
        read_content(m, e, place, &none);
    }
}
