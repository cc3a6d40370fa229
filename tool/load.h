/* load.h: from the name of a model file to a simulation at its initial state. */
#ifndef TN_TOOL_LOAD_H
#define TN_TOOL_LOAD_H

#include "tenon/io.h"
#include "tenon/sim.h"
#include "tool.h"

typedef struct tool_loaded {
    tn_diagnostics *diags;
    tn_spec *spec;
    tn_model *model;
    tn_sim *sim;
    tn_sim_options options; /* as used */
    bool all_notes;         /* every note is shown, else one line a kind */
} tool_loaded;

/* What the command line sets of the simulation's options. */
typedef struct tool_choice {
    double accuracy, relative_tolerance;                    /* 0: not said */
    const char *integrator, *formulation, *solver, *events; /* NULL: the model's own */
    int iterations;                                         /* 0: the model's own */
} tool_choice;

/* Reads the model that the command line names, with its settings, compiles and creates; problems go
 * to stderr. choice NULL: the model's own. On failure the result is an exit code and what was made
 * so far stays in *out. Always release. */
int tool_load(const tool_arguments *arguments, const tool_choice *choice, tool_loaded *out);
/* The same with velocities taken as they are written (tn_sim_options.keep_velocities). */
int tool_load_as_written(const tool_arguments *arguments, tool_loaded *out);
/* The same of the description alone. */
int tool_load_description(const tool_arguments *arguments, tool_loaded *out);
/* The description alone, *out NULL on failure; everything is reported on stderr. */
int tool_read_spec(const tool_arguments *arguments, tn_spec **out);
void tool_unload(tool_loaded *loaded);

/* Warnings among them; notes and errors are none. */
int32_t tool_count_warnings(const tn_diagnostics *diags);

/* Prints the diagnostics collected since the last call on stderr and forgets them. Many notes are one line a kind. */
void tool_show_diagnostics(tool_loaded *loaded);

/* The model's title, or the name of its file when it has none. */
const char *tool_title(const tool_loaded *loaded, const char *path);

/* The joint of this name; NULL: index -1, all of them. An unknown one is reported on stderr. */
int tool_find_joint(const tool_loaded *loaded, const char *name, tn_joint *out);

/* The exit code that belongs to a status. */
int tool_exit_code(tn_status status);

/* "not_converged" for TN_ERROR_NOT_CONVERGED: the status for programs. */
const char *tool_status_word(tn_status status);

#endif
