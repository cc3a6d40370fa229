/* advice.h: what to write instead of words of other programs.
 *
 * Room io/reader. In: a word or value that a model file does not have. Out: a hint, or NULL. Only hints
 * come from here: what is right and wrong is decided where it is read.
 */
#ifndef TN_IO_READER_ADVICE_H
#define TN_IO_READER_ADVICE_H

#include "io/reader/reader.h"

/* For a key that a mapping of this title ("a joint") does not have; in buffer, of TN_HINT_SIZE
 * bytes, where it is not a constant. */
const char *tn_advice_on_key(const char *title, const char *key, char *buffer);

/* For what stands where a mapping of this title is wanted. */
const char *tn_advice_on_table(const char *title);

/* For a word that is no coordinate of the joint. */
const char *tn_advice_on_coordinate(const char *word);

/* For what stands where a list of count numbers is wanted: "y", "0 0 1", 9.81. */
const char *tn_advice_on_vector(tn_reader *reader, int32_t node, int32_t count, char *buffer);

/* For a text where a number is wanted: a formula without '=', $name, 1,5. */
const char *tn_advice_on_number(tn_reader *reader, int32_t node, char *buffer);

/* For what stands where a mapping of names is wanted. */
const char *tn_advice_on_mapping(const tn_reader *reader, int32_t node, const char *key,
                                 char *buffer);

#endif
