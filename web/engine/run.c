/* run.c: room web: time goes on, or back to a state that was kept. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "tenon/limits.h"

double PAGE_EXPORT(page_time)(void)
{
    return tn_sim_time(the_page.sim);
}

/* count steps of h seconds; a tn_status, and *done how many were whole. */
int PAGE_EXPORT(page_step)(double h, int count, int32_t *done)
{
    tn_status status = TN_OK;
    *done = 0;
    while (*done < count && status == TN_OK) {
        status = tn_sim_take_step(the_page.sim, h, &the_page.step);
        *done += status == TN_OK;
        if (tn_sim_event_count(the_page.sim) > 0)
            break; /* their record lasts one step */
    }
    return status;
}

size_t PAGE_EXPORT(page_state_size)(void)
{
    return tn_sim_state_size(the_page.sim);
}

void PAGE_EXPORT(page_save)(void *block)
{
    tn_sim_save(the_page.sim, block);
}

int PAGE_EXPORT(page_restore)(const void *block)
{
    return tn_sim_restore(the_page.sim, block);
}

/* Bodies where they were recorded, [bodies][13] pose and velocity; NaN: left, or at rest. A
 * tn_status. */
int PAGE_EXPORT(page_place)(const double *bodies)
{
    tn_status status = TN_OK;
    for (int32_t b = 0; b < the_page.size.bodies && status == TN_OK; b++, bodies += 13) {
        const tn_pose pose = {{bodies[0], bodies[1], bodies[2]},
                              {bodies[3], bodies[4], bodies[5], bodies[6]}};
        tn_twist velocity = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        if (isnan(bodies[0]) || tn_model_body_kind(the_page.model, page_body(b)) == TN_BODY_FIXED)
            continue;
        if (!isnan(bodies[7]))
            velocity =
                (tn_twist){{bodies[7], bodies[8], bodies[9]}, {bodies[10], bodies[11], bodies[12]}};
        status = tn_sim_set_body_pose(the_page.sim, page_body(b), pose);
        if (status == TN_OK)
            status = tn_sim_set_body_velocity(the_page.sim, page_body(b), velocity);
    }
    return status;
}

/* What acts along the coordinates, which the state refers to. */
size_t PAGE_EXPORT(page_drives_size)(void)
{
    return (size_t)page_joint_count() * TN_MAX_COORDINATES * sizeof(page_drive);
}

page_drive *PAGE_EXPORT(page_drives)(void)
{
    return the_page.drives;
}

static int32_t name_of(tn_body body, tn_joint joint, FILE *out)
{
    if (joint.i >= 0)
        return fprintf(out, " at joint '%s'", tn_model_joint_name(the_page.model, joint));
    if (body.i >= 0)
        return fprintf(out, " at body '%s'", tn_model_body_name(the_page.model, body));
    return 0;
}

/* Dead points of what is driven: why no step goes on, as `tenon run` says it. */
enum { MOST_DEAD_POINTS = 3 };

static void tell_dead_points(FILE *out)
{
    tn_dead_point points[MOST_DEAD_POINTS];
    int32_t count = 0;
    if (tn_sim_dead_points(the_page.sim, points, MOST_DEAD_POINTS, &count) != TN_OK)
        return;
    for (int32_t k = 0; k < count && k < MOST_DEAD_POINTS; k++) {
        const tn_dead_point *point = &points[k];
        tn_coordinate_info info = {.name = "value"}; /* of a coupling */
        if (point->joint.i < the_page.size.joints)
            info =
                tn_model_joint_info(the_page.model, point->joint)->coordinates[point->coordinate];
        fprintf(out, "; %s.%s has a dead point at %.6g %s and cannot be driven further",
                tn_model_joint_name(the_page.model, point->joint), info.name,
                info.angular ? point->value * 180.0 / acos(-1.0) : point->value,
                info.angular ? "deg" : "m");
    }
}

/* Why the last step failed, in words. */
const char *PAGE_EXPORT(page_step_failure)(void)
{
    FILE *stream = page_text_begin();
    if (stream == NULL)
        return NULL;
    fputs(tn_status_text(the_page.step.status), stream);
    name_of(the_page.step.culprit_body, the_page.step.culprit_joint, stream);
    tell_dead_points(stream);
    return page_text_end(stream);
}

/* The events of the last step as JSON. */
const char *PAGE_EXPORT(page_events)(void)
{
    FILE *stream = page_text_begin();
    if (stream == NULL)
        return NULL;
    tool_json json = tool_json_begin(stream);
    tool_json_open(&json, NULL, '[');
    const int32_t count = tn_sim_event_count(the_page.sim);
    for (int32_t i = 0; i < count && i < TN_EVENTS_KEPT; i++) {
        const tn_event *event = tn_sim_event(the_page.sim, i);
        tool_json_open(&json, NULL, '{');
        tool_json_text(&json, "text", tn_event_text(event->kind));
        tool_json_number(&json, "time", event->time);
        tool_json_integer(&json, "joint", page_joint_index(event->joint));
        tool_json_integer(&json, "coordinate", event->coordinate);
        tool_json_integer(&json, "side", event->side);
        tool_json_close(&json, '}');
    }
    tool_json_close(&json, ']');
    return page_text_end(stream);
}

/* Energies (J): kinetic, potential, elastic, total, work, lost; largest joint errors (m, rad); the
 * worst joint. [9] */
void PAGE_EXPORT(page_numbers)(double *out)
{
    const tn_energy energy = tn_sim_energy(the_page.sim);
    const tn_residuals residuals = tn_sim_residuals(the_page.sim);
    const double numbers[9] = {
        energy.kinetic,     energy.potential, energy.elastic,
        energy.total,       energy.work,      energy.lost,
        residuals.position, residuals.angle,  page_joint_index(residuals.worst)};
    memcpy(out, numbers, sizeof numbers);
}

/* Values of all coordinates, [joints + couplings][TN_MAX_COORDINATES], rad and m. */
void PAGE_EXPORT(page_coordinates)(double *out)
{
    tn_sim_get_coordinates(the_page.sim, out);
    for (int32_t c = 0; c < the_page.size.couplings; c++) {
        tn_coupling coupling = {c};
        double *row = out + (size_t)(the_page.size.joints + c) * TN_MAX_COORDINATES;
        memset(row, 0, TN_MAX_COORDINATES * sizeof *row);
        row[0] = tn_sim_coupling_value(the_page.sim, coupling);
    }
}

void PAGE_EXPORT(page_poses)(double *out)
{
    tn_sim_get_poses(the_page.sim, out);
}

void PAGE_EXPORT(page_markers)(double *out)
{
    for (int32_t m = 0; m < the_page.size.markers; m++) {
        const tn_marker marker = {m};
        const tn_vec3 p = tn_sim_marker_position(the_page.sim, marker);
        memcpy(out + 3 * m, &p, sizeof p);
    }
}

int PAGE_EXPORT(page_column_count)(void)
{
    return tn_recorder_column_count(the_page.recorder);
}

/* All that can be recorded, as the columns of a CSV file. */
void PAGE_EXPORT(page_row)(double *out)
{
    tn_recorder_read(the_page.recorder, out);
}

/* The same at the start of a step of h seconds, with the forces that it starts from: the first row of
 * `tenon run`. The simulation stays as it is. A tn_status. */
int PAGE_EXPORT(page_first_row)(double h, double *out)
{
    void *block = malloc(tn_sim_state_size(the_page.sim));
    if (block == NULL)
        return TN_ERROR_MEMORY;
    tn_sim_save(the_page.sim, block);
    tn_sim_start(the_page.sim, h, NULL);
    tn_recorder_read(the_page.recorder, out);
    const tn_status status = tn_sim_restore(the_page.sim, block);
    free(block);
    return status;
}

/* Seconds of step k of a run, and after how many steps to record next, as `tenon run` has them. */
/* A number of the page as an index; -1: it is none. */
static int64_t index_of(double k)
{
    return k >= 0.0 && k <= TN_MOST_STEPS_OF_RUN ? (int64_t)k : -1;
}

double PAGE_EXPORT(page_grid_step)(double step, double duration, double every, double k,
                                   double time)
{
    const tn_time_grid grid = tn_time_grid_of(step, duration, every);
    return tn_time_grid_step(&grid, index_of(k), time);
}

double PAGE_EXPORT(page_grid_next)(double step, double duration, double every, double k)
{
    const tn_time_grid grid = tn_time_grid_of(step, duration, every);
    return (double)tn_time_grid_next_record(&grid, index_of(k));
}

double PAGE_EXPORT(page_grid_steps)(double step, double duration)
{
    return (double)tn_time_grid_of(step, duration, step).steps;
}

static tn_pose frame_c(int32_t j)
{
    tn_body a, b;
    tn_pose t_ca, t_db;
    tn_model_joint_bodies(the_page.model, page_joint(j), &a, &b);
    tn_model_joint_frames(the_page.model, page_joint(j), &t_ca, &t_db);
    return tn_pose_multiply(tn_sim_body_pose(the_page.sim, a), t_ca);
}

void page_joint_place(int32_t joint, double *out)
{
    const tn_vec3 p = frame_c(joint).p;
    memcpy(out, &p, sizeof p);
}

/* One part of each joint's wrench on its body A, world axes, about C's origin, with that point:
 * [joints][9] x y z fx fy fz mx my mz. part -1: the whole. */
void PAGE_EXPORT(page_wrenches)(int part, double *out)
{
    for (int32_t j = 0; j < the_page.size.joints; j++, out += 9) {
        const tn_joint joint = page_joint(j);
        const tn_wrench w = part < 0
                                ? tn_sim_joint_wrench(the_page.sim, joint, TN_WRENCH_IN_C)
                                : tn_sim_joint_wrench_part(the_page.sim, joint,
                                                           (tn_wrench_part)part, TN_WRENCH_IN_C);
        const tn_pose t_cw = frame_c(j);
        const tn_vec3 f = tn_pose_rotate_vector(t_cw, w.f), m = tn_pose_rotate_vector(t_cw, w.m);
        memcpy(out, &t_cw.p, sizeof t_cw.p);
        memcpy(out + 3, &f, sizeof f);
        memcpy(out + 6, &m, sizeof m);
    }
}

/* Where a load takes hold of a body: its point or marker, else the centre of mass. */
static tn_vec3 place_of(const tn_load_def *def, tn_body body)
{
    const tn_pose pose = tn_sim_body_pose(the_page.sim, body);
    const bool pair = def->kind == TN_LOAD_PAIR;
    for (int k = 0; k < 2; k++) {
        const tn_marker marker = def->markers[k];
        if ((pair || (def->kind == TN_LOAD_WRENCH && k == 0)) && marker.i >= 0 &&
            (!pair || tn_model_marker_body(the_page.model, marker).i == body.i))
            return tn_sim_marker_position(the_page.sim, marker);
    }
    if (def->kind == TN_LOAD_WRENCH || (def->kind == TN_LOAD_DRAG && !isnan(def->point.x)))
        return isnan(def->point.x) ? pose.p : tn_pose_transform_point(pose, def->point);
    return tn_pose_transform_point(pose, tn_model_body_mass(the_page.model, body).com);
}

/* A wrench about a body's origin, moved to a place. */
static void put_at(tn_vec3 at, tn_vec3 origin, tn_wrench w, double out[9])
{
    const tn_vec3 arm = {at.x - origin.x, at.y - origin.y, at.z - origin.z};
    const double row[9] = {at.x,
                           at.y,
                           at.z,
                           w.f.x,
                           w.f.y,
                           w.f.z,
                           w.m.x - (arm.y * w.f.z - arm.z * w.f.y),
                           w.m.y - (arm.z * w.f.x - arm.x * w.f.z),
                           w.m.z - (arm.x * w.f.y - arm.y * w.f.x)};
    memcpy(out, row, sizeof row);
}

static bool acts(tn_wrench w)
{
    const double sum =
        fabs(w.f.x) + fabs(w.f.y) + fabs(w.f.z) + fabs(w.m.x) + fabs(w.m.y) + fabs(w.m.z);
    return isfinite(sum) && sum > 0.0;
}

/* Rows that page_loads fills at most. */
int PAGE_EXPORT(page_load_rows)(void)
{
    return tn_model_load_count(the_page.model) * the_page.size.bodies;
}

/* What the model's loads do now, on each body that feels something: [9] a row as page_wrenches has
 * them. How many. */
int PAGE_EXPORT(page_loads)(double *out)
{
    int count = 0;
    for (int32_t l = 0; l < tn_model_load_count(the_page.model); l++)
        for (int32_t b = 0; b < the_page.size.bodies; b++) {
            const tn_load load = {l};
            const tn_wrench w = tn_sim_load_wrench(the_page.sim, load, page_body(b));
            if (acts(w))
                put_at(place_of(tn_spec_load(the_page.spec, load), page_body(b)),
                       tn_sim_body_pose(the_page.sim, page_body(b)).p, w, out + 9 * count++);
        }
    return count;
}
