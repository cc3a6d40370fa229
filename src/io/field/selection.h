/* selection.h: which items a list in the record section chooses from.
 *
 * Room io/field.
 */
#ifndef TN_IO_FIELD_SELECTION_H
#define TN_IO_FIELD_SELECTION_H

#include <stddef.h>

#include "tenon/spec.h"

/* The list is an array of typed indices, which are int32_t in a structure of their own. */
typedef struct tn_selection {
    const char *what;    /* "body" */
    int32_t section;     /* tn_section whose names are used */
    size_t count_offset; /* of the number of entries, -1 for all, in tn_record_def */
    const char *(*name)(const tn_spec *spec, int32_t index);
} tn_selection;

#endif
