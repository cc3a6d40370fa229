/* accuracy.c: room measure: how well the motion since the start has obeyed mechanics, and in words.
 *
 * In: the sums kept by the verification of steps (step/part/judge.c), which are part of the state. Out:
 * their worst, each beside what may be, and one verdict for tool, page and languages.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/base.h"
#include "step/part/judge.h"
#include "tenon/results.h"

tn_accuracy tn_sim_accuracy(const tn_sim *sim)
{
    return sim ? tn_judge_accuracy(sim)
               : (tn_accuracy){.holds = 1, .exceeded_at = NAN, .yield_joint = {-1}};
}

static const char *const words[] = {[TN_VERDICT_WITHIN] = "within",
                                    [TN_VERDICT_BALANCES] = "balances",
                                    [TN_VERDICT_UNBALANCED] = "unbalanced",
                                    [TN_VERDICT_EXCEEDED] = "exceeded"};
enum { VERDICTS = sizeof words / sizeof *words };

const char *tn_verdict_word(tn_verdict verdict)
{
    return TN_IN((int)verdict, (int)VERDICTS) ? words[verdict] : NULL;
}

/* A text of a known size that grows; what does not fit is counted. */
typedef struct tn_writing {
    char *text;
    size_t size;
    int length;
} tn_writing;

static void say(tn_writing *to, const char *format, ...)
{
    va_list arguments;
    const size_t used = (size_t)to->length;
    char *at = to->text && used < to->size ? to->text + used : NULL;
    va_start(arguments, format);
    const int count = vsnprintf(at, at ? to->size - used : 0, format, arguments);
    va_end(arguments);
    to->length += count > 0 ? count : 0;
}

typedef enum tn_figure_kind {
    TN_SHARE,
    TN_DISTANCE,
    TN_COUNT,
    TN_BENT,
    TN_FIGURE_KINDS
} tn_figure_kind;

/* What it may be, and what would mend it. */
static const struct {
    const char *format;
    double factor;
    const char *mend;
} of_kind[TN_FIGURE_KINDS] = {
    [TN_SHARE] = {"%.2g %%", 100.0, "take shorter steps, or ask for an accuracy"},
    [TN_DISTANCE] = {"%.2g m or rad", 1.0, "take shorter steps, or ask for an accuracy"},
    [TN_COUNT] = {"%g", 1.0, "ask for an accuracy, with auto"},
    [TN_BENT] = {"%.2g %%", 100.0, "leave out `modal`, so that all nodes move"}};

/* A figure of the verdict: a share, mostly, and what it may be. */
typedef struct tn_figure {
    tn_accuracy_figure of;
    bool told; /* where it is always nothing it is no news */
    tn_figure_kind kind;
    void (*say)(const tn_accuracy *a, tn_writing *to);
} tn_figure;
#define TN_TOLD_SHARE 1e-4 /* what is below it is no news */
enum { FIGURES = 13 };

static void say_energy(const tn_accuracy *a, tn_writing *to)
{
    if (!(a->energy_share > 0.0) && !isnan(a->energy_share)) {
        say(to, "no energy made%s", a->loses ? "" : " or lost");
    } else {
        say(to, "energy made%s %.4g J (%.2g %% of the %.4g J turned over)",
            a->loses ? "" : " or lost", a->energy_made, 100.0 * a->energy_share,
            a->energy_turnover);
    }
}

static void say_faded(const tn_accuracy *a, tn_writing *to)
{
    say(to, a->loses ? "%.4g J lost by the scheme" : "energy within steps is known to %.4g J only",
        a->energy_faded);
}

static void say_yield(const tn_accuracy *a, tn_writing *to)
{
    say(to,
        "compliant rows open by %.2g m or rad more than compliance times force, %.2g (stores %.2g "
        "%% of the "
        "energy turned over)",
        a->yield_off, a->yield_wanted, 100.0 * a->yield_share);
}

static void say_forces(const tn_accuracy *a, tn_writing *to)
{
    say(to, "forces on each body balance");
    if (a->force != 0.0)
        say(to, " to %.2g %% of the largest", 100.0 * a->force);
}

static void say_moments(const tn_accuracy *a, tn_writing *to)
{
    if (a->moment == 0.0) {
        say(to, "moments too");
    } else {
        say(to, "moments to %.2g %%", 100.0 * a->moment);
    }
}

static void say_linear(const tn_accuracy *a, tn_writing *to)
{
    say(to, "linear momentum of what floats changed by %.2g %%", 100.0 * a->linear);
}

static void say_angular(const tn_accuracy *a, tn_writing *to)
{
    say(to, "angular momentum of what floats changed by %.2g %%", 100.0 * a->angular);
}

static void say_open(const tn_accuracy *a, tn_writing *to)
{
    say(to, "joints open by at most %.2g %% of their bodies' extent", 100.0 * a->open);
}

static void say_pull(const tn_accuracy *a, tn_writing *to)
{
    say(to, "limits pull with at most %.2g %% of the largest force", 100.0 * a->pull);
}

static void say_beyond(const tn_accuracy *a, tn_writing *to)
{
    say(to, "coordinates beyond their ranges by at most %.2g m or rad", a->beyond);
}

static void say_idle(const tn_accuracy *a, tn_writing *to)
{
    say(to, "%.2g %% of the reactions of loops act on nothing", 100.0 * a->idle);
}

static void say_unwatched(const tn_accuracy *a, tn_writing *to)
{
    say(to, "joints that may break were not watched in %" PRId64 " step%s near a change point",
        a->unwatched, a->unwatched == 1 ? "" : "s");
}

static void say_bent(const tn_accuracy *a, tn_writing *to)
{
    say(to, "modal bodies bent by at most %.2g %% of their radius of gyration", 100.0 * a->bent);
}

static void figures_of(const tn_accuracy *a, tn_figure figures[FIGURES])
{
    const double may = a->balance_allowed, momentum = a->momentum_allowed;
    const double faded = a->energy_turnover > 0.0 ? a->energy_faded / a->energy_turnover : 0.0;
    const tn_figure all[FIGURES] = {
        {{"energy", a->energy_share, a->energy_allowed}, true, TN_SHARE, say_energy},
        {{"faded", faded, INFINITY}, faded > TN_TOLD_SHARE, TN_SHARE, say_faded},
        {{"yield", a->yield_share, a->yield_allowed},
         a->yield_share > TN_TOLD_SHARE,
         TN_SHARE,
         say_yield},
        {{"forces", a->force, may}, true, TN_SHARE, say_forces},
        {{"moments", a->moment, may}, true, TN_SHARE, say_moments},
        {{"linear_momentum", a->linear, momentum}, a->linear > TN_TOLD_SHARE, TN_SHARE, say_linear},
        {{"angular_momentum", a->angular, momentum},
         a->angular > TN_TOLD_SHARE,
         TN_SHARE,
         say_angular},
        {{"open", a->open, a->open_allowed}, a->open > 0.0, TN_SHARE, say_open},
        {{"pull", a->pull, may}, a->pull > TN_TOLD_SHARE, TN_SHARE, say_pull},
        {{"beyond", a->beyond, a->beyond_allowed}, false, TN_DISTANCE, say_beyond},
        {{"idle", a->idle, may}, a->idle > TN_TOLD_SHARE, TN_SHARE, say_idle},
        {{"unwatched", (double)a->unwatched, 0.0}, false, TN_COUNT, say_unwatched},
        {{"bent", a->bent, a->bent_allowed}, a->bent > 0.0, TN_BENT, say_bent},
    };
    for (int k = 0; k < FIGURES; k++)
        figures[k] = all[k];
}

int32_t tn_accuracy_figure_count(void)
{
    return FIGURES;
}

tn_accuracy_figure tn_accuracy_get_figure(const tn_accuracy *accuracy, int32_t index)
{
    tn_figure figures[FIGURES];
    if (!accuracy || !TN_IN(index, FIGURES))
        return (tn_accuracy_figure){NULL, NAN, NAN};
    figures_of(accuracy, figures);
    return figures[index].of;
}

/* NaN is too large. */
static bool exceeds(const tn_figure *f)
{
    return !(f->of.worst <= f->of.allowed);
}

static void say_allowed(const tn_figure *f, tn_writing *to)
{
    say(to, " where ");
    say(to, of_kind[f->kind].format, of_kind[f->kind].factor * f->of.allowed);
    say(to, " may be");
}

static void say_verdict(const tn_accuracy *a, tn_writing *to)
{
    switch (a->verdict) {
    case TN_VERDICT_WITHIN:
        say(to, "within the requested accuracy");
        break;
    case TN_VERDICT_EXCEEDED:
        say(to, "EXCEEDED");
        break;
    default:
        say(to, "%s, accuracy not controlled: fixed steps of order %d",
            a->verdict == TN_VERDICT_BALANCES ? "balances" : "does not balance", a->order);
    }
}

int tn_accuracy_print(const tn_accuracy *accuracy, char *text, size_t size)
{
    tn_writing to = {text, size, 0};
    tn_figure figures[FIGURES];
    if (text && size > 0)
        text[0] = '\0';
    if (!accuracy)
        return 0;
    figures_of(accuracy, figures);
    say_verdict(accuracy, &to);
    for (int k = 0; k < FIGURES; k++) {
        if (!figures[k].told && !exceeds(&figures[k]))
            continue;
        say(&to, k == 0 ? ": " : ", ");
        figures[k].say(accuracy, &to);
        if (exceeds(&figures[k]))
            say_allowed(&figures[k], &to);
    }
    if (!accuracy->holds && !isnan(accuracy->exceeded_at))
        say(&to, ", first at %.6g s", accuracy->exceeded_at);
    return to.length;
}

int tn_accuracy_complain(const tn_accuracy *accuracy, char *text, size_t size)
{
    tn_writing to = {text, size, 0};
    tn_figure figures[FIGURES];
    if (text && size > 0)
        text[0] = '\0';
    if (!accuracy)
        return 0;
    figures_of(accuracy, figures);
    for (int k = 0; k < FIGURES && to.length == 0; k++) {
        if (!exceeds(&figures[k]))
            continue;
        say(&to, "the run is not accurate: ");
        figures[k].say(accuracy, &to);
        say(&to, ",");
        say_allowed(&figures[k], &to);
        if (!isnan(accuracy->exceeded_at))
            say(&to, ", first at %.6g s", accuracy->exceeded_at);
        say(&to, ": %s", of_kind[figures[k].kind].mend);
    }
    return to.length;
}
