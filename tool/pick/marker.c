/* marker.c: see marker.h. */
#include "pick/marker.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pick/coordinate.h"
#include "tool.h"

#define NAME_SIZE   256
#define NUMBER_SIZE 64
#define MAX_NUMBERS 9
/* A matrix is a rotation if R^T R is the identity to this: four written digits. */
#define ORTHOGONAL 1e-3
/* m, rad: a miss that is reported; less is where it was to be. */
#define TOLD_MISS 1e-9

/* Numbers to a rotation; 0: they are none. */
typedef int (*rotation_maker)(const double *v, tn_quat *out);

static int from_angle(const double *v, tn_quat *out)
{
    *out = tn_quat_from_axis_angle((tn_vec3){0.0, 0.0, 1.0}, v[0]);
    return 1;
}

static int from_rpy(const double *v, tn_quat *out)
{
    *out = tn_quat_from_rpy(v[0], v[1], v[2]);
    return 1;
}

static int from_axis_angle(const double *v, tn_quat *out)
{
    if (v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0)
        return 0;
    *out = tn_quat_from_axis_angle((tn_vec3){v[0], v[1], v[2]}, v[3]);
    return 1;
}

static int from_vector(const double *v, tn_quat *out)
{
    const double angle = hypot(hypot(v[0], v[1]), v[2]);
    const double turn[4] = {v[0], v[1], v[2], angle};
    *out = tn_pose_identity().q;
    return angle == 0.0 || from_axis_angle(turn, out);
}

static int from_quaternion(const double *v, tn_quat *out)
{
    *out = (tn_quat){v[0], v[1], v[2], v[3]};
    return v[0] != 0.0 || v[1] != 0.0 || v[2] != 0.0 || v[3] != 0.0;
}

static int from_matrix(const double *v, tn_quat *out)
{
    tn_mat3 R;
    memcpy(R.m, v, sizeof R.m);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double dot = 0.0;
            for (int k = 0; k < 3; k++)
                dot += R.m[k][i] * R.m[k][j];
            if (!(fabs(dot - (i == j ? 1.0 : 0.0)) <= ORTHOGONAL))
                return 0;
        }
    }
    const double determinant = R.m[0][0] * (R.m[1][1] * R.m[2][2] - R.m[1][2] * R.m[2][1]) -
                               R.m[0][1] * (R.m[1][0] * R.m[2][2] - R.m[1][2] * R.m[2][0]) +
                               R.m[0][2] * (R.m[1][0] * R.m[2][1] - R.m[1][1] * R.m[2][0]);
    *out = tn_quat_from_matrix(&R);
    return determinant > 0.0; /* no mirror */
}

static const struct rotation_kind {
    const char *name;
    int count;        /* numbers */
    int angular_from; /* those from here on are angles */
    rotation_maker make;
    const char *wanted; /* for messages */
} kinds[] = {
    {"angle", 1, 0, from_angle, "an angle about z"},
    {"rpy", 3, 0, from_rpy, "three angles"},
    {"axis_angle", 4, 3, from_axis_angle, "an axis that is not zero and an angle"},
    {"rotation_vector", 3, 0, from_vector, "three angles"},
    {"quaternion", 4, 4, from_quaternion, "four numbers, not all zero"},
    {"matrix", 9, 9, from_matrix, "the nine numbers of a rotation, row by row"},
};

/* One number: an angle, or (angular 0) one without a unit; nothing after it. */
static int parse_number(const char *text, int angular, double *out)
{
    char *end;
    if (angular)
        return tool_parse_quantity(text, 1, out);
    *out = strtod(text, &end);
    if (end != text && *end == '\0' && isfinite(*out))
        return TOOL_OK;
    tool_error("'%s' is no number", text);
    return TOOL_USAGE;
}

/* Exactly count numbers with commas between them. */
static int parse_numbers(const char *text, int count, int angular_from, double *out)
{
    int found = 1;
    for (const char *c = text; *c != '\0'; c++)
        found += *c == ',';
    if (found != count) {
        tool_error("'%s' has %d numbers, %d are needed", text, found, count);
        return TOOL_USAGE;
    }
    int code = TOOL_OK;
    for (int i = 0; i < count && code == TOOL_OK; i++) {
        char number[NUMBER_SIZE];
        const size_t length = strcspn(text, ",");
        snprintf(number, sizeof number, "%.*s", (int)length, text);
        code = parse_number(number, i >= angular_from, &out[i]);
        text += length + (text[length] == ',');
    }
    return code;
}

static const char *marker_at(const void *model, int index)
{
    const tn_model *m = model;
    return index < tn_model_get_size(m).markers ? tn_model_marker_name(m, (tn_marker){index})
                                                : NULL;
}

/* The name before '=', the weight after '@', and what is between them into value. */
static int parse_ends(const tn_model *model, const char *text, const char *usage, double weight,
                      char value[NAME_SIZE], tn_marker_request *out)
{
    char name[NAME_SIZE];
    const size_t length = strcspn(text, "=");
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    if (text[length] != '=') {
        tool_error("%s, not '%s'", usage, text);
        return TOOL_USAGE;
    }
    tn_marker marker = {-1};
    if (tn_model_find_marker(model, name, &marker) != TN_OK) {
        tool_unknown("marker", name, marker_at, model);
        return TOOL_USAGE;
    }
    *out = tn_default_marker_request(marker);
    out->weight = weight;
    snprintf(value, NAME_SIZE, "%s", text + length + 1);
    char *at = strchr(value, '@');
    if (at == NULL)
        return TOOL_OK;
    *at = '\0';
    const int code = parse_number(at + 1, 0, &out->weight);
    if (code != TOOL_OK || out->weight > 0.0)
        return code;
    tool_error("a weight must be greater than 0; without one '%s' is met exactly", name);
    return TOOL_USAGE;
}

int tool_parse_marker_place(const tn_model *model, const char *text, double weight,
                            tn_marker_request *out)
{
    char value[NAME_SIZE];
    double v[3] = {0.0, 0.0, 0.0};
    int code = parse_ends(model, text, "--marker needs NAME=X,Y,Z in m", weight, value, out);
    if (code == TOOL_OK)
        code = parse_numbers(value, 3, 3, v);
    out->position = (tn_vec3){v[0], v[1], v[2]};
    return code;
}

static const char *kind_at(const void *context, int index)
{
    (void)context;
    return index < (int)(sizeof kinds / sizeof *kinds) ? kinds[index].name : NULL;
}

/* "KIND:NUMBERS", or an angle about z. */
static int parse_rotation(char *text, tn_quat *out)
{
    double v[MAX_NUMBERS];
    char *colon = strchr(text, ':');
    const char *numbers = colon != NULL ? colon + 1 : text;
    const char *name = colon != NULL ? text : kinds[0].name;
    if (colon != NULL)
        *colon = '\0';
    for (int k = 0; kind_at(NULL, k) != NULL; k++) {
        if (strcmp(kinds[k].name, name) != 0)
            continue;
        const int code = parse_numbers(numbers, kinds[k].count, kinds[k].angular_from, v);
        if (code != TOOL_OK || kinds[k].make(v, out))
            return code;
        tool_error("'%s' is no rotation: %s needs %s", numbers, name, kinds[k].wanted);
        return TOOL_USAGE;
    }
    tool_unknown("way to write a rotation", name, kind_at, NULL);
    return TOOL_USAGE;
}

/* A particle has no orientation; ground has one that stays. */
static int check_turns(const tn_model *model, tn_marker marker)
{
    const tn_body body = tn_model_marker_body(model, marker);
    const tn_body_kind kind = body.i < 0 ? TN_BODY_FIXED : tn_model_body_kind(model, body);
    if (kind != TN_BODY_PARTICLE && kind != TN_BODY_PLANAR_PARTICLE)
        return TOOL_OK;
    tool_error("marker '%s' is on '%s', a point mass, which has no orientation",
               tn_model_marker_name(model, marker), tn_model_body_name(model, body));
    return TOOL_USAGE;
}

int tool_parse_marker_rotation(const tn_model *model, const char *text, double weight,
                               tn_marker_request *out)
{
    char value[NAME_SIZE];
    int code = parse_ends(model, text, "--marker-rotation needs NAME=ROTATION", weight, value, out);
    out->aim = TN_AIM_ROTATION;
    if (code == TOOL_OK)
        code = parse_rotation(value, &out->rotation);
    return code == TOOL_OK ? check_turns(model, out->marker) : code;
}

void tool_print_marker(const tn_sim *sim, const tn_marker_request *request,
                       const tn_marker_answer *miss)
{
    const tn_pose t = tn_sim_marker_pose(sim, request->marker);
    const char *name = tn_model_marker_name(tn_sim_model(sim), request->marker);
    if (request->aim == TN_AIM_POSITION) {
        printf("%s = %.12g, %.12g, %.12g m", name, t.p.x, t.p.y, t.p.z);
    } else {
        printf("%s = quaternion %.12g, %.12g, %.12g, %.12g", name, t.q.w, t.q.x, t.q.y, t.q.z);
    }
    if (miss->distance > TOLD_MISS)
        printf(" (%.3g m away)", miss->distance);
    if (miss->angle > TOLD_MISS)
        printf(" (%.3g deg away)", miss->angle * TOOL_DEGREES);
    putchar('\n');
}
