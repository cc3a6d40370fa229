/* mjcf.c: a whole MJCF file (mjcf.h).
 *
 * Room import/mjcf.
 */
#include "import/mjcf/mjcf.h"

#include <math.h>
#include <string.h>

#include "io/section/sections.h"

static void read_compiler(tn_mjcf *m, tn_xml_element *e)
{
    tn_import *import = m->import;
    const char *angle = tn_xml_text(e, "angle"), *order = tn_xml_text(e, "eulerseq");
    if (angle != NULL)
        m->angle = strcmp(angle, "radian") == 0 ? 1.0 : 3.14159265358979323846 / 180.0;
    if (order != NULL && strlen(order) == 3 && strspn(order, "xyzXYZ") == 3) {
        m->eulerseq = order;
    } else if (order != NULL) {
        tn_xml_error(import, e, "eulerseq", NULL, "'eulerseq' is three of the letters xyzXYZ");
    }
    const char *assets = tn_xml_text(e, "assetdir"), *meshes = tn_xml_text(e, "meshdir");
    const char *inertia = tn_xml_text(e, "inertiafromgeom");
    m->meshdir = meshes != NULL ? meshes : assets != NULL ? assets : m->meshdir;
    if (inertia != NULL)
        m->inertia_from_geom = strcmp(inertia, "auto") == 0 ? 2 : strcmp(inertia, "true") == 0;
    m->autolimits = tn_xml_flag(import, e, "autolimits", m->autolimits);
    m->strippath = tn_xml_flag(import, e, "strippath", m->strippath);
    m->least_mass = tn_xml_amount(import, e, "boundmass", m->least_mass);
    m->least_inertia = tn_xml_amount(import, e, "boundinertia", m->least_inertia);
    m->total_mass = tn_xml_number(import, e, "settotalmass", m->total_mass);
    tn_xml_numbers(import, e, "inertiagrouprange", m->groups, 2, 2);
    const char *frames = tn_xml_text(e, "coordinate");
    if (frames != NULL && strcmp(frames, "local") != 0)
        tn_xml_error(import, e, "coordinate", "MuJoCo 2.3.3 was the last that reads these",
                     "places in the world ('coordinate' %.20s) are not read", frames);
}

static void read_option(tn_mjcf *m, tn_xml_element *e, tn_world_def *world,
                        tn_simulation_def *simulation)
{
    world->gravity = tn_xml_vector(m->import, e, "gravity", world->gravity);
    const double step = tn_xml_amount(m->import, e, "timestep", 0.0);
    if (step > 0.0)
        simulation->step = step;
    tn_xml_element *flag = tn_xml_child(e, "flag");
    const char *gravity = flag != NULL ? tn_xml_text(flag, "gravity") : NULL;
    if (gravity != NULL && strcmp(gravity, "disable") == 0)
        m->gravity = false;
}

static void note_status(tn_mjcf *m, tn_status status)
{
    m->import->status = status != TN_OK ? status : m->import->status;
}

/* The step of the file becomes the longest time between output times; the accuracy is the usual one. */
static void read_head(tn_mjcf *m)
{
    tn_spec *spec = m->import->spec;
    tn_world_def world = tn_default_world_def();
    tn_simulation_def simulation = tn_simulation_unsaid();
    world.name = tn_xml_text(m->root, "model");
    world.at = simulation.at = m->root->at;
    for (tn_xml_element *e = tn_xml_child(m->root, "compiler"); e != NULL; e = tn_xml_same(e)) {
        read_compiler(m, e);
    }
    for (tn_xml_element *e = tn_xml_child(m->root, "option"); e != NULL; e = tn_xml_same(e)) {
        read_option(m, e, &world, &simulation);
    }
    if (!m->gravity)
        world.gravity = (tn_vec3){0.0, 0.0, 0.0};
    if (simulation.step > 0.0) {
        simulation.accuracy = TN_USUAL_ACCURACY;
        simulation.integrator = TN_ACCURATE_INTEGRATOR;
    }
    tn_simulation_settle(&simulation, tn_spec_record(spec));
    note_status(m, tn_spec_set_world(spec, &world));
    note_status(m, tn_spec_set_simulation(spec, &simulation));
}

static void read_parts(tn_mjcf *m)
{
    static void (*const parts[])(tn_mjcf *) = {read_head,
                                               tn_mjcf_read_classes,
                                               tn_mjcf_list_meshes,
                                               tn_mjcf_read_world,
                                               tn_mjcf_scale_masses,
                                               tn_mjcf_read_equalities,
                                               tn_mjcf_read_keyframe,
                                               tn_mjcf_read_actuators,
                                               tn_mjcf_know};
    for (size_t i = 0; i < TN_COUNT_OF(parts); i++) {
        if (m->import->status == TN_OK)
            parts[i](m);
    }
}

static void tell_open_meshes(tn_mjcf *m)
{
    if (m->open_meshes > 0)
        tn_xml_warning(
            m->import, m->first_open, "mesh", "an 'inertial' of the body is surer",
            "the mesh is not closed%s: it weighs as in MuJoCo, by pyramids over its triangles",
            m->open_meshes > 1
                ? tn_import_print(m->import, ", nor are %d more", (int)m->open_meshes - 1)
                : "");
}

void tn_mjcf_read(tn_robot *robot, tn_xml_element *root)
{
    tn_import *import = robot->import;
    tn_mjcf m = {.robot = robot,
                 .import = import,
                 .root = root,
                 .angle = 3.14159265358979323846 / 180.0,
                 .eulerseq = "xyz",
                 .meshdir = "",
                 .autolimits = true,
                 .gravity = true,
                 .inertia_from_geom = 2,
                 .groups = {0.0, 5.0}};
    tn_mjcf_include(&m, root, 0);
    if (import->problems == 0)
        read_parts(&m);
    if (import->status == TN_OK && import->problems == 0 && robot->link_count == 0)
        tn_xml_error(import, root, NULL, NULL, "there are no bodies in the model");
    if (import->status == TN_OK && import->problems == 0)
        tn_xml_tell_unread(import, root, tn_mjcf_losses, "MJCF");
    tell_open_meshes(&m);
    tn_names_free(&m.class_names);
    tn_names_free(&m.mesh_names);
    tn_names_free(&m.site_names);
}
