/* tool.h: the frame of the command line: commands, their options, exit codes.
 *
 * A command is one file with one tool_command, listed in main.c. Options are tables read by the one
 * parser in options.c, which refuses bad numbers, so a command only sees valid values.
 *
 * Room tool, in: the words of a command line. Out: their values, or a message and an exit code.
 */
#ifndef TN_TOOL_TOOL_H
#define TN_TOOL_TOOL_H

#include <stdbool.h>
#include <stddef.h>

enum {
    TOOL_OK = 0,
    TOOL_BAD_INPUT = 1,  /* a model or a file is wrong or cannot be read or written */
    TOOL_NUMERICAL = 2,  /* a step failed; the culprit is named */
    TOOL_USAGE = 3,      /* the command line is wrong */
    TOOL_STOPPED = 4,    /* a motion ended before its requested time, by a limit or a dead point */
    TOOL_SIGNALLED = 128 /* and the number of the signal that stopped it, as shells have it */
};

typedef enum tool_value_kind {
    TOOL_FLAG,     /* no value */
    TOOL_TEXT,     /* any text */
    TOOL_POSITIVE, /* a finite number > 0 */
    TOOL_NOT_NEGATIVE,
    TOOL_LIST, /* any text, may be given again and again */
} tool_value_kind;

#define TOOL_MAX_OPTIONS 24

typedef struct tool_option {
    const char *name;  /* "--time"; NULL ends the table */
    const char *value; /* name of its value in help texts; NULL for a flag */
    tool_value_kind kind;
    const char *summary;
} tool_option;

typedef struct tool_value {
    bool given;
    const char *text;
    double number;
} tool_value;

#define TOOL_MAX_LISTED 64

/* --set NAME=VALUE of every command that reads a model: parameters get other values. */
#define TOOL_MAX_SETTINGS 64
typedef struct tool_setting {
    char name[64];
    const char *value;
} tool_setting;

/* A parsed command line. value[i] belongs to options[i] of the command. */
typedef struct tool_arguments {
    tool_value value[TOOL_MAX_OPTIONS];
    const char *operand;               /* the first argument without dashes, or NULL */
    const char *rest[TOOL_MAX_LISTED]; /* those behind it, of commands that take more */
    int rest_count;
    const char *listed[TOOL_MAX_LISTED]; /* values of TOOL_LIST options in order, and whose */
    int listed_option[TOOL_MAX_LISTED];
    int listed_count;
    tool_setting settings[TOOL_MAX_SETTINGS];
    int setting_count;
    bool all_notes; /* --notes all */
} tool_arguments;

typedef struct tool_command {
    const char *name;
    const char *operand;        /* "MODEL", "[NAME]" (optional) or NULL: takes none */
    const char *rest;           /* "COLUMN ...": takes more behind it; NULL: does not */
    const char *summary;        /* one line */
    const char *details;        /* further lines of its help; may be NULL */
    const tool_option *options; /* may be NULL */
    int (*run)(const tool_arguments *arguments); /* returns an exit code */
    bool reads_model; /* its operand is a model, whose parameters --set may set */
} tool_command;

/* What commands that read models take besides their own options: --set NAME=VALUE for parameters and others. A name
 * ends the table. */
extern const tool_option tool_model_options[];
/* Whether the command takes such an option: it reads a model, and has none of its own by that name. */
bool tool_takes(const tool_command *command, const tool_option *option);
/* What --allow does; TOOL_USAGE with a message. */
int tool_allow(const char *folder);
/* Adds NAME=VALUE to the settings; false when it is none, or when there is no room. */
bool tool_take_setting(tool_arguments *arguments, const char *text);

extern const tool_command tool_run, tool_check, tool_inspect, tool_draw, tool_pose, tool_sweep,
    tool_view, tool_import, tool_plot, tool_study, tool_parameters, tool_functions, tool_joints,
    tool_explain, tool_schema, tool_man, tool_completion, tool_version, tool_help;

/* NULL-terminated list of all commands (main.c). */
extern const tool_command *const tool_commands[];
const tool_command *tool_find_command(const char *name);

/* Parses argv[0..argc-1], what follows the command's name. TOOL_OK or TOOL_USAGE, with a message on
 * stderr; *help is set when --help or -h was given. */
int tool_parse(const tool_command *command, int argc, char **argv, tool_arguments *out, bool *help);

/* The help page of a command, or of the tool when command is NULL, on stdout. */
void tool_print_help(const tool_command *command);

/* Prints "tenon: <message>" on stderr. */
void tool_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints "there is no <what> '<word>'" and which of the names returned by name_at(0), name_at(1),
 * ... NULL was meant, or what there is. */
void tool_unknown(const char *what, const char *word,
                  const char *(*name_at)(const void *context, int index), const void *context);

#endif
