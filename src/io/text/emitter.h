/* emitter.h: writes YAML: nested mappings in block style, lists of numbers in flow style.
 *
 * Room io/text. A mapping that turns out empty leaves no trace (or `key: {}` where it must be there),
 * because its heading is written only with its first entry.
 */
#ifndef TN_IO_TEXT_EMITTER_H
#define TN_IO_TEXT_EMITTER_H

#include "io/text/buffer.h"
#include "tenon/spec.h"

/* Deepest nesting: bodies, a body, shapes, a shape, its kind, and one to spare. */
#define TN_EMITTER_DEPTH 8

typedef struct tn_emitter {
    tn_buffer out;
    const tn_spec *spec;
    const tn_joint_type_info *type; /* of the joint being written */
    tn_joint_own_info own_type;     /* what it points to when the joint has its own */
    uint32_t placement;             /* bit of the way in which it is placed */
    struct {
        const char *key; /* NULL: an entry of a list */
        int32_t indent;
        int32_t written; /* its heading is */
    } open[TN_EMITTER_DEPTH];
    int32_t depth;
    int32_t dash; /* the next line starts with this entry's dash */
} tn_emitter;

/* Begins `key:` with entries to come; key NULL: `- ` of a list. key must stay until the end. */
void tn_emit_open(tn_emitter *emitter, const char *key);
/* Ends it. keep: an empty one is written as `key: {}`. */
void tn_emit_close(tn_emitter *emitter, int keep);

/* Begins the line `key: `; the value and tn_emit_end follow. */
void tn_emit_key(tn_emitter *emitter, const char *key);
void tn_emit_end(tn_emitter *emitter);

/* Values. */
void tn_emit_number(tn_emitter *emitter, double value); /* infinity too */
void tn_emit_numbers(tn_emitter *emitter, const double *values, int32_t count);
void tn_emit_text(tn_emitter *emitter, const char *text);
void tn_emit_raw(tn_emitter *emitter, const char *text);

#endif
