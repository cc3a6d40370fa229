/* sweep_table.c: samples of `tenon sweep-coordinate` and the table they make. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "coordinate.h"
#include "sweep.h"
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
    sample->memory = calloc(3 * n + 2 * couplings + 19 * bodies + 1, sizeof(double));
    if (sample->memory == NULL)
        return TOOL_BAD_INPUT;
    sample->q = sample->memory;
    sample->rate = sample->q + n;
    sample->second = sample->rate + n;
    sample->couplings = sample->second + n;
    sample->poses = sample->couplings + 2 * couplings;
    sample->speeds = sample->poses + 7 * bodies;
    sample->accelerations = sample->speeds + 6 * bodies;
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

void sweep_take(sweep *s, double value, sweep_sample *sample)
{
    const size_t n = (size_t)tn_model_get_size(s->model).joints * TN_MAX_COORDINATES;
    const size_t bodies = (size_t)tn_model_get_size(s->model).bodies;
    sample->value = value;
    sample->event[0] = '\0';
    tn_sim_get_coordinates(s->sim, sample->q);
    tn_sim_get_poses(s->sim, sample->poses);
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

void sweep_write_head(const sweep *s)
{
    fprintf(s->out, "value");
    for (int j = 0; j < tn_model_get_size(s->model).joints; j++)
        for (int i = 0; i < sweep_coordinates_of(s, j); i++) {
            const char *joint = tn_model_joint_name(s->model, (tn_joint){j});
            const char *name = tool_coordinate_info(s->model, (tn_joint){j}, i)->name;
            fprintf(s->out, ",%s.%s,%s.%s.rate,%s.%s.second", joint, name, joint, name, joint,
                    name);
        }
    for (int k = 0; k < tn_model_get_size(s->model).couplings; k++) {
        const char *name = tn_model_coupling_name(s->model, (tn_coupling){k});
        fprintf(s->out, ",%s.value,%s.rate", name, name);
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

static void write_numbers(const sweep *s, const double *v, int count)
{
    for (int k = 0; k < count; k++)
        if (isnan(v[k]))
            fprintf(s->out, ",");
        else
            fprintf(s->out, ",%.15g", v[k]);
}

void sweep_write(const sweep *s, const sweep_sample *sample)
{
    fprintf(s->out, "%.15g", sample->value);
    for (int j = 0; j < tn_model_get_size(s->model).joints; j++)
        for (int i = 0; i < sweep_coordinates_of(s, j); i++) {
            const int at = sweep_at(j, i);
            write_numbers(s, sample->q + at, 1);
            write_numbers(s, sample->rate + at, 1);
            write_numbers(s, sample->second + at, 1);
        }
    write_numbers(s, sample->couplings, 2 * tn_model_get_size(s->model).couplings);
    for (int b = 0; b < tn_model_get_size(s->model).bodies; b++) {
        write_numbers(s, sample->poses + 7 * b, 7);
        write_numbers(s, sample->speeds + 6 * b, 6);
        write_numbers(s, sample->accelerations + 6 * b, 6);
    }
    if (s->has_output) {
        write_numbers(s, &sample->transmission.index, 1);
        write_numbers(s, &sample->transmission.angle, 1);
    }
    fprintf(s->out, ",%s\n", sample->event);
}
