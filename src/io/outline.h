/* outline.h: what a model is made of before its items are read: files, parameters, parts.
 *
 * Room io. `include` brings the sections of other files, `parts` are mechanisms that `instances`
 * make: each becomes a frame (frame.h). Afterwards the sections are read frame by frame, and the
 * tree stays as it is.
 *
 * Room io, in: the text of a model and of what it includes. Out: a spec, or all that is wrong with
 * it; and a text or a schema from a spec.
 */
#ifndef TN_IO_OUTLINE_H
#define TN_IO_OUTLINE_H

#include "io/reader/frame.h"
#include "tenon/io.h"
#include "tenon/limits.h"

/* Makes the frames of the model whose tree has this root. Problems are reported to the reader, of
 * other files too. `tree` is reader->tree. */
void tn_outline_read(tn_reader *reader, tn_tree *tree, int32_t root, const tn_setting *settings,
                     int32_t setting_count);
/* Remarks on parts that no instance makes. */
void tn_remark_parts(tn_reader *reader);
void tn_outline_free(tn_reader *reader);

#endif
