/* scope.h: parameters and the formulas over them.
 *
 * Room io/reader. A scope holds the parameters of a model or of one instance of a part and, in a
 * repetition, its index; names that it does not have are looked up in the scope around it. Values
 * are found when they are first needed, so the order of the parameters does not matter; a circle
 * is reported once, and what depends on a broken parameter says nothing more.
 */
#ifndef TN_IO_READER_SCOPE_H
#define TN_IO_READER_SCOPE_H

#include "base/suggest.h"
#include "io/reader/reader.h"
#include "quantity/expression.h"

/* Around the outermost scope. */
#define TN_NO_SCOPE (-1)

/* A new scope within another. -1: out of memory, which is in reader->status. */
int32_t tn_scope_begin(tn_reader *reader, int32_t around);

/* Gives back a scope that is the newest; others stay: instances need the index they were made with.
 */
void tn_scope_end(tn_reader *reader, int32_t scope);

/* Adds the parameters of a mapping, whose formulas see the scope `seen`. A name that the scope has
 * already keeps its value: what was added first counts. */
void tn_scope_add(tn_reader *reader, int32_t scope, int32_t mapping, int32_t seen);

/* Adds a parameter by its value. */
void tn_scope_add_value(tn_reader *reader, int32_t scope, const char *name, double value);

/* Adds the indices of the repetitions from scope `from` outwards to before scope `until`. */
void tn_scope_add_indices(tn_reader *reader, int32_t scope, int32_t from, int32_t until);

/* Gives a parameter of the scope another value, a text that is a formula with or without '='. */
void tn_scope_set(tn_reader *reader, int32_t scope, const char *name, const char *text);

/* Whether the scope itself has a parameter of this name; index of it, or -1. */
int32_t tn_scope_find(const tn_reader *reader, int32_t scope, const char *name);

/* Offers the parameters of a scope as what a word may have meant. */
void tn_scope_offer(const tn_reader *reader, int32_t scope, tn_suggestion *suggestion);

/* Finds the values of all parameters of a scope, and so reports what is wrong with them. */
void tn_scope_evaluate(tn_reader *reader, int32_t scope);

/* Notes the parameters of a scope in the spec. */
void tn_scope_note(tn_reader *reader, int32_t scope);

/* The formula in a scalar's text behind the first `skip` bytes, in the scope being read. Reports
 * and answers false when it has no value. */
bool tn_evaluate_formula(tn_reader *reader, int32_t node, size_t skip, const char *key,
                         tn_value *out);

/* The parameter of that name in the scope being read; context is the reader (expression.h). */
tn_name_answer tn_scope_ask(void *context, const char *name, size_t length, tn_value *out);

/* Offers all parameters that a name in the scope being read may have meant; context as above. */
void tn_scope_offer_names(void *context, tn_suggestion *suggestion);

/* As tn_evaluate_formula, without a word. */
bool tn_try_formula(tn_reader *reader, int32_t node, size_t skip, tn_value *out);

/* A whole number between least and most from a formula's text that is part of a scalar. */
bool tn_evaluate_index(tn_reader *reader, int32_t node, size_t at, const char *text, int32_t *out);

#endif
