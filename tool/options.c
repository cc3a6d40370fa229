/* options.c: the parser of command lines and the search for what a misspelt word meant. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/plain_text.h"
#include "base/suggest.h"
#include "quantity/unit.h"
#include "tenon/io.h"
#include "tenon/limits.h"
#include "tool.h"

/* Bytes of a message; longer ones are cut. */
#define LONGEST_MESSAGE 4096

void tool_error(const char *format, ...)
{
    char text[LONGEST_MESSAGE];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fputs("tenon: ", stderr);
    tn_put_plain(stderr, text, strlen(text), "\n\t");
    fputc('\n', stderr);
}

void tool_unknown(const char *what, const char *word,
                  const char *(*name_at)(const void *context, int index), const void *context)
{
    tn_suggestion suggestion = tn_suggestion_for(word);
    for (int i = 0; name_at(context, i) != NULL; i++) {
        tn_suggestion_offer(&suggestion, name_at(context, i));
    }
    char text[TN_HINT_SIZE];
    const char *hint = tn_suggestion_hint(&suggestion, NULL, text);
    tool_error("there is no %s '%s'%s%s", what, word, hint != NULL ? ": " : "",
               hint != NULL ? hint : "");
}

static const char *option_at(const void *options, int index)
{
    const tool_option *list = options;
    return list == NULL ? NULL : list[index].name;
}

/* Those of the command, and what all that read a model take. */
static const char *known_option_at(const void *context, int index)
{
    const tool_command *command = context;
    int own = 0;
    for (int i = 0; option_at(command->options, i) != NULL; i++)
        own++;
    if (index < own)
        return command->options[index].name;
    int more = index - own;
    for (const tool_option *o = tool_model_options; o->name != NULL; o++) {
        if (tool_takes(command, o) && more-- == 0)
            return o->name;
    }
    return NULL;
}

static int unknown_option(const tool_command *command, const char *name)
{
    tool_unknown("option", name, known_option_at, command);
    return TOOL_USAGE;
}

static int set_value(const tool_option *option, const char *text, tool_value *out)
{
    *out = (tool_value){.given = true, .text = text};
    if (option->kind != TOOL_POSITIVE && option->kind != TOOL_NOT_NEGATIVE)
        return TOOL_OK;
    const bool zero = option->kind == TOOL_NOT_NEGATIVE;
    char *end = NULL;
    out->number = strtod(text, &end);
    if (end != text && *end == '\0' && isfinite(out->number) &&
        (out->number > 0.0 || (zero && out->number == 0.0)))
        return TOOL_OK;
    tool_error("%s needs a number %s, not '%s'", option->name,
               zero ? "of at least 0" : "greater than 0", text);
    return TOOL_USAGE;
}

enum { KEYFRAME, ALLOW, NOTES, SET }; /* as they are listed */

const tool_option tool_model_options[] = {
    [KEYFRAME] = {"--keyframe", "NAME", TOOL_TEXT,
                  "start an MJCF model at one of its keyframes, by name or number from 0"},
    [ALLOW] = {"--allow", "FOLDER", TOOL_LIST,
               "let the model name files below this folder too, not only below its own\n"
               "and its package; may be given again"},
    [NOTES] = {"--notes", "all", TOOL_TEXT,
               "show every note on what is read, with its line; else one of a kind"},
    [SET] = {"--set", "NAME=VALUE", TOOL_LIST,
             "give a parameter of the model another value: 0.3, '350 mm', '2*crank'; may be\n"
             "given again"},
    {NULL, NULL, TOOL_FLAG, NULL},
};

bool tool_take_setting(tool_arguments *arguments, const char *text)
{
    const size_t length = text != NULL ? tn_name_length(text) : 0;
    if (length == 0 || text[length] != '=' || length >= sizeof arguments->settings[0].name ||
        arguments->setting_count == TOOL_MAX_SETTINGS)
        return false;
    tool_setting *setting = &arguments->settings[arguments->setting_count++];
    memcpy(setting->name, text, length);
    setting->name[length] = '\0';
    setting->value = text + length + 1;
    return true;
}

bool tool_takes(const tool_command *command, const tool_option *option)
{
    for (int i = 0; option_at(command->options, i) != NULL; i++) {
        if (strcmp(command->options[i].name, option->name) == 0)
            return false;
    }
    return command->reads_model;
}

static int take_set(tool_arguments *out, const char *text)
{
    if (tool_take_setting(out, text))
        return TOOL_OK;
    if (out->setting_count == TOOL_MAX_SETTINGS) {
        tool_error("--set is given too often, at most %d times", TOOL_MAX_SETTINGS);
    } else {
        tool_error("--set needs NAME=VALUE with the name of a parameter%s%s%s",
                   text != NULL ? ", not '" : "", text != NULL ? text : "",
                   text != NULL ? "'" : "");
    }
    return TOOL_USAGE;
}

int tool_allow(const char *folder)
{
    const tn_status status = tn_allow_path(folder);
    if (status == TN_ERROR_IO)
        tool_error("--allow needs a folder, there is none '%s'", folder);
    if (status == TN_ERROR_WORK)
        tool_error("--allow is given too often, at most %d times", TN_MOST_ALLOWED);
    return status == TN_OK ? TOOL_OK : TOOL_USAGE;
}

static int take_model_option(int option, const char *text, tool_arguments *out)
{
    if (option == SET)
        return take_set(out, text);
    if (text == NULL || text[0] == '\0') {
        tool_error("%s needs a value: %s %s", tool_model_options[option].name,
                   tool_model_options[option].name, tool_model_options[option].value);
        return TOOL_USAGE;
    }
    if (option == ALLOW)
        return tool_allow(text);
    if (option == NOTES) {
        out->all_notes = strcmp(text, "all") == 0;
        if (!out->all_notes)
            tool_error("--notes takes 'all', not '%s'", text);
        return out->all_notes ? TOOL_OK : TOOL_USAGE;
    }
    if (out->setting_count == TOOL_MAX_SETTINGS)
        return take_set(out, text);
    out->settings[out->setting_count++] = (tool_setting){"keyframe", text};
    return TOOL_OK;
}

/* Takes "--set NAME=VALUE" or "--set=NAME=VALUE" and the like at argv[*at] if it is one. */
static int parse_model_option(const tool_command *command, int argc, char **argv, int *at,
                              tool_arguments *out, bool *taken)
{
    const char *word = argv[*at];
    const size_t length = strcspn(word, "=");
    *taken = false;
    for (int i = 0; tool_model_options[i].name != NULL; i++) {
        const tool_option *option = &tool_model_options[i];
        if (strlen(option->name) != length || strncmp(word, option->name, length) != 0 ||
            !tool_takes(command, option))
            continue;
        *taken = true;
        const bool joined = word[length] == '=';
        const char *text = joined ? word + length + 1 : *at + 1 < argc ? argv[*at + 1] : NULL;
        *at += !joined;
        return take_model_option(i, text, out);
    }
    return TOOL_OK;
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
    if (out->value[index].given && option->kind != TOOL_LIST) {
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
    if (option->kind == TOOL_LIST) {
        if (out->listed_count == TOOL_MAX_LISTED) {
            tool_error("%s is given too often, at most %d times", option->name, TOOL_MAX_LISTED);
            return TOOL_USAGE;
        }
        out->listed[out->listed_count] = text;
        out->listed_option[out->listed_count++] = index;
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
            bool taken = false;
            int code = parse_model_option(command, argc, argv, &i, out, &taken);
            if (code == TOOL_OK && !taken)
                code = parse_option(command, argc, argv, &i, out);
            if (code != TOOL_OK)
                return code;
        } else if (command->rest != NULL && out->operand != NULL) {
            if (out->rest_count == TOOL_MAX_LISTED) {
                tool_error("%s takes at most %d arguments", command->name, TOOL_MAX_LISTED + 1);
                return TOOL_USAGE;
            }
            out->rest[out->rest_count++] = argv[i];
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
