/* field_vector.c: the kind of world, and what is written shorter in a planar one: vectors, angular
 * velocities, rotations about z.
 *
 * Room io/field. In a planar world two numbers are a vector in the plane and one number is an angular
 * velocity about z; three numbers are taken as well, since bodies of any kind may take part. What
 * must lie in the plane is checked with the spec (spec/validate/validate_plane.c). The writer uses the short
 * form where it says the same bits.
 */
#include <math.h>
#include <string.h>

#include "real/real.h"
#include "io/reader/number.h"
#include "io/field/kinds.h"

/* How many numbers a vector has in a planar world, and otherwise. */
enum { IN_PLANE = 2, IN_SPACE = 3 };

static bool is_zero(double value)
{
    return value == 0.0 && !signbit(value); /* -0 is not written as nothing */
}

static bool is_planar(const tn_emitter *emitter)
{
    return tn_spec_world(emitter->spec)->kind == TN_WORLD_PLANAR;
}

/* world ------------------------------------------------------------------------------------ */

/* The head's default gravity follows, so the field must be read before that of gravity. */
static void read_world(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_file_head *head = target;
    int32_t kind = TN_WORLD_SPATIAL;
    tn_field word = *field;
    word.offset = 0;
    tn_read_word(reader, &word, node, &kind);
    head->world = tn_default_world_of((tn_world_kind)kind);
    reader->planar = kind == TN_WORLD_PLANAR;
}

static void write_world(tn_emitter *emitter, const tn_field *field, const void *source,
                        const void *initial)
{
    (void)source;
    (void)initial;
    if (is_planar(emitter)) {
        tn_emit_key(emitter, field->key);
        tn_emit_text(emitter, tn_world_kind_name(TN_WORLD_PLANAR));
        tn_emit_end(emitter);
    }
}

static void schema_world(tn_json *json, const tn_field *field)
{
    tn_schema_words(json, field->extra);
}

const tn_field_kind tn_field_world = {read_world, write_world, schema_world};

/* vector ----------------------------------------------------------------------------------- */

static void read_vector(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    double v[IN_SPACE] = {0.0, 0.0, 0.0};
    bool two = tn_vector_size(reader, node) == IN_PLANE;
    if (two && !reader->planar && !(field->flags & TN_FIELD_SPACE)) {
        tn_problem(reader, node, "two numbers are a vector where the file says 'world: planar'",
                   "'%s' must be a list of %d numbers, not of %d", field->key, IN_SPACE, IN_PLANE);
        return;
    }
    two = two && !(field->flags & TN_FIELD_SPACE);
    if (tn_read_quantities(reader, node, field->key, tn_field_measure(reader, field),
                           two ? IN_PLANE : IN_SPACE, v)) {
        *(tn_vec3 *)tn_field_target(field, target) = (tn_vec3){v[0], v[1], v[2]};
    }
}

static void write_vector(tn_emitter *emitter, const tn_field *field, const void *source,
                         const void *initial)
{
    const double *v = tn_field_source(field, source);
    if (tn_field_differs(field, source, initial, sizeof(tn_vec3))) {
        int two = is_planar(emitter) && is_zero(v[2]) && !(field->flags & TN_FIELD_SPACE);
        tn_emit_key(emitter, field->key);
        tn_emit_numbers(emitter, v, two ? IN_PLANE : IN_SPACE);
        tn_emit_end(emitter);
    }
}

static void schema_vector(tn_json *json, const tn_field *field)
{
    tn_schema_numbers(json, field->flags & TN_FIELD_SPACE ? IN_SPACE : IN_PLANE, IN_SPACE);
}

const tn_field_kind tn_field_vector = {read_vector, write_vector, schema_vector};

/* spin: an angular velocity, a number about z in a planar world ------------------------------ */

static void read_spin(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    double about_z = 0.0;
    if (!reader->planar || tn_vector_size(reader, node) > 0) {
        read_vector(reader, field, node, target);
    } else if (tn_read_quantity(reader, node, field->key, tn_field_measure(reader, field),
                                &about_z)) {
        *(tn_vec3 *)tn_field_target(field, target) = (tn_vec3){0.0, 0.0, about_z};
    }
}

static void write_spin(tn_emitter *emitter, const tn_field *field, const void *source,
                       const void *initial)
{
    const double *w = tn_field_source(field, source);
    if (!is_planar(emitter) || !is_zero(w[0]) || !is_zero(w[1])) {
        write_vector(emitter, field, source, initial);
    } else if (tn_field_differs(field, source, initial, sizeof(tn_vec3))) {
        tn_emit_key(emitter, field->key);
        tn_emit_number(emitter, w[2]);
        tn_emit_end(emitter);
    }
}

static void schema_spin(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_open(json, "anyOf", '[');
    tn_json_open(json, NULL, '{');
    tn_schema_number(json);
    tn_json_close(json);
    tn_json_open(json, NULL, '{');
    tn_schema_numbers(json, IN_SPACE, IN_SPACE);
    tn_json_close(json);
    tn_json_close(json);
}

const tn_field_kind tn_field_spin = {read_spin, write_spin, schema_spin};

/* turn: a rotation about z ------------------------------------------------------------------- */

static tn_quat turned(double angle)
{
    return (tn_quat){tn_cos(0.5 * angle), 0.0, 0.0, tn_sin(0.5 * angle)};
}

/* Whether an angle gives exactly this rotation. Rounding may take the angle computed from it to a
 * neighbour of the one it came from. */
static bool is_turn(const tn_quat *q, double *angle)
{
    const double near = 2.0 * tn_atan2(q->z, q->w);
    const double tries[] = {near, nextafter(near, 10.0), nextafter(near, -10.0)};
    for (size_t i = 0; i < TN_COUNT_OF(tries); i++) {
        const tn_quat rebuilt = turned(tries[i]);
        /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-*): the bits are meant */
        if (memcmp(&rebuilt, q, sizeof(rebuilt)) == 0) {
            *angle = tries[i];
            return true;
        }
    }
    return false;
}

static void read_turn(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    double angle = 0.0;
    if (tn_read_quantity(reader, node, field->key, tn_field_measure(reader, field), &angle)) {
        *(tn_quat *)tn_field_target(field, target) = turned(angle);
    }
}

static void write_turn(tn_emitter *emitter, const tn_field *field, const void *source,
                       const void *initial)
{
    double angle = 0.0;
    if (tn_field_differs(field, source, initial, sizeof(tn_quat)) && is_planar(emitter) &&
        is_turn(tn_field_source(field, source), &angle)) {
        tn_emit_key(emitter, field->key);
        tn_emit_number(emitter, angle);
        tn_emit_end(emitter);
    }
}

int tn_written_as_turn(const tn_emitter *emitter, const tn_quat *q)
{
    double angle;
    return is_planar(emitter) && is_turn(q, &angle);
}

static void schema_turn(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_schema_number(json);
}

const tn_field_kind tn_field_turn = {read_turn, write_turn, schema_turn};
