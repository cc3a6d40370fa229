/* main.c: the table of commands and the way from argv to one of them. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "signals.h"
#include "tool.h"

const tool_command *const tool_commands[] = {
    &tool_run,        &tool_check,      &tool_inspect, &tool_draw,    &tool_pose,
    &tool_sweep,      &tool_view,       &tool_import,  &tool_plot,    &tool_study,
    &tool_parameters, &tool_functions,  &tool_joints,  &tool_explain, &tool_schema,
    &tool_man,        &tool_completion, &tool_version, &tool_help,    NULL,
};

static const char *command_at(const void *context, int index)
{
    (void)context;
    return tool_commands[index] == NULL ? NULL : tool_commands[index]->name;
}

const tool_command *tool_find_command(const char *name)
{
    for (int i = 0; tool_commands[i] != NULL; i++) {
        if (strcmp(tool_commands[i]->name, name) == 0)
            return tool_commands[i];
    }
    tool_unknown("command", name, command_at, NULL);
    return NULL;
}

static int run_command(int argc, char **argv)
{
    if (argc < 2) {
        tool_error("no command given; 'tenon run MODEL' simulates a model, 'tenon help' lists all");
        return TOOL_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        name = tool_help.name;
    } else if (strcmp(name, "--version") == 0) {
        name = tool_version.name;
    }
    const tool_command *command = tool_find_command(name);
    if (command == NULL)
        return TOOL_USAGE;
    tool_arguments arguments;
    bool help = false;
    int code = tool_parse(command, argc - 2, argv + 2, &arguments, &help);
    if (code != TOOL_OK)
        return code;
    if (help) {
        tool_print_help(command);
        return TOOL_OK;
    }
    return command->run(&arguments);
}

/* What could not be written to stdout must not pass for success. */
int main(int argc, char **argv)
{
    tool_listen();
    int code = run_command(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        tool_error("cannot write to standard output: %s", strerror(errno));
        code = code == TOOL_OK ? TOOL_BAD_INPUT : code;
    }
    tool_listen_no_longer();
    return code;
}
