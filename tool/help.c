/* help.c: `tenon help [COMMAND]` and --help, written from the command and option tables. */
#include <stdio.h>
#include <string.h>

#include "tool.h"

#define COLUMN 22 /* where the summaries of commands and options start */

static void print_tool(void)
{
    printf("tenon: simulates anything held together by joints\n\nusage: tenon COMMAND ...\n\n");
    for (int i = 0; tool_commands[i] != NULL; i++) {
        const tool_command *command = tool_commands[i];
        int width =
            printf("  %s %s", command->name, command->operand == NULL ? "" : command->operand);
        printf("%*s%s\n", width < COLUMN ? COLUMN - width : 1, "", command->summary);
    }
    printf("\n'tenon help COMMAND' tells more about one of them.\n"
           "Exit codes: 0 done, 1 bad input, 2 numerical failure, 3 wrong usage.\n");
}

static void print_option(const tool_option *option)
{
    int width = printf("  %s%s%s", option->name, option->value == NULL ? "" : " ",
                       option->value == NULL ? "" : option->value);
    printf("%*s", width < COLUMN ? COLUMN - width : 1, "");
    for (const char *c = option->summary; *c != '\0'; c++) {
        putchar(*c);
        if (*c == '\n')
            printf("%*s", COLUMN, "");
    }
    putchar('\n');
}

void tool_print_help(const tool_command *command)
{
    if (command == NULL) {
        print_tool();
        return;
    }
    printf("tenon %s: %s\n\nusage: tenon %s%s%s%s%s", command->name, command->summary,
           command->name, command->operand == NULL ? "" : " ",
           command->operand == NULL ? "" : command->operand, command->rest == NULL ? "" : " ",
           command->rest == NULL ? "" : command->rest);
    const tool_option *options = command->options;
    const bool any = options != NULL || tool_takes_settings(command);
    printf("%s\n", any ? " [OPTION ...]" : "");
    if (any)
        putchar('\n');
    for (int i = 0; options != NULL && options[i].name != NULL; i++)
        print_option(&options[i]);
    if (tool_takes_settings(command))
        print_option(&tool_set_option);
    if (command->details != NULL)
        printf("\n%s", command->details);
}

static int run(const tool_arguments *arguments)
{
    const tool_command *command = NULL;
    if (arguments->operand != NULL) {
        command = tool_find_command(arguments->operand);
        if (command == NULL)
            return TOOL_USAGE;
    }
    tool_print_help(command);
    return TOOL_OK;
}

const tool_command tool_help = {
    .name = "help",
    .operand = "[COMMAND]",
    .summary = "tell about the tool or one command",
    .run = run,
};
