/* model_text.h: test support: texts of model files, good ones and ones with a mistake, and what is told of them. */
#ifndef TENON_TESTS_MODEL_TEXT_H
#define TENON_TESTS_MODEL_TEXT_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tenon/io.h"
#include "tenon/tenon.h"

/* Fails with what was told first of `what`, and its line. */
static inline void expect_ok(tn_status status, const tn_diagnostics *diags, const char *what)
{
    const tn_diagnostic *first =
        tn_diagnostics_count(diags) > 0 ? tn_diagnostics_get(diags, 0) : NULL;
    ck_assert_msg(status == TN_OK, "%s, line %d: %s", what, first ? (int)first->at.line : 0,
                  first ? first->message : tn_status_text(status));
}

/* Of a good text. */
static inline tn_spec *read_text(const char *text)
{
    tn_spec *spec = NULL;
    tn_diagnostics *diags = tn_diagnostics_create();
    expect_ok(tn_spec_read_string(text, strlen(text), "text", diags, &spec), diags, "a text");
    tn_diagnostics_destroy(diags);
    return spec;
}

/* What is read of what is written of it. */
static inline tn_spec *written_and_read(const tn_spec *spec)
{
    char *text = NULL;
    ck_assert_int_eq(tn_spec_write_string(spec, NULL, &text, NULL), TN_OK);
    tn_spec *again = read_text(text);
    tn_text_free(text);
    return again;
}

/* A text in two pieces; files it names are looked for in the tests' output. */
static inline tn_status read_pieces(const char *head, const char *rest, tn_diagnostics *diags,
                                    tn_spec **spec)
{
    const size_t size = strlen(head) + strlen(rest);
    char *text = malloc(size + 1);
    strcpy(text, head);
    strcat(text, rest);
    const tn_status status =
        tn_spec_read_string(text, size, TN_TEST_OUTPUT "/test.yaml", diags, spec);
    free(text);
    return status;
}

/* Lines of a model file, and parts of what is told of them; no hint: NULL. */
typedef struct mistake {
    const char *text, *message, *hint;
} mistake;

/* Behind a head there is no model of it, and it is told in one of these lines. */
static inline void expect_mistake(const char *head, const mistake *m, int first_line, int last_line)
{
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = NULL;
    tn_model *model = NULL;
    if (read_pieces(head, m->text, diags, &spec) == TN_OK)
        ck_assert_int_ne(tn_model_compile(spec, diags, &model), TN_OK);
    ck_assert_int_ge(tn_diagnostics_count(diags), 1);
    int found = 0;
    for (int32_t i = 0; i < tn_diagnostics_count(diags); i++) {
        const tn_diagnostic *d = tn_diagnostics_get(diags, i);
        found |= strstr(d->message, m->message) && d->at.line >= first_line &&
                 d->at.line <= last_line && (!m->hint || (d->hint && strstr(d->hint, m->hint)));
    }
    const tn_diagnostic *first = tn_diagnostics_get(diags, 0);
    ck_assert_msg(found, "%s: line %d: %s (%s)", m->text, (int)first->at.line, first->message,
                  first->hint ? first->hint : "");
    tn_spec_destroy(spec);
    tn_diagnostics_destroy(diags);
}

#endif
