/* mjcf_geom.c: geoms, which weigh and are drawn (mjcf.h).
 *
 * Room import/mjcf. Sizes are half of what Tenon's shapes have. Where a body has geoms of the groups that one sees
 * first, 0 to 2, those of others, for contacts mostly, are not drawn.
 */
#include "import/mjcf/mjcf.h"

#include <math.h>
#include <string.h>

#include "math/m3.h"

#define LAST_SEEN_GROUP 2.0
#define WATER           1000.0 /* kg/m^3: the density where nothing is said */

typedef struct geom {
    tn_mjcf *m;
    tn_xml_element *element;
    int32_t class;
    tn_pose pose; /* in the link */
    double size[3];
    int32_t sizes;
} geom;

typedef struct geom_type {
    const char *name;
    tn_shape_kind kind;
    int32_t sizes; /* numbers that it needs */
    bool fromto;
} geom_type;

static const geom_type TYPES[] = {
    {"sphere", TN_SHAPE_SPHERE, 1, false},      {"capsule", TN_SHAPE_CAPSULE, 2, true},
    {"cylinder", TN_SHAPE_CYLINDER, 2, true},   {"box", TN_SHAPE_BOX, 3, true},
    {"ellipsoid", TN_SHAPE_ELLIPSOID, 3, true}, {"mesh", TN_SHAPE_MESH, 0, false},
};

static const geom_type *find_type(const char *name)
{
    for (size_t i = 0; i < TN_COUNT_OF(TYPES); i++) {
        if (strcmp(TYPES[i].name, name) == 0)
            return &TYPES[i];
    }
    return NULL;
}

/* From one point to another: z points along it, and the half length is the last size. */
static void stretch(geom *g, const geom_type *type, const double *v)
{
    const tn_vec3 from = v3_load(v), to = v3_load(v + 3), along = v3_sub(from, to);
    tn_vec3 z;
    const double half = 0.5 * v3_unit(along, &z);
    if (!(half > 0.0)) {
        tn_xml_error(g->m->import, g->element, "fromto", NULL, "the two points are one");
        return;
    }
    g->pose.p = v3_scale(0.5, v3_add(from, to));
    g->pose.q = tn_quat_from_z_axis(z);
    if (type->sizes == 3)
        g->size[1] = g->size[0];
    g->size[type->sizes - 1] = half;
    g->sizes = type->sizes;
}

static void fill_shape(const geom *g, const geom_type *type, tn_shape_def *shape)
{
    const double *s = g->size;
    if (type->kind == TN_SHAPE_BOX) {
        shape->size = (tn_vec3){2.0 * s[0], 2.0 * s[1], 2.0 * s[2]};
    } else if (type->kind == TN_SHAPE_ELLIPSOID) {
        shape->semi_axes = v3_load(s);
    } else {
        shape->radius = s[0];
        if (type->kind != TN_SHAPE_SPHERE)
            shape->length = 2.0 * s[1];
    }
}

static bool read_size(geom *g, const geom_type *type, tn_pose frame)
{
    double v[6];
    g->sizes = tn_mjcf_numbers(g->m, g->element, g->class, "size", g->size, 1, 3);
    if (type->fromto && tn_mjcf_numbers(g->m, g->element, g->class, "fromto", v, 6, 6) == 6)
        stretch(g, type, v);
    g->pose = tn_pose_multiply(frame, g->pose);
    bool good = g->sizes >= type->sizes;
    for (int32_t i = 0; i < type->sizes; i++) {
        good = good && g->size[i] > 0.0;
    }
    if (!good)
        tn_xml_error(g->m->import, g->element, "size", NULL,
                     "a %s needs %d number%s of more than 0 for its 'size'", type->name,
                     (int)type->sizes, type->sizes == 1 ? "" : "s");
    return good;
}

/* Mass of a shape, in its link. */
static bool weigh(const geom *g, const tn_shape_def *shape, tn_mass_properties *out)
{
    tn_shape_def weighed = *shape;
    double mass = (double)NAN;
    const double density = tn_mjcf_number(g->m, g->element, g->class, "density", WATER);
    tn_mjcf_numbers(g->m, g->element, g->class, "mass", &mass, 1, 1);
    if (mass == 0.0 || (isnan(mass) && density == 0.0))
        return false;
    if (mass < 0.0 || density < 0.0) {
        tn_xml_error(g->m->import, g->element, NULL, NULL, "a geom must not weigh less than 0");
        return false;
    }
    if (isnan(mass)) {
        weighed.density = density;
    } else {
        weighed.mass = mass;
    }
    if (tn_shape_mass_properties(&weighed, (double)NAN, out, NULL) == TN_OK)
        return true;
    if (weighed.kind == TN_SHAPE_MESH && tn_robot_weigh_open(&weighed, out)) {
        if (g->m->open_meshes++ == 0)
            g->m->first_open = g->element;
        return true;
    }
    tn_xml_warning(g->m->import, g->element, "mesh", "give the body an 'inertial'",
                   "this mesh encloses no volume, it has no mass here");
    return false;
}

static void add_mass(const geom *g, const tn_shape_def *shape, tn_mjcf_place place,
                     tn_mass_properties *sum)
{
    tn_mass_properties parts[2] = {*sum, {0}};
    double group = tn_mjcf_number(g->m, g->element, g->class, "group", 0.0);
    if (!place.weighs || group < g->m->groups[0] || group > g->m->groups[1] ||
        !weigh(g, shape, &parts[1]))
        return;
    *sum = sum->mass > 0.0 ? tn_mass_properties_combine(parts, 2) : parts[1];
}

/* Searches the body's geoms, also inside frames. */
bool tn_mjcf_has_seen(const tn_mjcf *m, const tn_xml_element *body, int32_t class)
{
    for (tn_xml_element *e = body->first; e != NULL; e = e->next) {
        if (tn_xml_is(e, "frame") && tn_mjcf_has_seen(m, e, class))
            return true;
        if (!tn_xml_is(e, "geom"))
            continue;
        const char *name = tn_xml_peek(e, "class");
        const int32_t own = name != NULL ? tn_names_find_text(&m->class_names, name) : class;
        tn_xml_element *holder = tn_mjcf_holder(m, e, own, "group");
        double group = 0.0;
        if (holder != NULL)
            tn_xml_numbers(m->import, holder, "group", &group, 1, 1);
        if (group <= LAST_SEEN_GROUP)
            return true;
    }
    return false;
}

static bool is_drawn(const geom *g, tn_mjcf_place place)
{
    const double group = tn_mjcf_number(g->m, g->element, g->class, "group", 0.0);
    return group <= LAST_SEEN_GROUP || !place.seen;
}

static double half_extent(double one, double other, double own, double mass)
{
    return sqrt(fmax(0.0, 1.5 * (one + other - own) / mass));
}

/* A primitive fitted to a mesh: that of the box with the mesh's inertia, in its principal axes, z along the longest. */
static tn_shape_def *fit(geom *g, const geom_type *type, const char *mesh, tn_mjcf_place place)
{
    tn_robot_link *link = &g->m->robot->links[place.link];
    g->pose = tn_pose_multiply(place.frame, g->pose);
    tn_shape_def *solid = tn_mjcf_add_mesh(g->m, g->element, mesh, link, g->pose);
    tn_mass_properties props;
    tn_vec3 J;
    tn_pose at;
    if (solid == NULL)
        return NULL;
    link->shape_count--;
    solid->density = WATER;
    if (tn_shape_mass_properties(solid, (double)NAN, &props, NULL) != TN_OK &&
        !tn_robot_weigh_open(solid, &props)) {
        tn_xml_warning(g->m->import, g->element, "mesh", NULL,
                       "the mesh encloses no volume: no %s is fitted to it", type->name);
        return NULL;
    }
    tn_mass_properties_principal(&props, &J, &at.q); /* ascending: x is the longest */
    at.q = q_normalize(q_mul(at.q, (tn_quat){0.5, 0.5, 0.5, 0.5})); /* its z to the longest */
    at.p = props.com;
    const double scale = tn_mjcf_number(g->m, g->element, g->class, "fitscale", 1.0);
    const double longest = scale * half_extent(J.y, J.z, J.x, props.mass);
    const double a = scale * half_extent(J.z, J.x, J.y, props.mass);
    const double b = scale * half_extent(J.x, J.y, J.z, props.mass);
    const double size[3] = {a, b, longest};
    memcpy(g->size, size, sizeof size);
    if (type->sizes == 2)
        g->size[1] = type->kind == TN_SHAPE_CAPSULE ? fmax(1e-6 * longest, longest - 0.25 * (a + b))
                                                    : longest;
    if (type->sizes < 3)
        g->size[0] = type->sizes == 2 ? 0.5 * (a + b) : (a + b + longest) / 3.0;
    tn_shape_def *shape = tn_robot_add_shape(g->m->robot, link, type->kind, at, g->element);
    if (shape != NULL)
        fill_shape(g, type, shape);
    return shape;
}

static void add_geom(geom *g, const geom_type *type, tn_mjcf_place place, tn_mass_properties *sum)
{
    tn_robot *robot = g->m->robot;
    tn_robot_link *link = &robot->links[place.link];
    const char *mesh = tn_mjcf_text(g->m, g->element, g->class, "mesh");
    tn_shape_def *shape = NULL;
    if (type->kind == TN_SHAPE_MESH) {
        g->pose = tn_pose_multiply(place.frame, g->pose);
        shape = mesh != NULL ? tn_mjcf_add_mesh(g->m, g->element, mesh, link, g->pose) : NULL;
    } else if (mesh != NULL) {
        shape = fit(g, type, mesh, place);
    } else if (read_size(g, type, place.frame)) {
        shape = tn_robot_add_shape(robot, link, type->kind, g->pose, g->element);
        if (shape != NULL)
            fill_shape(g, type, shape);
    }
    if (shape == NULL)
        return;
    add_mass(g, shape, place, sum);
    if (!is_drawn(g, place))
        link->shape_count--;
}

void tn_mjcf_read_geom(tn_mjcf *m, tn_xml_element *element, tn_mjcf_place place,
                       tn_mass_properties *sum)
{
    element->read = true;
    geom g = {.m = m, .element = element};
    g.class = tn_mjcf_find_class(m, element, "class", place.class);
    g.pose = tn_mjcf_pose(m, element, g.class);
    const char *name = tn_mjcf_text(m, element, g.class, "type");
    if (name == NULL)
        name = tn_mjcf_text(m, element, g.class, "mesh") != NULL ? "mesh" : "sphere";
    const geom_type *type = find_type(name);
    if (type != NULL) {
        add_geom(&g, type, place, sum);
    } else {
        tn_xml_take(element);
        tn_xml_note(m->import, element, "type", NULL, "a geom of type '%.60s' is not drawn", name);
    }
}
