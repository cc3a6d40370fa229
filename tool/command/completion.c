/* completion.c: `tenon completion SHELL`: what a shell completes, from the tables of options. */
#include <stdio.h>
#include <string.h>

#include "tool.h"

static void put_options(const tool_command *command, const char *separator)
{
    for (int i = 0; command->options != NULL && command->options[i].name != NULL; i++)
        printf("%s%s", command->options[i].name, separator);
    for (const tool_option *o = tool_model_options; o->name != NULL; o++) {
        if (tool_takes(command, o))
            printf("%s%s", o->name, separator);
    }
    printf("--help");
}

static void put_commands(void)
{
    for (int i = 0; tool_commands[i] != NULL; i++)
        printf("%s%s", i > 0 ? " " : "", tool_commands[i]->name);
}

static void print_bash(void)
{
    printf("# bash completion of tenon, written by 'tenon completion bash'\n"
           "_tenon()\n{\n    local word=${COMP_WORDS[COMP_CWORD]}\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W \"");
    put_commands();
    printf("\" -- \"$word\"))\n        return\n    fi\n    case $word in\n    -*)\n"
           "        case ${COMP_WORDS[1]} in\n");
    for (int i = 0; tool_commands[i] != NULL; i++) {
        printf("        %s) COMPREPLY=($(compgen -W \"", tool_commands[i]->name);
        put_options(tool_commands[i], " ");
        printf("\" -- \"$word\")) ;;\n");
    }
    printf("        esac ;;\n    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n    esac\n}\n"
           "complete -o filenames -F _tenon tenon\n");
}

/* Quotes within a text in single quotes, brackets and colons within a description. */
static void put_description(const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '\'') {
            fputs("'\\''", stdout);
        } else if (*c == '\n') {
            putchar(' ');
        } else if (strchr("[]:\\", *c) != NULL) {
            printf("\\%c", *c);
        } else {
            putchar(*c);
        }
    }
}

static void put_zsh_option(const tool_option *option)
{
    printf(" \\\n            '%s%s[", option->kind == TOOL_LIST ? "*" : "", option->name);
    put_description(option->summary);
    printf("]");
    if (option->value != NULL) {
        printf(":");
        put_description(option->value);
        printf(":%s", strcmp(option->value, "FILE") == 0 ? "_files" : "");
    }
    printf("'");
}

static void print_zsh(void)
{
    printf("#compdef tenon\n# zsh completion of tenon, written by 'tenon completion zsh'\n"
           "_tenon()\n{\n    local -a commands\n    commands=(\n");
    for (int i = 0; tool_commands[i] != NULL; i++) {
        printf("        '%s:", tool_commands[i]->name);
        put_description(tool_commands[i]->summary);
        printf("'\n");
    }
    printf("    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n"
           "        return\n    fi\n    case ${words[2]} in\n");
    for (int i = 0; tool_commands[i] != NULL; i++) {
        const tool_command *command = tool_commands[i];
        printf("        %s) _arguments '1:command:'%s", command->name,
               command->operand == NULL ? "" : " '2:model:_files'");
        for (int k = 0; command->options != NULL && command->options[k].name != NULL; k++)
            put_zsh_option(&command->options[k]);
        for (const tool_option *o = tool_model_options; o->name != NULL; o++) {
            if (tool_takes(command, o))
                put_zsh_option(o);
        }
        printf(" ;;\n");
    }
    printf("    esac\n}\n_tenon \"$@\"\n");
}

static int run(const tool_arguments *arguments)
{
    if (strcmp(arguments->operand, "bash") == 0) {
        print_bash();
    } else if (strcmp(arguments->operand, "zsh") == 0) {
        print_zsh();
    } else {
        tool_error("there is completion for bash and zsh, not for '%s'", arguments->operand);
        return TOOL_USAGE;
    }
    return TOOL_OK;
}

const tool_command tool_completion = {
    .name = "completion",
    .operand = "SHELL",
    .summary = "print what bash or zsh needs to complete tenon's words",
    .details = "For this shell: source <(tenon completion bash).\n",
    .run = run,
};
