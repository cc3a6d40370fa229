/* sweep.c: `tenon sweep-coordinate MODEL`: drives one coordinate through a range and tabulates
 * where everything is and how fast it moves per unit speed and acceleration of the coordinate.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinate.h"
#include "load.h"
#include "tool.h"

enum { JOINT, FROM, TO, STEPS, CSV };

static const tool_option options[] = {
    [JOINT] = {"--joint", "JOINT.COORDINATE", TOOL_TEXT, "the coordinate to drive"},
    [FROM] = {"--from", "VALUE", TOOL_TEXT, "first value (rad, m, or with a unit: 30deg)"},
    [TO] = {"--to", "VALUE", TOOL_TEXT, "last value"},
    [STEPS] = {"--steps", "N", TOOL_POSITIVE, "number of values, both ends included"},
    [CSV] = {"--csv", "FILE", TOOL_TEXT, "where the table goes; standard output without it"},
    {NULL, NULL, TOOL_FLAG, NULL},
};

typedef struct sweep {
    const tn_model *model;
    tn_sim *sim;
    FILE *out;
    tn_coordinate_request request;
    double from, to;
    int64_t steps;
    double *q, *rate, *second; /* [joints][TN_MAX_COORDINATES] */
    double *before;            /* rates of the sample before */
    int has_before;
} sweep;

static int coordinates_of(const sweep *s, int32_t j)
{
    return tn_joint_type_get(tn_model_joint_type(s->model, (tn_joint){j}))->coordinate_count;
}

static void write_head(const sweep *s)
{
    fprintf(s->out, "value");
    for (int32_t j = 0; j < tn_model_get_size(s->model).joints; j++)
        for (int i = 0; i < coordinates_of(s, j); i++) {
            const char *joint = tn_model_joint_name(s->model, (tn_joint){j});
            const char *name = tool_coordinate_info(s->model, (tn_joint){j}, i)->name;
            fprintf(s->out, ",%s.%s,%s.%s.rate,%s.%s.second", joint, name, joint, name, joint,
                    name);
        }
    for (int32_t b = 0; b < tn_model_get_size(s->model).bodies; b++) {
        const char *name = tn_model_body_name(s->model, (tn_body){b});
        fprintf(s->out, ",%s.x,%s.y,%s.z,%s.qw,%s.qx,%s.qy,%s.qz", name, name, name, name, name,
                name, name);
        fprintf(s->out, ",%s.vx,%s.vy,%s.vz,%s.wx,%s.wy,%s.wz", name, name, name, name, name, name);
    }
    fprintf(s->out, "\n");
}

static void write_sample(const sweep *s, double value)
{
    fprintf(s->out, "%.15g", value);
    for (int32_t j = 0; j < tn_model_get_size(s->model).joints; j++)
        for (int i = 0; i < coordinates_of(s, j); i++) {
            const int32_t at = j * TN_MAX_COORDINATES + i;
            fprintf(s->out, ",%.15g,%.15g,%.15g", s->q[at], s->rate[at], s->second[at]);
        }
    for (int32_t b = 0; b < tn_model_get_size(s->model).bodies; b++) {
        const tn_pose p = tn_sim_body_pose(s->sim, (tn_body){b});
        const tn_twist v = tn_sim_body_velocity(s->sim, (tn_body){b});
        fprintf(s->out, ",%.15g,%.15g,%.15g,%.15g,%.15g,%.15g,%.15g", p.p.x, p.p.y, p.p.z, p.q.w,
                p.q.x, p.q.y, p.q.z);
        fprintf(s->out, ",%.15g,%.15g,%.15g,%.15g,%.15g,%.15g", v.v.x, v.v.y, v.v.z, v.w.x, v.w.y,
                v.w.z);
    }
    fprintf(s->out, "\n");
}

/* Where another coordinate turns back, it is at a dead point as seen from there. */
static void tell_dead_points(sweep *s, double value)
{
    for (int32_t j = 0; j < tn_model_get_size(s->model).joints; j++)
        for (int i = 0; i < coordinates_of(s, j); i++) {
            const int32_t at = j * TN_MAX_COORDINATES + i;
            if (s->has_before && s->before[at] * s->rate[at] < 0.0)
                fprintf(stderr, "tenon: dead point: %s.%s turns back just before %.6g\n",
                        tn_model_joint_name(s->model, (tn_joint){j}),
                        tool_coordinate_info(s->model, (tn_joint){j}, i)->name, value);
            s->before[at] = s->rate[at];
        }
    s->has_before = 1;
}

static int sample(sweep *s, double value)
{
    tn_coordinate_answer answer;
    tn_placement_report report;
    s->request.value = value;
    tn_status status = tn_sim_set_coordinates(s->sim, &s->request, 1, NULL, &answer, &report);
    if (status == TN_OK && answer.outcome != TN_COORDINATE_SET) {
        tool_error("the coordinate is %s at %.12g, on the way to %.12g",
                   tn_coordinate_outcome_word(answer.outcome), answer.value, value);
        return TOOL_NUMERICAL;
    }
    if (status == TN_OK)
        status = tn_sim_motion_ratios(s->sim, s->request.joint, s->request.coordinate, s->rate,
                                      s->second, NULL);
    if (status != TN_OK) {
        tool_error("no pose at %.12g: %s", value, tn_status_text(status));
        return tool_exit_code(status);
    }
    tn_sim_get_coordinates(s->sim, s->q);
    tell_dead_points(s, value);
    write_sample(s, value);
    return TOOL_OK;
}

static int run_sweep(sweep *s)
{
    const size_t n = (size_t)tn_model_get_size(s->model).joints * TN_MAX_COORDINATES;
    double *memory = calloc(4 * n, sizeof(double));
    if (memory == NULL)
        return TOOL_BAD_INPUT;
    s->q = memory;
    s->rate = memory + n;
    s->second = memory + 2 * n;
    s->before = memory + 3 * n;
    write_head(s);
    int code = TOOL_OK;
    for (int64_t k = 0; k < s->steps && code == TOOL_OK; k++) {
        const double share = s->steps > 1 ? (double)k / (double)(s->steps - 1) : 0.0;
        code = sample(s, s->from + share * (s->to - s->from));
    }
    free(memory);
    return code;
}

static int parse(const tool_arguments *arguments, const tn_model *model, sweep *s)
{
    const tool_value *value = arguments->value;
    if (!value[JOINT].given || !value[FROM].given || !value[TO].given || !value[STEPS].given) {
        tool_error("sweep-coordinate needs --joint, --from, --to and --steps");
        return TOOL_USAGE;
    }
    int code = tool_parse_coordinate(model, value[JOINT].text, strlen(value[JOINT].text),
                                     &s->request.joint, &s->request.coordinate);
    if (code != TOOL_OK)
        return code;
    const int angular =
        tool_coordinate_info(model, s->request.joint, s->request.coordinate)->angular;
    code = tool_parse_quantity(value[FROM].text, angular, &s->from);
    if (code == TOOL_OK)
        code = tool_parse_quantity(value[TO].text, angular, &s->to);
    s->steps = (int64_t)fmin(value[STEPS].number, 1e9);
    return code;
}

static int run(const tool_arguments *arguments)
{
    tool_loaded loaded;
    sweep s = {0};
    int code = tool_load(arguments->operand, NULL, &loaded);
    if (code == TOOL_OK)
        code = parse(arguments, loaded.model, &s);
    s.out = stdout;
    if (code == TOOL_OK && arguments->value[CSV].given) {
        s.out = fopen(arguments->value[CSV].text, "w");
        if (s.out == NULL) {
            tool_error("%s: cannot open for writing: %s", arguments->value[CSV].text,
                       strerror(errno));
            code = TOOL_BAD_INPUT;
        }
    }
    if (code == TOOL_OK) {
        s.model = loaded.model;
        s.sim = loaded.sim;
        code = run_sweep(&s);
    }
    if (s.out != NULL && s.out != stdout && fclose(s.out) != 0 && code == TOOL_OK) {
        tool_error("%s: cannot be written: %s", arguments->value[CSV].text, strerror(errno));
        code = TOOL_BAD_INPUT;
    }
    tool_show_diagnostics(&loaded);
    tool_unload(&loaded);
    return code;
}

const tool_command tool_sweep = {
    .name = "sweep-coordinate",
    .operand = "MODEL",
    .summary = "drive one coordinate through a range and tabulate the motion",
    .details =
        "Rates are per unit speed of the coordinate, second derivatives at unit speed. Dead\n"
        "points of other coordinates are told on standard error. The sweep never changes\n"
        "its branch: it ends with exit code 2 where the mechanism cannot go on.\n",
    .options = options,
    .run = run,
};
