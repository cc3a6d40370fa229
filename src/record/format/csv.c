/* csv.c: frames as comma-separated values (RFC 4180 with \n line ends).
 *
 * Room record/format. Numbers are printed with %.17g, which reads back to the same double; the decimal
 * point is a point whatever the locale of the calling program. The file is written in large blocks
 * and every write, flush and close is checked, so a full disk is reported.
 */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "record/format/formats.h"

#define BLOCK_SIZE  ((size_t)256 * 1024) /* bytes gathered before a write */
#define NUMBER_SIZE 32                   /* longest %.17g is 24 characters */

typedef struct csv_sink {
    tn_sink head;
    FILE *file;
    locale_t c_locale; /* numbers with a point */
    char *block;       /* [BLOCK_SIZE] */
    size_t used;
    int32_t failed; /* 1 after the first error: nothing more is written */
} csv_sink;

static tn_status write_block(csv_sink *csv, tn_diagnostics *diags)
{
    if (csv->failed)
        return TN_ERROR_IO;
    size_t written = fwrite(csv->block, 1, csv->used, csv->file);
    if (written != csv->used) {
        csv->failed = 1;
        return tn_sink_failed(csv->head.path, "write", strerror(errno), diags);
    }
    csv->used = 0;
    return TN_OK;
}

static tn_status put_text(csv_sink *csv, const char *text, size_t length, tn_diagnostics *diags)
{
    while (length > 0) {
        size_t room = BLOCK_SIZE - csv->used;
        size_t part = length < room ? length : room;
        memcpy(csv->block + csv->used, text, part);
        csv->used += part;
        text += part;
        length -= part;
        if (csv->used == BLOCK_SIZE) {
            tn_status status = write_block(csv, diags);
            if (status != TN_OK)
                return status;
        }
    }
    return TN_OK;
}

/* owner.field, in quotes (RFC 4180 2.6, 2.7) if the owner's name needs them. */
static tn_status put_column_name(csv_sink *csv, const char *owner, const char *field,
                                 tn_diagnostics *diags)
{
    if (owner == NULL)
        return put_text(csv, field, strlen(field), diags);
    int quoted = strpbrk(owner, ",\"\r\n") != NULL;
    tn_status status = quoted ? put_text(csv, "\"", 1, diags) : TN_OK;
    for (const char *c = owner; *c != '\0' && status == TN_OK; c++)
        status = *c == '"' ? put_text(csv, "\"\"", 2, diags) : put_text(csv, c, 1, diags);
    if (status == TN_OK && field[0] != '\0')
        status = put_text(csv, ".", 1, diags);
    if (status == TN_OK)
        status = put_text(csv, field, strlen(field), diags);
    if (status == TN_OK && quoted)
        status = put_text(csv, "\"", 1, diags);
    return status;
}

/* Writes one text per column, between commas: what `put` makes of a part's field. Returns how many
 * were written. */
typedef tn_status (*put_column)(csv_sink *csv, const tn_part *part, int32_t field, int32_t *count,
                                tn_diagnostics *diags);

static tn_status put_columns(csv_sink *csv, put_column put, tn_diagnostics *diags)
{
    const tn_frame *frame = csv->head.frame;
    tn_status status = TN_OK;
    int32_t count = 0;
    for (int32_t i = 0; i < frame->part_count; i++) {
        for (int32_t k = 0; k < frame->parts[i].width && status == TN_OK; k++)
            status = put(csv, &frame->parts[i], k, &count, diags);
    }
    return status == TN_OK ? put_text(csv, "\n", 1, diags) : status;
}

static tn_status put_comma(csv_sink *csv, int32_t *count, tn_diagnostics *diags)
{
    return (*count)++ > 0 ? put_text(csv, ",", 1, diags) : TN_OK;
}

static tn_status put_unit(csv_sink *csv, const tn_part *part, int32_t field, int32_t *count,
                          tn_diagnostics *diags)
{
    const char *unit = tn_part_field_unit(csv->head.frame, part, field);
    const tn_status status = put_comma(csv, count, diags);
    return status == TN_OK ? put_text(csv, unit, strlen(unit), diags) : status;
}

static tn_status put_name(csv_sink *csv, const tn_part *part, int32_t field, int32_t *count,
                          tn_diagnostics *diags)
{
    char name[TN_FIELD_NAME_SIZE];
    const tn_status status = put_comma(csv, count, diags);
    tn_part_field_name(csv->head.frame, part, field, name);
    return status == TN_OK
               ? put_column_name(csv, tn_part_owner_name(csv->head.frame, part), name, diags)
               : status;
}

/* The name of a number that is one of many ways in which redundant joints can share their load. */
static tn_status put_indeterminate(csv_sink *csv, const tn_part *part, int32_t field,
                                   int32_t *count, tn_diagnostics *diags)
{
    const tn_frame *frame = csv->head.frame;
    return frame->unique[part->offset + field] ? TN_OK : put_name(csv, part, field, count, diags);
}

static bool any_indeterminate(const tn_frame *frame)
{
    for (int32_t k = 0; k < frame->column_count && frame->unique != NULL; k++) {
        if (!frame->unique[k])
            return true;
    }
    return false;
}

#define UNITS         "# units: "
#define INDETERMINATE "# not unique: "

/* Comments, which readers skip, then the names of the columns. */
static tn_status put_header(csv_sink *csv, tn_diagnostics *diags)
{
    tn_status status = put_text(csv, UNITS, strlen(UNITS), diags);
    if (status == TN_OK)
        status = put_columns(csv, put_unit, diags);
    if (status == TN_OK && any_indeterminate(csv->head.frame)) {
        status = put_text(csv, INDETERMINATE, strlen(INDETERMINATE), diags);
        if (status == TN_OK)
            status = put_columns(csv, put_indeterminate, diags);
    }
    return status == TN_OK ? put_columns(csv, put_name, diags) : status;
}

static tn_status write_header(csv_sink *csv, tn_diagnostics *diags)
{
    tn_status status = put_header(csv, diags);
    if (status == TN_OK)
        status = write_block(csv, diags);
    /* out to the medium at once: a disk that is full already is reported before the run */
    if (status == TN_OK && fflush(csv->file) != 0) {
        csv->failed = 1;
        status = tn_sink_failed(csv->head.path, "write", strerror(errno), diags);
    }
    return status;
}

static tn_status csv_write(tn_sink *sink, const double *row, tn_diagnostics *diags)
{
    csv_sink *csv = (csv_sink *)sink;
    int32_t count = sink->frame->column_count;
    tn_status status = csv->failed ? TN_ERROR_IO : TN_OK;
    locale_t previous = uselocale(csv->c_locale);
    for (int32_t i = 0; i < count && status == TN_OK; i++) {
        if (BLOCK_SIZE - csv->used < NUMBER_SIZE)
            status = write_block(csv, diags);
        if (status == TN_OK) {
            csv->used += (size_t)snprintf(csv->block + csv->used, NUMBER_SIZE, "%.17g%c", row[i],
                                          i + 1 < count ? ',' : '\n');
        }
    }
    uselocale(previous);
    return status;
}

static void csv_free(csv_sink *csv)
{
    if (csv->c_locale != (locale_t)0)
        freelocale(csv->c_locale);
    tn_free(csv->block);
    tn_free(csv->head.path);
    tn_free(csv);
}

static tn_status csv_close(tn_sink *sink, tn_diagnostics *diags)
{
    csv_sink *csv = (csv_sink *)sink;
    tn_status status = write_block(csv, diags);
    if (fclose(csv->file) != 0 && status == TN_OK)
        status = tn_sink_failed(csv->head.path, "write", strerror(errno), diags);
    csv_free(csv);
    return status;
}

static const tn_sink_ops csv_ops = {csv_write, NULL, csv_close};

tn_status tn_csv_open(const tn_frame *frame, const char *path, tn_output *output,
                      tn_diagnostics *diags, tn_sink **out)
{
    csv_sink *csv = TN_NEW(csv_sink);
    if (csv == NULL)
        return TN_ERROR_MEMORY;
    csv->head = (tn_sink){&csv_ops, frame, tn_copy_text(path, strlen(path))};
    csv->block = tn_alloc(BLOCK_SIZE, 1);
    csv->c_locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (csv->head.path == NULL || csv->block == NULL || csv->c_locale == (locale_t)0) {
        csv_free(csv);
        return TN_ERROR_MEMORY;
    }
    csv->file = tn_output_stream(output);
    if (csv->file == NULL) {
        tn_status status = tn_sink_failed(path, "open for writing", strerror(errno), diags);
        csv_free(csv);
        return status;
    }
    setvbuf(csv->file, NULL, _IONBF, 0); /* blocks are gathered here already */
    tn_status status = write_header(csv, diags);
    if (status != TN_OK) {
        (void)csv_close(&csv->head, NULL);
        return status;
    }
    *out = &csv->head;
    return TN_OK;
}
