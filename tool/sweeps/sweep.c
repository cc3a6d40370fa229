/* sweep.c: `tenon sweep-coordinate MODEL`: drives one coordinate through a range and tabulates
 * where everything is, how it moves per unit speed of the coordinate, and what happens on the way.
 */
#include "sweeps/sweep.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pick/coordinate.h"
#include "load.h"
#include "output.h"
#include "tenon/record.h"
#include "tool.h"

enum { JOINT, FROM, TO, STEPS, CSV, OUTPUT, THROUGH };

static const tool_option options[] = {
    [JOINT] = {"--joint", "JOINT.COORDINATE", TOOL_TEXT, "the coordinate to drive"},
    [FROM] = {"--from", "VALUE", TOOL_TEXT, "first value (rad, m, or with a unit: 30deg)"},
    [TO] = {"--to", "VALUE", TOOL_TEXT, "last value"},
    [STEPS] = {"--steps", "N", TOOL_POSITIVE, "number of values, both ends included"},
    [CSV] = {"--csv", "FILE", TOOL_TEXT, "where the table goes; standard output without it"},
    [OUTPUT] = {"--output", "JOINT.COORDINATE", TOOL_TEXT,
                "tabulate the transmission to this coordinate"},
    [THROUGH] = {"--through", "JOINT", TOOL_TEXT,
                 "the joint that drives the output; without it the one that carries most"},
    {NULL, NULL, TOOL_FLAG, NULL},
};

/* To the k-th value and its sample into `now`; *stopped: not all the way. */
static int sample(sweep *s, double value, tn_coordinate_answer *answer)
{
    tn_coordinate_request request = s->driven;
    request.value = value;
    const tn_status status = tn_sim_set_coordinates(s->sim, &request, 1, NULL, answer, NULL);
    if (status != TN_OK) {
        tool_error("no pose at %s: %s", sweep_say(s, value).text, tn_status_text(status));
        return tool_exit_code(status);
    }
    if (answer->outcome == TN_COORDINATE_DEPENDENT) {
        tool_error("the coordinate is dependent: locks or the loop itself hold it at %s",
                   sweep_say(s, answer->value).text);
        return TOOL_STOPPED;
    }
    if (answer->outcome == TN_COORDINATE_SET)
        sweep_take(s, value, &s->now);
    return TOOL_OK;
}

static void swap(sweep_sample *a, sweep_sample *b)
{
    const sweep_sample kept = *a;
    *a = *b;
    *b = kept;
}

static void begin_signs(sweep *s)
{
    const int n = tn_model_get_size(s->model).joints * TN_MAX_COORDINATES;
    for (int k = 0; k < n; k++)
        s->sign[k] = fabs(s->now.rate[k]) > 1e-9 ? copysign(1.0, s->now.rate[k]) : 0.0;
}

static int run_values(sweep *s)
{
    int code = TOOL_OK;
    for (long long k = 0; k < s->steps; k++) {
        const double share = s->steps > 1 ? (double)k / (double)(s->steps - 1) : 0.0;
        const double value = s->from + share * (s->to - s->from);
        tn_coordinate_answer answer;
        code = sample(s, value, &answer);
        if (code == TOOL_OK && answer.outcome != TN_COORDINATE_SET) {
            if (k > 0)
                sweep_write(s, &s->before);
            sweep_stopped(s, &answer, value);
            return TOOL_STOPPED;
        }
        if (code == TOOL_OK && k == 0)
            begin_signs(s);
        if (code == TOOL_OK && k > 0) {
            code = sweep_between(s);
        } else if (k > 0) {
            sweep_write(s, &s->before);
        }
        if (code != TOOL_OK)
            return code;
        swap(&s->before, &s->now);
    }
    sweep_write(s, &s->before);
    return code;
}

static int run_sweep(sweep *s)
{
    const size_t n = (size_t)tn_model_get_size(s->model).joints * TN_MAX_COORDINATES;
    sweep_find_measures(s);
    s->sign = calloc(n + 1, sizeof(double));
    int code = s->sign == NULL ? TOOL_BAD_INPUT : TOOL_OK;
    if (code == TOOL_OK)
        code = sweep_sample_create(s, &s->before);
    if (code == TOOL_OK)
        code = sweep_sample_create(s, &s->now);
    if (code == TOOL_OK)
        code = sweep_sample_create(s, &s->between);
    if (code == TOOL_OK) {
        sweep_write_head(s);
        code = run_values(s);
    }
    sweep_sample_destroy(&s->before);
    sweep_sample_destroy(&s->now);
    sweep_sample_destroy(&s->between);
    free(s->sign);
    return code;
}

/* Where the transmission is taken, and that it can be. */
static int parse_output(const tool_arguments *arguments, const tool_loaded *loaded, sweep *s)
{
    const tool_value *value = arguments->value;
    s->through.i = -1;
    s->has_output = value[OUTPUT].given;
    if (!value[OUTPUT].given && !value[THROUGH].given)
        return TOOL_OK;
    if (!value[OUTPUT].given) {
        tool_error("--through needs --output");
        return TOOL_USAGE;
    }
    int32_t coordinate;
    int code = tool_parse_coordinate(loaded->model, value[OUTPUT].text, strlen(value[OUTPUT].text),
                                     &s->output, &coordinate);
    s->output_coordinate = coordinate;
    if (code == TOOL_OK) {
        code = tool_refuse_coupling(loaded->model, s->output,
                                    "the transmission is that to a coordinate of a joint");
    }
    if (code == TOOL_OK && value[THROUGH].given)
        code = tool_find_joint(loaded, value[THROUGH].text, &s->through);
    if (code != TOOL_OK)
        return code;
    tn_transmission transmission;
    if (tn_sim_transmission(loaded->sim, s->driven.joint, s->driven.coordinate, s->output,
                            coordinate, s->through, &transmission) != TN_ERROR_NOT_FOUND)
        return TOOL_OK;
    tool_error("no joint%s%s%s drives the output: it must be one of the output's member",
               s->through.i >= 0 ? " '" : "", s->through.i >= 0 ? value[THROUGH].text : "",
               s->through.i >= 0 ? "'" : "");
    return TOOL_USAGE;
}

static int parse(const tool_arguments *arguments, const tool_loaded *loaded, sweep *s)
{
    const tool_value *value = arguments->value;
    if (!value[JOINT].given || !value[FROM].given || !value[TO].given || !value[STEPS].given) {
        tool_error("sweep-coordinate needs --joint, --from, --to and --steps");
        return TOOL_USAGE;
    }
    int code = tool_parse_coordinate(loaded->model, value[JOINT].text, strlen(value[JOINT].text),
                                     &s->driven.joint, &s->driven.coordinate);
    if (code == TOOL_OK) {
        code = tool_refuse_coupling(loaded->model, s->driven.joint,
                                    "drive one of the coordinates it couples");
    }
    if (code != TOOL_OK)
        return code;
    const int angular =
        tool_coordinate_info(loaded->model, s->driven.joint, s->driven.coordinate)->angular;
    code = tool_parse_quantity(value[FROM].text, angular, &s->from);
    if (code == TOOL_OK)
        code = tool_parse_quantity(value[TO].text, angular, &s->to);
    s->steps = (long long)fmin(value[STEPS].number, 1e9);
    return code == TOOL_OK ? parse_output(arguments, loaded, s) : code;
}

static int run(const tool_arguments *arguments)
{
    tool_loaded loaded;
    sweep s = {0};
    int code = tool_load(arguments, NULL, &loaded);
    if (code == TOOL_OK)
        code = parse(arguments, &loaded, &s);
    const char *const path = arguments->value[CSV].given ? arguments->value[CSV].text : "-";
    tool_output out = {0};
    if (code == TOOL_OK)
        code = tool_refuse_outputs(arguments->operand, loaded.spec, &path, 1);
    if (code == TOOL_OK)
        code = tool_output_open(path, &out);
    if (code == TOOL_OK) {
        s.out = out.stream;
        s.model = loaded.model;
        s.sim = loaded.sim;
        s.turn = tn_record_scale(tn_model_record(loaded.model), "rad", &(const char *){NULL});
        code = run_sweep(&s);
    }
    code = tool_output_close(&out, true, code);
    tool_show_diagnostics(&loaded);
    tool_unload(&loaded);
    return code;
}

const tool_command tool_sweep = {
    .name = "sweep-coordinate",
    .operand = "MODEL",
    .summary = "drive one coordinate through a range and tabulate the motion",
    .details =
        "The first line has the units: angles as the model's file counts them.\n"
        "Rates, v and w are per unit speed of the coordinate; second derivatives, a and alpha at\n"
        "unit speed. Couplings have their value and its rate, 0 where they hold; measures that\n"
        "follow from where things are, and the places of markers, are there too. The last column\n"
        "says what happens: turning points of other coordinates and limits met, in rows of their "
        "own\n"
        "where they lie between two values, and on standard error. The mechanism never changes "
        "its\n"
        "branch. Where a range or a dead point ends the motion, the last row is there and the "
        "exit\n"
        "code is 4.\n",
    .options = options,
    .run = run,
    .reads_model = true,
};
