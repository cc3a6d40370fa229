/* imported.h: test support: models of other programs, what is told of them, how they move. */
#ifndef TN_TESTS_IMPORTED_H
#define TN_TESTS_IMPORTED_H

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "support/allocator.h"
#include "tenon/coords.h"
#include "tenon/io.h"
#include "tenon/tenon.h"

typedef struct imported {
    tn_diagnostics *told;
    tn_spec *spec;
    tn_model *model;
    tn_sim *sim;
} imported;

static inline void import_free(imported *m)
{
    tn_sim_destroy(m->sim);
    tn_model_destroy(m->model);
    tn_spec_destroy(m->spec);
    tn_diagnostics_destroy(m->told);
}

/* One of the diagnostics has this severity, line (0: any) and words. */
static inline bool is_told(const tn_diagnostics *told, tn_severity severity, int32_t line,
                           const char *words)
{
    for (int32_t i = 0; i < tn_diagnostics_count(told); i++) {
        const tn_diagnostic *d = tn_diagnostics_get(told, i);
        if (d->severity == severity && (line == 0 || d->at.line == line) &&
            strstr(d->message, words) != NULL)
            return true;
    }
    return false;
}

static inline void expect_told(const tn_diagnostics *told, tn_severity severity, int32_t line,
                               const char *words)
{
    if (!is_told(told, severity, line, words)) {
        tn_diagnostics_print(told, stderr, "", 0);
        ck_abort_msg("not told in line %d: %s", (int)line, words);
    }
}

static inline imported import_described(const char *text, const char *name, const char *setting,
                                        const char *value)
{
    imported m = {.told = tn_diagnostics_create()};
    const tn_setting one = {setting, value};
    const tn_status status =
        tn_spec_read_string_with(text, strlen(text), name, &one, setting != NULL, m.told, &m.spec);
    if (status != TN_OK)
        tn_diagnostics_print(m.told, stderr, text, strlen(text));
    ck_assert_int_eq(status, TN_OK);
    return m;
}

static inline void import_start(imported *m)
{
    ck_assert_int_eq(tn_model_compile(m->spec, m->told, &m->model), TN_OK);
    tn_sim_options options = tn_default_sim_options(m->model);
    ck_assert_int_eq(tn_integrator_find("dormand_prince", &options.integrator), TN_OK);
    options.accuracy = 0.0;
    options.relative_tolerance = 1e-11;
    options.absolute_tolerance = 1e-13;
    ck_assert_int_eq(tn_sim_create(m->model, &options, m->told, &m->sim), TN_OK);
}

static inline imported import_text(const char *text)
{
    imported m = import_described(text, "robot.urdf", NULL, NULL);
    import_start(&m);
    return m;
}

static inline imported import_file(const char *path)
{
    imported m = {.told = tn_diagnostics_create()};
    const tn_status status = tn_spec_read_file(path, m.told, &m.spec);
    if (status != TN_OK)
        tn_diagnostics_print(m.told, stderr, NULL, 0);
    ck_assert_int_eq(status, TN_OK);
    import_start(&m);
    return m;
}

/* A coordinate by the name it has in the file: that of its joint, or in a custom joint its own. */
static inline tn_coordinate_request coordinate(const imported *m, const char *name, double value)
{
    tn_coordinate_request r = {.value = value};
    for (int32_t j = 0; j < tn_model_get_size(m->model).joints; j++) {
        const tn_joint joint = {.i = j};
        const tn_joint_type_info *info = tn_model_joint_info(m->model, joint);
        for (int32_t k = 0; k < info->coordinate_count; k++) {
            const char *called = strcmp(info->name, "custom") == 0
                                     ? info->coordinates[k].name
                                     : tn_model_joint_name(m->model, joint);
            if (strcmp(called, name) == 0) {
                r.joint = joint;
                r.coordinate = k;
                return r;
            }
        }
    }
    ck_abort_msg("no coordinate %s", name);
    return r;
}

typedef struct motion_start {
    const char *name;
    double value, speed;
} motion_start;

static inline void set_motion(imported *m, const motion_start *starts, int32_t count)
{
    tn_coordinate_request at[16], speeds[16];
    for (int32_t i = 0; i < count; i++) {
        at[i] = coordinate(m, starts[i].name, starts[i].value);
        speeds[i] = coordinate(m, starts[i].name, starts[i].speed);
    }
    ck_assert_int_eq(tn_sim_pose(m->sim, at, count, NULL, 0, NULL, NULL, NULL, NULL), TN_OK);
    ck_assert_int_eq(tn_sim_set_coordinate_speeds(m->sim, speeds, count, NULL, NULL, NULL), TN_OK);
}

typedef struct body_place {
    const char *name;
    tn_vec3 p;
} body_place;

static inline void expect_places(const imported *m, const body_place *places, int32_t count,
                                 double tolerance)
{
    for (int32_t i = 0; i < count; i++) {
        tn_body body;
        ck_assert_int_eq(tn_model_find_body(m->model, places[i].name, &body), TN_OK);
        const tn_vec3 p = tn_sim_body_pose(m->sim, body).p, q = places[i].p;
        const double off = fmax(fabs(p.x - q.x), fmax(fabs(p.y - q.y), fabs(p.z - q.z)));
        ck_assert_msg(off < tolerance, "%s is %g m off", places[i].name, off);
    }
}

static inline double value_of(const imported *m, const char *name)
{
    const tn_coordinate_request r = coordinate(m, name, 0.0);
    double q[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(m->sim, r.joint, q);
    return q[r.coordinate];
}

/* A file that must not be read: what is told of it, and where. */
typedef struct bad_model {
    const char *text;
    int32_t line;
    const char *words;
} bad_model;

static inline void expect_refused(const bad_model *bad, const char *name)
{
    tn_diagnostics *told = tn_diagnostics_create();
    tn_spec *spec = NULL;
    const tn_status status = tn_spec_read_string(bad->text, strlen(bad->text), name, told, &spec);
    ck_assert_msg(status == TN_ERROR_INPUT, "read: %s", bad->text);
    ck_assert_ptr_null(spec);
    expect_told(told, TN_ERROR, bad->line, bad->words);
    tn_diagnostics_destroy(told);
}

/* A file read with ever more memory, until that is enough: nothing is lost or half-built before. */
static inline void check_memory(const char *text, const char *name)
{
    tn_status status = TN_ERROR_MEMORY;
    for (int allowed = 0; status != TN_OK; allowed++) {
        tn_spec *spec = NULL;
        test_allocator memory = {.left = allowed};
        tn_set_allocator(test_realloc, &memory);
        status = tn_spec_read_string(text, strlen(text), name, NULL, &spec);
        const bool failed_well = (status == TN_ERROR_MEMORY || status == TN_ERROR_INPUT) &&
                                 spec == NULL && memory.refused > 0;
        tn_spec_destroy(spec);
        tn_set_allocator(NULL, NULL);
        ck_assert_msg(failed_well || status == TN_OK, "%d of them: %s, %d blocks left", allowed,
                      tn_status_text(status), (int)memory.alive);
        ck_assert_int_eq(memory.alive, 0);
        ck_assert_int_lt(allowed, 2000);
    }
}

#endif
