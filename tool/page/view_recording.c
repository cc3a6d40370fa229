/* view_recording.c: a recorded motion as data of a page (view.h). */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"
#include "page/view.h"

char *view_base64(const unsigned char *bytes, size_t length)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *out = malloc((length + 2) / 3 * 4 + 1), *at = out;
    for (size_t i = 0; out != NULL && i < length; i += 3) {
        const size_t left = length - i;
        const uint32_t three = (uint32_t)bytes[i] << 16 |
                               (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0u) |
                               (left > 2 ? (uint32_t)bytes[i + 2] : 0u);
        *at++ = letters[three >> 18];
        *at++ = letters[three >> 12 & 63];
        *at++ = left > 1 ? letters[three >> 6 & 63] : '=';
        *at++ = left > 2 ? letters[three & 63] : '=';
    }
    if (out != NULL)
        *at = '\0';
    return out;
}

/* ---- what a recording needs ------------------------------------------------------------------- */

static int find_column(const tool_table *table, const char *owner, const char *field)
{
    const size_t length = strlen(owner);
    for (int i = 0; i < table->columns; i++) {
        const char *name = table->names[i];
        if (strncmp(name, owner, length) == 0 && name[length] == '.' &&
            strcmp(name + length + 1, field) == 0)
            return i;
    }
    return -1;
}

/* The name of the first column of a body's pose that is not there; NULL: all are. */
static const char *missing_of(const tool_table *table, const char *body, bool planar)
{
    static const char *const spatial_fields[] = {"px", "py", "pz", "qw", "qx", "qy", "qz", NULL};
    static const char *const planar_fields[] = {"x", "y", "angle", NULL};
    for (const char *const *field = planar ? planar_fields : spatial_fields; *field != NULL;
         field++) {
        if (find_column(table, body, *field) < 0)
            return *field;
    }
    return NULL;
}

static int check_poses(const char *path, const tool_table *table, const tn_model *model)
{
    const tn_model_size size = tn_model_get_size(model);
    const bool planar = tn_model_world_kind(model) == TN_WORLD_PLANAR;
    int missing = 0;
    for (int32_t b = 0; b < size.bodies; b++) {
        const tn_body body = {b};
        const char *name = tn_model_body_name(model, body);
        const char *field = tn_model_body_kind(model, body) == TN_BODY_FIXED
                                ? NULL
                                : missing_of(table, name, planar);
        if (field != NULL && ++missing <= 3) {
            tool_error("%s: has no column %s.%s: record the poses of all bodies", path, name,
                       field);
        }
    }
    if (missing > 3)
        tool_error("%s: nor poses of %d other bodies", path, missing - 3);
    return missing > 0 ? TOOL_BAD_INPUT : TOOL_OK;
}

/* A recording of a model whose file counts in degrees has them too. */
static void to_radians(tool_table *table)
{
    const double degree = 3.14159265358979323846 / 180.0;
    for (int i = 0; table->units != NULL && i < table->columns; i++) {
        for (long row = 0; strncmp(table->units[i], "deg", 3) == 0 && row < table->rows; row++)
            table->values[row * table->columns + i] *= degree;
    }
}

int view_read_recording(const char *path, const tn_model *model, tool_table *out)
{
    int code = tool_table_read(path, out);
    if (code == TOOL_OK && strcmp(out->names[0], "t") != 0) {
        tool_error("%s: its first column is not the time t", path);
        code = TOOL_BAD_INPUT;
    }
    if (code == TOOL_OK)
        code = check_poses(path, out, model);
    if (code == TOOL_OK)
        to_radians(out);
    return code;
}

/* ---- as data ----------------------------------------------------------------------------------- */

static void put_little_endian(double value, unsigned char out[8])
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int k = 0; k < 8; k++)
        out[k] = (unsigned char)(bits >> (8 * k));
}

bool view_write_recording(tool_json *json, const char *name, const tool_table *recording)
{
    const size_t count = (size_t)recording->rows * (size_t)recording->columns;
    unsigned char *bytes = malloc(8 * count + 1);
    for (size_t i = 0; bytes != NULL && i < count; i++)
        put_little_endian(recording->values[i], bytes + 8 * i);
    char *rows = bytes != NULL ? view_base64(bytes, 8 * count) : NULL;
    free(bytes);
    if (rows == NULL) {
        tool_error("%s: out of memory", name);
        return false;
    }
    tool_json_open(json, "recording", '{');
    tool_json_text(json, "name", name);
    tool_json_open(json, "columns", '[');
    for (int i = 0; i < recording->columns; i++)
        tool_json_text(json, NULL, recording->names[i]);
    tool_json_close(json, ']');
    tool_json_text(json, "rows", rows);
    tool_json_close(json, '}');
    free(rows);
    return true;
}
