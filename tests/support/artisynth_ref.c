/* artisynth_ref.c: test support: see artisynth_ref.h for the file format. */
#include "artisynth_ref.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the data columns of a joint type are. */
static const struct {
    const char *class_name, *type;
    int row_count, bilateral_count, coordinate_count;
} joint_types[] = {
    {"HingeJoint", "hinge", 6, 5, 1},
    {"CylindricalJoint", "cylindrical", 6, 4, 2},
    {"SphericalJoint", "spherical", 4, 3, 0},
    {"SolidJoint", "solid", 6, 6, 0},
};

__attribute__((format(printf, 2, 3))) static int fail(artisynth_ref *ref, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(ref->error, sizeof ref->error, format, arguments);
    va_end(arguments);
    return 0;
}

/* The whole file as a zero-terminated text, NULL on failure. */
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    char *text = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        long size = ftell(file);
        rewind(file);
        text = size >= 0 ? malloc((size_t)size + 1) : NULL;
        if (text != NULL) {
            size_t length = fread(text, 1, (size_t)size, file);
            text[length] = '\0';
        }
    }
    (void)fclose(file);
    return text;
}

/* The text behind the first " key=" of a line, NULL if there is none. */
static const char *find_value(const char *line, const char *key)
{
    char pattern[ARTISYNTH_NAME_SIZE + 3];
    (void)snprintf(pattern, sizeof pattern, " %s=", key);
    const char *found = strstr(line, pattern);
    return found == NULL ? NULL : found + strlen(pattern);
}

/* The blank-ended word behind key; 0 if it is missing or too long. */
static int read_word(const char *line, const char *key, char word[ARTISYNTH_NAME_SIZE])
{
    const char *text = find_value(line, key);
    size_t length = text == NULL ? 0 : strcspn(text, " ");
    if (length == 0 || length >= ARTISYNTH_NAME_SIZE) {
        return 0;
    }
    memcpy(word, text, length);
    word[length] = '\0';
    return 1;
}

/* count numbers separated by blanks, semicolons and brackets; 0 if there are fewer. */
static int read_numbers(const char *text, double *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        text += strspn(text, " ;[");
        char *end = NULL;
        numbers[i] = strtod(text, &end);
        if (end == text) {
            return 0;
        }
        text = end;
    }
    return 1;
}

static int read_value(const char *line, const char *key, double *numbers, int count)
{
    const char *text = find_value(line, key);
    return text != NULL && read_numbers(text, numbers, count);
}

static int read_pose(const char *line, const char *key, artisynth_pose *pose)
{
    double m[16];
    if (!read_value(line, key, m, 16)) {
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            pose->R.m[i][k] = m[4 * i + k];
        }
    }
    pose->p = (tn_vec3){m[3], m[7], m[11]};
    return 1;
}

static int read_run_line(artisynth_ref *ref, const char *line)
{
    if (sscanf(line, "# %47s", ref->name) != 1 || !read_value(line, "h", &ref->step, 1) ||
        !read_word(line, "integrator", ref->integrator) ||
        !read_word(line, "stabilization", ref->stabilization)) {
        return fail(ref, "bad run line");
    }
    return 1;
}

static int read_body_line(artisynth_ref *ref, const char *line)
{
    static const struct {
        const char *key;
        int row, column;
    } inertia[] = {{"Jxx", 0, 0}, {"Jyy", 1, 1}, {"Jzz", 2, 2},
                   {"Jxy", 0, 1}, {"Jxz", 0, 2}, {"Jyz", 1, 2}};
    if (ref->body_count == ARTISYNTH_MAX_BODIES) {
        return fail(ref, "more than %d bodies", ARTISYNTH_MAX_BODIES);
    }
    artisynth_body *body = &ref->bodies[ref->body_count];
    char dynamic[ARTISYNTH_NAME_SIZE];
    double com[3];
    int ok = sscanf(line, "# body %47s", body->name) == 1 && read_word(line, "dynamic", dynamic) &&
             read_value(line, "mass", &body->mass, 1) && read_value(line, "com", com, 3);
    for (size_t i = 0; ok && i < sizeof inertia / sizeof inertia[0]; i++) {
        double *entry = &body->inertia.m[inertia[i].row][inertia[i].column];
        ok = read_value(line, inertia[i].key, entry, 1);
        body->inertia.m[inertia[i].column][inertia[i].row] = *entry;
    }
    if (!ok) {
        return fail(ref, "bad body line %d", ref->body_count);
    }
    body->com = (tn_vec3){com[0], com[1], com[2]};
    body->dynamic = strcmp(dynamic, "true") == 0;
    body->slot = body->dynamic ? ref->dynamic_count++ : -1;
    ref->body_count++;
    return 1;
}

/* Index of the body named behind key, ARTISYNTH_GROUND, or -2 if unknown. */
static int read_body_name(const artisynth_ref *ref, const char *line, const char *key)
{
    char name[ARTISYNTH_NAME_SIZE];
    if (read_word(line, key, name)) {
        for (int i = 0; i < ref->body_count; i++) {
            if (strcmp(ref->bodies[i].name, name) == 0) {
                return i;
            }
        }
        if (strcmp(name, "ground") == 0) {
            return ARTISYNTH_GROUND;
        }
    }
    return -2;
}

static int read_joint_type(artisynth_ref *ref, artisynth_joint *joint, const char *line)
{
    char class_name[ARTISYNTH_NAME_SIZE] = "";
    (void)sscanf(line, "# joint %47s", class_name);
    for (size_t i = 0; i < sizeof joint_types / sizeof joint_types[0]; i++) {
        if (strcmp(class_name, joint_types[i].class_name) == 0) {
            (void)snprintf(joint->type, sizeof joint->type, "%s", joint_types[i].type);
            joint->row_count = joint_types[i].row_count;
            joint->bilateral_count = joint_types[i].bilateral_count;
            joint->coordinate_count = joint_types[i].coordinate_count;
            return 1;
        }
    }
    return fail(ref, "unknown joint type '%s'", class_name);
}

static int read_joint_line(artisynth_ref *ref, const char *line)
{
    if (ref->joint_count == ARTISYNTH_MAX_JOINTS) {
        return fail(ref, "more than %d joints", ARTISYNTH_MAX_JOINTS);
    }
    artisynth_joint *joint = &ref->joints[ref->joint_count];
    if (!read_joint_type(ref, joint, line)) {
        return 0;
    }
    joint->body_a = read_body_name(ref, line, "A");
    joint->body_b = read_body_name(ref, line, "B");
    if (joint->body_a < 0 || joint->body_b < ARTISYNTH_GROUND ||
        !read_pose(line, "TCW", &joint->T_CW) || !read_pose(line, "TDW", &joint->T_DW) ||
        !read_value(line, "compliance", joint->compliance, joint->row_count) ||
        !read_value(line, "damping", joint->damping, joint->row_count)) {
        return fail(ref, "bad joint line %d", ref->joint_count);
    }
    joint->first_coordinate = ref->coordinate_count;
    joint->first_multiplier = ref->multiplier_count;
    ref->coordinate_count += joint->coordinate_count;
    ref->multiplier_count += joint->bilateral_count;
    ref->joint_count++;
    return 1;
}

static int read_header_line(artisynth_ref *ref, const char *line)
{
    if (strncmp(line, "# body ", 7) == 0) {
        return read_body_line(ref, line);
    }
    if (strncmp(line, "# joint ", 8) == 0) {
        return read_joint_line(ref, line);
    }
    return read_run_line(ref, line);
}

/* Splits text into lines in place; header lines come first. Returns the first data line, NULL on
 * error. */
static char *read_header(artisynth_ref *ref, char *text)
{
    while (*text == '#') {
        char *end = text + strcspn(text, "\n");
        char *next = *end == '\0' ? end : end + 1;
        *end = '\0';
        if (!read_header_line(ref, text)) {
            return NULL;
        }
        text = next;
    }
    if (ref->integrator[0] == '\0' || ref->body_count == 0 || ref->joint_count == 0) {
        (void)fail(ref, "no run, body or joint line");
        return NULL;
    }
    ref->column_count = 1 + ARTISYNTH_BODY_COLUMNS * ref->dynamic_count + ref->coordinate_count +
                        ref->multiplier_count;
    return text;
}

/* One data row of exactly column_count comma-separated numbers; the end of the line or NULL. */
static const char *read_row(const artisynth_ref *ref, const char *text, double *row)
{
    for (int i = 0; i < ref->column_count; i++) {
        char *end = NULL;
        row[i] = strtod(text, &end);
        char expected = i + 1 < ref->column_count ? ',' : '\n';
        if (end == text || *end != expected) {
            return NULL;
        }
        text = end + 1;
    }
    return text;
}

static int read_rows(artisynth_ref *ref, const char *text)
{
    int line_count = 0;
    for (const char *c = text; *c != '\0'; c++) {
        line_count += *c == '\n';
    }
    if (line_count == 0) {
        return fail(ref, "no data rows");
    }
    ref->values = calloc((size_t)line_count * (size_t)ref->column_count, sizeof *ref->values);
    if (ref->values == NULL) {
        return fail(ref, "out of memory");
    }
    while (*text != '\0') {
        text =
            read_row(ref, text, ref->values + (size_t)ref->row_count * (size_t)ref->column_count);
        if (text == NULL) {
            return fail(ref, "data row %d does not hold %d numbers", ref->row_count,
                        ref->column_count);
        }
        ref->row_count++;
    }
    return 1;
}

int artisynth_ref_read(const char *path, artisynth_ref *ref)
{
    memset(ref, 0, sizeof *ref);
    char *text = read_text(path);
    if (text == NULL) {
        return fail(ref, "cannot read the file");
    }
    const char *data = read_header(ref, text);
    int ok = data != NULL && read_rows(ref, data);
    free(text);
    if (!ok) {
        artisynth_ref_free(ref);
    }
    return ok;
}

void artisynth_ref_free(artisynth_ref *ref)
{
    free(ref->values);
    ref->values = NULL;
}

static const double *row_at(const artisynth_ref *ref, int row)
{
    return ref->values + (size_t)row * (size_t)ref->column_count;
}

double artisynth_ref_time(const artisynth_ref *ref, int row)
{
    return row_at(ref, row)[0];
}

artisynth_motion artisynth_ref_motion(const artisynth_ref *ref, int row, int slot)
{
    const double *x = row_at(ref, row) + 1 + ARTISYNTH_BODY_COLUMNS * slot;
    artisynth_motion motion = {
        .pose = {{{{x[3], x[4], x[5]}, {x[6], x[7], x[8]}, {x[9], x[10], x[11]}}},
                 {x[0], x[1], x[2]}},
        .velocity = {{x[12], x[13], x[14]}, {x[15], x[16], x[17]}},
    };
    return motion;
}

const double *artisynth_ref_coordinates(const artisynth_ref *ref, int row)
{
    return row_at(ref, row) + 1 + ARTISYNTH_BODY_COLUMNS * ref->dynamic_count;
}

const double *artisynth_ref_multipliers(const artisynth_ref *ref, int row)
{
    return artisynth_ref_coordinates(ref, row) + ref->coordinate_count;
}
