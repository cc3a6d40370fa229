/* reader.h: what the reading functions of all field kinds share.
 *
 * Room io/reader. One reader reads one text. Problems are collected, not returned: a function that meets
 * one reports it with tn_problem and leaves the value at its default, so that all problems of a
 * file are found in one go.
 */
#ifndef TN_IO_READER_READER_H
#define TN_IO_READER_READER_H

#include "base/arena.h"
#include "base/names.h"
#include "io/reader/field.h"
#include "io/text/scalar.h"
#include "io/tree/tree.h"
#include "quantity/quantity.h"
#include "spec/spec_internal.h"

/* What the top level of a file fills. */
typedef struct tn_file_head {
    tn_world_def world;
    tn_simulation_def simulation;
    tn_record_def record;
} tn_file_head;

typedef enum tn_parameter_state {
    TN_PARAMETER_NEW,
    TN_PARAMETER_BUSY, /* its value is being found */
    TN_PARAMETER_KNOWN,
    TN_PARAMETER_BROKEN /* it has none, which has been reported */
} tn_parameter_state;

/* A parameter, or the index of a repetition (scope.h). */
typedef struct tn_parameter_slot {
    const char *name;
    const char *text; /* from the command line, or NULL */
    int32_t node;     /* its value in the file, or TN_NO_NODE */
    int32_t mapping;  /* where it stands */
    int32_t seen;     /* scope of the names in its value */
    int32_t next;     /* of the same scope */
    tn_parameter_state state;
    bool used;
    int32_t count;   /* of a list, 0: none */
    tn_value *items; /* [count] */
    tn_value value;  /* of a list: count 0, its length in v[0] */
} tn_parameter_slot;

typedef struct tn_scope {
    int32_t around;
    int32_t first, last; /* parameters */
    int32_t slots_before;
} tn_scope;

typedef struct tn_scopes {
    tn_scope *scopes;
    int32_t count, capacity;
    tn_parameter_slot *slots;
    int32_t slot_count, slot_capacity;
    int32_t stack[128]; /* parameters whose values are being found */
    int32_t depth;
} tn_scopes;

/* What the coordinate being read is. */
typedef enum tn_coordinate_kind {
    TN_COORDINATE_UNKNOWN,
    TN_COORDINATE_LENGTH,
    TN_COORDINATE_ANGLE
} tn_coordinate_kind;

typedef struct tn_frame tn_frame;
typedef struct tn_definition tn_definition;

/* A node for which a problem has been reported, and in which repetition. */
typedef struct tn_told {
    int32_t node, repetition;
} tn_told;

/* A formula of a measure whose measures are looked up when all are known (field_formula.c). */
typedef struct tn_waiting_formula {
    int32_t measure, node, frame;
} tn_waiting_formula;

/* NaN: not given, or its definition was bad. */
typedef struct tn_material {
    double density; /* kg/m^3 */
    double young;   /* Pa */
    double poisson; /* ratio */
    double damping; /* s */
    int32_t law;    /* tn_elastic_law, of solids */
    double share;   /* of its second constant; NaN: 0 */
} tn_material;

struct tn_reader {
    const tn_tree *tree;
    tn_spec *spec;
    tn_diagnostics *found;   /* problems in the order they were found */
    int32_t problems;        /* how many in all; found holds the first TN_MAX_PROBLEMS of them */
    int32_t costly_searches; /* searches for a similar name among all items so far */
    tn_status status;        /* TN_ERROR_MEMORY once memory ran out */
    tn_waiting_formula *waiting; /* [waiting_count] */
    int32_t waiting_count, waiting_capacity;
    double angle; /* rad per unit of angle of the file being read */
    tn_scopes scopes;
    int32_t scope;    /* of the formulas being read */
    tn_frame *frames; /* the model and the instances of parts (frame.h) */
    int32_t frame_count, frame_capacity;
    int32_t frame; /* being read */
    tn_definition *definitions;
    int32_t definition_count, definition_capacity;
    const char *item_name; /* full name of the item being read, with its index */
    int32_t repetition;    /* counts how often items of repetitions and of frames are read */
    tn_told *told;
    int32_t told_count, told_capacity;
    int32_t untold; /* problems that are the same as before in another repetition */
    int planar;     /* the file says `world: planar` */
    tn_arena arena; /* lists and texts until the spec has copied them */
    tn_names names[TN_SECTION_COUNT]; /* of bodies, joints and markers: index by name */
    tn_names materials;
    tn_material *matter; /* [material_count] */
    int32_t material_count, material_capacity;
    int32_t *material_uses; /* [material_count] key of each, TN_NO_NODE once something uses it */
    int32_t use_capacity;

    /* The item being read, for messages and places. */
    const char *what; /* "body"; NULL outside items */
    const char *name; /* NULL for single sections */
    tn_section section;
    int32_t item;
    int32_t field_place;                /* place of the item's field being read; -1: none */
    int32_t sub_place;                  /* place of the coordinate or row being read; -1: none */
    const tn_joint_type_info *type;     /* of the joint being read; NULL: unknown */
    tn_joint_own_info own_type;         /* what it points to when the joint has its own */
    double coordinate_unit;             /* rad or m per unit of the coordinate being read */
    tn_coordinate_kind coordinate_kind; /* of the same; unknown between them */
};

/* Reports a problem at a node, which also marks the place of the field being read as bad. The
 * message is preceded by the item: "body 'link0': ...". hint may be NULL. */
void tn_problem(tn_reader *reader, int32_t node, const char *hint, const char *format, ...)
    TN_PRINTF(4, 5);

/* The same at byte `at` of a scalar's text, where that can be pointed at. */
void tn_problem_inside(tn_reader *reader, int32_t node, size_t at, const char *hint,
                       const char *format, ...) TN_PRINTF(5, 6);
/* The same without a place: of what does not stand in a file. */
void tn_problem_nowhere(tn_reader *reader, const char *hint, const char *format, ...)
    TN_PRINTF(3, 4);

/* Marks the place of the field being read as bad without saying anything. */
void tn_mark_bad(tn_reader *reader);

/* Whether one more search through all names is worth its time: for so many problems only. */
bool tn_may_search(tn_reader *reader);

/* What a node is, for "..., not a list": "a list", "the text 'abc'", "nothing". In buffer. */
#define TN_DESCRIPTION_SIZE 80
const char *tn_describe(const tn_reader *reader, int32_t node, char *buffer);

/* Reports "'key' must be WANTED, not WHAT IT IS"; hint may be NULL. */
void tn_wrong_type(tn_reader *reader, int32_t node, const char *key, const char *wanted,
                   const char *hint);

tn_location tn_node_location(const tn_reader *reader, int32_t node);

/* Notes where a field of the current item is; later problems mark it. sub: TN_WHOLE_FIELD or index
 * of a coordinate or row. */
void tn_begin_field(tn_reader *reader, const char *key, int32_t node);
void tn_begin_sub(tn_reader *reader, const char *key, int32_t sub, int32_t node);
/* Notes a field that is not there although it should: no function need complain about it again. */
void tn_note_bad(tn_reader *reader, const char *key, int32_t node);

/* Each reports and answers 0 when the node is not as wanted. Numbers with a unit: number.h. */
int tn_read_number(tn_reader *reader, int32_t node, const char *key, double *value);
int tn_read_numbers(tn_reader *reader, int32_t node, const char *key, int32_t count,
                    double *values); /* a list of exactly count */
int tn_read_text(tn_reader *reader, int32_t node, const char *key, const char **text);
int tn_want_mapping(tn_reader *reader, int32_t node, const char *key);
int tn_want_sequence(tn_reader *reader, int32_t node, const char *key);

/* The scalar as number, bool, ... Quoted scalars and containers are texts. */
tn_scalar tn_node_scalar(const tn_reader *reader, int32_t node);

/* Reads a mapping by a table into target. owner is where a missing key is reported. Returns a bit
 * for each field that was there. */
uint64_t tn_read_table(tn_reader *reader, const tn_table *table, int32_t node, int32_t owner,
                       void *target);

/* Sets the unit and the kind of the coordinate that is read next. */
static inline void tn_begin_coordinate(tn_reader *reader, int angular)
{
    reader->coordinate_unit = angular ? reader->angle : 1.0;
    reader->coordinate_kind = angular ? TN_COORDINATE_ANGLE : TN_COORDINATE_LENGTH;
}

/* Changes the item being read; what it was before is put into *saved, for tn_leave. what may be
 * NULL: messages then have no item in front. */
typedef struct tn_saved {
    const char *what, *name;
    tn_section section;
    int32_t item, field_place, sub_place;
} tn_saved;
void tn_enter(tn_reader *reader, tn_saved *saved, tn_section section, int32_t item,
              const char *what, const char *name);
void tn_leave(tn_reader *reader, const tn_saved *saved);

/* Reports a name that is not among these, with those that are. */
void tn_report_unknown(tn_reader *reader, int32_t node, const tn_names *names, const char *what,
                       const char *name);
/* Looks up an item by the name in a node; unknown ones are reported with the nearest name. */
int tn_read_reference(tn_reader *reader, int32_t node, const char *key, const tn_names *names,
                      const char *what, int32_t *index);

/* Memory until the end of reading; NULL marks the reader as out of memory. */
void *tn_reader_alloc(tn_reader *reader, int32_t count, size_t item_size);

static inline const tn_node *tn_get(const tn_reader *reader, int32_t node)
{
    return &reader->tree->nodes[node];
}

/* Loops over the children of a container: TN_EACH(reader, list, child) { ... } */
#define TN_EACH(reader, container, child)                                                          \
    for (int32_t child = tn_get((reader), (container))->first; child != TN_NO_NODE;                \
         child = tn_get((reader), child)->next)

/* Loops over the keys of a mapping; the value is the key's `next`. */
#define TN_EACH_KEY(reader, mapping, key)                                                          \
    for (int32_t key = tn_get((reader), (mapping))->first; key != TN_NO_NODE;                      \
         key = tn_get((reader), tn_get((reader), key)->next)->next)

#endif
