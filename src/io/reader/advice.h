/* advice.h: hints for keys, words and values that other programs use and Tenon does not.
 *
 * Room io/reader. In: a word or value that a model file cannot have. Out: a hint, or NULL. The error itself is
 * found where the value is read.
 */
#ifndef TN_IO_READER_ADVICE_H
#define TN_IO_READER_ADVICE_H

#include "io/reader/reader.h"

/* For a key that a mapping of this title ("a joint") does not have. buffer: TN_HINT_SIZE bytes, used if the hint is
 * not a constant. */
const char *tn_advice_on_key(const char *title, const char *key, char *buffer);

/* For a value in the place of a mapping of this title. */
const char *tn_advice_on_table(const char *title);

/* For a word that is no coordinate of the joint. */
const char *tn_advice_on_coordinate(const char *word);

/* For a value in the place of a list of count numbers: "y", "0 0 1", 9.81. */
const char *tn_advice_on_vector(tn_reader *reader, int32_t node, int32_t count, char *buffer);

/* For a text in the place of a number: a formula without '=', $name, 1,5. */
const char *tn_advice_on_number(tn_reader *reader, int32_t node, char *buffer);

/* For a value in the place of a mapping of names. */
const char *tn_advice_on_mapping(const tn_reader *reader, int32_t node, const char *key,
                                 char *buffer);

#endif
