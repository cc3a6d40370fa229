/* spec_internal.h: the inside of a spec and what the reader sets beyond the public interface.
 *
 * Room spec. A spec is four growing lists of entries plus the three single definitions. Every
 * entry owns ONE block of memory that holds everything its definition points to, so adding either
 * takes one block or takes nothing.
 *
 * Places: for messages that point at a field rather than at its item, the reader notes where each
 * field was written. Item by item in ascending order, so finding one is a binary search.
 *
 * In: definitions and where each was written. Out: lists of them that know their places; nothing
 * is checked here but what cannot be copied.
 */
#ifndef TN_SPEC_SPEC_INTERNAL_H
#define TN_SPEC_SPEC_INTERNAL_H

#include <stdbool.h>

#include "base/base.h"
#include "base/names.h"
#include "reduce/reduced.h"
#include "tenon/load.h"
#include "tenon/measure.h"
#include "tenon/parameter.h"
#include "tenon/solid.h"
#include "tenon/spec.h"

/* Random numbers that no forgotten initialisation hits; different for each type, so that a
 * definition cast to another type is caught too. */
enum {
    TN_COOKIE_WORLD = 0x5d3a91c7,
    TN_COOKIE_BODY = 0x2f8be04d,
    TN_COOKIE_JOINT = 0x71c60f39,
    TN_COOKIE_DRIVE = 0x1d84a3f7,
    TN_COOKIE_MARKER = 0x48e2d5a3,
    TN_COOKIE_SIMULATION = 0x3b17f86e,
    TN_COOKIE_RECORD = 0x66a94c1b,
    TN_COOKIE_COUPLING = 0x1c75d2e9,
    TN_COOKIE_PULLEY = 0x0e94b765,
    TN_COOKIE_LOAD = 0x53c8d21f,
    TN_COOKIE_MEASURE = 0x2a97be65,
    TN_COOKIE_BEAM = 0x4b91d76e,
    TN_COOKIE_CABLE = 0x37e5a082,
    TN_COOKIE_SOLID = 0x7a30c5d4
};

/* What every entry has. */
typedef struct tn_mark {
    uint32_t of; /* of ids that name it */
    bool removed;
} tn_mark;

typedef struct tn_body_entry {
    tn_body_def def;
    void *block;
    tn_mark mark;
} tn_body_entry;

typedef struct tn_joint_entry {
    tn_joint_def def;
    void *block;
    tn_mark mark;
} tn_joint_entry;

typedef struct tn_marker_entry {
    tn_marker_def def;
    void *block;
    tn_mark mark;
} tn_marker_entry;

typedef struct tn_coupling_entry {
    tn_coupling_def def;
    void *block;
    tn_mark mark;
} tn_coupling_entry;

typedef struct tn_load_entry {
    tn_load_def def;
    void *block;
    tn_mark mark;
} tn_load_entry;

typedef struct tn_measure_entry {
    tn_measure_def def;
    void *block;
    tn_mark mark;
} tn_measure_entry;

/* Where a node of a solid is: a point of a body, m in the body's frame; in the world for ground. */
typedef struct tn_solid_place {
    int32_t body;
    tn_vec3 point;
} tn_solid_place;

/* Places list[first] .. list[first + count - 1] of a solid, which a frame follows that a joint holds. */
typedef struct tn_mean_set {
    int32_t joint, first, count;
} tn_mean_set;

typedef struct tn_solid_face {
    int32_t element, number;
} tn_solid_face;

/* Faces faces[first] .. faces[first + count - 1] of a solid. */
typedef struct tn_surface_entry {
    const char *name;
    int32_t first, count;
} tn_surface_entry;

/* What a modal solid is reduced to (reduce/reduce.h). */
typedef struct tn_modal_entry {
    int32_t functions, modes;
    const double *shape;     /* [size.nodes][functions] */
    const tn_vec3 *rest;     /* [functions] m */
    const double *K, *D;     /* [3 functions][3 functions]; D NULL: none */
    const double *frequency; /* [modes] Hz, ascending, with interfaces held */
    tn_stiffening stiffening;
} tn_modal_entry;

typedef struct tn_solid_entry {
    const char *name;
    const tn_solid_material *materials; /* [material_count] */
    const int32_t *material_of;         /* [size.elements] */
    int32_t material_count;
    tn_location at;
    tn_solid_size size;
    const tn_vec3 *rest;          /* [size.nodes] m, without stress */
    const tn_modal_entry *modal;  /* NULL: its nodes move by themselves */
    const tn_solid_place *places; /* [place_count] of its nodes, or of what it is reduced to */
    int32_t place_count;
    const tn_solid_element *elements; /* [size.elements] */
    const tn_mean_set *means;         /* [mean_count] */
    int32_t mean_count;
    const int32_t *list;              /* places of the mean sets ... */
    const double *weights;            /* ... by how much they count; those of a set add up to 1 */
    const tn_vec3 *arms;              /* ... and their arms (element/mean.h), m */
    const tn_surface_entry *surfaces; /* [surface_count] */
    const tn_solid_face *faces;       /* of the surfaces */
    int32_t surface_count;
    void *block;
} tn_solid_entry;

/* The sections of a model whose fields have places. */
typedef enum tn_section {
    TN_SECTION_WORLD,
    TN_SECTION_BODY,
    TN_SECTION_JOINT,
    TN_SECTION_MARKER,
    TN_SECTION_COUPLING,
    TN_SECTION_LOAD,
    TN_SECTION_MEASURE,
    TN_SECTION_SIMULATION,
    TN_SECTION_RECORD,
    TN_SECTION_COUNT
} tn_section;

/* Where a field of an item was written. */
typedef struct tn_place {
    const char *key; /* static string */
    int32_t item;    /* index of the body, joint, marker or coupling; otherwise 0 */
    int32_t sub; /* index of a coordinate, row, shape or term within the field, or TN_WHOLE_FIELD */
    int32_t line;   /* from 1 */
    int32_t column; /* from 1 */
    int32_t bad;    /* 1: already reported, the field holds its default */
} tn_place;

#define TN_WHOLE_FIELD (-1)

typedef struct tn_place_list {
    tn_place *places;
    int32_t count;
    int32_t capacity;
} tn_place_list;

/* A point mass, in space or in the plane: it has no orientation that changes. */
static inline bool tn_kind_is_point(tn_body_kind kind)
{
    return kind == TN_BODY_PARTICLE || kind == TN_BODY_PLANAR_PARTICLE;
}

/* A body that stays in its plane. */
static inline bool tn_kind_is_flat(tn_body_kind kind)
{
    return kind == TN_BODY_PLANAR || kind == TN_BODY_PLANAR_PARTICLE;
}

struct tn_spec {
    tn_world_def world;
    void *world_block;
    tn_simulation_def simulation;
    tn_record_def record;
    void *record_block;

    tn_body_entry *bodies;
    int32_t body_count, body_capacity;
    tn_joint_entry *joints;
    int32_t joint_count, joint_capacity;
    tn_marker_entry *markers;
    int32_t marker_count, marker_capacity;
    tn_coupling_entry *couplings;
    int32_t coupling_count, coupling_capacity;
    tn_load_entry *loads;
    int32_t load_count, load_capacity;
    tn_measure_entry *measures;
    int32_t measure_count, measure_capacity;
    tn_solid_entry *solids;
    int32_t solid_count, solid_capacity;

    tn_names files; /* every location.file and every file that was read once; value: its index */

    tn_parameter *parameters;
    int32_t parameter_count, parameter_capacity;
    tn_arena parameter_texts;
    int32_t file_count;      /* model files it was read from */
    const char *refused;     /* the last call that refused what it was given; NULL: none did */
    bool foreign;            /* read from a format that cannot say where coordinates start */
    tn_diagnostics *remarks; /* what the reader found odd, for tn_sim_lint; NULL: nothing */

    tn_place_list places[TN_SECTION_COUNT];
};

/* Notes a call that refuses its definition: compiling reports it. TN_ERROR_ARGUMENT. */
static inline tn_status tn_spec_refuse(tn_spec *spec, const char *call)
{
    spec->refused = call;
    return TN_ERROR_ARGUMENT;
}

/* The kind of a body as it is built: in a planar world a particle stays in the plane. */
static inline tn_body_kind tn_built_kind(const tn_world_def *world, tn_body_kind kind)
{
    return kind == TN_BODY_PARTICLE && world->kind == TN_WORLD_PLANAR ? TN_BODY_PLANAR_PARTICLE
                                                                      : kind;
}

/* The spec's own copy of a file name; NULL stays NULL. */
TN_SIBLING tn_status tn_spec_intern_file(tn_spec *spec, const char *file, const char **out);

/* The joints of a pulley's two sides, its name given, and their terms of the coupling. */
TN_SIBLING tn_status tn_spec_add_pulley_sides(tn_spec *spec, const tn_pulley_def *def,
                                              tn_coupling_term terms[2]);

/* Notes a parameter with copies of its texts. */
TN_SIBLING tn_status tn_spec_note_parameter(tn_spec *spec, const tn_parameter *parameter);
void tn_spec_free_parameters(tn_spec *spec);

/* Where remarks go, made on first use; NULL when out of memory. */
TN_SIBLING tn_diagnostics *tn_spec_remarks(tn_spec *spec);

/* Notes where a field was written. Items of a section in ascending order. */
TN_SIBLING tn_status tn_spec_note_place(tn_spec *spec, tn_section section, const tn_place *place);

/* The last noted place of a field, NULL when there is none. */
const tn_place *tn_spec_find_place(const tn_spec *spec, tn_section section, int32_t item,
                                   const char *key, int32_t sub);
/* Of a key and another with the same meaning, its inverse, the one that was written; key if none was. */
const char *tn_spec_written_key(const tn_spec *spec, tn_section section, int32_t item,
                                const char *key, const char *other);

/* remove.c: places of a list, of what was removed too. */
int32_t tn_spec_count(const tn_spec *spec, tn_section section);

/* ids.c: the mark of a new item; type may be NULL; what: its kind, or the bodies it joins. */
tn_mark tn_mark_of(tn_section section, const char *name, const char *type, const int32_t what[2]);
const tn_mark *tn_spec_mark(const tn_spec *spec, tn_section section, int32_t index);
/* Is, or was, that in this place what an id names? */
bool tn_spec_had(const tn_spec *spec, tn_section section, int32_t index, uint32_t of);
/* Has the item been removed? Its place stays, taken by one that does nothing. */
TN_SIBLING bool tn_spec_is_removed(const tn_spec *spec, tn_section section, int32_t index);

/* measure.c: another formula for a measure. */
TN_SIBLING tn_status tn_spec_set_formula(tn_spec *spec, int32_t measure, const char *formula);

#endif
