/* man.c: `tenon man`: the manual page, from the tables that --help is written from. */
#include <stdio.h>
#include <string.h>

#include "tenon/version.h"
#include "tool.h"

/* Text for troff: backslashes and dashes escaped, a line that starts like a request guarded. */
static void put(const char *text)
{
    bool start = true;
    for (const char *c = text; *c != '\0'; c++) {
        if (start && (*c == '.' || *c == '\''))
            fputs("\\&", stdout);
        if (*c == '\\') {
            fputs("\\e", stdout);
        } else if (*c == '-') {
            fputs("\\-", stdout);
        } else {
            putchar(*c);
        }
        start = *c == '\n';
    }
}

static void put_option(const tool_option *option)
{
    printf(".TP\n.B ");
    put(option->name);
    if (option->value != NULL) {
        printf(" \\fI");
        put(option->value);
        printf("\\fR");
    }
    putchar('\n');
    put(option->summary);
    putchar('\n');
}

static void put_command(const tool_command *command)
{
    printf(".SH \"TENON %s\"\n", command->name);
    printf(".B tenon %s", command->name);
    if (command->operand != NULL)
        printf(" \\fI%s\\fR", command->operand);
    if (command->rest != NULL)
        printf(" \\fI%s\\fR", command->rest);
    printf("\n.PP\n");
    put(command->summary);
    putchar('\n');
    for (int i = 0; command->options != NULL && command->options[i].name != NULL; i++)
        put_option(&command->options[i]);
    for (const tool_option *o = tool_model_options; o->name != NULL; o++) {
        if (tool_takes(command, o))
            put_option(o);
    }
    if (command->details != NULL) {
        printf(".PP\n");
        put(command->details);
    }
}

static int run(const tool_arguments *arguments)
{
    (void)arguments;
    printf(".TH TENON 1 \"\" \"tenon %s\" \"User Commands\"\n"
           ".SH NAME\ntenon \\- simulates anything held together by joints\n"
           ".SH SYNOPSIS\n.B tenon\n.I COMMAND\n[\\fIOPTION\\fR ...]\n.SH COMMANDS\n",
           tn_version_text());
    for (int i = 0; tool_commands[i] != NULL; i++) {
        printf(".TP\n.B %s\n", tool_commands[i]->name);
        put(tool_commands[i]->summary);
        putchar('\n');
    }
    for (int i = 0; tool_commands[i] != NULL; i++)
        put_command(tool_commands[i]);
    printf(".SH EXIT STATUS\n");
    put("0 done, 1 bad input, 2 numerical failure, 3 wrong usage, 4 a motion ended before its "
        "requested time.\n");
    return TOOL_OK;
}

const tool_command tool_man = {
    .name = "man",
    .summary = "print the manual page, for man(1)",
    .run = run,
};
