/* volume.h: room io/solid: meshes of solid elements from files: Gmsh (.msh 2.2 and 4.1, ASCII), Abaqus and CalculiX (.inp), VTK
 * (.vtk, legacy ASCII; .vtu, ASCII).
 *
 * In: a file's bytes. Out: a tn_solid_mesh: its nodes in the order of the file, those that no solid element has left out;
 * solid elements; sets of nodes under the names of groups. Or located messages, and no mesh.
 */
#ifndef TN_IO_SOLID_VOLUME_H
#define TN_IO_SOLID_VOLUME_H

#include "base/arena.h"
#include "base/names.h"
#include "element/element.h"
#include "io/mesh/mesh_text.h"
#include "tenon/io.h"

/* A node as the file numbers it. */
typedef struct tn_volume_node {
    int64_t tag;
    tn_vec3 p;
} tn_volume_node;

typedef struct tn_volume_element {
    int64_t tag;
    tn_element_kind kind;
    int32_t line;
    int64_t nodes[TN_ELEMENT_NODES]; /* tags */
} tn_volume_element;

/* In a set: a node, by its tag, or an element, by its index. */
typedef struct tn_volume_member {
    int32_t set;
    bool is_element;
    int64_t of;
} tn_volume_member;

/* What has been read. Lists grow. */
typedef struct tn_volume {
    const char *name; /* of the file */
    tn_diagnostics *diags;
    tn_volume_node *nodes;
    int32_t node_count, node_capacity;
    tn_volume_element *elements;
    int32_t element_count, element_capacity;
    tn_volume_member *members;
    int32_t member_count, member_capacity;
    tn_names sets; /* value: their number */
    int32_t problems;
} tn_volume;

/* Reports a problem at a place; TN_ERROR_INPUT. */
tn_status tn_volume_refuse(tn_volume *v, tn_location at, const char *what);

tn_status tn_volume_add_node(tn_volume *v, int64_t tag, tn_vec3 p);
tn_status tn_volume_add_element(tn_volume *v, const tn_volume_element *element);
tn_status tn_volume_add_member(tn_volume *v, tn_volume_member member);
/* The set of a name without zero bytes, made if there is none; negative: out of memory. */
int32_t tn_volume_set(tn_volume *v, const char *name, size_t length);

/* The next number of the text; false: there is none, which is reported. */
bool tn_volume_integer(tn_volume *v, tn_mesh_text *text, int64_t *value);
bool tn_volume_real(tn_volume *v, tn_mesh_text *text, double *value);
bool tn_volume_point(tn_volume *v, tn_mesh_text *text, tn_vec3 *p);

/* One reader a format. */
tn_status tn_volume_read_gmsh(tn_volume *v, tn_mesh_text *text);
tn_status tn_volume_read_abaqus(tn_volume *v, tn_mesh_text *text);
tn_status tn_volume_read_vtk(tn_volume *v, tn_mesh_text *text);
tn_status tn_volume_read_vtu(tn_volume *v, tn_mesh_text *text);

/* An element by the number of its type in VTK; one of less than three dimensions is left out. */
tn_status tn_volume_add_vtk_cell(tn_volume *v, int64_t type, int64_t count, const int64_t *nodes,
                                 int32_t line);

#endif
