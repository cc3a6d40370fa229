/* same_spec.h: test support: two specs are the same bit for bit (locations aside). */
#ifndef TN_TESTS_SAME_SPEC_H
#define TN_TESTS_SAME_SPEC_H

#include <check.h>
#include <string.h>

#include "tenon/load.h"
#include "tenon/measure.h"
#include "tenon/spec.h"

/* Bits, so that NaN equals NaN and 0 differs from -0. */
#define expect_bits(a, b) ck_assert_mem_eq(&(a), &(b), sizeof(a))

/* A whole vector is unset when its first number is NaN: the others do not matter then. */
#define expect_optional(a, b, first)                                                               \
    do {                                                                                           \
        if ((a).first == (a).first || (b).first == (b).first) {                                    \
            expect_bits(a, b);                                                                     \
        }                                                                                          \
    } while (0)

static inline void expect_same_text(const char *a, const char *b)
{
    ck_assert_int_eq(a == NULL, b == NULL);
    if (a != NULL) {
        ck_assert_str_eq(a, b);
    }
}

static inline void expect_same_list(const void *a, const void *b, int32_t count, size_t size)
{
    if (count > 0) {
        ck_assert_mem_eq(a, b, (size_t)count * size);
    }
}

static inline void expect_same_shape(const tn_shape_def *a, const tn_shape_def *b)
{
    ck_assert_int_eq(a->kind, b->kind);
    expect_bits(a->pose, b->pose);
    expect_bits(a->density, b->density);
    expect_bits(a->mass, b->mass);
    expect_same_text(a->file, b->file);
    const tn_shape_kind_info *kind = tn_shape_kind_get(a->kind);
    for (int32_t i = 0; i < kind->parameter_count; i++) {
        const tn_shape_parameter *p = &kind->parameters[i];
        if (p->type == TN_SHAPE_PARAMETER_REAL) {
            ck_assert_mem_eq(tn_shape_reals_const(a, p), tn_shape_reals_const(b, p),
                             (size_t)p->count * sizeof(double));
        } else if (p->type == TN_SHAPE_PARAMETER_INTEGER) {
            ck_assert_int_eq(tn_shape_integer_const(a, p), tn_shape_integer_const(b, p));
        }
    }
    ck_assert_int_eq(a->point_count, b->point_count);
    ck_assert_int_eq(a->vertex_count, b->vertex_count);
    ck_assert_int_eq(a->triangle_count, b->triangle_count);
    expect_same_list(a->points, b->points, a->point_count, sizeof(*a->points));
    expect_same_list(a->vertices, b->vertices, a->vertex_count, sizeof(*a->vertices));
    expect_same_list(a->triangles, b->triangles, a->triangle_count, sizeof(*a->triangles));
}

static inline void expect_same_body(const tn_body_def *a, const tn_body_def *b)
{
    expect_same_text(a->name, b->name);
    ck_assert_int_eq(a->kind, b->kind);
    expect_bits(a->pose, b->pose);
    expect_bits(a->velocity, b->velocity);
    expect_bits(a->mass, b->mass);
    expect_optional(a->com, b->com, x);
    expect_optional(a->inertia, b->inertia, m[0][0]);
    expect_bits(a->density, b->density);
    expect_bits(a->frame_damping, b->frame_damping);
    expect_bits(a->rotary_damping, b->rotary_damping);
    ck_assert_int_eq(a->shape_count, b->shape_count);
    for (int32_t i = 0; i < a->shape_count; i++) {
        expect_same_shape(&a->shapes[i], &b->shapes[i]);
    }
}

static inline void expect_same_function(const tn_function_def *a, const tn_function_def *b)
{
    ck_assert_int_eq(a->kind, b->kind);
    ck_assert_int_eq(a->count, b->count);
    ck_assert_int_eq(a->bounded, b->bounded);
    expect_same_list(a->numbers, b->numbers, a->count, sizeof(*a->numbers));
    ck_assert_int_eq(a->formula != NULL, b->formula != NULL);
    if (a->formula != NULL) {
        ck_assert_str_eq(a->formula, b->formula);
    }
}

static inline void expect_same_drive(const tn_drive_def *a, const tn_drive_def *b)
{
    ck_assert_int_eq(a->coordinate, b->coordinate);
    expect_same_function(&a->position, &b->position);
    expect_same_function(&a->motor.speed, &b->motor.speed);
    expect_same_function(&a->motor.position, &b->motor.position);
    expect_bits(a->motor.max_force, b->motor.max_force);
    expect_bits(a->motor.time_constant, b->motor.time_constant);
    expect_bits(a->friction, b->friction);
    expect_bits(a->spring.stiffness, b->spring.stiffness);
    expect_bits(a->spring.frequency, b->spring.frequency);
    expect_bits(a->spring.damping, b->spring.damping);
    expect_bits(a->spring.damping_ratio, b->spring.damping_ratio);
    expect_bits(a->spring.max_force, b->spring.max_force);
    expect_same_function(&a->spring.rest, &b->spring.rest);
    expect_same_function(&a->spring.force, &b->spring.force);
}

static inline void expect_same_axis(const tn_joint_axis *a, const tn_joint_axis *b)
{
    ck_assert_int_eq(a->angular, b->angular);
    expect_bits(a->axis, b->axis);
    ck_assert_int_eq(a->coordinate, b->coordinate);
    ck_assert_int_eq(a->function.kind, b->function.kind);
    ck_assert_int_eq(a->function.count, b->function.count);
    for (int32_t i = 0; i < a->function.count; i++) {
        expect_bits(a->function.numbers[i], b->function.numbers[i]);
    }
}

static inline void expect_same_data(const tn_joint_data *a, const tn_joint_data *b)
{
    ck_assert_int_eq(a != NULL, b != NULL);
    if (a == NULL) {
        return;
    }
    ck_assert_int_eq(a->point_count, b->point_count);
    for (int32_t i = 0; i < a->point_count; i++) {
        expect_bits(a->points[i], b->points[i]);
    }
    ck_assert_int_eq(a->coordinate_count, b->coordinate_count);
    for (int32_t i = 0; i < a->coordinate_count; i++) {
        expect_same_text(a->coordinates[i].name, b->coordinates[i].name);
        ck_assert_int_eq(a->coordinates[i].angular, b->coordinates[i].angular);
    }
    ck_assert_int_eq(a->axis_count, b->axis_count);
    for (int32_t i = 0; i < a->axis_count; i++) {
        expect_same_axis(&a->axes[i], &b->axes[i]);
    }
}

static inline void expect_same_joint(const tn_joint_def *a, const tn_joint_def *b)
{
    expect_same_text(a->name, b->name);
    expect_same_text(a->type, b->type);
    ck_assert_int_eq(a->a.i, b->a.i);
    ck_assert_int_eq(a->b.i, b->b.i);
    ck_assert_int_eq(a->placement, b->placement);
    int framed = a->placement != TN_PLACE_AXIS && a->placement != TN_PLACE_ORIGIN;
    if (framed) {
        expect_bits(a->frame_d, b->frame_d);
    } else {
        expect_bits(a->origin, b->origin);
    }
    if (framed && a->placement != TN_PLACE_WORLD_FRAME) {
        expect_bits(a->frame_c, b->frame_c);
    }
    if (a->placement == TN_PLACE_AXIS) {
        expect_bits(a->axis, b->axis);
    }
    expect_optional(a->x_axis, b->x_axis, x);
    expect_optional(a->y_axis, b->y_axis, x);
    expect_bits(a->parameters, b->parameters);
    expect_same_data(a->data, b->data);
    expect_bits(a->initial, b->initial);
    expect_bits(a->set, b->set);
    expect_bits(a->speed, b->speed);
    expect_bits(a->compliance, b->compliance);
    expect_bits(a->damping, b->damping);
    expect_bits(a->frequency, b->frequency);
    expect_bits(a->damping_ratio, b->damping_ratio);
    ck_assert_int_eq(a->compliance_rows, b->compliance_rows);
    ck_assert_int_eq(a->damping_rows, b->damping_rows);
    ck_assert_int_eq(a->frequency_rows, b->frequency_rows);
    ck_assert_int_eq(a->damping_ratio_rows, b->damping_ratio_rows);
    expect_bits(a->linear_frequency, b->linear_frequency);
    expect_bits(a->rotary_frequency, b->rotary_frequency);
    expect_bits(a->linear_damping_ratio, b->linear_damping_ratio);
    expect_bits(a->rotary_damping_ratio, b->rotary_damping_ratio);
    expect_bits(a->linear_compliance, b->linear_compliance);
    expect_bits(a->rotary_compliance, b->rotary_compliance);
    expect_bits(a->relative_compliance, b->relative_compliance);
    expect_bits(a->lower, b->lower);
    expect_bits(a->upper, b->upper);
    expect_bits(a->armature, b->armature);
    expect_bits(a->locked, b->locked);
    ck_assert_int_eq(a->drive_count, b->drive_count);
    for (int32_t i = 0; i < a->drive_count; i++) {
        expect_same_drive(&a->drives[i], &b->drives[i]);
    }
    ck_assert_int_eq(a->disabled, b->disabled);
    expect_bits(a->look.axis_length, b->look.axis_length);
    expect_bits(a->look.shaft_length, b->look.shaft_length);
    expect_bits(a->look.shaft_radius, b->look.shaft_radius);
    expect_bits(a->look.joint_radius, b->look.joint_radius);
    expect_bits(a->look.slot_width, b->look.slot_width);
    expect_bits(a->look.plane_size, b->look.plane_size);
    expect_bits(a->look.color, b->look.color);
    ck_assert_int_eq(a->look.draw_frame_c, b->look.draw_frame_c);
    ck_assert_int_eq(a->look.draw_frame_d, b->look.draw_frame_d);
}

static inline void expect_same_head(const tn_spec *a, const tn_spec *b)
{
    const tn_world_def *wa = tn_spec_world(a), *wb = tn_spec_world(b);
    expect_same_text(wa->name, wb->name);
    expect_bits(wa->gravity, wb->gravity);
    expect_bits(wa->frame_damping, wb->frame_damping);
    expect_bits(wa->rotary_damping, wb->rotary_damping);
    const tn_simulation_def *sa = tn_spec_simulation(a), *sb = tn_spec_simulation(b);
    ck_assert_int_eq(sa->integrator, sb->integrator);
    expect_bits(sa->step, sb->step);
    expect_bits(sa->duration, sb->duration);
    const tn_record_def *ra = tn_spec_record(a), *rb = tn_spec_record(b);
    expect_bits(ra->every, rb->every);
    ck_assert_uint_eq(ra->what, rb->what);
    ck_assert_int_eq(ra->body_count, rb->body_count);
    ck_assert_int_eq(ra->joint_count, rb->joint_count);
    ck_assert_int_eq(ra->marker_count, rb->marker_count);
    expect_same_list(ra->bodies, rb->bodies, ra->body_count, sizeof(*ra->bodies));
    expect_same_list(ra->joints, rb->joints, ra->joint_count, sizeof(*ra->joints));
    expect_same_list(ra->markers, rb->markers, ra->marker_count, sizeof(*ra->markers));
    ck_assert_int_eq(ra->coupling_count, rb->coupling_count);
    expect_same_list(ra->couplings, rb->couplings, ra->coupling_count, sizeof(*ra->couplings));
}

static inline void expect_same_load(const tn_load_def *a, const tn_load_def *b)
{
    expect_same_text(a->name, b->name);
    ck_assert_int_eq(a->kind, b->kind);
    ck_assert_int_eq(a->body_count, b->body_count);
    expect_same_list(a->bodies, b->bodies, a->body_count, sizeof(*a->bodies));
    expect_bits(a->markers, b->markers);
    expect_optional(a->point, b->point, x);
    ck_assert_int_eq(a->axes, b->axes);
    for (int i = 0; i < 3; i++) {
        expect_same_function(&a->force[i], &b->force[i]);
        expect_same_function(&a->moment[i], &b->moment[i]);
        expect_same_function(&a->acceleration[i], &b->acceleration[i]);
        expect_same_function(&a->medium[i], &b->medium[i]);
    }
    expect_same_function(&a->thrust, &b->thrust);
    expect_same_function(&a->effort, &b->effort);
    ck_assert_int_eq(a->joint.i, b->joint.i);
    ck_assert_int_eq(a->coordinate, b->coordinate);
    expect_bits(a->scale, b->scale);
    expect_bits(a->linear, b->linear);
    expect_bits(a->quadratic, b->quadratic);
    expect_bits(a->rotary, b->rotary);
    expect_bits(a->rotary_quadratic, b->rotary_quadratic);
    expect_bits(a->strength, b->strength);
    expect_bits(a->exponent, b->exponent);
}

static inline void expect_same_measure(const tn_measure_def *a, const tn_measure_def *b)
{
    expect_same_text(a->name, b->name);
    ck_assert_int_eq(a->quantity, b->quantity);
    ck_assert_int_eq(a->joint.i, b->joint.i);
    ck_assert_int_eq(a->coordinate, b->coordinate);
    ck_assert_int_eq(a->load.i, b->load.i);
    expect_bits(a->markers, b->markers);
    ck_assert_int_eq(a->about.i, b->about.i);
    ck_assert_int_eq(a->axes, b->axes);
    ck_assert_int_eq(a->on_b, b->on_b);
    ck_assert_int_eq(a->part, b->part);
    ck_assert_int_eq(a->component, b->component);
    expect_bits(a->above, b->above);
}

static inline void expect_same_spec(const tn_spec *a, const tn_spec *b)
{
    expect_same_head(a, b);
    ck_assert_int_eq(tn_spec_body_count(a), tn_spec_body_count(b));
    ck_assert_int_eq(tn_spec_joint_count(a), tn_spec_joint_count(b));
    ck_assert_int_eq(tn_spec_marker_count(a), tn_spec_marker_count(b));
    for (int32_t i = 0; i < tn_spec_body_count(a); i++) {
        expect_same_body(tn_spec_body(a, (tn_body){i}), tn_spec_body(b, (tn_body){i}));
    }
    for (int32_t i = 0; i < tn_spec_joint_count(a); i++) {
        expect_same_joint(tn_spec_joint(a, (tn_joint){i}), tn_spec_joint(b, (tn_joint){i}));
    }
    for (int32_t i = 0; i < tn_spec_marker_count(a); i++) {
        const tn_marker_def *ma = tn_spec_marker(a, (tn_marker){i});
        const tn_marker_def *mb = tn_spec_marker(b, (tn_marker){i});
        expect_same_text(ma->name, mb->name);
        ck_assert_int_eq(ma->body.i, mb->body.i);
        expect_bits(ma->position, mb->position);
        expect_bits(ma->rotation, mb->rotation);
    }
    ck_assert_int_eq(tn_spec_load_count(a), tn_spec_load_count(b));
    for (int32_t i = 0; i < tn_spec_load_count(a); i++) {
        expect_same_load(tn_spec_load(a, (tn_load){i}), tn_spec_load(b, (tn_load){i}));
    }
    ck_assert_int_eq(tn_spec_measure_count(a), tn_spec_measure_count(b));
    for (int32_t i = 0; i < tn_spec_measure_count(a); i++) {
        expect_same_measure(tn_spec_measure(a, (tn_measure_id){i}),
                            tn_spec_measure(b, (tn_measure_id){i}));
    }
}

#endif
