/* options.c: the parser of command lines and the search for what a misspelt word meant. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

#define LONGEST_WORD 64 /* characters compared by tool_closest */

void tool_error(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("tenon: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Levenshtein's distance; longer words are cut. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[LONGEST_WORD + 1];
    size_t rows = smaller(strlen(a), LONGEST_WORD);
    size_t columns = smaller(strlen(b), LONGEST_WORD);
    for (size_t j = 0; j <= columns; j++)
        row[j] = j;
    for (size_t i = 1; i <= rows; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            size_t above = row[j];
            size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            row[j] = smaller(replaced, smaller(above, row[j - 1]) + 1);
            diagonal = above;
        }
    }
    return row[columns];
}

const char *tool_closest(const char *text, const char *(*name_at)(const void *context, int index),
                         const void *context)
{
    const char *best = NULL;
    size_t best_distance = strlen(text) / 3 + 2; /* alike: about one letter in three differs */
    for (int i = 0; name_at(context, i) != NULL; i++) {
        size_t distance = edit_distance(text, name_at(context, i));
        if (distance < best_distance) {
            best_distance = distance;
            best = name_at(context, i);
        }
    }
    return best;
}

static const char *option_at(const void *options, int index)
{
    const tool_option *list = options;
    return list == NULL ? NULL : list[index].name;
}

static int unknown_option(const tool_command *command, const char *name)
{
    const char *meant = tool_closest(name, option_at, command->options);
    tool_error("%s has no option '%s'%s%s%s; see 'tenon help %s'", command->name, name,
               meant == NULL ? "" : ", did you mean '", meant == NULL ? "" : meant,
               meant == NULL ? "" : "'?", command->name);
    return TOOL_USAGE;
}

static int set_value(const tool_option *option, const char *text, tool_value *out)
{
    *out = (tool_value){.given = true, .text = text};
    if (option->kind != TOOL_POSITIVE)
        return TOOL_OK;
    char *end = NULL;
    out->number = strtod(text, &end);
    if (end != text && *end == '\0' && isfinite(out->number) && out->number > 0.0)
        return TOOL_OK;
    tool_error("%s needs a number greater than 0, not '%s'", option->name, text);
    return TOOL_USAGE;
}

/* "--name value" or "--name=value" at argv[*at]; moves *at to its last word. */
static int parse_option(const tool_command *command, int argc, char **argv, int *at,
                        tool_arguments *out)
{
    const char *word = argv[*at];
    size_t length = strcspn(word, "=");
    int index = 0;
    while (option_at(command->options, index) != NULL &&
           (strncmp(command->options[index].name, word, length) != 0 ||
            command->options[index].name[length] != '\0'))
        index++;
    if (option_at(command->options, index) == NULL)
        return unknown_option(command, word);

    const tool_option *option = &command->options[index];
    if (out->value[index].given) {
        tool_error("%s is given twice", option->name);
        return TOOL_USAGE;
    }
    if (option->kind == TOOL_FLAG) {
        if (word[length] == '=') {
            tool_error("%s takes no value", option->name);
            return TOOL_USAGE;
        }
        out->value[index].given = true;
        return TOOL_OK;
    }
    const char *text = word[length] == '=' ? word + length + 1 : NULL;
    if (text == NULL && *at + 1 < argc)
        text = argv[++*at];
    if (text == NULL || text[0] == '\0') {
        tool_error("%s needs a value: %s %s", option->name, option->name, option->value);
        return TOOL_USAGE;
    }
    return set_value(option, text, &out->value[index]);
}

int tool_parse(const tool_command *command, int argc, char **argv, tool_arguments *out, bool *help)
{
    *out = (tool_arguments){0};
    *help = false;
    bool options_end = false;
    for (int i = 0; i < argc; i++) {
        if (!options_end && (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)) {
            *help = true;
            return TOOL_OK;
        }
        if (!options_end && strcmp(argv[i], "--") == 0) {
            options_end = true;
        } else if (!options_end && argv[i][0] == '-' && argv[i][1] != '\0') {
            int code = parse_option(command, argc, argv, &i, out);
            if (code != TOOL_OK)
                return code;
        } else if (command->operand == NULL || out->operand != NULL) {
            tool_error("%s takes %s, '%s' is too much", command->name,
                       command->operand == NULL ? "no argument" : "one argument", argv[i]);
            return TOOL_USAGE;
        } else {
            out->operand = argv[i];
        }
    }
    if (command->operand != NULL && command->operand[0] != '[' && out->operand == NULL) {
        tool_error("%s needs a %s; see 'tenon help %s'", command->name, command->operand,
                   command->name);
        return TOOL_USAGE;
    }
    return TOOL_OK;
}
