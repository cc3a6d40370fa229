/* joints.c: `tenon joints [NAME]`: the catalogue of joint types, as the registry has it. */
#include <math.h>
#include <stdio.h>

#include "tenon/joint.h"
#include "tool.h"

static void print_names(const tn_joint_type_info *info)
{
    printf("%s", info->name);
    for (int i = 0; info->aliases[i] != NULL; i++)
        printf("%s%s", i == 0 ? " (also " : ", ", info->aliases[i]);
    printf("%s: %s\n", info->aliases[0] == NULL ? "" : ")", info->summary);
    printf("  degrees of freedom: %d\n", (int)info->dof);
}

static void print_rows(const tn_joint_type_info *info)
{
    for (int32_t i = 0; i < info->row_count; i++) {
        const tn_row_info *row = &info->rows[i];
        printf("  row %d  %-8s %s %s", (int)i, row->name,
               (row->flags & TN_ROW_BILATERAL) != 0 ? "bilateral" : "motion   ",
               (row->flags & TN_ROW_ROTARY) != 0 ? "rotary" : "linear");
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
        if (info->ranges != NULL)
            printf(", between %g and %g unless a range is given", info->ranges[i][0],
                   info->ranges[i][1]);
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

static const char *type_at(const void *context, int index)
{
    (void)context;
    const tn_joint_type_info *info = tn_joint_type_get((tn_joint_type){index});
    return info == NULL ? NULL : info->name;
}

static int run(const tool_arguments *arguments)
{
    tn_joint_type type;
    if (arguments->operand == NULL) {
        for (type.i = 0; type.i < tn_joint_type_count(); type.i++) {
            if (type.i > 0)
                putchar('\n');
            print_type(tn_joint_type_get(type));
        }
        return TOOL_OK;
    }
    if (tn_joint_type_find(arguments->operand, &type) != TN_OK) {
        tool_unknown("joint type", arguments->operand,
                     tool_closest(arguments->operand, type_at, NULL));
        return TOOL_BAD_INPUT;
    }
    print_type(tn_joint_type_get(type));
    return TOOL_OK;
}

const tool_command tool_joints = {
    .name = "joints",
    .operand = "[NAME]",
    .summary = "list the joint types, or tell about one",
    .details = "Units are SI and radians; model files may declare angles in degrees.\n",
    .run = run,
};
