/* urdf_shapes.c: what a link looks like (urdf.h).
 *
 * Room import/urdf. Drawn is what is for the eye; where there is nothing of that, or nothing that can be read, what
 * is for contacts.
 */
#include "import/urdf/urdf.h"

#include <math.h>
#include <string.h>

typedef struct geometry {
    tn_robot *robot;
    tn_robot_link *link;
    tn_xml_element *element;
    tn_pose pose;
} geometry;

/* A length of a shape; a shape without one is not drawn. */
static double length_of(const geometry *g, const char *name)
{
    const double length = tn_xml_number(g->robot->import, g->element, name, (double)NAN);
    if (!(length > 0.0))
        tn_xml_warning(g->robot->import, g->element, name, NULL,
                       "the %s is not drawn: '%s' must be more than 0", g->element->name, name);
    return length > 0.0 ? length : (double)NAN;
}

static void read_box(const geometry *g)
{
    const tn_vec3 none = {(double)NAN, (double)NAN, (double)NAN};
    const tn_vec3 size = tn_xml_vector(g->robot->import, g->element, "size", none);
    if (!(size.x > 0.0 && size.y > 0.0 && size.z > 0.0)) {
        tn_xml_warning(g->robot->import, g->element, "size", NULL,
                       "the box is not drawn: its 'size' must be more than 0");
        return;
    }
    tn_shape_def *shape = tn_robot_add_shape(g->robot, g->link, TN_SHAPE_BOX, g->pose, g->element);
    if (shape != NULL)
        shape->size = size;
}

static void read_round(const geometry *g, tn_shape_kind kind)
{
    const double radius = length_of(g, "radius");
    const double length = kind == TN_SHAPE_SPHERE ? 1.0 : length_of(g, "length");
    if (isnan(radius) || isnan(length))
        return;
    tn_shape_def *shape = tn_robot_add_shape(g->robot, g->link, kind, g->pose, g->element);
    if (shape == NULL)
        return;
    shape->radius = radius;
    if (kind != TN_SHAPE_SPHERE)
        shape->length = length;
}

static void read_sphere(const geometry *g)
{
    read_round(g, TN_SHAPE_SPHERE);
}

static void read_cylinder(const geometry *g)
{
    read_round(g, TN_SHAPE_CYLINDER);
}

static void read_capsule(const geometry *g)
{
    read_round(g, TN_SHAPE_CAPSULE);
}

static void read_mesh(const geometry *g)
{
    const tn_vec3 one = {1.0, 1.0, 1.0};
    const tn_vec3 scale = tn_xml_vector(g->robot->import, g->element, "scale", one);
    const tn_robot_mesh *mesh = tn_robot_open_mesh(g->robot, g->element, "filename", "");
    if (scale.x == 0.0 || scale.y == 0.0 || scale.z == 0.0) {
        tn_xml_warning(g->robot->import, g->element, "scale", NULL,
                       "the mesh is not drawn: its 'scale' has a zero");
    } else if (mesh != NULL) {
        tn_robot_add_mesh(g->robot, g->link, mesh, scale, g->pose, g->element);
    }
}

typedef struct geometry_kind {
    const char *name;
    void (*read)(const geometry *g);
} geometry_kind;

static const geometry_kind KINDS[] = {{"box", read_box},
                                      {"sphere", read_sphere},
                                      {"cylinder", read_cylinder},
                                      {"capsule", read_capsule},
                                      {"mesh", read_mesh}};

static void read_geometry(tn_robot *robot, int32_t link, tn_xml_element *element)
{
    tn_xml_element *shape = tn_xml_child(element, "geometry");
    geometry g = {robot, &robot->links[link], NULL, tn_urdf_origin(robot->import, element)};
    for (tn_xml_element *e = shape != NULL ? shape->first : NULL; e != NULL; e = e->next) {
        for (size_t k = 0; k < TN_COUNT_OF(KINDS); k++) {
            if (!tn_xml_is(e, KINDS[k].name))
                continue;
            e->read = true;
            g.element = e;
            KINDS[k].read(&g);
        }
    }
}

static void read_all(tn_robot *robot, int32_t link, tn_xml_element *element, const char *name)
{
    for (tn_xml_element *e = tn_xml_child(element, name); e != NULL; e = tn_xml_same(e)) {
        read_geometry(robot, link, e);
    }
}

void tn_urdf_read_shapes(tn_robot *robot, int32_t link, tn_xml_element *element)
{
    read_all(robot, link, element, "visual");
    if (robot->links[link].shape_count == 0)
        read_all(robot, link, element, "collision");
}
