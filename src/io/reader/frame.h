/* frame.h: the owner of the items that are read: the model, or an instance of a part.
 *
 * Room io/reader. Frame 0 is the model; every instance of a part is a frame within another. A frame has
 * the mappings with its items (a part's own and those it includes), a scope for formulas, a
 * prefix for names ("leg[3].") and a placement. A name is looked up in the frame that uses
 * it, then in the ones around it.
 */
#ifndef TN_IO_READER_FRAME_H
#define TN_IO_READER_FRAME_H

#include "io/reader/reader.h"

/* The mappings of a part, or of the model. */
typedef struct tn_definition {
    int32_t owner;     /* the mapping that was written first: names it */
    int32_t *mappings; /* [count] */
    int32_t count, capacity;
} tn_definition;

typedef struct tn_frame {
    int32_t around; /* frame, -1 of the model itself */
    int32_t definition;
    int32_t scope;
    const char *prefix;
    bool placed;  /* pose is not the identity */
    tn_pose pose; /* in the world */
} tn_frame;

/* Sets the frame that is read from now on. */
void tn_frame_enter(tn_reader *reader, int32_t frame);

/* The key of a mapping, TN_NO_NODE when there is none or when it is no mapping. */
int32_t tn_find_key(const tn_reader *reader, int32_t mapping, const char *name);

/* The full name of something in the frame being read; index < 0: not one of a repetition. NULL: out
 * of memory. */
const char *tn_full_name(tn_reader *reader, const char *name, int32_t index);

/* The prefix of the names in an instance: its own full name and a point. NULL: out of memory. */
const char *tn_prefix_of(tn_reader *reader, const char *instance);

/* A text with the values of the formulas between the brackets behind its names, crank[k+1] as
 * crank[3]; NULL after a complaint. The text begins `skip` bytes into the scalar at a node. */
const char *tn_expand_indices(tn_reader *reader, int32_t node, size_t skip, const char *text,
                              size_t length);

/* Index of the item that a text in this frame means, TN_NO_NAME when there is none. Formulas in
 * brackets are replaced by their values; *text is then what was looked up, NULL when a formula has
 * no value, which has been reported. */
int32_t tn_find_item(tn_reader *reader, const tn_names *names, int32_t node, const char **text,
                     size_t length);

/* Hint for an unknown name of which items with an index, or with other indices, exist; NULL: there are none. */
const char *tn_hint_of_index(tn_reader *reader, const tn_names *names, const char *name,
                             char hint[TN_HINT_SIZE]);

/* The repetition of an item: the name of its index and the values it takes. */
typedef struct tn_repeat {
    const char *index;
    int32_t first, last; /* both included; first > last: never */
} tn_repeat;

/* Reads 4, [1, 4] or {k: 4} or {k: [1, 4]}; returns false after reporting if it is none of these. */
bool tn_read_repeat(tn_reader *reader, int32_t node, tn_repeat *out);

/* True if the model may have all rounds of a repetition; called before any is made. Else reports it at node. */
bool tn_repeat_fits(tn_reader *reader, const tn_repeat *repeat, int32_t node);

/* The scope of one round: the index has the value i. TN_NO_SCOPE: out of memory, or the model grows
 * too large, which is reported at node. */
int32_t tn_repeat_begin(tn_reader *reader, int32_t around, const tn_repeat *repeat, int32_t i,
                        int32_t node);

/* Calls `one` for an entry of a section, once or as often as its key `repeat` says, with
 * reader->item_name set to its full name. */
typedef void (*tn_item_reader)(tn_reader *reader, const void *context, int32_t key, int32_t value,
                               int32_t index);
void tn_read_repeated(tn_reader *reader, int32_t key, int32_t value, tn_item_reader one,
                      const void *context);

/* A pose in the frame being read, in the world. */
tn_pose tn_frame_pose(const tn_reader *reader, tn_pose pose);
tn_vec3 tn_frame_point(const tn_reader *reader, tn_vec3 point);
tn_vec3 tn_frame_vector(const tn_reader *reader, tn_vec3 vector);
bool tn_frame_is_placed(const tn_reader *reader);

#endif
