/* run_accuracy.c: the verdict on a whole run: what its steps made of nothing or lost, in all.
 *
 * Every step is verified by itself (docs/explanation/verification.md); what adds up over the run is
 * verified here. Beyond what may be, the run ends with exit code 2.
 */
#include <inttypes.h>
#include <math.h>

#include "json.h"
#include "runs/run.h"
#include "tool.h"

typedef enum figure_kind { SHARE, LENGTH, COUNT, FIGURE_KINDS } figure_kind;

/* What it may be, and what would mend it. */
static const struct {
    const char *format;
    double factor;
    const char *mend;
} of_kind[FIGURE_KINDS] = {[SHARE] = {"%.2g %%", 100.0, "take shorter steps"},
                           [LENGTH] = {"%.2g m or rad", 1.0, "take shorter steps"},
                           [COUNT] = {"%g", 1.0, "ask for an accuracy, with auto"}};

/* A figure of the verdict: a share, mostly, and what it may be. */
typedef struct figure {
    const char *key;
    double worst, allowed;
    bool told; /* where it is always nothing it is no news */
    figure_kind kind;
    int (*say)(const tn_accuracy *a, char *text, size_t size);
} figure;
#define TOLD_SHARE 1e-4 /* of forces: what is below it is no news */
enum { FIGURES = 8, SENTENCE = 160 };

static int say_energy(const tn_accuracy *a, char *text, size_t size)
{
    if (!(a->energy_share > 0.0) && !isnan(a->energy_share))
        return snprintf(text, size, "no energy made%s", a->loses ? "" : " or lost");
    return snprintf(text, size, "energy made%s %.4g J (%.2g %% of the %.4g J turned over)",
                    a->loses ? "" : " or lost", a->energy_made, 100.0 * a->energy_share,
                    a->energy_turnover);
}

static int say_forces(const tn_accuracy *a, char *text, size_t size)
{
    if (a->force == 0.0)
        return snprintf(text, size, "forces on each body balance");
    return snprintf(text, size, "forces on each body balance to %.2g %% of the largest",
                    100.0 * a->force);
}

static int say_moments(const tn_accuracy *a, char *text, size_t size)
{
    if (a->moment == 0.0)
        return snprintf(text, size, "moments too");
    return snprintf(text, size, "moments to %.2g %%", 100.0 * a->moment);
}

static int say_open(const tn_accuracy *a, char *text, size_t size)
{
    return snprintf(text, size, "joints open by at most %.2g %% of their bodies' extent",
                    100.0 * a->open);
}

static int say_pull(const tn_accuracy *a, char *text, size_t size)
{
    return snprintf(text, size, "limits pull with at most %.2g %% of the largest force",
                    100.0 * a->pull);
}

static int say_beyond(const tn_accuracy *a, char *text, size_t size)
{
    return snprintf(text, size, "coordinates beyond their ranges by at most %.2g m or rad",
                    a->beyond);
}

static int say_idle(const tn_accuracy *a, char *text, size_t size)
{
    return snprintf(text, size, "%.2g %% of the reactions of loops act on nothing",
                    100.0 * a->idle);
}

static int say_unwatched(const tn_accuracy *a, char *text, size_t size)
{
    return snprintf(text, size,
                    "joints that may break were not watched in %" PRId64
                    " step%s near a change point",
                    a->unwatched, a->unwatched == 1 ? "" : "s");
}

static void figures_of(const tn_accuracy *a, figure figures[FIGURES])
{
    figures[0] = (figure){"energy", a->energy_share, a->energy_allowed, true, SHARE, say_energy};
    figures[1] = (figure){"forces", a->force, a->balance_allowed, true, SHARE, say_forces};
    figures[2] = (figure){"moments", a->moment, a->balance_allowed, true, SHARE, say_moments};
    figures[3] = (figure){"open", a->open, a->open_allowed, a->open > 0.0, SHARE, say_open};
    figures[4] =
        (figure){"pull", a->pull, a->balance_allowed, a->pull > TOLD_SHARE, SHARE, say_pull};
    figures[5] = (figure){"beyond", a->beyond, a->beyond_allowed, false, LENGTH, say_beyond};
    figures[6] =
        (figure){"idle", a->idle, a->balance_allowed, a->idle > TOLD_SHARE, SHARE, say_idle};
    figures[7] = (figure){"unwatched", (double)a->unwatched, 0.0, false, COUNT, say_unwatched};
}

/* NaN is too large. */
static bool exceeds(const figure *f)
{
    return !(f->worst <= f->allowed);
}

static const char *allowed_of(const figure *f, char *text, size_t size)
{
    snprintf(text, size, of_kind[f->kind].format, of_kind[f->kind].factor * f->allowed);
    return text;
}

void run_accuracy_end(const tool_loaded *loaded, run_result *result)
{
    figure figures[FIGURES];
    char text[SENTENCE], may[SENTENCE];
    if (!result->started)
        return;
    result->accuracy = tn_sim_accuracy(loaded->sim);
    figures_of(&result->accuracy, figures);
    for (int k = 0; k < FIGURES && result->exit_code == TOOL_OK; k++) {
        if (!exceeds(&figures[k]))
            continue;
        result->status = tool_status_word(TN_ERROR_INACCURATE);
        result->exit_code = TOOL_NUMERICAL;
        figures[k].say(&result->accuracy, text, sizeof text);
        snprintf(result->message, sizeof result->message,
                 "the run is not accurate: %s, where %s may be: %s", text,
                 allowed_of(&figures[k], may, sizeof may), of_kind[figures[k].kind].mend);
    }
}

/* What is beyond what may be says so. */
void run_accuracy_print(const run_result *result)
{
    figure figures[FIGURES];
    char text[SENTENCE], may[SENTENCE];
    figures_of(&result->accuracy, figures);
    printf("  accuracy     %s", result->accuracy.holds ? "within tolerance" : "EXCEEDED");
    for (int k = 0; k < FIGURES; k++) {
        if (!figures[k].told && !exceeds(&figures[k]))
            continue;
        figures[k].say(&result->accuracy, text, sizeof text);
        printf("%s %s", k == 0 ? ":" : ",", text);
        if (exceeds(&figures[k]))
            printf(" where %s may be", allowed_of(&figures[k], may, sizeof may));
    }
    putchar('\n');
}

void run_accuracy_write(tool_json *json, const run_result *result)
{
    figure figures[FIGURES];
    figures_of(&result->accuracy, figures);
    tool_json_open(json, "accuracy", '{');
    tool_json_text(json, "verdict", result->accuracy.holds ? "within" : "exceeded");
    for (int k = 0; k < FIGURES; k++) {
        tool_json_open(json, figures[k].key, '{');
        tool_json_number(json, "worst", figures[k].worst);
        tool_json_number(json, "allowed", figures[k].allowed);
        tool_json_close(json, '}');
    }
    tool_json_number(json, "energy_made", result->accuracy.energy_made);
    tool_json_number(json, "energy_turnover", result->accuracy.energy_turnover);
    tool_json_close(json, '}');
}
