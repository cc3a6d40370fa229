/* robot_mesh.c: the files of meshes that robots name (robot.h).
 *
 * Room import/robot. Robots come as folders, urdf/robot.urdf beside meshes/base.stl, and name meshes
 * by "package://robot/meshes/base.stl", "file:///..." or a path. The search covers the folder of the
 * file and the folders above it, first with the whole name, then without its first parts; names that
 * begin with / are used as they are. A mesh that is missing, lies outside of the model's folder and package
 * (io/text/roots.h), or has an unknown format is reported and not drawn.
 *
 * In models meshes have short names, "meshes/base.stl": the end of the path, with as many parts as
 * make it unique.
 */
#include "import/robot/robot.h"

#include <string.h>
#include <unistd.h>

#include "io/mesh/mesh_read.h"
#include "spec/spec_internal.h"

/* Most folders above the model that are searched. */
#define MOST_FOLDERS 8
/* Most leading parts of a name that are left out in the search. */
#define MOST_PARTS 6
/* Least triangles of a closed surface; shapes are solids. */
#define LEAST_TRIANGLES 4

static const char *without_scheme(const char *name)
{
    static const char *const schemes[] = {"package://", "model://", "file://"};
    for (size_t i = 0; i < TN_COUNT_OF(schemes); i++) {
        const size_t length = strlen(schemes[i]);
        if (strncmp(name, schemes[i], length) == 0)
            return name + length;
    }
    return name;
}

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* A search for a file; outside: there is one, where none may be read. */
typedef struct search {
    tn_import *import;
    bool outside;
} search;

static const char *accept(search *s, const char *path)
{
    if (access(path, R_OK) != 0)
        return NULL;
    const bool held = tn_roots_hold(&s->import->roots, path);
    s->outside = s->outside || !held;
    return held ? path : NULL;
}

/* folder/../../name, so many folders up; NULL: there is no such file. */
static const char *try_path(search *s, size_t folder, int up, const char *between, const char *name)
{
    static const char ups[] = "../../../../../../../../";
    return accept(s, tn_import_print(s->import, "%.*s%.*s%s%s", (int)folder, s->import->model,
                                     3 * up, ups, between, name));
}

/* Beside the model and above it. */
static const char *look_up(search *s, const char *between, const char *name)
{
    const size_t folder = folder_length(s->import->model);
    const char *path = NULL;
    for (int up = 0; path == NULL && up <= MOST_FOLDERS; up++) {
        path = try_path(s, folder, up, between, name);
    }
    return path;
}

/* What a name calls its package is one if the model lies in it. */
static void know_package(tn_import *import, const char *given)
{
    static const char scheme[] = "package://";
    const size_t length = strncmp(given, scheme, sizeof scheme - 1) == 0
                              ? strcspn(given + sizeof scheme - 1, "/")
                              : 0;
    if (length == 0)
        return;
    const tn_status status = tn_roots_add_package(
        &import->roots, import->model,
        tn_import_print(import, "%.*s", (int)length, given + sizeof scheme - 1));
    import->status = status == TN_ERROR_MEMORY ? status : import->status;
}

static const char *find_file(search *s, const char *given, const char *folder)
{
    const char *name = without_scheme(given);
    know_package(s->import, given);
    if (name[0] == '/')
        return accept(s, name);
    const char *path =
        folder[0] == '/' ? accept(s, tn_import_print(s->import, "%s%s", folder, name)) : NULL;
    if (path != NULL)
        return path;
    path = try_path(s, folder_length(s->import->model), 0, folder, name);
    for (int part = 0; path == NULL && name != NULL && part < MOST_PARTS; part++) {
        path = look_up(s, "", name);
        name = strchr(name, '/');
        name = name != NULL ? name + 1 : NULL;
    }
    return path;
}

static bool is_taken(const tn_robot *robot, const char *name)
{
    for (int32_t i = 0; i < robot->mesh_count; i++) {
        if (robot->meshes[i].name != NULL && strcmp(robot->meshes[i].name, name) == 0)
            return true;
    }
    return false;
}

/* Does the name lead out of a folder, or say things that models may not? */
static bool is_plain(const char *name)
{
    return name[0] != '/' && strstr(name, "..") == NULL && strstr(name, "./") == NULL &&
           strstr(name, "//") == NULL && strchr(name, ':') == NULL && strchr(name, '\\') == NULL;
}

/* The shortest end of the path that begins with a folder and is no other mesh's; of what lies below the model's
 * folder all that is behind it. NULL: there is none. */
static const char *short_name(const tn_robot *robot, const char *path)
{
    const size_t folder = folder_length(robot->import->model);
    if (strncmp(path, robot->import->model, folder) == 0 && is_plain(path + folder) &&
        !is_taken(robot, path + folder))
        return path + folder;
    int slashes = 0;
    for (size_t i = strlen(path); i > 0; i--) {
        slashes += path[i - 1] == '/';
        if (path[i - 1] == '/' && slashes >= 2 && is_plain(path + i) && !is_taken(robot, path + i))
            return path + i;
    }
    return is_plain(path) && !is_taken(robot, path) ? path : NULL;
}

/* ---- what is not drawn ---- */

static void lose(tn_robot *robot, const tn_xml_element *element, tn_severity severity,
                 const char *name, const char *why, const char *hint)
{
    tn_import *import = robot->import;
    for (int32_t i = 0; i < robot->lost_count; i++) {
        if (strcmp(robot->lost[i].why, why) == 0) {
            robot->lost[i].count++;
            return;
        }
    }
    tn_robot_lost *grown =
        tn_import_push(import, robot->lost, robot->lost_count, sizeof *robot->lost);
    if (grown == NULL)
        return;
    robot->lost = grown;
    robot->lost[robot->lost_count++] = (tn_robot_lost){.why = tn_import_print(import, "%s", why),
                                                       .hint = hint,
                                                       .first = name,
                                                       .severity = severity,
                                                       .element = element,
                                                       .count = 1};
}

void tn_robot_tell_lost(tn_robot *robot)
{
    for (int32_t i = 0; i < robot->lost_count; i++) {
        const tn_robot_lost *l = &robot->lost[i];
        const char *others =
            l->count > 1 ? tn_import_print(robot->import, " and %d more", (int)l->count - 1) : "";
        (l->severity == TN_NOTE ? tn_xml_note : tn_xml_warning)(
            robot->import, l->element, "filename", l->hint,
            "the mesh '%.200s'%s: not drawn: %.200s", l->first, others, l->why);
    }
}

/* What a file is that is none of the meshes that are read. */
static void lose_file(tn_robot *robot, const tn_xml_element *element, const char *name,
                      const tn_diagnostics *found)
{
    const char *why = "it cannot be read";
    tn_severity severity = TN_WARNING;
    for (int32_t i = 0; i < tn_diagnostics_count(found); i++) {
        const tn_diagnostic *d = tn_diagnostics_get(found, i);
        if (d->severity == TN_ERROR) {
            severity = d->code == TN_ERROR_UNSUPPORTED ? TN_NOTE : TN_WARNING;
            why = severity == TN_NOTE ? "meshes are read from STL, OBJ and MSH files" : d->message;
            break;
        }
    }
    lose(robot, element, severity, name, why, NULL);
}

static bool copy_mesh(tn_robot *robot, const tn_mesh *read, tn_robot_mesh *mesh)
{
    tn_import *import = robot->import;
    mesh->vertices = tn_import_alloc(import, read->vertex_count, sizeof(tn_vec3));
    mesh->triangles = tn_import_alloc(import, read->triangle_count, sizeof(tn_triangle));
    if (mesh->vertices == NULL || mesh->triangles == NULL)
        return false;
    memcpy(mesh->vertices, read->vertices, (size_t)read->vertex_count * sizeof(tn_vec3));
    memcpy(mesh->triangles, read->triangles, (size_t)read->triangle_count * sizeof(tn_triangle));
    mesh->vertex_count = read->vertex_count;
    mesh->triangle_count = read->triangle_count;
    return true;
}

static void keep_mesh(tn_robot *robot, const tn_mesh *read, tn_robot_mesh *mesh)
{
    tn_import *import = robot->import;
    if (!copy_mesh(robot, read, mesh))
        return;
    mesh->name = short_name(robot, mesh->path);
    const char *noted = NULL;
    if (tn_spec_intern_file(import->spec, mesh->path, &noted) != TN_OK)
        import->status = TN_ERROR_MEMORY;
}

static const tn_robot_mesh *read_mesh(tn_robot *robot, const tn_xml_element *element,
                                      const char *path)
{
    tn_import *import = robot->import;
    tn_diagnostics *found = tn_diagnostics_create();
    tn_mesh read;
    const tn_status status = tn_mesh_read(path, &read, found);
    tn_robot_mesh *grown =
        tn_import_push(import, robot->meshes, robot->mesh_count, sizeof *robot->meshes);
    if (grown != NULL) {
        robot->meshes = grown;
        robot->meshes[robot->mesh_count] = (tn_robot_mesh){.path = path};
        if (status == TN_OK) {
            keep_mesh(robot, &read, &robot->meshes[robot->mesh_count]);
            if (read.triangle_count < LEAST_TRIANGLES || read.vertex_count < LEAST_TRIANGLES)
                lose(robot, element, TN_NOTE, path, "it has fewer than four triangles", NULL);
        } else {
            lose_file(robot, element, path, found);
        }
        robot->mesh_count++;
    }
    tn_mesh_free(&read);
    tn_diagnostics_destroy(found);
    return grown != NULL ? &robot->meshes[robot->mesh_count - 1] : NULL;
}

const tn_robot_mesh *tn_robot_make_mesh(tn_robot *robot, const char *key, const tn_vec3 *vertices,
                                        int32_t vertex_count, const tn_triangle *triangles,
                                        int32_t triangle_count)
{
    tn_robot_mesh *grown =
        tn_import_push(robot->import, robot->meshes, robot->mesh_count, sizeof *robot->meshes);
    if (grown == NULL)
        return NULL;
    robot->meshes = grown;
    tn_robot_mesh *mesh = &robot->meshes[robot->mesh_count++];
    *mesh = (tn_robot_mesh){.path = key};
    const tn_mesh from = {(tn_vec3 *)vertices, (tn_triangle *)triangles, vertex_count,
                          triangle_count};
    copy_mesh(robot, &from, mesh);
    return mesh;
}

const tn_robot_mesh *tn_robot_made_mesh(const tn_robot *robot, const char *key)
{
    for (int32_t i = 0; i < robot->mesh_count; i++) {
        if (strcmp(robot->meshes[i].path, key) == 0)
            return &robot->meshes[i];
    }
    return NULL;
}

static const tn_robot_mesh *or_none(const tn_robot_mesh *mesh)
{
    return mesh != NULL && mesh->triangle_count >= LEAST_TRIANGLES &&
                   mesh->vertex_count >= LEAST_TRIANGLES
               ? mesh
               : NULL;
}

const tn_robot_mesh *tn_robot_open_mesh(tn_robot *robot, tn_xml_element *element,
                                        const char *attribute, const char *folder)
{
    const char *name = tn_xml_needed(robot->import, element, attribute);
    search found = {.import = robot->import};
    const char *path = name != NULL ? find_file(&found, name, folder) : NULL;
    if (name == NULL)
        return NULL;
    if (path == NULL && found.outside) {
        lose(robot, element, TN_WARNING, name, "it lies outside of the model's folder and package",
             "--allow FOLDER lets files below another folder be read");
        return NULL;
    }
    if (path == NULL) {
        lose(robot, element, TN_WARNING, name, "there is no such file",
             "it is searched beside the model's file and in the folders above it");
        return NULL;
    }
    for (int32_t i = 0; i < robot->mesh_count; i++) {
        if (strcmp(robot->meshes[i].path, path) == 0)
            return or_none(&robot->meshes[i]);
    }
    return or_none(read_mesh(robot, element, path));
}

/* The mesh with its vertices stretched, and turned inside out again where that mirrors it. */
static void stretch(tn_robot *robot, const tn_robot_mesh *mesh, tn_vec3 scale, tn_shape_def *shape)
{
    tn_vec3 *vertices = tn_import_alloc(robot->import, mesh->vertex_count, sizeof *vertices);
    tn_triangle *triangles =
        tn_import_alloc(robot->import, mesh->triangle_count, sizeof *triangles);
    const bool mirrored = scale.x * scale.y * scale.z < 0.0;
    if (vertices == NULL || triangles == NULL)
        return;
    for (int32_t i = 0; i < mesh->vertex_count; i++) {
        const tn_vec3 v = mesh->vertices[i];
        vertices[i] = (tn_vec3){scale.x * v.x, scale.y * v.y, scale.z * v.z};
    }
    for (int32_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t *v = mesh->triangles[i].v;
        triangles[i] = mirrored ? (tn_triangle){{v[0], v[2], v[1]}} : mesh->triangles[i];
    }
    shape->vertices = vertices;
    shape->triangles = triangles;
    shape->scale = 1.0;
}

void tn_robot_add_mesh(tn_robot *robot, tn_robot_link *link, const tn_robot_mesh *mesh,
                       tn_vec3 scale, tn_pose pose, const tn_xml_element *element)
{
    tn_shape_def *shape = tn_robot_add_shape(robot, link, TN_SHAPE_MESH, pose, element);
    if (shape == NULL)
        return;
    shape->vertices = mesh->vertices;
    shape->vertex_count = mesh->vertex_count;
    shape->triangles = mesh->triangles;
    shape->triangle_count = mesh->triangle_count;
    shape->scale = scale.x;
    if (mesh->name != NULL && scale.x > 0.0 && scale.x == scale.y && scale.y == scale.z) {
        shape->file = mesh->name;
    } else {
        stretch(robot, mesh, scale, shape);
    }
}
