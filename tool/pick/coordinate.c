/* coordinate.c: see coordinate.h. */
#include "pick/coordinate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "quantity/unit.h"
#include "tool.h"

#define NAME_SIZE 512

const tn_coordinate_info *tool_coordinate_info(const tn_model *model, tn_joint joint,
                                               int32_t coordinate)
{
    return &tn_model_joint_info(model, joint)->coordinates[coordinate];
}

static const char *joint_at(const void *model, int index)
{
    const tn_model *m = model;
    return index < tn_model_get_size(m).joints ? tn_model_joint_name(m, (tn_joint){index}) : NULL;
}

static int find_coordinate(const tn_model *model, tn_joint joint, const char *name, int32_t *out)
{
    const tn_joint_type_info *info = tn_model_joint_info(model, joint);
    tn_suggestion suggestion = tn_suggestion_for(name);
    for (int32_t i = 0; i < info->coordinate_count; i++) {
        if (strcmp(info->coordinates[i].name, name) == 0) {
            *out = i;
            return TOOL_OK;
        }
        tn_suggestion_offer(&suggestion, info->coordinates[i].name);
    }
    char hint[TN_HINT_SIZE];
    tool_error("joint '%s' (%s) has no coordinate '%s': %s", tn_model_joint_name(model, joint),
               info->name, name, tn_suggestion_hint(&suggestion, NULL, hint));
    return TOOL_USAGE;
}

/* "coupling" or "coupling.value": its value is its one coordinate. */
static int find_coupling(const tn_model *model, const char *name, tn_joint *joint)
{
    static const char suffix[] = ".value";
    char own[NAME_SIZE];
    tn_coupling coupling;
    size_t length = strlen(name);
    if (length >= sizeof suffix && strcmp(name + length - (sizeof suffix - 1), suffix) == 0)
        length -= sizeof suffix - 1;
    snprintf(own, sizeof own, "%.*s", (int)length, name);
    if (tn_model_find_coupling(model, name, &coupling) != TN_OK &&
        tn_model_find_coupling(model, own, &coupling) != TN_OK)
        return 0;
    *joint = tn_model_coupling_joint(model, coupling);
    return 1;
}

int tool_refuse_coupling(const tn_model *model, tn_joint joint, const char *why)
{
    if (joint.i < TN_COUPLING_JOINTS)
        return TOOL_OK;
    tool_error("'%s' is a coupling: %s", tn_model_joint_name(model, joint), why);
    return TOOL_USAGE;
}

int tool_parse_coordinate(const tn_model *model, const char *text, size_t length, tn_joint *joint,
                          int32_t *coordinate)
{
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    if (tn_model_find_joint(model, name, joint) == TN_OK) { /* the name alone */
        const tn_joint_type_info *info = tn_model_joint_info(model, *joint);
        *coordinate = 0;
        if (info->coordinate_count == 1)
            return TOOL_OK;
        tool_error("joint '%s' has %d coordinates: write JOINT.COORDINATE", name,
                   (int)info->coordinate_count);
        return TOOL_USAGE;
    }
    if (find_coupling(model, name, joint)) {
        *coordinate = 0;
        return TOOL_OK;
    }
    char *dot = strrchr(name, '.');
    if (dot != NULL)
        *dot = '\0';
    if (dot == NULL || tn_model_find_joint(model, name, joint) != TN_OK) {
        tool_unknown("joint", name, joint_at, model);
        return TOOL_USAGE;
    }
    return find_coordinate(model, *joint, dot + 1, coordinate);
}

/* Without a unit it counts in rad or m. */
static int read_quantity(const char *text, int angular, double *out)
{
    size_t at = 0;
    tn_value value;
    tn_dimension wanted = {{0}};
    wanted.exponent[angular ? TN_ANGLE : TN_LENGTH] = TN_WHOLE;
    char *end = NULL;
    const double number = strtod(text, &end);
    if (end != text && *end == '\0') {
        value = tn_plain(number);
    } else if (tn_quantity_read(text, &at, &value) != TN_QUANTITY_GOOD ||
               !tn_dimension_equal(value.dimension, wanted)) {
        return 0;
    }
    *out = value.v[0];
    return isfinite(*out);
}

int tool_parse_quantity(const char *text, int angular, double *out)
{
    if (read_quantity(text, angular, out))
        return TOOL_OK;
    tool_error("'%s' is no %s", text,
               angular ? "angle, such as 70deg or 1.2" : "length in m, such as 0.3 or 30mm");
    return TOOL_USAGE;
}
