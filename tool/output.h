/* output.h: the files a command writes: never its input, never one twice, never half. */
#ifndef TN_TOOL_OUTPUT_H
#define TN_TOOL_OUTPUT_H

#include <stdio.h>

#include "load.h"

/* TOOL_OK, or TOOL_USAGE with a message when one of the outputs is the model, a file it reads, or
 * another output. Outputs that are NULL or "-" are nothing. spec may be NULL. */
int tool_refuse_outputs(const char *model, const tn_spec *spec, const char *const *outputs,
                        int count);

/* TOOL_OK, or TOOL_USAGE with a message when the name of a picture ends as that of a file of another kind:
 * neither in `one` nor in `other`, ".svg" and ".png", which may be NULL. A name without an ending and "-"
 * may be of any. */
int tool_refuse_ending(const char *option, const char *path, const char *one, const char *other);

/* A text file that appears at its place when it is complete. */
typedef struct tool_output {
    FILE *stream; /* standard output for "-" */
    const char *path;
    struct tn_output *output; /* NULL: standard output */
} tool_output;

/* TOOL_OK, or TOOL_BAD_INPUT with a message. */
int tool_output_open(const char *path, tool_output *out);
/* Closes and moves it to its place, or with `keep` false drops it. A failure is reported and takes the
 * place of a code that is TOOL_OK. */
int tool_output_close(tool_output *out, bool keep, int code);

#endif
