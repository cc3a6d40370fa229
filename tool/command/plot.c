/* plot.c: `tenon plot TABLE COLUMN ...`: columns of a table over its first one, as a picture.
 *
 * Columns of one unit share a panel; where the table does not say its units, what one word stands for
 * does. Panels stand above each other over one axis.
 */
#include <stdlib.h>
#include <string.h>

#include "table/gnuplot.h"
#include "table/table.h"
#include "tool.h"

enum { OUT, OVER };

static const tool_option options[] = {
    [OUT] = {"--out", "FILE", TOOL_TEXT,
             "the picture, SVG or (.png) PNG; - for standard output; without it\n"
             "the name of the table with .svg"},
    [OVER] = {"--over", "COLUMN", TOOL_TEXT, "the horizontal axis (default: the first column)"},
    {NULL, NULL, TOOL_FLAG, NULL},
};

#define PANEL_WIDTH  960
#define PANEL_HEIGHT 300

/* Which columns are drawn where. */
typedef struct plot_plan {
    int over;   /* column of the horizontal axis */
    int *panel; /* [columns] -1: not drawn */
    int panels;
} plot_plan;

/* "theta" of column "crank.theta"; NULL: it has no such part, or one before it has the same. */
static const char *last_name(const tool_table *table, int column)
{
    const char *dot = strrchr(table->names[column], '.');
    for (int i = 0; i < column && dot != NULL; i++) {
        const char *before = strrchr(table->names[i], '.');
        if (before != NULL && strcmp(before, dot) == 0)
            return NULL;
    }
    return dot != NULL ? dot + 1 : NULL;
}

/* All names, then the last names. */
static const char *name_at(const void *context, int index)
{
    const tool_table *table = context;
    int last = index - table->columns;
    if (last < 0)
        return table->names[index];
    for (int i = 0; i < table->columns; i++) {
        const char *name = last_name(table, i);
        if (name != NULL && last-- == 0)
            return name;
    }
    return NULL;
}

static int unknown_column(const tool_table *table, const char *word)
{
    tool_unknown("column", word, name_at, table);
    return TOOL_BAD_INPUT;
}

static int list_columns(const char *path, const tool_table *table)
{
    tool_error("name the columns to draw; %s has these:", path);
    for (int i = 0; i < table->columns; i++)
        fprintf(stderr, "  %s\n", table->names[i]);
    return TOOL_USAGE;
}

/* The panel of a column of this unit, if one is there. */
static int panel_of_unit(const tool_table *table, const plot_plan *plan, int column)
{
    for (int i = 0; table->units != NULL && i < table->columns; i++) {
        if (plan->panel[i] >= 0 && strcmp(table->units[i], table->units[column]) == 0)
            return plan->panel[i];
    }
    return -1;
}

static int add_word(const tool_table *table, const char *word, bool *chosen, plot_plan *plan)
{
    int drawn = 0, own = -1;
    if (tool_table_find(table, word, chosen) == 0)
        return unknown_column(table, word);
    for (int i = 0; i < table->columns; i++) {
        if (!chosen[i] || plan->panel[i] >= 0 || !tool_table_has_numbers(table, i)) {
            drawn += chosen[i] && plan->panel[i] >= 0;
            continue;
        }
        int panel = table->units != NULL ? panel_of_unit(table, plan, i) : own;
        if (panel < 0)
            panel = own = plan->panels++;
        plan->panel[i] = panel;
        drawn++;
    }
    if (drawn > 0)
        return TOOL_OK;
    tool_error("column '%s' has no numbers", word);
    return TOOL_BAD_INPUT;
}

static int make_plan(const tool_arguments *arguments, const tool_table *table, plot_plan *plan)
{
    bool *chosen = calloc((size_t)table->columns, sizeof *chosen);
    plan->panel = malloc((size_t)table->columns * sizeof *plan->panel);
    int code = chosen != NULL && plan->panel != NULL ? TOOL_OK : TOOL_BAD_INPUT;
    for (int i = 0; code == TOOL_OK && i < table->columns; i++)
        plan->panel[i] = -1;
    if (code == TOOL_OK && arguments->value[OVER].given) {
        if (tool_table_find(table, arguments->value[OVER].text, chosen) == 0)
            code = unknown_column(table, arguments->value[OVER].text);
        for (int i = table->columns - 1; code == TOOL_OK && i >= 0; i--)
            plan->over = chosen[i] ? i : plan->over;
    }
    for (int i = 0; code == TOOL_OK && i < arguments->rest_count; i++)
        code = add_word(table, arguments->rest[i], chosen, plan);
    free(chosen);
    return code;
}

/* ---- commands ---- */

static void put_data(const tool_gnuplot *plot, const tool_table *table, const plot_plan *plan)
{
    fputs("$data << EOD\n", plot->commands);
    for (long row = 0; row < table->rows; row++) {
        tool_gnuplot_number(plot, tool_table_at(table, row, plan->over));
        for (int i = 0; i < table->columns; i++) {
            if (plan->panel[i] >= 0) {
                fputc(' ', plot->commands);
                tool_gnuplot_number(plot, tool_table_at(table, row, i));
            }
        }
        fputc('\n', plot->commands);
    }
    fputs("EOD\n", plot->commands);
}

/* "theta" with its unit, where it is known. */
static void put_label(const tool_gnuplot *plot, const tool_table *table, const char *axis,
                      int column, bool named)
{
    char text[256];
    const char *unit = table->units != NULL ? table->units[column] : "";
    const char *name = named ? table->names[column] : "";
    const bool both = name[0] != '\0' && unit[0] != '\0';
    snprintf(text, sizeof text, "%s%s%s%s", name, both ? " (" : "", unit, both ? ")" : "");
    fprintf(plot->commands, "set %s ", axis);
    tool_gnuplot_text(plot, text);
    fputc('\n', plot->commands);
}

static void put_panel(const tool_gnuplot *plot, const tool_table *table, const plot_plan *plan,
                      int panel)
{
    int field = 1, curves = 0, first = -1;
    for (int i = table->columns - 1; i >= 0; i--)
        first = plan->panel[i] == panel ? i : first;
    put_label(plot, table, "ylabel", first, false);
    if (panel == plan->panels - 1)
        put_label(plot, table, "xlabel", plan->over, true);
    fputs("plot ", plot->commands);
    for (int i = 0; i < table->columns; i++) {
        field += plan->panel[i] >= 0;
        if (plan->panel[i] != panel)
            continue;
        fprintf(plot->commands, "%s$data using 1:%d with lines lt %d title ",
                curves > 0 ? ", " : "", field, curves % 6 + 1);
        tool_gnuplot_text(plot, table->names[i]);
        curves++;
    }
    fputc('\n', plot->commands);
}

static int draw(const char *path, const tool_table *table, const plot_plan *plan)
{
    tool_gnuplot plot;
    int code = tool_gnuplot_open(path, PANEL_WIDTH, PANEL_HEIGHT * plan->panels + 40, &plot);
    if (code != TOOL_OK)
        return code;
    put_data(&plot, table, plan);
    fprintf(plot.commands, "set multiplot layout %d,1\nset lmargin 11\nset rmargin 24\n",
            plan->panels);
    for (int panel = 0; panel < plan->panels; panel++)
        put_panel(&plot, table, plan, panel);
    fputs("unset multiplot\n", plot.commands);
    return tool_gnuplot_close(&plot, code);
}

/* The table's name with .svg in the place of its last ending. */
static char *usual_name(const char *table)
{
    const char *slash = strrchr(table, '/'), *dot = strrchr(table, '.');
    const size_t length = dot != NULL && (slash == NULL || dot > slash + 1) && dot != table
                              ? (size_t)(dot - table)
                              : strlen(table);
    char *name = malloc(length + 5);
    if (name != NULL)
        snprintf(name, length + 5, "%.*s.svg", (int)length, table);
    return name;
}

static int run(const tool_arguments *arguments)
{
    tool_table table;
    plot_plan plan = {0};
    int code = tool_table_read(arguments->operand, &table);
    if (code == TOOL_OK && arguments->rest_count == 0)
        code = list_columns(arguments->operand, &table);
    if (code == TOOL_OK)
        code = make_plan(arguments, &table, &plan);
    char *usual = usual_name(arguments->operand);
    const char *path = arguments->value[OUT].given ? arguments->value[OUT].text : usual;
    if (code == TOOL_OK && path == NULL)
        code = TOOL_BAD_INPUT;
    if (code == TOOL_OK)
        code = tool_refuse_outputs(arguments->operand, NULL, &path, 1);
    if (code == TOOL_OK)
        code = tool_refuse_ending(options[OUT].name, path, ".svg", ".png");
    if (code == TOOL_OK)
        code = draw(path, &table, &plan);
    if (code == TOOL_OK && strcmp(path, "-") != 0)
        printf("%s\n", path);
    free(usual);
    free(plan.panel);
    tool_table_free(&table);
    return code;
}

const tool_command tool_plot = {
    .name = "plot",
    .operand = "TABLE",
    .rest = "COLUMN ...",
    .summary = "draw columns of a table of results as SVG or PNG",
    .details =
        "The table is one of comma-separated values, such as 'tenon run --csv' and\n"
        "'tenon sweep-coordinate' write. A column goes by its name (crank.theta), by what it is\n"
        "of (elbow: elbow.fx, elbow.fy, ...) or by its last name (theta: all of them). Columns of\n"
        "one unit share a panel. gnuplot draws: on Debian, apt-get install gnuplot-nox.\n",
    .options = options,
    .run = run,
};
