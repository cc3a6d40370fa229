/* sweep_table.c: samples of `tenon sweep-coordinate` and the table they make. */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "measure/formula.h"
#include "pick/coordinate.h"
#include "tenon/measure.h"
#include "tenon/record.h"
#include "sweeps/sweep.h"
#include "tool.h"

int sweep_coordinates_of(const sweep *s, int j)
{
    return tn_model_joint_info(s->model, (tn_joint){j})->coordinate_count;
}

int sweep_sample_create(const sweep *s, sweep_sample *sample)
{
    const size_t n = (size_t)tn_model_get_size(s->model).joints * TN_MAX_COORDINATES;
    const size_t bodies = (size_t)tn_model_get_size(s->model).bodies;
    const size_t couplings = (size_t)tn_model_get_size(s->model).couplings;
    const size_t markers = (size_t)tn_model_get_size(s->model).markers;
    sample->memory =
        calloc(3 * n + 2 * couplings + 19 * bodies + 3 * markers + (size_t)s->measure_count + 1,
               sizeof(double));
    if (sample->memory == NULL)
        return TOOL_BAD_INPUT;
    sample->q = sample->memory;
    sample->rate = sample->q + n;
    sample->second = sample->rate + n;
    sample->couplings = sample->second + n;
    sample->poses = sample->couplings + 2 * couplings;
    sample->speeds = sample->poses + 7 * bodies;
    sample->accelerations = sample->speeds + 6 * bodies;
    sample->markers = sample->accelerations + 6 * bodies;
    sample->measures = sample->markers + 3 * markers;
    return TOOL_OK;
}

void sweep_sample_destroy(sweep_sample *sample)
{
    free(sample->memory);
}

static void fill(double *v, size_t count, double value)
{
    for (size_t k = 0; k < count; k++)
        v[k] = value;
}

/* The value and, where the velocities are those of the ratios, its rate. */
static void take_couplings(const sweep *s, int has_rates, double *out)
{
    for (int k = 0; k < tn_model_get_size(s->model).couplings; k++) {
        out[2 * k] = tn_sim_coupling_value(s->sim, (tn_coupling){k});
        out[2 * k + 1] = has_rates ? tn_sim_coupling_speed(s->sim, (tn_coupling){k}) : NAN;
    }
}

/* What is done for every value of the measures that follow from a pose, of measure m its k-th. */
typedef void (*value_action)(const sweep *s, tn_measure_id m, int k, void *context);

static void each_value(const sweep *s, value_action act, void *context)
{
    for (int m = 0; m < tn_model_measure_count(s->model); m++) {
        for (int k = 0; tn_measure_is_of_pose(s->model, (tn_measure_id){m}) &&
                        k < tn_measure_width(s->model, (tn_measure_id){m});
             k++)
            act(s, (tn_measure_id){m}, k, context);
    }
}

/* Has a marker columns of its own? Not where a measure has its name: most measure the marker. */
static bool is_listed(const sweep *s, int marker)
{
    tn_measure_id measure;
    return tn_model_find_measure(s->model, tn_model_marker_name(s->model, (tn_marker){marker}),
                                 &measure) != TN_OK;
}

static void count_value(const sweep *s, tn_measure_id m, int k, void *context)
{
    (void)s, (void)m, (void)k;
    ++*(int *)context;
}

void sweep_find_measures(sweep *s)
{
    s->measure_count = 0;
    each_value(s, count_value, &s->measure_count);
}

static void take_value(const sweep *s, tn_measure_id m, int k, void *context)
{
    double **at = context, values[TN_MEASURE_MOST];
    tn_sim_measure(s->sim, m, values);
    *(*at)++ = values[k];
}

static void take_places(const sweep *s, sweep_sample *sample)
{
    double *at = sample->measures;
    for (int k = 0; k < tn_model_get_size(s->model).markers; k++) {
        const tn_vec3 p = tn_sim_marker_position(s->sim, (tn_marker){k});
        memcpy(sample->markers + 3 * k, &p, sizeof p);
    }
    each_value(s, take_value, &at);
}

void sweep_take(sweep *s, double value, sweep_sample *sample)
{
    const size_t n = (size_t)tn_model_get_size(s->model).joints * TN_MAX_COORDINATES;
    const size_t bodies = (size_t)tn_model_get_size(s->model).bodies;
    sample->value = value;
    sample->event[0] = '\0';
    tn_sim_get_coordinates(s->sim, sample->q);
    tn_sim_get_poses(s->sim, sample->poses);
    take_places(s, sample);
    sample->transmission = (tn_transmission){NAN, NAN, {-1}};
    if (s->has_output &&
        tn_sim_transmission(s->sim, s->driven.joint, s->driven.coordinate, s->output,
                            s->output_coordinate, s->through, &sample->transmission) == TN_OK)
        s->through = sample->transmission.through; /* the same all along */
    if (tn_sim_motion_ratios(s->sim, s->driven.joint, s->driven.coordinate, sample->rate,
                             sample->second, sample->accelerations) == TN_OK) {
        tn_sim_get_velocities(s->sim, sample->speeds);
        take_couplings(s, 1, sample->couplings);
        return;
    }
    take_couplings(s, 0, sample->couplings);
    fill(sample->rate, 2 * n, NAN);
    fill(sample->speeds, 12 * bodies, NAN);
}

void sweep_add_event(sweep_sample *sample, const char *format, ...)
{
    const size_t used = strlen(sample->event);
    va_list list;
    va_start(list, format);
    if (used > 0 && used + 2 < SWEEP_EVENT_SIZE)
        memcpy(sample->event + used, "; ", 3);
    const size_t at = strlen(sample->event);
    vsnprintf(sample->event + at, SWEEP_EVENT_SIZE - at, format, list);
    va_end(list);
}

/* Of a joint's coordinate, or (joint behind all) of a coupling's value. */
static bool is_angle(const sweep *s, tn_joint joint, int32_t coordinate)
{
    return tool_coordinate_info(s->model, joint, coordinate)->angular != 0;
}

static const char *unit_of(const sweep *s, bool angle)
{
    return !angle ? "m" : s->turn == 1.0 ? "rad" : "deg";
}

sweep_text sweep_say(const sweep *s, double value)
{
    return sweep_say_of(s, s->driven.joint.i, s->driven.coordinate, value);
}

sweep_text sweep_say_of(const sweep *s, int j, int i, double value)
{
    sweep_text out;
    const bool angle = is_angle(s, (tn_joint){j}, i);
    snprintf(out.text, sizeof out.text, "%.12g %s", angle ? s->turn * value : value,
             unit_of(s, angle));
    return out;
}

/* Of a derivative by the driven coordinate, which is in rad or m whatever the unit of the values. */
static void write_rate_unit(const sweep *s, const char *of, const char *per, int order)
{
    if (strcmp(of, per) != 0) {
        fprintf(s->out, order == 1 ? ",%s/%s" : ",%s/%s^2", of, per);
    } else if (order == 1) {
        fprintf(s->out, ",1");
    } else {
        fprintf(s->out, ",1/%s", per);
    }
}

/* A coordinate or coupling: its value, and rates of so many orders. */
static void write_units_of(const sweep *s, tn_joint joint, int32_t coordinate, const char *per,
                           int orders)
{
    const bool angle = is_angle(s, joint, coordinate);
    fprintf(s->out, ",%s", unit_of(s, angle));
    for (int order = 1; order <= orders; order++)
        write_rate_unit(s, angle ? "rad" : "m", per, order);
}

/* Angles as the model's file counts them. */
static double scale_of(const sweep *s, tn_measure_id m, int k, const char **unit)
{
    return tn_record_scale(tn_model_record(s->model), tn_measure_unit(s->model, m, k), unit);
}

static void write_unit(const sweep *s, tn_measure_id m, int k, void *context)
{
    const char *unit;
    (void)context;
    scale_of(s, m, k, &unit);
    fprintf(s->out, ",%s", unit);
}

static void write_name(const sweep *s, tn_measure_id m, int k, void *context)
{
    const char *field = tn_measure_field(s->model, m, k);
    (void)context;
    fprintf(s->out, ",%s%s%s", tn_model_measure_name(s->model, m), field[0] ? "." : "", field);
}

static void write_units(const sweep *s)
{
    const tn_model_size size = tn_model_get_size(s->model);
    const bool driven = is_angle(s, s->driven.joint, s->driven.coordinate);
    const char *per = driven ? "rad" : "m";
    fprintf(s->out, "# units: %s", unit_of(s, driven));
    for (int j = 0; j < size.joints; j++) {
        for (int i = 0; i < sweep_coordinates_of(s, j); i++)
            write_units_of(s, (tn_joint){j}, i, per, 2);
    }
    for (int k = 0; k < size.couplings; k++)
        write_units_of(s, tn_model_coupling_joint(s->model, (tn_coupling){k}), 0, per, 1);
    each_value(s, write_unit, NULL);
    for (int k = 0; k < size.markers; k++)
        fprintf(s->out, is_listed(s, k) ? ",m,m,m" : "");
    for (int b = 0; b < size.bodies; b++) {
        fprintf(s->out, ",m,m,m,1,1,1,1");
        for (int order = 1; order <= 2; order++) {
            for (int k = 0; k < 6; k++)
                write_rate_unit(s, k < 3 ? "m" : "rad", per, order);
        }
    }
    fprintf(s->out, "%s,1\n", s->has_output ? (s->turn == 1.0 ? ",1,rad" : ",1,deg") : "");
}

void sweep_write_head(const sweep *s)
{
    write_units(s);
    fprintf(s->out, "value");
    for (int j = 0; j < tn_model_get_size(s->model).joints; j++) {
        for (int i = 0; i < sweep_coordinates_of(s, j); i++) {
            const char *joint = tn_model_joint_name(s->model, (tn_joint){j});
            const char *name = tool_coordinate_info(s->model, (tn_joint){j}, i)->name;
            fprintf(s->out, ",%s.%s,%s.%s.rate,%s.%s.second", joint, name, joint, name, joint,
                    name);
        }
    }
    for (int k = 0; k < tn_model_get_size(s->model).couplings; k++) {
        const char *name = tn_model_coupling_name(s->model, (tn_coupling){k});
        fprintf(s->out, ",%s.value,%s.rate", name, name);
    }
    each_value(s, write_name, NULL);
    for (int k = 0; k < tn_model_get_size(s->model).markers; k++) {
        const char *name = tn_model_marker_name(s->model, (tn_marker){k});
        if (is_listed(s, k))
            fprintf(s->out, ",%s.x,%s.y,%s.z", name, name, name);
    }
    for (int b = 0; b < tn_model_get_size(s->model).bodies; b++) {
        const char *name = tn_model_body_name(s->model, (tn_body){b});
        fprintf(s->out, ",%s.x,%s.y,%s.z,%s.qw,%s.qx,%s.qy,%s.qz", name, name, name, name, name,
                name, name);
        fprintf(s->out, ",%s.vx,%s.vy,%s.vz,%s.wx,%s.wy,%s.wz", name, name, name, name, name, name);
        fprintf(s->out, ",%s.ax,%s.ay,%s.az,%s.alphax,%s.alphay,%s.alphaz", name, name, name, name,
                name, name);
    }
    if (s->has_output)
        fprintf(s->out, ",transmission.index,transmission.angle");
    fprintf(s->out, ",event\n");
}

static void write_value(const sweep *s, double value, bool angle)
{
    fprintf(s->out, isnan(value) ? "," : ",%.15g", angle ? s->turn * value : value);
}

static void write_numbers(const sweep *s, const double *v, int count)
{
    for (int k = 0; k < count; k++) {
        if (isnan(v[k])) {
            fprintf(s->out, ",");
        } else {
            fprintf(s->out, ",%.15g", v[k]);
        }
    }
}

static void write_measure(const sweep *s, tn_measure_id m, int k, void *context)
{
    const double **at = context;
    const char *unit;
    const double value = scale_of(s, m, k, &unit) * *(*at)++;
    write_numbers(s, &value, 1);
}

void sweep_write(const sweep *s, const sweep_sample *sample)
{
    const double *measured = sample->measures;
    const bool driven = is_angle(s, s->driven.joint, s->driven.coordinate);
    fprintf(s->out, "%.15g", driven ? s->turn * sample->value : sample->value);
    for (int j = 0; j < tn_model_get_size(s->model).joints; j++) {
        for (int i = 0; i < sweep_coordinates_of(s, j); i++) {
            const int at = sweep_at(j, i);
            write_value(s, sample->q[at], is_angle(s, (tn_joint){j}, i));
            write_numbers(s, sample->rate + at, 1);
            write_numbers(s, sample->second + at, 1);
        }
    }
    for (int k = 0; k < tn_model_get_size(s->model).couplings; k++) {
        write_value(s, sample->couplings[2 * k],
                    is_angle(s, tn_model_coupling_joint(s->model, (tn_coupling){k}), 0));
        write_numbers(s, sample->couplings + 2 * k + 1, 1);
    }
    each_value(s, write_measure, &measured);
    for (int k = 0; k < tn_model_get_size(s->model).markers; k++)
        write_numbers(s, sample->markers + 3 * k, is_listed(s, k) ? 3 : 0);
    for (int b = 0; b < tn_model_get_size(s->model).bodies; b++) {
        write_numbers(s, sample->poses + 7 * b, 7);
        write_numbers(s, sample->speeds + 6 * b, 6);
        write_numbers(s, sample->accelerations + 6 * b, 6);
    }
    if (s->has_output) {
        write_numbers(s, &sample->transmission.index, 1);
        write_value(s, sample->transmission.angle, true);
    }
    fprintf(s->out, ",%s\n", sample->event);
}
