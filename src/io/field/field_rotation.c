/* field_rotation.c: rotations by a matrix and by two axes.
 *
 * Room io/field. Both are read only: the writer uses the quaternion. What is no rotation up to the digits
 * a person writes is refused, what is left of the error is taken away evenly.
 */
#include <math.h>
#include <string.h>

#include "real/real.h"
#include "io/reader/number.h"
#include "io/field/kinds.h"

/* How far from square and from unit length written axes may be: five digits. */
#define WRITTEN 1e-4

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *out)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = a[j] * b[k] - a[k] * b[j];
    }
}

/* Scales to length 1; false when it has none. */
static bool normalize(double *v)
{
    const double length = tn_hypot(tn_hypot(v[0], v[1]), v[2]);
    for (int i = 0; length > 0.0 && i < 3; i++) {
        v[i] /= length;
    }
    return length > 0.0;
}

/* The rotation whose columns are the axes: x and y, made square, and their product. */
static tn_quat from_axes(double axes[3][3])
{
    tn_mat3 matrix;
    const double along = dot(axes[0], axes[1]);
    for (int i = 0; i < 3; i++) {
        const double x = axes[0][i];
        axes[0][i] -= 0.5 * along * axes[1][i];
        axes[1][i] -= 0.5 * along * x;
    }
    normalize(axes[0]);
    normalize(axes[1]);
    cross(axes[0], axes[1], axes[2]);
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            matrix.m[row][column] = axes[column][row];
        }
    }
    return tn_quat_from_matrix(&matrix);
}

/* matrix: [[...], [...], [...]], row by row ------------------------------------------------------
 */

static bool is_rotation(double axes[3][3])
{
    double product[3];
    cross(axes[0], axes[1], product);
    bool good = true;
    for (int i = 0; i < 3; i++) {
        good = good && fabs(dot(axes[i], axes[i]) - 1.0) <= WRITTEN &&
               fabs(product[i] - axes[2][i]) <= WRITTEN;
    }
    return good && fabs(dot(axes[0], axes[1])) <= WRITTEN;
}

static void read_matrix(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    double axes[3][3] = {{0.0}}; /* the columns */
    if (!tn_want_sequence(reader, node, field->key)) {
        return;
    }
    if (tn_get(reader, node)->count != 3) {
        tn_problem(reader, node, NULL, "'%s' must be 3 x 3, not a list of %d", field->key,
                   (int)tn_get(reader, node)->count);
        return;
    }
    int32_t row = 0;
    bool ok = true;
    TN_EACH(reader, node, child)
    {
        double numbers[3] = {0.0, 0.0, 0.0};
        ok = tn_read_numbers(reader, child, field->key, 3, numbers) && ok;
        for (int i = 0; i < 3; i++) {
            axes[i][row] = numbers[i];
        }
        row++;
    }
    if (ok && !is_rotation(axes)) {
        tn_problem(reader, node, "its columns are the axes: square, of length 1, right-handed",
                   "'%s' is no rotation", field->key);
    } else if (ok) {
        *(tn_quat *)tn_field_target(field, target) = from_axes(axes);
    }
}

static void schema_matrix(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "array");
    tn_json_open(json, "items", '{');
    tn_schema_numbers(json, 3, 3);
    tn_json_close(json);
    tn_json_number(json, "minItems", 3);
    tn_json_number(json, "maxItems", 3);
}

const tn_field_kind tn_field_matrix = {read_matrix, tn_write_nothing, schema_matrix};

/* axes: {x: [...], z: [...]}, two of three -------------------------------------------------------
 */

static const char *const names[3] = {"x", "y", "z"};

static int find_axis(const char *text)
{
    for (int i = 0; i < 3; i++) {
        if (strcmp(text, names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

/* The axes that are given, normalized; how many, -1 when something is wrong. */
static int read_given(tn_reader *reader, const tn_field *field, int32_t node, double axes[3][3],
                      bool given[3])
{
    int count = 0;
    bool ok = true;
    TN_EACH_KEY(reader, node, key)
    {
        const char *text = tn_node_text(reader->tree, key);
        const int32_t value = tn_get(reader, key)->next;
        const int i = find_axis(text);
        if (i < 0 || given[i]) {
            tn_problem(reader, key, "two of x, y and z", "'%s': %s '%.60s'", field->key,
                       i < 0 ? "unknown axis" : "given twice:", text);
            ok = false;
            continue;
        }
        given[i] = true;
        count++;
        if (!tn_read_quantities(reader, value, text, tn_measure_of(TN_DIRECTION), 3, axes[i])) {
            ok = false;
        } else if (!normalize(axes[i])) {
            tn_problem(reader, value, NULL, "the axis '%s' is zero and has no direction", text);
            ok = false;
        }
    }
    return ok ? count : -1;
}

static void read_axes(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    double axes[3][3] = {{0.0}};
    bool given[3] = {false, false, false};
    if (!tn_want_mapping(reader, node, field->key)) {
        return;
    }
    const int count = read_given(reader, field, node, axes, given);
    if (count < 0) {
        return;
    }
    if (count != 2) {
        tn_problem(reader, node, "{x: [1, 0, 0], z: [0, 0, 1]}",
                   "'%s' takes two of x, y and z, not %d", field->key, count);
        return;
    }
    const int missing = !given[0] ? 0 : !given[1] ? 1 : 2;
    double *a = axes[(missing + 1) % 3], *b = axes[(missing + 2) % 3];
    if (fabs(dot(a, b)) > WRITTEN) {
        tn_problem(reader, node, NULL, "the two axes are not square: cos %.4g", dot(a, b));
        return;
    }
    cross(a, b, axes[missing]);
    normalize(axes[missing]);
    *(tn_quat *)tn_field_target(field, target) = from_axes(axes);
}

static void schema_axes(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "object");
    tn_json_open(json, "properties", '{');
    for (int i = 0; i < 3; i++) {
        tn_json_open(json, names[i], '{');
        tn_schema_numbers(json, 3, 3);
        tn_json_close(json);
    }
    tn_json_close(json);
    tn_json_bool(json, "additionalProperties", 0);
    tn_json_number(json, "minProperties", 2);
    tn_json_number(json, "maxProperties", 2);
}

const tn_field_kind tn_field_two_axes = {read_axes, tn_write_nothing, schema_axes};
