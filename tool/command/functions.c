/* functions.c: `tenon functions`: functions of time and of coordinates, and what formulas may use.
 */
#include <stdio.h>

#include "quantity/expression.h"
#include "quantity/unit.h"
#include "tenon/function.h"
#include "tool.h"

#define COLUMN 14 /* where summaries start */

static const struct {
    const char *name, *text;
} kinds[] = {
#define KIND(kind, name, numbers, group, text) {name, text},
    TN_FUNCTION_LIST(KIND)
#undef KIND
};

static void print_units(void)
{
    printf("\nUnits, with a prefix (k, M, G, c, d, m, u, n) where they are of the SI:\n ");
    for (int32_t i = 0; tn_unit_name(i) != NULL; i++)
        printf(" %s", tn_unit_name(i));
    printf("\nProducts with a space, quotients with /, powers with ^: N m/rad, kg/m^3.\n");
}

static int run(const tool_arguments *arguments)
{
    (void)arguments;
    printf(
        "Functions y(x) of drives, motors, springs, couplings and axes, as {name: [numbers]}:\n");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        printf("  %-*s%s\n", COLUMN, kinds[i].name, kinds[i].text);
    printf(
        "  csv           two columns of a file as table or spline: {csv: {file: gust.csv, column: "
        "Fx,\n"
        "                x: time, interpolation: linear or cubic, scale: 1}}; x is the first "
        "column\n"
        "                unless it is named\n"
        "Beside table, spline and csv, outside: refuse makes it an error to ask for x beyond the "
        "first\n"
        "or last point, outside: straight goes on along straight lines: so do table and spline "
        "without\n"
        "it, and csv does not.\n"
        "A sine may also be {amplitude, rate or frequency, phase, offset}, by name.\n"
        "Each number may have its unit: rates those of y over x, phases an angle. Plain ones "
        "count\n"
        "in degrees where the file says 'angle: deg' and x or y is an angle; otherwise in rad.\n");
    printf("A formula with = may stand in place of all of them: \"=10*sin(4*pi*t)\" is a function "
           "of the time "
           "t,\n"
           "\"=k*x + k3*x^3\" one of the way x.\n");
    printf("\nFormulas, '=...', have + - * / %% ^, comparisons, && || !, a ? b : c, [x, y, z], "
           "v.x, pi\n"
           "and the functions\n");
    const char *summary = NULL;
    for (int32_t i = 0; tn_expression_function(i, &summary) != NULL; i++)
        printf("  %-*s%s\n", COLUMN, tn_expression_function(i, NULL), summary);
    print_units();
    return TOOL_OK;
}

const tool_command tool_functions = {
    .name = "functions",
    .summary = "list functions, formulas and units of model files",
    .run = run,
};
