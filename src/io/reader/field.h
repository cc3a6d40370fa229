/* field.h: the tables that describe the model format.
 *
 * Room io/reader. A table says which keys a section has; a field says what one key means: its kind, where
 * its value goes in the section's structure, its unit and one sentence of documentation. The
 * reader, the writer, the unknown-key check and the JSON Schema all walk the same tables
 * (tables.c). A kind is three functions, one for each of those.
 */
#ifndef TN_IO_READER_FIELD_H
#define TN_IO_READER_FIELD_H

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

typedef struct tn_reader tn_reader;
typedef struct tn_emitter tn_emitter;
typedef struct tn_json tn_json;
typedef struct tn_field tn_field;

typedef struct tn_field_kind {
    /* Reads the node into the section's structure; problems are reported, the value then stays. */
    void (*read)(tn_reader *reader, const tn_field *field, int32_t node, void *target);
    /* Writes `key: value`, or nothing when the value is that of `initial` (the defaults). */
    void (*write)(tn_emitter *emitter, const tn_field *field, const void *source,
                  const void *initial);
    /* Writes the schema of the value, as the members of a JSON object already begun. */
    void (*schema)(tn_json *json, const tn_field *field);
} tn_field_kind;

enum {
    TN_FIELD_REQUIRED = 1,
    TN_FIELD_ANGLE = 2,     /* numbers are in the file's unit of angle */
    TN_FIELD_GROUND = 4,    /* a body that may be `ground` */
    TN_FIELD_READ_ONLY = 8, /* an alternative spelling: the writer uses another field */
    TN_FIELD_SPACE = 16     /* three numbers in a planar world too */
};

struct tn_field {
    const char *key;
    const tn_field_kind *kind;
    size_t offset;       /* of the value in the section's structure */
    const char *unit;    /* as documented, or NULL */
    const char *measure; /* unit that its numbers must have the dimension of; NULL: as documented */
    const char *doc;     /* one sentence */
    const void *extra;   /* what the kind needs beside this: a table, a list of words, ... */
    const char *group;   /* at most one field of a group may be given; NULL: no group */
    uint32_t flags;      /* TN_FIELD_... */
    const char *or_key;  /* of a required field: a key that may be given instead; NULL: none */
    const char *or_other; /* another such key */
    uint32_t placements;  /* fields that place a joint: bit per tn_placement they serve */
};

#define TN_NO_SECTION (-1)

typedef struct tn_table {
    const char *instead; /* pattern of a text that may stand for the whole item; mostly NULL */
    const char *name;    /* "pose": name of its definition in the schema; NULL: none of its own */
    const char *title;   /* "a pose", for messages */
    int32_t section; /* tn_section of a single section with fields of its own, or TN_NO_SECTION */
    const tn_field *fields;
    int32_t field_count; /* at most 64: the fields that were read are a bit set */
    /* Takes a key that no field has; answers 1 if it was one. NULL: there are none. */
    int (*read_other)(tn_reader *reader, int32_t key, int32_t value, void *target);
    void (*write_other)(tn_emitter *emitter, const void *source);
    /* Members of the schema beside `properties`: conditions, further keys. */
    void (*schema_other)(tn_json *json);
    /* Further keys, for suggestions: NULL after the last one. */
    const char *(*other_key)(const tn_reader *reader, int32_t index);
} tn_table;

/* A row of such an array begins with its key, the kind of its value (tn_field_KIND), and where that
 * goes, if to one place. */
#define TN_FIELD(name, kind_name, owner, member)                                                   \
    TN_KEY(name, kind_name), .offset = offsetof(owner, member)
#define TN_KEY(name, kind_name) .key = name, .kind = &tn_field_##kind_name

/* The fields of a table, from an array of them. */
#define TN_FIELDS(array) .fields = (array), .field_count = (int32_t)TN_COUNT_OF(array)

/* One of a fixed list of words. */
typedef struct tn_words {
    const char *(*word)(int32_t index); /* NULL after the last one */
} tn_words;

/* A section that maps names to items: bodies, joints, ... */
typedef struct tn_item_class {
    const char *what; /* "body" */
    int32_t section;  /* tn_section */
    const tn_table *table;
    /* Reads the items' bodies: sets defaults, reads the table, adds to the spec. */
    void (*read)(tn_reader *reader, const struct tn_item_class *item_class, int32_t key,
                 int32_t value);
    int32_t (*count)(const tn_emitter *emitter);
    void (*write)(tn_emitter *emitter, const struct tn_item_class *item_class, int32_t index);
} tn_item_class;

/* field_basic.c */
extern const tn_field_kind tn_field_number, tn_field_count, tn_field_text, tn_field_word,
    tn_field_names, tn_field_truth, tn_field_switch, tn_field_table, tn_field_items,
    tn_field_version, tn_field_angle_unit;
/* field_parts.c */
extern const tn_field_kind tn_field_parameters, tn_field_include, tn_field_parts,
    tn_field_instances, tn_field_repeat, tn_field_part;
/* field_vector.c */
extern const tn_field_kind tn_field_world, tn_field_vector, tn_field_spin, tn_field_turn;
/* field_pose.c, field_mass.c, field_shape.c */
/* field_rotation.c */
extern const tn_field_kind tn_field_matrix, tn_field_two_axes;
extern const tn_field_kind tn_field_quaternion, tn_field_axis_angle, tn_field_rpy, tn_field_inertia,
    tn_field_material, tn_field_shapes;
/* field_function.c */
extern const tn_field_kind tn_field_function;
/* field_joint.c, field_coordinates.c, field_rows.c */
extern const tn_field_kind tn_field_body, tn_field_joint_type, tn_field_coordinates,
    tn_field_ranges, tn_field_locks, tn_field_rows, tn_field_inverse, tn_field_inverse_rows;
/* field_flexible.c */
extern const tn_field_kind tn_field_bounded, tn_field_sides, tn_field_corners, tn_field_elastic,
    tn_field_rigid;
/* field_solid.c */
extern const tn_field_kind tn_field_solid, tn_field_node_sets, tn_field_region, tn_field_cells,
    tn_field_holds, tn_field_surfaces, tn_field_regions;
/* field_joint_data.c */
extern const tn_field_kind tn_field_points, tn_field_own_coordinates, tn_field_axes;
/* field_drive.c */
extern const tn_field_kind tn_field_drives;
/* field_connector.c */
extern const tn_field_kind tn_field_block, tn_field_pull, tn_field_flag;
/* field_record.c */
extern const tn_field_kind tn_field_flags, tn_field_selection;

#endif
