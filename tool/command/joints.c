/* joints.c: `tenon joints [NAME]`: the catalogue of joint types: what the registry knows about
 * each, and what people wrote about it.
 *
 * With --markdown the same as the tables of a page in docs/reference/joints (scripts/make_joint_pages.py).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command/texts.h"
#include "tenon/joint.h"
#include "tool.h"

enum { MARKDOWN };

static const tool_option options[] = {
    [MARKDOWN] = {"--markdown", NULL, TOOL_FLAG, "as tables in Markdown"},
    {NULL, NULL, TOOL_FLAG, NULL},
};

/* The text about a type; NULL: there is none. */
static const char *text_of(const char *name)
{
    for (int i = 0; tool_joint_texts[i].name != NULL; i++) {
        if (strcmp(tool_joint_texts[i].name, name) == 0)
            return tool_joint_texts[i].text;
    }
    return NULL;
}

static const char *row_kind(const tn_row_info *row)
{
    return (row->flags & TN_ROW_BILATERAL) != 0 ? "bilateral" : "motion";
}

static const char *row_nature(const tn_row_info *row)
{
    return (row->flags & TN_ROW_ROTARY) != 0 ? "rotary" : "linear";
}

/* for a terminal ------------------------------------------------------------------------------- */

static void print_names(const tn_joint_type_info *info)
{
    printf("%s", info->name);
    for (int i = 0; info->aliases != NULL && info->aliases[i] != NULL; i++)
        printf("%s%s", i == 0 ? " (also " : ", ", info->aliases[i]);
    printf("%s: %s\n", info->aliases == NULL ? "" : ")", info->summary);
    printf("  degrees of freedom: %d\n", (int)info->dof);
}

static void print_rows(const tn_joint_type_info *info)
{
    for (int32_t i = 0; i < info->row_count; i++) {
        const tn_row_info *row = &info->rows[i];
        printf("  row %d  %-8s %-9s %s", (int)i, row->name, row_kind(row), row_nature(row));
        if (row->coordinate >= 0)
            printf("  (limit or lock of %s)", info->coordinates[row->coordinate].name);
        putchar('\n');
    }
}

static void print_coordinates(const tn_joint_type_info *info)
{
    for (int32_t i = 0; i < info->coordinate_count; i++) {
        printf("  coordinate %-8s %s", info->coordinates[i].name,
               info->coordinates[i].angular ? "rad" : "m");
        if (info->ranges != NULL) {
            printf(", between %g and %g unless a range is given", info->ranges[i][0],
                   info->ranges[i][1]);
        }
        putchar('\n');
    }
}

static void print_parameters(const tn_joint_type_info *info)
{
    for (int32_t i = 0; i < info->parameter_count; i++) {
        const tn_parameter_info *p = &info->parameters[i];
        printf("  parameter %-8s %s, default %g", p->name, p->unit, p->default_value);
        if (isfinite(p->lower) || isfinite(p->upper))
            printf(", between %g and %g", p->lower, p->upper);
        printf(": %s\n", p->summary);
    }
}

static void print_type(const tn_joint_type_info *info)
{
    print_names(info);
    print_rows(info);
    print_coordinates(info);
    print_parameters(info);
}

/* for a page ----------------------------------------------------------------------------------- */

/* What the type leaves in motion as it is made: a rod holds its length. */
static int left_at_start(const tn_joint_type_info *info)
{
    return (int)(info->start == TN_START_HELD ? info->dof - info->coordinate_count : info->dof);
}

static void write_heading(const tn_joint_type_info *info)
{
    printf("# %s\n\nA %s joint %s.", info->name, info->name, info->summary);
    if (info->dof == 6 && (info->start == TN_START_AT_MOST || info->ranges != NULL))
        printf(" It leaves 6 degrees of freedom, or 5 while %s.",
               info->start == TN_START_AT_MOST ? "taut" : "in contact");
    else
        printf(" It leaves %d degree%s of freedom.", left_at_start(info),
               left_at_start(info) == 1 ? "" : "s");
    for (int i = 0; info->aliases != NULL && info->aliases[i] != NULL; i++)
        printf("%s`%s`", i == 0 ? " Also written " : ", ", info->aliases[i]);
    printf("%s\n", info->aliases == NULL ? "" : ".");
}

/* A cell of a table; empty for none. */
static void write_bound(double bound)
{
    if (isfinite(bound)) {
        printf(" %g |", bound);
    } else {
        printf(" |");
    }
}

static void write_coordinates(const tn_joint_type_info *info)
{
    printf("\n## Coordinates\n\n");
    if (info->coordinate_count == 0) {
        printf("None.\n");
        return;
    }
    const int ranges = info->ranges != NULL;
    printf("| index | name | unit |%s\n|---|---|---|%s\n", ranges ? " least | most |" : "",
           ranges ? "---|---|" : "");
    for (int32_t i = 0; i < info->coordinate_count; i++) {
        printf("| %d | %s | %s |", (int)i, info->coordinates[i].name,
               info->coordinates[i].angular ? "rad" : "m");
        for (int k = 0; ranges && k < 2; k++)
            write_bound(info->ranges[i][k]);
        putchar('\n');
    }
}

static void write_parameters(const tn_joint_type_info *info)
{
    if (info->parameter_count == 0)
        return;
    printf("\n## Parameters\n\n| name | unit | default | above | below | meaning |\n"
           "|---|---|---|---|---|---|\n");
    for (int32_t i = 0; i < info->parameter_count; i++) {
        const tn_parameter_info *p = &info->parameters[i];
        printf("| %s | %s | %g |", p->name, p->unit, p->default_value);
        write_bound(p->lower);
        write_bound(p->upper);
        printf(" %s |\n", p->summary);
    }
}

static void write_rows(const tn_joint_type_info *info)
{
    printf("\n## Rows\n\n| index | name | kind | nature | error, multiplier | limit or lock of |\n"
           "|---|---|---|---|---|---|\n");
    for (int32_t i = 0; i < info->row_count; i++) {
        const tn_row_info *row = &info->rows[i];
        printf("| %d | %s | %s | %s | %s | %s |\n", (int)i, row->name, row_kind(row),
               row_nature(row), (row->flags & TN_ROW_ROTARY) != 0 ? "rad, N m" : "m, N",
               row->coordinate >= 0 ? info->coordinates[row->coordinate].name : "");
    }
}

static void write_page(const tn_joint_type_info *info)
{
    write_heading(info);
    write_coordinates(info);
    write_parameters(info);
    write_rows(info);
}

/* ---------------------------------------------------------------------------------------------- */

static const char *type_at(const void *context, int index)
{
    (void)context;
    const tn_joint_type_info *info = tn_joint_type_get((tn_joint_type){index});
    return info == NULL ? NULL : info->name;
}

static void show_all(void (*show)(const tn_joint_type_info *info))
{
    for (tn_joint_type type = {0}; type.i < tn_joint_type_count(); type.i++) {
        if (type.i > 0)
            putchar('\n');
        show(tn_joint_type_get(type));
    }
}

static int run(const tool_arguments *arguments)
{
    void (*show)(const tn_joint_type_info *) =
        arguments->value[MARKDOWN].given ? write_page : print_type;
    if (arguments->operand == NULL) {
        show_all(show);
        return TOOL_OK;
    }
    tn_joint_type type;
    if (tn_joint_type_find(arguments->operand, &type) != TN_OK) {
        tool_unknown("joint type", arguments->operand, type_at, NULL);
        return TOOL_BAD_INPUT;
    }
    const tn_joint_type_info *info = tn_joint_type_get(type);
    show(info);
    const char *text = text_of(info->name);
    if (text != NULL && !arguments->value[MARKDOWN].given)
        printf("\n%s", text);
    return TOOL_OK;
}

const tool_command tool_joints = {
    .name = "joints",
    .operand = "[NAME]",
    .summary = "list the joint types, or describe one",
    .details = "Units are SI and radians; model files may declare angles in degrees.\n",
    .options = options,
    .run = run,
};
