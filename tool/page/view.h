/* view.h: the parts of a page's data that view.c puts together.
 *
 * Room tool/page, in: a model, or a motion. Out: a page that shows it in a browser.
 */
#ifndef TN_TOOL_VIEW_H
#define TN_TOOL_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "json.h"
#include "load.h"
#include "table/table.h"
#include "tenon/model.h"

/* What a page has beside the model. */
typedef struct view_extras {
    bool plays; /* as soon as it is opened */
    int64_t
        watched; /* number of the reading, from 1, of a page that follows its files; 0: it does not */
    const tool_table *recording; /* shown instead of a simulation; NULL: none */
    const char *recording_name;
} view_extras;

/* The last part of a path. */
const char *view_base_name(const char *path);
/* The model's name with another ending, in the folder one is in. Freed with free; NULL: no memory. */
char *view_with_ending(const char *model, const char *ending);

/* The data of the page as JSON, freed with free; NULL, with a message, on failure. */
char *view_collect(const tool_arguments *arguments, const tn_spec *spec, const view_extras *extras);
/* The page with these data; connects: its policy lets it reach the server that it came from, and nothing else. */
void view_write_page(FILE *out, const char *data, bool connects);

/* Base64 (RFC 4648), ending in a zero, freed with free; NULL: no memory. */
char *view_base64(const unsigned char *bytes, size_t length);

/* A recorded motion of this model, in SI units and rad. TOOL_OK, or TOOL_BAD_INPUT with a message:
 * it cannot be read, or a body that moves has no poses in it. Release with tool_table_free. */
int view_read_recording(const char *path, const tn_model *model, tool_table *out);

/* Starts a browser with this file. TOOL_OK, or TOOL_BAD_INPUT with a message: there is none. */
int view_open(const char *path);

/* "recording": its name, columns, and rows as little-endian doubles in base64. */
bool view_write_recording(tool_json *json, const char *name, const tool_table *recording);

#endif
