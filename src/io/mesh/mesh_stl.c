/* mesh_stl.c (room: io/mesh): STL, the format of stereolithography, binary and ASCII.
 *
 * Binary: 80 bytes of anything, a 32-bit count n, then n records of 50 bytes: normal and three
 * corners as 32-bit floats, 16 bits of attributes; all little-endian. A file of exactly 84 + 50 n
 * bytes is binary, whatever its first bytes say (many writers start binary files with "solid").
 * ASCII: solid [name]; facet normal x y z, outer loop, three of vertex x y z, endloop, endfacet;
 * endsolid [name]; several solids may follow each other. Normals are ignored in both: the order of
 * the corners decides, and written normals are often wrong.
 */
#include "io/mesh/mesh_formats.h"

#include <math.h>
#include <string.h>

#include "io/mesh/mesh_text.h"

enum { HEADER_SIZE = 84, COUNT_OFFSET = 80, RECORD_SIZE = 50, CORNERS_OFFSET = 12 };

static uint32_t little_endian_32(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static double little_endian_float(const unsigned char *bytes)
{
    uint32_t bits = little_endian_32(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/* Adds three corners; the format has no other way to say which triangles share a vertex. */
static tn_status add_triangle(tn_mesh_builder *builder, const tn_vec3 corners[3])
{
    int32_t index[3];
    for (int k = 0; k < 3; k++) {
        tn_status status = tn_mesh_builder_vertex(builder, corners[k], &index[k]);
        if (status != TN_OK) {
            return status;
        }
    }
    return tn_mesh_builder_triangle(builder, index[0], index[1], index[2]);
}

static tn_status read_binary(const char *name, const unsigned char *bytes, uint32_t count,
                             tn_mesh_builder *builder, tn_diagnostics *diags)
{
    tn_location at_file = {name, 0, 0};
    for (uint32_t t = 0; t < count; t++) {
        const unsigned char *at = bytes + HEADER_SIZE + (size_t)t * RECORD_SIZE + CORNERS_OFFSET;
        tn_vec3 corners[3];
        for (int k = 0; k < 3; k++, at += 12) {
            corners[k] = (tn_vec3){little_endian_float(at), little_endian_float(at + 4),
                                   little_endian_float(at + 8)};
            if (!isfinite(corners[k].x) || !isfinite(corners[k].y) || !isfinite(corners[k].z)) {
                tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at_file, NULL,
                                   "corner %d of triangle %lu is not finite (%g, %g, %g)", k,
                                   (unsigned long)t, corners[k].x, corners[k].y, corners[k].z);
                return TN_ERROR_INPUT;
            }
        }
        tn_status status = add_triangle(builder, corners);
        if (status != TN_OK) {
            return status;
        }
    }
    return TN_OK;
}

/* Reports that something else stands where `wanted` should. word NULL: the text ended. */
static tn_status unexpected(const tn_mesh_text *text, const tn_mesh_word *word, const char *wanted,
                            tn_diagnostics *diags)
{
    char quote[TN_MESH_QUOTE_SIZE];
    if (word == NULL) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, tn_mesh_text_place(text), NULL,
                           "expected %s, but the file ends", wanted);
    } else {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, word->place, NULL,
                           "expected %s, found '%s'", wanted, tn_mesh_word_quote(word, quote));
    }
    return TN_ERROR_INPUT;
}

static tn_status expect_word(tn_mesh_text *text, const char *wanted, tn_diagnostics *diags)
{
    tn_mesh_word word;
    if (!tn_mesh_text_next_word(text, &word)) {
        return unexpected(text, NULL, wanted, diags);
    }
    return tn_mesh_word_is(&word, wanted) ? TN_OK : unexpected(text, &word, wanted, diags);
}

/* Three numbers. Those of a normal may be anything: some writers put nan there. */
static tn_status expect_vector(tn_mesh_text *text, bool checked, tn_vec3 *vector,
                               tn_diagnostics *diags)
{
    double value[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        tn_mesh_word word;
        if (!tn_mesh_text_next_word(text, &word)) {
            return unexpected(text, NULL, "a number", diags);
        }
        if (!tn_mesh_word_real(&word, &value[k]) && checked) {
            return unexpected(text, &word, "a number", diags);
        }
    }
    *vector = (tn_vec3){value[0], value[1], value[2]};
    return TN_OK;
}

/* The words after "facet" up to and with "endfacet". */
static tn_status read_facet(tn_mesh_text *text, tn_vec3 corners[3], tn_diagnostics *diags)
{
    tn_vec3 normal;
    tn_status status = expect_word(text, "normal", diags);
    if (status == TN_OK) {
        status = expect_vector(text, false, &normal, diags);
    }
    if (status == TN_OK) {
        status = expect_word(text, "outer", diags);
    }
    if (status == TN_OK) {
        status = expect_word(text, "loop", diags);
    }
    for (int k = 0; k < 3 && status == TN_OK; k++) {
        status = expect_word(text, "vertex", diags);
        if (status == TN_OK) {
            status = expect_vector(text, true, &corners[k], diags);
        }
    }
    if (status == TN_OK) {
        status = expect_word(text, "endloop", diags);
    }
    return status == TN_OK ? expect_word(text, "endfacet", diags) : status;
}

/* One solid, after the line "solid name". */
static tn_status read_solid(tn_mesh_text *text, tn_mesh_builder *builder, tn_diagnostics *diags)
{
    for (;;) {
        tn_mesh_word word;
        tn_vec3 corners[3] = {{0}};
        if (!tn_mesh_text_next_word(text, &word)) {
            return unexpected(text, NULL, "facet or endsolid", diags);
        }
        if (tn_mesh_word_is(&word, "endsolid")) {
            tn_mesh_text_next_line(text); /* its name may be any words */
            return TN_OK;
        }
        if (!tn_mesh_word_is(&word, "facet")) {
            return unexpected(text, &word, "facet or endsolid", diags);
        }
        tn_status status = read_facet(text, corners, diags);
        if (status == TN_OK) {
            status = add_triangle(builder, corners);
        }
        if (status != TN_OK) {
            return status;
        }
    }
}

static tn_status read_ascii(tn_mesh_text *text, tn_mesh_builder *builder, tn_diagnostics *diags)
{
    tn_mesh_word word;
    while (tn_mesh_text_next_word(text, &word)) {
        if (!tn_mesh_word_is(&word, "solid")) {
            return unexpected(text, &word, "solid", diags);
        }
        tn_mesh_text_next_line(text); /* its name may be any words */
        tn_status status = read_solid(text, builder, diags);
        if (status != TN_OK) {
            return status;
        }
    }
    return TN_OK;
}

tn_status tn_mesh_read_stl(const char *name, const void *bytes, size_t size,
                           tn_mesh_builder *builder, tn_diagnostics *diags)
{
    const unsigned char *raw = bytes;
    uint32_t count = size >= HEADER_SIZE ? little_endian_32(raw + COUNT_OFFSET) : 0;
    uint64_t binary_size = HEADER_SIZE + (uint64_t)RECORD_SIZE * count;
    if (size >= HEADER_SIZE && size == binary_size) {
        return read_binary(name, raw, count, builder, diags);
    }
    tn_mesh_text text = tn_mesh_text_open(name, bytes, size), start = text;
    tn_mesh_word word;
    tn_location at_file = {name, 0, 0};
    if (tn_mesh_text_next_word(&start, &word) && tn_mesh_word_is(&word, "solid")) {
        return read_ascii(&text, builder, diags);
    }
    if (size < HEADER_SIZE) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at_file,
                           "ASCII starts with 'solid', binary has a header of 84 bytes.",
                           "not an STL file: %zu bytes", size);
    } else {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at_file,
                           "The file is cut off, or it is not STL.",
                           "a binary STL file of %lu triangles has %llu bytes, this one has %zu",
                           (unsigned long)count, (unsigned long long)binary_size, size);
    }
    return TN_ERROR_INPUT;
}
