/* help.c: `tenon help [COMMAND]` and --help, written from the command and option tables. */
#include <stdio.h>
#include <string.h>

#include "tenon/spec.h"
#include "tool.h"

#define COLUMN      22 /* where the summaries of commands and options start */
#define COLUMN_TEXT 14 /* where texts about columns start */

static void print_tool(void)
{
    printf("tenon: simulates anything held together by joints\n\nusage: tenon COMMAND ...\n\n");
    for (int i = 0; tool_commands[i] != NULL; i++) {
        const tool_command *command = tool_commands[i];
        int width =
            printf("  %s %s", command->name, command->operand == NULL ? "" : command->operand);
        printf("%*s%s\n", width < COLUMN ? COLUMN - width : 1, "", command->summary);
    }
    printf("\n'tenon help COMMAND' describes one of them.\n"
           "'tenon help columns' explains the columns of results.\n"
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
    const bool any = options != NULL || command->reads_model;
    printf("%s\n", any ? " [OPTION ...]" : "");
    if (any)
        putchar('\n');
    for (int i = 0; options != NULL && options[i].name != NULL; i++)
        print_option(&options[i]);
    for (const tool_option *o = tool_model_options; o->name != NULL; o++) {
        if (tool_takes(command, o))
            print_option(o);
    }
    if (command->details != NULL)
        printf("\n%s", command->details);
}

#define WIDTH 96 /* of wrapped text */

/* Words of a text, wrapped, from COLUMN on; the cursor stands there already. */
static void print_wrapped(const char *text, int indent)
{
    int at = indent;
    while (*text != '\0') {
        const int length = (int)strcspn(text, " ");
        if (at > indent && at + 1 + length > WIDTH) {
            printf("\n%*s", indent, "");
            at = indent;
        }
        at += printf("%s%.*s", at > indent ? " " : "", length, text);
        text += length;
        text += strspn(text, " ");
    }
    putchar('\n');
}

typedef struct column_kind {
    const char *word, *columns, *in_plane, *meaning;
} column_kind;

static void print_columns(void)
{
#define ROW_OF_COLUMNS(name, bit, word, columns, in_plane, meaning)                                \
    {word, columns, in_plane, meaning},
    static const column_kind kinds[] = {TN_RECORD_LIST(ROW_OF_COLUMNS)};
#undef ROW_OF_COLUMNS
    printf("Columns of the files of 'tenon run', in their order. A model chooses with\n"
           "record: {what: [coordinates, efforts, ...]}; all are written if it does not.\n"
           "Lines that begin with '#' are comments: the units, and what is not unique.\n"
           "Angles are in degrees where the model's file says 'angle: deg'.\n\n"
           "  t           time\n");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        printf("  %-12s", kinds[i].word);
        print_wrapped(kinds[i].columns, COLUMN_TEXT);
        if (kinds[i].in_plane[0] != '\0') {
            printf("%*s", COLUMN_TEXT, "");
            printf("in the plane: ");
            print_wrapped(kinds[i].in_plane, COLUMN_TEXT);
        }
        printf("%*s", COLUMN_TEXT, "");
        print_wrapped(kinds[i].meaning, COLUMN_TEXT);
    }
}

/* Pages that are no command's. */
static const struct {
    const char *name;
    void (*print)(void);
} pages[] = {{"columns", print_columns}};

static bool print_page(const char *name)
{
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        if (strcmp(name, pages[i].name) == 0) {
            pages[i].print();
            return true;
        }
    }
    return false;
}

static int run(const tool_arguments *arguments)
{
    const tool_command *command = NULL;
    if (arguments->operand != NULL && print_page(arguments->operand))
        return TOOL_OK;
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
    .summary = "describe the tool or one command",
    .run = run,
};
