/* solid.h: elastic solids: meshes of tetrahedra, hexahedra and wedges, held by joints at sets of their nodes.
 *
 * Nodes are particles, bodies of the model with the names NAME[i], i the number of the node; the forces of
 * an element on its nodes follow from its material. A hold joins a set of nodes: to one rigid body of its own
 * (NAME.HOLD), to the ground, or to a frame (NAME.HOLD) that follows their mean motion and leaves them free to
 * deform. Joints, loads, markers and measures accept NAME.HOLD and NAME[i] like any body.
 *
 *     tn_solid_grid grid = {.size = {0.1, 0.02, 0.02}, .cells = {10, 2, 2}, .kind = TN_HEX20};
 *     tn_solid_mesh mesh;
 *     tn_status status = tn_solid_mesh_grid(&grid, &mesh);
 *     tn_solid_def def = tn_default_solid_def();
 *     def.name = "pad";
 *     def.mesh = &mesh;
 *     def.material = (tn_solid_material){.density = 1100, .young = 1e6, .poisson = 0.4};
 *     status = tn_spec_add_solid(spec, &def, diags, &pad);
 *
 * A solid may be reduced to few modes (def.modal): stiff parts of any shape at the price of some bodies.
 */
#ifndef TENON_SOLID_H
#define TENON_SOLID_H

#include "tenon/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Types of elements; nodes in the order of VTK and Abaqus. */
typedef enum tn_element_kind {
    TN_TET4,      /* tetrahedron of 4 corners: constant strain, too stiff in bending */
    TN_TET10,     /* with the middles of its edges: the choice for most meshes */
    TN_HEX8,      /* hexahedron of 8 corners: too stiff in bending */
    TN_HEX20,     /* with the middles of its edges */
    TN_HEX27,     /* and of its faces and its own */
    TN_WEDGE6,    /* triangular prism */
    TN_WEDGE15,   /* with the middles of its edges */
    TN_PYRAMID5,  /* between hexahedra and tetrahedra */
    TN_PYRAMID13, /* with the middles of its edges */
    TN_ELEMENT_KIND_COUNT
} tn_element_kind;

/* "tet4" ..; NULL: there is no such kind. */
TN_API const char *tn_element_kind_name(tn_element_kind kind);
/* Number of its nodes; 0: there is no such kind. */
TN_API int32_t tn_element_kind_nodes(tn_element_kind kind);
#define TN_MAX_ELEMENT_NODES 27

/* Elastic laws; formulas in docs/reference/solids.md. */
typedef enum tn_elastic_law {
    TN_LAW_LINEAR,    /* linear elastic at any rotation: small strain */
    TN_LAW_ST_VENANT, /* St Venant, Kirchhoff: softens where compressed below 0.58 of the length */
    TN_LAW_NEO_HOOKEAN, /* rubber at large strain */
    TN_LAW_MOONEY_RIVLIN,
    TN_LAW_COUNT
} tn_elastic_law;

/* "linear" ..; NULL: there is no such law. */
TN_API const char *tn_elastic_law_name(tn_elastic_law law);

/* Elastic constants at small strain, for every law. */
typedef struct tn_solid_material {
    tn_elastic_law law;
    double density; /* kg/m^3 */
    double young;   /* Pa */
    double poisson; /* ratio, less than 0.5 */
    double share;   /* of TN_LAW_MOONEY_RIVLIN: c2 / (c1 + c2), 0 .. 1 */
    double
        damping; /* s: stress by strain rates = this times the stress by equal strains; 0: none */
} tn_solid_material;

/* An element of a mesh. */
typedef struct tn_solid_element {
    tn_element_kind kind;
    int32_t line; /* of the mesh file, for messages; 0: none */
    int32_t nodes[TN_MAX_ELEMENT_NODES];
} tn_solid_element;

/* A named set of nodes of a mesh, and of elements with all nodes in it; no elements if the file has only sets of
 * nodes. */
typedef struct tn_node_set {
    const char *name;
    const int32_t *nodes;
    int32_t count;
    const int32_t *elements;
    int32_t element_count;
} tn_node_set;

/* Zero it, or fill it with tn_solid_mesh_grid or tn_solid_mesh_read (tenon/io.h); tn_solid_mesh_free frees it. */
typedef struct tn_solid_mesh {
    tn_vec3 *nodes; /* m, world */
    tn_solid_element *elements;
    tn_node_set *sets;
    int32_t node_count, element_count, set_count;
    const char *file; /* it was read from; NULL: none */
    void *block;      /* its memory */
} tn_solid_mesh;

/* Frees a mesh and zeroes it; a zeroed mesh is accepted. */
TN_API void tn_solid_mesh_free(tn_solid_mesh *mesh);
/* The set with this name; NULL: there is none. */
TN_API const tn_node_set *tn_solid_mesh_set(const tn_solid_mesh *mesh, const char *name);

/* A box of cells[] hexahedra (or wedges or tetrahedra cut from them), in its own axes from the origin to size.
 * Its faces are the sets x_min, x_max, y_min, y_max, z_min, z_max. */
typedef struct tn_solid_grid {
    tn_vec3 size; /* m */
    int32_t cells[3];
    tn_element_kind
        kind; /* TN_TET4, TN_TET10: six of them to a cell; TN_WEDGE6, TN_WEDGE15: two; TN_PYRAMID5,
                           * TN_PYRAMID13: six, with their tops in its middle */
} tn_solid_grid;
/* TN_ERROR_ARGUMENT: no size, no cells, more than TN_MAX_SOLID_NODES nodes. */
TN_API tn_status tn_solid_mesh_grid(const tn_solid_grid *grid, tn_solid_mesh *out);

/* Most nodes of a solid, free or held. */
#define TN_MAX_SOLID_NODES 50000

/* What a hold does with its nodes. */
typedef enum tn_patch_kind {
    TN_PATCH_RIGID, /* its nodes are points of a rigid body NAME.HOLD, which has their mass */
    TN_PATCH_FIXED, /* its nodes do not move */
    TN_PATCH_MEAN,  /* a frame NAME.HOLD follows their mean motion and has half of their mass */
    TN_PATCH_KIND_COUNT
} tn_patch_kind;

/* A set of nodes held together. */
typedef struct tn_solid_hold {
    const char *name;
    tn_patch_kind kind;
    const int32_t *nodes; /* [count] numbers of nodes; each in one hold at most */
    int32_t count;
} tn_solid_hold;

/* Part of the surface of a solid, for pressures (tenon/load.h): the faces with all corners among these nodes. */
typedef struct tn_solid_surface {
    const char *name;
    const int32_t *nodes; /* [count] */
    int32_t count;
} tn_solid_surface;

/* Elements with another material. */
typedef struct tn_solid_part {
    const int32_t *elements; /* [count] each in one part at most */
    int32_t count;
    tn_solid_material material;
} tn_solid_part;

/* A solid reduced to few modes: those of its interfaces, which are its holds, one of them displaced and the others at rest, and
 * those of its lowest frequencies while no hold moves (docs/reference/solids.md). Small strain, any rotation. Its nodes have no
 * bodies; all holds follow the mean motion of their nodes, also TN_PATCH_RIGID ones. */
#define TN_MOST_MODES 60

/* Mass of a modal body: as its displacements have it, or lumped at the nodes, as that of a solid whose nodes all move. */
typedef enum tn_mass_kind { TN_MASS_CONSISTENT, TN_MASS_LUMPED, TN_MASS_KIND_COUNT } tn_mass_kind;

typedef struct tn_solid_modal {
    int32_t modes;        /* of the lowest frequencies, 0 .. TN_MOST_MODES */
    double damping_ratio; /* of critical damping, of every mode; beside that of the material */
    tn_mass_kind mass;
} tn_solid_modal;

/* The definition of a solid. Fill it from tn_default_solid_def. */
typedef struct tn_solid_def {
    uint32_t cookie;
    const char *name;          /* required */
    const tn_solid_mesh *mesh; /* required; the caller keeps it; its shape has no stress */
    tn_solid_material material;
    const tn_solid_hold *holds; /* [hold_count] */
    int32_t hold_count;
    const tn_solid_surface *surfaces; /* [surface_count] */
    int32_t surface_count;
    const tn_solid_part *parts; /* [part_count] the other elements are of `material` */
    int32_t part_count;
    tn_twist velocity; /* m/s, rad/s: initial motion as a rigid body, about the world's origin */
    const tn_solid_modal *modal; /* NULL: every node moves by itself */
    tn_location at;
} tn_solid_def;

/* Linear material of 1000 kg/m^3 and Poisson ratio 0.3 with modulus 0; no name, mesh and holds; at rest. */
TN_API tn_solid_def tn_default_solid_def(void);

/* Adds a solid. TN_ERROR_INPUT: the diagnostics (may be NULL) list everything that is wrong, and nothing is added:
 * elements turned inside out, nodes without element, holds without nodes or with nodes of other holds, materials.
 * TN_ERROR_ARGUMENT: no valid definition; TN_ERROR_MEMORY. */
TN_API tn_status tn_spec_add_solid(tn_spec *spec, const tn_solid_def *def, tn_diagnostics *diags,
                                   tn_solid *out);
/* Number of solids. */
TN_API int32_t tn_spec_solid_count(const tn_spec *spec);
/* The name of a solid; NULL: no such solid. */
TN_API const char *tn_spec_solid_name(const tn_spec *spec, tn_solid solid);

/* The surface "SOLID.NAME". TN_ERROR_NOT_FOUND: there is none. */
TN_API tn_status tn_spec_find_surface(const tn_spec *spec, const char *name, tn_solid *solid,
                                      int32_t *surface);

/* Size of a solid in the spec. */
typedef struct tn_solid_size {
    int32_t nodes, elements, holds;
    int32_t
        free_nodes; /* bodies that it has beside its holds: nodes, or functions of a modal one */
    int32_t modes;  /* of the lowest frequencies, of a modal one */
    double volume, mass; /* m^3, kg */
    double quality;      /* worst of its elements, 1: a cube or a regular tetrahedron (docs) */
    int32_t worst;       /* that element */
} tn_solid_size;
/* The size of a solid; all 0 if there is no such solid. */
TN_API tn_solid_size tn_spec_solid_size(const tn_spec *spec, tn_solid solid);

/* Hz: natural frequency k of a modal solid whose holds are at rest, ascending from 0; NaN: there is none. */
TN_API double tn_spec_solid_frequency(const tn_spec *spec, tn_solid solid, int32_t k);

/* The body to which a node belongs (TN_GROUND_INDEX: it is fixed) and its place, m in the body's frame.
 * TN_ERROR_ARGUMENT: there is no such node; TN_ERROR_UNSUPPORTED: the nodes of a modal
 * solid have no bodies. */
TN_API tn_status tn_spec_solid_node(const tn_spec *spec, tn_solid solid, int32_t node,
                                    tn_body *body, tn_vec3 *point);

#ifdef __cplusplus
}
#endif
#endif
