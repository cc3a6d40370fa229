/* functions.c: `tenon functions`: the functions of model files and what their numbers mean. */
#include <stdio.h>

#include "tenon/function.h"
#include "tool.h"

static int run(const tool_arguments *arguments)
{
    (void)arguments;
    puts("Where a model file takes a function, {KIND: [numbers]}, or a number, which is "
         "constant:\n");
    for (int i = 0; i < TN_FUNCTION_KIND_COUNT; i++) {
        const tn_function_kind kind = (tn_function_kind)i;
        if (tn_function_kind_name(kind) != NULL)
            printf("  %-12s%s\n", tn_function_kind_name(kind), tn_function_kind_text(kind));
    }
    puts(
        "  csv         two columns of a file as table or spline: {csv: {file: gust.csv, column: "
        "Fx,\n"
        "              x: time, interpolation: linear or cubic, scale: 1}}; x is the first column\n"
        "              unless it is named\n\n"
        "x is the time in s in motions and loads, a coordinate or its deflection in couplings and\n"
        "springs. A sine may name its numbers: {sine: {amplitude: 0.1, frequency: 2}}, frequency "
        "in\n"
        "Hz (or rate), phase, offset. Its rate and phase are in the file's unit of angle where x "
        "or y\n"
        "is an angle, else in rad per unit of x and rad. Beside table, spline and csv, outside: "
        "refuse\n"
        "makes it an error to ask for x beyond the first or last point, outside: straight goes on\n"
        "along straight lines: so do table and spline without it, and csv does not.");
    return TOOL_OK;
}

const tool_command tool_functions = {
    .name = "functions",
    .summary = "list the functions of model files and what their numbers mean",
    .run = run,
};
