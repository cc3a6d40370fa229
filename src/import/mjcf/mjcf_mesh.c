/* mjcf_mesh.c: the meshes among the assets (mjcf.h).
 *
 * Room import/mjcf.
 */
#include "import/mjcf/mjcf.h"

#include <string.h>

#include "io/mesh/mesh_hull.h"
#include "math/m3.h"

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

static const tn_triangle *read_faces(tn_mjcf *m, tn_xml_element *asset, int32_t vertices,
                                     int32_t *count)
{
    int32_t numbers = 0;
    const double *list = tn_xml_list(m->import, asset, "face", &numbers);
    tn_triangle *faces =
        list != NULL ? tn_import_alloc(m->import, numbers / 3 + 1, sizeof *faces) : NULL;
    *count = faces != NULL ? numbers / 3 : 0;
    for (int32_t i = 0; i < 3 * *count; i++) {
        faces[i / 3].v[i % 3] = list[i] >= 0.0 && list[i] < vertices ? (int32_t)list[i] : -1;
        if (faces[i / 3].v[i % 3] != list[i]) {
            tn_xml_error(m->import, asset, "face", NULL, "there is no vertex %g", list[i]);
            *count = 0;
        }
    }
    return faces;
}

/* The hull of points, as a closed mesh; NULL: they have none, which is reported. */
static const tn_robot_mesh *make_hull(tn_mjcf *m, tn_xml_element *asset, const char *key,
                                      const tn_vec3 *points, int32_t count)
{
    tn_mesh_builder builder = {0};
    tn_mesh hull;
    const tn_status status = tn_mesh_hull(points, count, &builder);
    const tn_robot_mesh *mesh = NULL;
    if (tn_mesh_builder_finish(&builder, status, &hull) == TN_OK) {
        mesh = tn_robot_make_mesh(m->robot, key, hull.vertices, hull.vertex_count, hull.triangles,
                                  hull.triangle_count);
    } else if (status == TN_ERROR_MEMORY) {
        m->import->status = status;
    } else if (status == TN_ERROR_UNSUPPORTED) {
        tn_xml_error(m->import, asset, "vertex", "say its triangles as 'face'",
                     "more than %d points are not made a hull of", TN_HULL_MOST_POINTS);
    } else {
        tn_xml_error(m->import, asset, "vertex", NULL, "the points lie in a plane");
    }
    tn_mesh_free(&hull);
    return mesh;
}

/* A mesh by its vertices, and faces or the hull of all. */
static const tn_robot_mesh *made_of_vertices(tn_mjcf *m, tn_xml_element *asset, const char *name)
{
    const char *key = tn_import_print(m->import, "mesh:%.200s", name);
    const tn_robot_mesh *made = tn_robot_made_mesh(m->robot, key);
    int32_t numbers = 0, faces = 0;
    if (made != NULL)
        return made;
    const double *list = tn_xml_list(m->import, asset, "vertex", &numbers);
    if (list == NULL || numbers < 12 || numbers % 3 != 0) {
        tn_xml_error(m->import, asset, "vertex", NULL,
                     "'vertex' has three numbers of four points or more");
        return NULL;
    }
    tn_vec3 *points = tn_import_alloc(m->import, numbers / 3, sizeof *points);
    for (int32_t i = 0; points != NULL && i < numbers / 3; i++) {
        points[i] = v3_load(list + 3 * i);
    }
    const tn_triangle *triangles = read_faces(m, asset, numbers / 3, &faces);
    if (points == NULL || m->import->problems > 0)
        return NULL;
    return triangles != NULL && faces > 0
               ? tn_robot_make_mesh(m->robot, key, points, numbers / 3, triangles, faces)
               : make_hull(m, asset, key, points, numbers / 3);
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
    const bool vertices = tn_xml_peek(asset, "vertex") != NULL;
    if (!vertices && tn_xml_peek(asset, "file") == NULL) {
        tn_xml_warning(m->import, asset, NULL, NULL,
                       "the mesh '%.100s' is in no file and is not drawn", name);
        return NULL;
    }
    double scale[3] = {1.0, 1.0, 1.0};
    const int32_t class = tn_mjcf_find_class(m, asset, "class", 0);
    tn_mjcf_numbers(m, asset, class, "scale", scale, 3, 3);
    const tn_robot_mesh *mesh = vertices
                                    ? made_of_vertices(m, asset, name)
                                    : tn_robot_open_mesh(m->robot, asset, "file", folder_of(m));
    if (mesh == NULL || scale[0] * scale[1] * scale[2] == 0.0)
        return NULL;
    tn_robot_add_mesh(m->robot, link, mesh, (tn_vec3){scale[0], scale[1], scale[2]}, pose, geom);
    return m->import->status == TN_OK ? &link->shapes[link->shape_count - 1] : NULL;
}
