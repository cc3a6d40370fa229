/* diagnostics.c: the list of problems a call found.
 *
 * Room base. Each problem is one block: the record and its strings. When memory runs out while a
 * problem is added, the problem's text is lost but not its existence: it is counted as an error,
 * and tn_diagnostics_get answers a fixed "out of memory" record for it, after all that were kept.
 */
#include "base/base.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct problem {
    tn_diagnostic record;
    char text[]; /* message, hint, file, each zero-terminated */
} problem;

struct tn_diagnostics {
    problem **problems;
    int32_t count;
    int32_t capacity;
    int32_t lost;   /* problems that memory did not suffice for */
    int32_t errors; /* kept problems of severity TN_ERROR */
};

static const tn_diagnostic lost_record = {
    .severity = TN_ERROR,
    .code = TN_ERROR_MEMORY,
    .message = "out of memory while a problem was noted; its text is lost",
};

tn_diagnostics *tn_diagnostics_create(void)
{
    return TN_NEW(tn_diagnostics);
}

void tn_diagnostics_clear(tn_diagnostics *diags)
{
    if (diags == NULL) {
        return;
    }
    for (int32_t i = 0; i < diags->count; i++) {
        tn_free(diags->problems[i]);
    }
    tn_free(diags->problems);
    *diags = (tn_diagnostics){0};
}

void tn_diagnostics_destroy(tn_diagnostics *diags)
{
    tn_diagnostics_clear(diags);
    tn_free(diags);
}

int32_t tn_diagnostics_count(const tn_diagnostics *diags)
{
    return diags != NULL ? diags->count + diags->lost : 0;
}

int32_t tn_diagnostics_error_count(const tn_diagnostics *diags)
{
    return diags != NULL ? diags->errors + diags->lost : 0;
}

const tn_diagnostic *tn_diagnostics_get(const tn_diagnostics *diags, int32_t index)
{
    TN_ASSERT(index >= 0 && index < tn_diagnostics_count(diags));
    if (diags == NULL || index < 0 || index >= diags->count) {
        return &lost_record;
    }
    return &diags->problems[index]->record;
}

static size_t text_size(const char *text)
{
    return text != NULL ? strlen(text) + 1 : 0;
}

/* Copies text to *end and moves *end behind it; NULL stays NULL. */
static const char *put_text(char **end, const char *text)
{
    size_t size = text_size(text);
    if (size == 0) {
        return NULL;
    }
    char *start = *end;
    memcpy(start, text, size);
    *end += size;
    return start;
}

/* A block with room for the record, a message of message_length characters and the other strings.
 */
static problem *new_problem(tn_location at, const char *hint, size_t message_length)
{
    size_t size = sizeof(problem) + message_length + 1 + text_size(hint) + text_size(at.file);
    problem *added = tn_realloc(NULL, size);
    if (added != NULL) {
        char *end = added->text + message_length + 1;
        added->record = (tn_diagnostic){.at = at, .message = added->text};
        added->record.hint = put_text(&end, hint);
        added->record.at.file = put_text(&end, at.file);
    }
    return added;
}

/* Takes the problem into the list; false when there is no memory for it. */
static bool keep(tn_diagnostics *diags, problem *added)
{
    problem **grown =
        tn_grow(diags->problems, &diags->capacity, diags->count + 1, sizeof(*diags->problems));
    if (grown == NULL) {
        return false;
    }
    diags->problems = grown;
    diags->problems[diags->count++] = added;
    diags->errors += added->record.severity == TN_ERROR;
    return true;
}

void tn_diagnostics_add(tn_diagnostics *diags, tn_severity severity, tn_status code, tn_location at,
                        const char *hint, const char *format, ...)
{
    if (diags == NULL || format == NULL) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);

    problem *added = length >= 0 ? new_problem(at, hint, (size_t)length) : NULL;
    if (added != NULL) {
        vsnprintf(added->text, (size_t)length + 1, format, again);
        added->record.severity = (unsigned)severity <= TN_ERROR ? severity : TN_ERROR;
        added->record.code = code;
    }
    va_end(again);
    if (added == NULL || !keep(diags, added)) {
        tn_free(added);
        diags->lost++;
    }
}
