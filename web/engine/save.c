/* save.c: room web: the mechanism as it stands now, as a model file.
 *
 * A new description from the loaded one: bodies where they are and as fast as they are, joints by
 * their frames on the bodies (which the pose does not change), ranges, locks, switches and what
 * acts along coordinates as they are now.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "math/formula/formula.h"
#include "page.h"

static tn_status add_bodies(tn_spec *spec)
{
    tn_status status = TN_OK;
    for (int32_t b = 0; b < the_page.size.bodies && status == TN_OK; b++) {
        tn_body_def def = *tn_spec_body(the_page.spec, page_body(b));
        def.pose = tn_sim_body_pose(the_page.sim, page_body(b));
        def.velocity = tn_sim_body_velocity(the_page.sim, page_body(b));
        status = tn_spec_add_body(spec, &def, NULL);
    }
    return status;
}

/* Angles that count turns keep them: they are set after the joints are attached. */
static void keep_turns(tn_joint_def *def, int32_t j, const tn_joint_type_info *info)
{
    double q[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(the_page.sim, page_joint(j), q);
    for (int32_t i = 0; i < info->coordinate_count; i++)
        if (info->coordinates[i].angular && fabs(q[i]) > 3.14159265358979323846)
            def->set[i] = q[i];
}

/* Compliance and damping of each row, as numbers of their own. */
static void keep_rows(tn_joint_def *def, int32_t j, const tn_joint_type_info *info)
{
    const tn_joint_def unset = tn_default_joint_def();
    memcpy(def->compliance, unset.compliance, sizeof def->compliance);
    memcpy(def->damping, unset.damping, sizeof def->damping);
    memcpy(def->frequency, unset.frequency, sizeof def->frequency);
    memcpy(def->damping_ratio, unset.damping_ratio, sizeof def->damping_ratio);
    def->linear_compliance = def->linear_frequency = def->linear_damping_ratio = (double)NAN;
    def->rotary_compliance = def->rotary_frequency = def->rotary_damping_ratio = (double)NAN;
    for (int32_t k = 0; k < info->row_count; k++) {
        double compliance = 0.0, damping = 0.0;
        (void)tn_sim_get_compliance(the_page.sim, page_joint(j), k, &compliance, &damping);
        if (compliance > 0.0) {
            def->compliance[k] = compliance;
            def->damping[k] = damping;
        }
    }
}

static void keep_break(int32_t j, double *force, double *torque)
{
    double unused;
    (void)tn_sim_get_break(the_page.sim, page_joint(j), force, torque != NULL ? torque : &unused);
    if (isinf(*force))
        *force = (double)NAN;
    if (torque != NULL && isinf(*torque))
        *torque = (double)NAN;
}

/* functions of time ---------------------------------------------------------------------------- */

/* What acts along a coordinate, from now on; the blocks that hold its numbers and formulas are kept in the list.
 */
typedef struct kept {
    double *numbers;
    size_t used;
    tn_arena texts;
} kept;

/* Of what the shift of one place adds to it, and of places. */
#define SHIFT_TEXT 40

static void shift_formula(tn_function_def *f, double now, kept *room)
{
    const size_t size = strlen(f->formula) * SHIFT_TEXT + 1;
    char *text = tn_arena_alloc(&room->texts, size);
    if (text != NULL && tn_formula_shift(f->formula, now, text, size))
        f->formula = text;
}

/* A file starts at time 0: f(t) becomes f(t + now). The numbers are put into room, which has as
 * many places as the function has. */
static void shift_numbers(tn_function_def *f, double now, double *room)
{
    for (int32_t k = 0; k < f->count; k++)
        room[k] = f->numbers[k];
    switch (f->kind) {
    case TN_FUNCTION_POLYNOMIAL: /* Taylor's shift, by Horner's scheme */
        for (int32_t i = 0; i < f->count; i++)
            for (int32_t k = f->count - 2; k >= i; k--)
                room[k] += now * room[k + 1];
        break;
    case TN_FUNCTION_SINE: /* amplitude, rate, phase, offset */
        room[2] += now * room[1];
        break;
    case TN_FUNCTION_STEP:
    case TN_FUNCTION_TABLE:
    case TN_FUNCTION_SPLINE: /* x0, y0, x1, y1, ... */
        for (int32_t k = 0; k < f->count; k += 2)
            room[k] -= now;
        break;
    default:
        return;
    }
    f->numbers = room;
}

static void shift_time(tn_function_def *f, double now, kept *room)
{
    shift_numbers(f, now, room->numbers + room->used);
    room->used += (size_t)f->count;
    if (f->formula != NULL)
        shift_formula(f, now, room);
}

static tn_drive_def from_now(tn_drive_def drive, kept *room)
{
    tn_function_def *functions[] = {&drive.position, &drive.motor.speed, &drive.motor.position,
                                    &drive.spring.rest};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        shift_time(functions[i], tn_sim_time(the_page.sim), room);
    return drive;
}

/* The functions of time that a load has. */
#define LOAD_FUNCTIONS 14
static void list_functions(tn_load_def *def, tn_function_def *out[LOAD_FUNCTIONS])
{
    for (int i = 0; i < 3; i++) {
        out[4 * i] = &def->force[i];
        out[4 * i + 1] = &def->moment[i];
        out[4 * i + 2] = &def->acceleration[i];
        out[4 * i + 3] = &def->medium[i];
    }
    out[12] = &def->thrust;
    out[13] = &def->effort;
}

static tn_load_def load_from_now(int32_t k, kept *room)
{
    tn_load_def def = *tn_spec_load(the_page.spec, (tn_load){k});
    tn_function_def *functions[LOAD_FUNCTIONS];
    list_functions(&def, functions);
    for (int i = 0; i < LOAD_FUNCTIONS; i++)
        shift_time(functions[i], tn_sim_time(the_page.sim), room);
    return def;
}

static size_t count_of_load(int32_t k)
{
    tn_load_def def = *tn_spec_load(the_page.spec, (tn_load){k});
    tn_function_def *functions[LOAD_FUNCTIONS];
    size_t count = 0;
    list_functions(&def, functions);
    for (int i = 0; i < LOAD_FUNCTIONS; i++)
        count += (size_t)functions[i]->count;
    return count;
}

/* How many numbers the functions of all drives and loads have. */
static size_t count_numbers(void)
{
    size_t count = 1;
    for (int32_t k = 0; k < tn_spec_load_count(the_page.spec); k++)
        count += count_of_load(k);
    for (int32_t i = 0; i < page_joint_count() * TN_MAX_COORDINATES; i++) {
        const page_drive *d = &the_page.drives[i];
        count += (size_t)(d->position.count + d->motor.speed.count + d->motor.position.count +
                          d->spring.rest.count);
    }
    return count;
}

/* ---------------------------------------------------------------------------------------------- */

static int32_t list_drives(int32_t j, int32_t count, tn_drive_def *drives, kept *room)
{
    int32_t used = 0;
    for (int32_t i = 0; i < count; i++) {
        const page_drive *d = &the_page.drives[j * TN_MAX_COORDINATES + i];
        const bool acts = d->position.kind || d->motor.speed.kind || d->motor.position.kind ||
                          d->friction.force > 0.0 || d->friction.coefficient > 0.0 ||
                          d->friction.viscous > 0.0 || d->spring.stiffness > 0.0 ||
                          d->spring.frequency > 0.0 || d->spring.damping > 0.0 ||
                          d->spring.force.kind;
        if (acts) {
            drives[used] = from_now(*d, room);
            drives[used++].coordinate = i;
        }
    }
    return used;
}

static tn_status add_joint(tn_spec *spec, int32_t j, kept *room)
{
    const tn_joint_type_info *info = tn_model_joint_info(the_page.model, page_joint(j));
    tn_joint_def def = *tn_spec_joint(the_page.spec, page_joint(j));
    tn_drive_def drives[TN_MAX_COORDINATES];
    def.placement = TN_PLACE_BODY_FRAMES;
    tn_model_joint_frames(the_page.model, page_joint(j), &def.frame_c, &def.frame_d);
    def.origin = def.axis = (tn_vec3){0.0, 0.0, 0.0};
    def.x_axis = def.y_axis = (tn_vec3){NAN, NAN, NAN};
    for (int32_t i = 0; i < TN_MAX_COORDINATES; i++)
        def.initial[i] = def.set[i] = def.speed[i] = (double)NAN;
    for (int32_t i = 0; i < info->coordinate_count; i++) {
        (void)tn_sim_get_range(the_page.sim, page_joint(j), i, &def.lower[i], &def.upper[i]);
        def.locked[i] = tn_sim_is_locked(the_page.sim, page_joint(j), i);
    }
    keep_turns(&def, j, info);
    keep_rows(&def, j, info);
    keep_break(j, &def.break_force, &def.break_torque);
    def.drives = drives;
    def.drive_count = list_drives(j, info->coordinate_count, drives, room);
    def.disabled = !tn_sim_is_enabled(the_page.sim, page_joint(j));
    return tn_spec_add_joint(spec, &def, NULL);
}

/* A relation that was let go, caught or given other bounds here is one between bounds. */
static void keep_hold(tn_coupling_def *def, int32_t c)
{
    const tn_joint j = page_joint(the_page.size.joints + c);
    double lower = -INFINITY, upper = INFINITY;
    (void)tn_sim_get_range(the_page.sim, j, 0, &lower, &upper);
    if (tn_sim_is_locked(the_page.sim, j, 0)) {
        if (def->hold != TN_COUPLING_HELD)
            def->value = tn_sim_coupling_value(the_page.sim, (tn_coupling){c});
        else if (isnan(def->value))
            def->value = the_page.held[c];
        def->hold = TN_COUPLING_HELD;
        def->lower = -INFINITY;
        def->upper = INFINITY;
    } else if (def->hold == TN_COUPLING_AT_MOST && isinf(lower)) {
        def->value = upper;
    } else if (def->hold == TN_COUPLING_AT_LEAST && isinf(upper)) {
        def->value = lower;
    } else {
        def->hold = TN_COUPLING_IN_RANGE;
        def->value = (double)NAN;
        def->lower = lower;
        def->upper = upper;
    }
}

static tn_status add_couplings(tn_spec *spec, kept *room)
{
    tn_status status = TN_OK;
    for (int32_t c = 0; c < the_page.size.couplings && status == TN_OK; c++) {
        const tn_coupling coupling = {c};
        tn_coupling_def def = *tn_spec_coupling(the_page.spec, coupling);
        const int32_t j = the_page.size.joints + c;
        keep_hold(&def, c);
        def.disabled = !tn_sim_is_enabled(the_page.sim, page_joint(j));
        keep_break(j, &def.break_force, NULL);
        def.drive = from_now(the_page.drives[j * TN_MAX_COORDINATES], room);
        status = tn_spec_add_coupling(spec, &def, NULL);
    }
    return status;
}

static tn_status add_loads(tn_spec *spec, kept *room)
{
    tn_status status = TN_OK;
    for (int32_t k = 0; k < tn_spec_load_count(the_page.spec) && status == TN_OK; k++) {
        const tn_load_def def = load_from_now(k, room);
        status = tn_spec_add_load(spec, &def, NULL);
    }
    for (int32_t k = 0; k < tn_spec_measure_count(the_page.spec) && status == TN_OK; k++)
        status =
            tn_spec_add_measure(spec, tn_spec_measure(the_page.spec, (tn_measure_id){k}), NULL);
    return status;
}

static tn_status copy(tn_spec *spec, kept *room)
{
    tn_status status = tn_spec_set_world(spec, tn_spec_world(the_page.spec));
    if (status == TN_OK)
        status = tn_spec_set_simulation(spec, tn_spec_simulation(the_page.spec));
    if (status == TN_OK)
        status = add_bodies(spec);
    for (int32_t j = 0; j < the_page.size.joints && status == TN_OK; j++)
        status = add_joint(spec, j, room);
    for (int32_t m = 0; m < the_page.size.markers && status == TN_OK; m++) {
        const tn_marker marker = {m};
        status = tn_spec_add_marker(spec, tn_spec_marker(the_page.spec, marker), NULL);
    }
    if (status == TN_OK)
        status = add_couplings(spec, room);
    if (status == TN_OK)
        status = add_loads(spec, room);
    if (status == TN_OK)
        status = tn_spec_set_record(spec, tn_spec_record(the_page.spec));
    return status;
}

/* The model file; NULL: it cannot be written, *status says why. */
const char *PAGE_EXPORT(page_write_model)(int32_t *status)
{
    tn_spec *spec = tn_spec_create();
    tn_diagnostics *diags = tn_diagnostics_create();
    char *text = NULL;
    size_t length = 0;
    kept room = {malloc(count_numbers() * sizeof(double)), 0, {0}};
    *status = spec != NULL && room.numbers != NULL ? copy(spec, &room) : TN_ERROR_MEMORY;
    if (*status == TN_OK)
        *status = tn_spec_write_string(spec, diags, &text, &length);
    FILE *stream = page_text_begin();
    if (stream != NULL && *status == TN_OK)
        fwrite(text, 1, length, stream);
    else if (stream != NULL)
        for (int32_t i = 0; i < tn_diagnostics_count(diags); i++)
            fprintf(stream, "%s\n", tn_diagnostics_get(diags, i)->message);
    free(room.numbers);
    tn_arena_free(&room.texts);
    tn_text_free(text);
    tn_spec_destroy(spec);
    tn_diagnostics_destroy(diags);
    return stream != NULL ? page_text_end(stream) : NULL;
}
