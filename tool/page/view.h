/* view.h: the parts of a page's data that view.c puts together.
 *
 * Room tool/page, in: a model, or a motion. Out: a page that shows it in a browser.
 */
#ifndef TN_TOOL_VIEW_H
#define TN_TOOL_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "json.h"
#include "table/table.h"
#include "tenon/model.h"

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
