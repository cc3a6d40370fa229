/* fuzz_command.c: bytes as a command line of the tool: any command with any options of any, models
 * that are right, wrong and missing, numbers and names. Words that are
 * spelled have no digits and slashes: nothing runs long, nothing is written outside the folder. Exit codes are those there are, and models stay as they are. */
#include <string.h>

#include "fuzz.h"

#define main tool_main
#include "../tool/main.c"
#undef main

#define MOST_WORDS   12
#define MOST_LETTERS 8

static const char good[] =
    "tenon: 1\nparameters: {length: 1 m}\nbodies:\n"
    "  bar: {mass: 1, inertia: [1, 1, 1], position: [=length, 0, 0]}\n"
    "  rod: {mass: 1, inertia: [1, 1, 1], position: [2, 0, 0]}\n"
    "joints:\n  j: {type: hinge, a: bar, origin: [0, 0, 0], axis: [0, 1, 0]}\n"
    "  k: {type: hinge, a: rod, b: bar, origin: [1.5, 0, 0], axis: [0, 1, 0]}\n"
    "markers:\n  tip: {body: rod, position: [0.5, 0, 0]}\n"
    "measures:\n  m: {marker: tip}\n"
    "simulation: {step: 1.0e-2, duration: 0.05}\n";
static const char bad[] = "tenon: 1\nbodies:\n  bar: {mass: -1, inertias: 3}\n";

static const char *const words[] = {
    "good.yaml", "good.yaml", "good.yaml", "bad.yaml", "none.yaml", "out.csv",  "out.svg",
    "out.json",  "-",         "",          "0.01",     "0.03",      "-1",       "0",
    "nan",       "inf",       "1e-400",    "j",        "j.theta",   "k",        "k.theta",
    "j.theta=1", "theta",     "tip",       "m",        "t",         "length=2", "length=2 m",
    "length",    "hinge",     "gimbal",    "bash",     "zsh",       "fish",     "run",
    "top",       "front",     "iso",       "x",        "0..1",      "5",        "--help",
    "--",        "csv",       "1:2",       "bar",      "rod",       "energy",   "generalized_alpha",
};
enum { WORDS = sizeof words / sizeof *words };

enum { COMMANDS = sizeof tool_commands / sizeof *tool_commands - 1 };

static const tool_option *option_of(const tool_command *command, unsigned number)
{
    unsigned count = 0;
    while (command->options && command->options[count].name)
        count++;
    return count > 0 ? &command->options[number % count] : NULL;
}

static void spell(fuzz_bytes *bytes, char out[64])
{
    const unsigned length = fuzz_byte(bytes) % MOST_LETTERS;
    for (unsigned k = 0; k < length; k++) {
        const unsigned c = fuzz_byte(bytes);
        out[k] = (char)(c == 0 || c == '/' || (c >= '1' && c <= '9') ? '0' : c);
    }
    out[length] = 0;
}

typedef struct command_line {
    char words[MOST_WORDS][64];
    int count;
} command_line;

static void add_word(command_line *line, const char *word)
{
    if (line->count < MOST_WORDS)
        snprintf(line->words[line->count++], sizeof line->words[0], "%s", word);
}

/* A word of the list, or one that is spelled. */
static void add_value(command_line *line, fuzz_bytes *bytes)
{
    const unsigned number = fuzz_byte(bytes);
    char spelled[64];
    if (number >= 240) {
        spell(bytes, spelled);
        add_word(line, spelled);
        return;
    }
    add_word(line, words[number % WORDS]);
}

/* The command, what it works on, and its options; one time in sixteen something else. */
static void make_line(command_line *line, fuzz_bytes *bytes)
{
    const tool_command *command = tool_commands[fuzz_byte(bytes) % COMMANDS], *other = command;
    add_word(line, command->name);
    if (command->operand && fuzz_byte(bytes) % 16)
        add_word(line, words[fuzz_byte(bytes) % 4]);
    while (bytes->at < bytes->end && line->count < MOST_WORDS) {
        const unsigned kind = fuzz_byte(bytes);
        if (kind % 16 == 0)
            other = tool_commands[kind / 16];
        const tool_option *option = option_of(other, fuzz_byte(bytes));
        if (option && kind % 16 != 1)
            add_word(line, option->name);
        if (!option || option->value || kind % 16 == 2)
            add_value(line, bytes);
        other = command;
    }
}

/* What a command reads it does not write; another file it may. */
static void check_models(const command_line *line)
{
    if (line->count < 2 || strcmp(line->words[1], "good.yaml") != 0) {
        fuzz_write_file("good.yaml", good, sizeof good - 1);
        return;
    }
    char text[sizeof good + 1];
    FILE *file = fopen("good.yaml", "rb");
    fuzz_require(file != NULL, "the model is there");
    const size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    fuzz_require(length == sizeof good - 1 && memcmp(text, good, length) == 0,
                 "the model is what it was");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int inside;
    if (!inside) {
        fuzz_enter_folder();
        fuzz_write_file("good.yaml", good, sizeof good - 1);
        fuzz_write_file("bad.yaml", bad, sizeof bad - 1);
    }
    inside = 1;
    fuzz_bytes bytes = {data, data + size};
    command_line line = {.count = 0};
    char tool[] = "tenon", *arguments[MOST_WORDS + 2] = {tool};
    if (size > 0)
        make_line(&line, &bytes);
    for (int k = 0; k < line.count; k++)
        arguments[k + 1] = line.words[k];
    /* processes of a study are tested in test_study */
    if (line.count > 0 && strcmp(line.words[0], "study") == 0)
        return 0;
    const int code = tool_main(line.count + 1, arguments);
    fuzz_require(code >= TOOL_OK && code <= TOOL_STOPPED,
                 "the exit code is one of those there are");
    check_models(&line);
    return 0;
}
