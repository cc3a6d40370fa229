/* parameters.c: `tenon parameters`: the parameters of a model with their values. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "load.h"
#include "tool.h"

enum { JSON, OPTION_COUNT };

static const tool_option options[OPTION_COUNT + 1] = {
    [JSON] = {"--json", NULL, TOOL_FLAG, "write JSON instead of text"},
};

static void put_value(const tn_parameter *p, char *buffer, size_t size)
{
    const char *unit = strcmp(p->unit, "1") == 0 ? "" : p->unit;
    if (p->count == 1) {
        snprintf(buffer, size, "%.9g %s", p->value[0], unit);
    } else if (p->count == 2) {
        snprintf(buffer, size, "[%.9g, %.9g] %s", p->value[0], p->value[1], unit);
    } else {
        snprintf(buffer, size, "[%.9g, %.9g, %.9g] %s", p->value[0], p->value[1], p->value[2],
                 unit);
    }
}

static void print_text(const tn_spec *spec)
{
    int name_width = 4, value_width = 5;
    char value[160];
    for (int32_t i = 0; i < tn_spec_parameter_count(spec); i++) {
        const tn_parameter *p = tn_spec_parameter(spec, i);
        put_value(p, value, sizeof value);
        const int name = (int)strlen(p->name), width = (int)strlen(value);
        name_width = name > name_width ? name : name_width;
        value_width = width > value_width ? width : value_width;
    }
    for (int32_t i = 0; i < tn_spec_parameter_count(spec); i++) {
        const tn_parameter *p = tn_spec_parameter(spec, i);
        put_value(p, value, sizeof value);
        printf("%-*s  %-*s  %s%s%s\n", name_width, p->name, value_width, value,
               p->text != NULL ? p->text : "", p->at.line == 0 ? "  (set)" : "",
               p->used ? "" : "  (not used)");
    }
}

static void print_json(const tn_spec *spec)
{
    tool_json json = tool_json_begin(stdout);
    tool_json_open(&json, NULL, '[');
    for (int32_t i = 0; i < tn_spec_parameter_count(spec); i++) {
        const tn_parameter *p = tn_spec_parameter(spec, i);
        tool_json_open(&json, NULL, '{');
        tool_json_text(&json, "name", p->name);
        tool_json_row(&json, "value", p->value, p->count);
        tool_json_text(&json, "unit", p->unit);
        tool_json_text(&json, "text", p->text);
        tool_json_integer(&json, "used", p->used);
        tool_json_text(&json, "file", p->at.line > 0 ? p->at.file : NULL);
        tool_json_integer(&json, "line", p->at.line);
        tool_json_close(&json, '}');
    }
    tool_json_close(&json, ']');
}

static int run(const tool_arguments *arguments)
{
    tn_spec *spec = NULL;
    const int code = tool_read_spec(arguments, &spec);
    if (code != TOOL_OK)
        return code;
    if (arguments->value[JSON].given) {
        print_json(spec);
    } else {
        print_text(spec);
    }
    tn_spec_destroy(spec);
    return TOOL_OK;
}

const tool_command tool_parameters = {
    .name = "parameters",
    .operand = "MODEL",
    .summary = "list the parameters of a model with their values",
    .details =
        "Values are in SI units and rad; then what the file says, and whether anything uses\n"
        "the parameter. With --set, what the others become.\n",
    .options = options,
    .run = run,
    .reads_model = true,
};
