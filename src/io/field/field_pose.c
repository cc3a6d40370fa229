/* field_pose.c: the three ways of writing a rotation in space.
 *
 * Room io/field. All end in a quaternion; the writer uses that one. A quaternion that is a unit one in
 * the digits a person writes stays as it is, so that what was written reads back bit for bit
 * (whoever computes with it normalises it); any other is scaled.
 */
#include <math.h>
#include <string.h>

#include "io/reader/number.h"
#include "io/field/kinds.h"
#include "spec/validate/check.h"

static void read_quaternion(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    double q[4];
    if (!tn_read_numbers(reader, node, field->key, 4, q)) {
        return;
    }
    double largest = fmax(fmax(fabs(q[0]), fabs(q[1])), fmax(fabs(q[2]), fabs(q[3])));
    if (largest == 0.0) {
        tn_problem(reader, node, "no rotation is [1, 0, 0, 0]", "the quaternion is zero");
        return;
    }
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(fabs(length - 1.0) <= TN_UNIT_TOLERANCE)) {
        for (int i = 0; i < 4; i++) {
            q[i] /= largest; /* so that no square overflows or vanishes */
        }
        length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        for (int i = 0; i < 4; i++) {
            q[i] /= length;
        }
    }
    *(tn_quat *)tn_field_target(field, target) = (tn_quat){q[0], q[1], q[2], q[3]};
}

static void write_quaternion(tn_emitter *emitter, const tn_field *field, const void *source,
                             const void *initial)
{
    if (tn_field_differs(field, source, initial, sizeof(tn_quat)) &&
        !tn_written_as_turn(emitter, tn_field_source(field, source))) {
        tn_emit_key(emitter, field->key);
        tn_emit_numbers(emitter, tn_field_source(field, source), 4);
        tn_emit_end(emitter);
    }
}

static void read_axis_angle(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    double v[4];
    const tn_measure part = tn_measure_of(TN_DIRECTION);
    const tn_measure measures[4] = {part, part, part, tn_angle_measure(reader, "rad")};
    if (!tn_read_mixed(reader, node, field->key, measures, 4, v)) {
        return;
    }
    double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (largest == 0.0) {
        tn_problem(reader, node, NULL, "the axis is zero and has no direction");
        return;
    }
    tn_vec3 axis = {v[0] / largest, v[1] / largest, v[2] / largest};
    *(tn_quat *)tn_field_target(field, target) = tn_quat_from_axis_angle(axis, v[3]);
}

static void read_rpy(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    double v[3];
    if (tn_read_quantities(reader, node, field->key, tn_angle_measure(reader, "rad"), 3, v)) {
        *(tn_quat *)tn_field_target(field, target) = tn_quat_from_rpy(v[0], v[1], v[2]);
    }
}

static void schema_four(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_schema_numbers(json, 4, 4);
}

static void schema_three(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_schema_numbers(json, 3, 3);
}

const tn_field_kind tn_field_quaternion = {read_quaternion, write_quaternion, schema_four};
const tn_field_kind tn_field_axis_angle = {read_axis_angle, tn_write_nothing, schema_four};
const tn_field_kind tn_field_rpy = {read_rpy, tn_write_nothing, schema_three};
