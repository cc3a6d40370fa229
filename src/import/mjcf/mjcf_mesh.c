/* mjcf_mesh.c: the meshes among the assets (mjcf.h).
 *
 * Room import/mjcf.
 */
#include "import/mjcf/mjcf.h"

#include <string.h>

/* The file's name without folder and ending, by which a mesh goes that has none. */
static const char *base_of(tn_mjcf *m, const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *name = slash != NULL ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    return tn_import_print(m->import, "%.*s", (int)(dot != NULL ? dot - name : (long)strlen(name)),
                           name);
}

static void list_mesh(tn_mjcf *m, tn_xml_element *e)
{
    const char *file = tn_xml_text(e, "file"), *name = tn_xml_text(e, "name");
    if (name == NULL && file == NULL)
        return;
    name = name != NULL ? name : base_of(m, file);
    tn_xml_element **grown = tn_import_push(m->import, m->meshes, m->mesh_count, sizeof *m->meshes);
    if (grown == NULL)
        return;
    m->meshes = grown;
    m->meshes[m->mesh_count] = e;
    if (tn_names_add(&m->mesh_names, name, strlen(name), m->mesh_count++) == TN_ERROR_MEMORY)
        m->import->status = TN_ERROR_MEMORY;
}

void tn_mjcf_list_meshes(tn_mjcf *m)
{
    for (tn_xml_element *a = tn_xml_child(m->root, "asset"); a != NULL; a = tn_xml_same(a)) {
        for (tn_xml_element *e = tn_xml_child(a, "mesh"); e != NULL; e = tn_xml_same(e)) {
            list_mesh(m, e);
        }
    }
}

static const char *folder_of(tn_mjcf *m)
{
    const size_t length = strlen(m->meshdir);
    return length == 0 || m->meshdir[length - 1] == '/'
               ? m->meshdir
               : tn_import_print(m->import, "%s/", m->meshdir);
}

tn_shape_def *tn_mjcf_add_mesh(tn_mjcf *m, tn_xml_element *geom, const char *name,
                               tn_robot_link *link, tn_pose pose)
{
    const int32_t index = tn_names_find_text(&m->mesh_names, name);
    if (index == TN_NO_NAME) {
        tn_xml_error(m->import, geom, "mesh", NULL, "there is no mesh '%.100s'", name);
        return NULL;
    }
    tn_xml_element *asset = m->meshes[index];
    if (tn_xml_peek(asset, "file") == NULL) {
        tn_xml_warning(m->import, asset, NULL, NULL,
                       "the mesh '%.100s' is in no file and is not drawn", name);
        return NULL;
    }
    double scale[3] = {1.0, 1.0, 1.0};
    const int32_t class = tn_mjcf_find_class(m, asset, "class", 0);
    tn_mjcf_numbers(m, asset, class, "scale", scale, 3, 3);
    const tn_robot_mesh *mesh = tn_robot_open_mesh(m->robot, asset, "file", folder_of(m));
    if (mesh == NULL || scale[0] * scale[1] * scale[2] == 0.0)
        return NULL;
    tn_robot_add_mesh(m->robot, link, mesh, (tn_vec3){scale[0], scale[1], scale[2]}, pose, geom);
    return m->import->status == TN_OK ? &link->shapes[link->shape_count - 1] : NULL;
}
