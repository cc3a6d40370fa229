/* yaml_guard.h: keeps from libfyaml what its version 0.7.12 (Debian 12) cannot stand.
 *
 * Room io/tree.
 * 1. A question mark that could begin a complex key: `? s:<tab>?` corrupts its list of indentations
 *    and the program dies. The model format has no complex keys, so every question mark is replaced
 *    by a stand-in, a private character that means nothing in YAML, before parsing, and put back
 * into the texts afterwards. A plain text that begins with the stand-in and a blank was a complex
 * key.
 * 2. Single-quoted texts with two quotes in a row ('' '' without the blank): it makes three of two.
 *    Such texts are decoded here.
 */
#ifndef TN_IO_TREE_YAML_GUARD_H
#define TN_IO_TREE_YAML_GUARD_H

#include "base/base.h"

/* U+E000 in UTF-8. */
#define TN_STAND_IN      "\xee\x80\x80"
#define TN_STAND_IN_SIZE 3

/* The text to parse instead: *copy is NULL when the text can be parsed as it is, otherwise to be
 * freed with tn_free. TN_ERROR_INPUT with a located problem when the text holds the stand-in
 * itself, as a character or as an escape. */
tn_status tn_guard_text(const char *text, size_t length, const char *file, tn_diagnostics *diags,
                        char **copy, size_t *copy_length);

/* Puts the question marks back, in place; answers the new length. */
size_t tn_guard_restore(char *text, size_t length);

/* Whether a plain text was a complex key. */
int tn_guard_is_complex_key(const char *text, size_t length);

/* Whether what stands between single quotes has two quotes in a row, doubled. */
int tn_guard_has_quote_run(const char *text, size_t length);

/* Halves doubled quotes in place; answers the new length. */
size_t tn_guard_unquote(char *text, size_t length);

#endif
