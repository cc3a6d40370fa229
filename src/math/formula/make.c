/* make.c: room math/formula: from the text of a formula to steps (formula.h).
 *
 * Further steps show where it may bend: |u| and a square root where u is 0, the lesser of a and b where a - b is, a whole
 * part where u is a whole number, a quotient where it divides by 0, for there it has no value: a part of a step that ends
 * there finds that out.
 *
 * What is smooth may still come and go between two stages of a part: e^u has a crest where u has one, and is steep about 0, as
 * tanh u is; a / u has one where u has a trough. Such places count as bends too: a part that ends on a crest sees it.
 */
#include "math/formula/formula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TN_PI 3.14159265358979323846

typedef struct tn_making {
    const char *text;
    char variable; /* 0: either */
    tn_tape tape;
    tn_formula_bend bends[3 * TN_TAPE_STEPS];
    int32_t bend_count;
    bool may_jump;
    /* of a shift: where the variable stands */
    size_t places[TN_TAPE_STEPS];
    int32_t place_count;
} tn_making;

static tn_name_answer find_variable(void *context, const char *name, size_t length, tn_value *out)
{
    tn_making *m = context;
    if (!tn_is_variable(name, length)) {
        return TN_NAME_UNKNOWN;
    }
    if (m->variable != '\0' && name[0] != m->variable) {
        return TN_NAME_BROKEN;
    }
    *out = tn_plain(1.0);
    out->from = tn_tape_variable(&m->tape);
    if (m->place_count < TN_TAPE_STEPS) {
        m->places[m->place_count] = (size_t)(name - m->text);
    }
    m->place_count++;
    return TN_NAME_KNOWN;
}

/* The step that is the value of the text, 0: it has none. */
static int32_t read_steps(tn_making *m, tn_expression_problem *problem)
{
    const tn_name_source names = {
        .find = find_variable, .context = m, .plain_is_rad = true, .bare = true, .tape = &m->tape};
    tn_value value;
    if (!tn_expression_evaluate(m->text, &names, &value, problem)) {
        if (problem->message[0] == '\0') {
            snprintf(problem->message, sizeof(problem->message), "its variable is '%c' here",
                     m->variable);
        }
        return 0;
    }
    if (value.count != 1) {
        snprintf(problem->message, sizeof(problem->message), "it is a vector, not a number");
        return 0;
    }
    return value.from > 0 ? value.from : tn_tape_constant(&m->tape, value.v[0]);
}

/* Where it bends: the condition on the operands. */
typedef enum tn_bend_kind {
    TN_BEND_NOWHERE,
    TN_BEND_FIRST,      /* the first operand is 0 */
    TN_BEND_SECOND,     /* the second is */
    TN_BEND_ITSELF,     /* it is 0 */
    TN_BEND_DIFFERENCE, /* both are the same */
    TN_BEND_POWER,      /* the first is 0, unless the exponent is a whole number */
    TN_BEND_WHOLE,      /* the first is a whole number */
    TN_BEND_HALVES,     /* half of one */
    TN_BEND_QUOTIENT,   /* the first is a multiple of the second */
    TN_BEND_POLE        /* an odd multiple of pi / 2 */
} tn_bend_kind;

/* Where what is smooth has a crest or is steep: */
typedef enum tn_crest_kind {
    TN_CREST_NOWHERE,
    TN_CREST_FIRST,  /* the first operand turns */
    TN_CREST_SECOND, /* the second does */
    TN_CREST_STEEP,  /* the first is 0 */
    TN_CREST_BOTH,   /* the first turns or is 0 */
} tn_crest_kind;

static const struct {
    tn_bend_kind kind;
    bool jumps;
    tn_crest_kind crest;
} of_op[TN_TAPE_OP_COUNT] = {
    [TN_TAPE_EXP] = {TN_BEND_NOWHERE, false, TN_CREST_BOTH},
    [TN_TAPE_SINH] = {TN_BEND_NOWHERE, false, TN_CREST_STEEP},
    [TN_TAPE_COSH] = {TN_BEND_NOWHERE, false, TN_CREST_STEEP},
    [TN_TAPE_TANH] = {TN_BEND_NOWHERE, false, TN_CREST_STEEP},
    [TN_TAPE_ATAN] = {TN_BEND_NOWHERE, false, TN_CREST_STEEP},
    [TN_TAPE_QUOTIENT] = {TN_BEND_SECOND, false, TN_CREST_SECOND},
    [TN_TAPE_REMAINDER] = {TN_BEND_QUOTIENT, true},
    [TN_TAPE_POWER] = {TN_BEND_POWER, false, TN_CREST_FIRST},
    [TN_TAPE_TAN] = {TN_BEND_POLE, false},
    [TN_TAPE_ATAN2] = {TN_BEND_FIRST, true},
    [TN_TAPE_HYPOT] = {TN_BEND_ITSELF, false},
    [TN_TAPE_ROOT] = {TN_BEND_FIRST, false},
    [TN_TAPE_LN] = {TN_BEND_FIRST, false},
    [TN_TAPE_LOG10] = {TN_BEND_FIRST, false},
    [TN_TAPE_ABS] = {TN_BEND_FIRST, false},
    [TN_TAPE_SIGN] = {TN_BEND_FIRST, true},
    [TN_TAPE_MIN] = {TN_BEND_DIFFERENCE, false},
    [TN_TAPE_MAX] = {TN_BEND_DIFFERENCE, false},
    [TN_TAPE_FLOOR] = {TN_BEND_WHOLE, true},
    [TN_TAPE_CEIL] = {TN_BEND_WHOLE, true},
    [TN_TAPE_ROUND] = {TN_BEND_HALVES, true},
    [TN_TAPE_LESS] = {TN_BEND_DIFFERENCE, true},
    [TN_TAPE_AT_MOST] = {TN_BEND_DIFFERENCE, true},
};

static bool is_smooth_power(const tn_tape *tape, const tn_tape_step *s)
{
    const tn_tape_step *exponent = &tape->steps[s->of[1] - 1];
    return exponent->op == TN_TAPE_CONSTANT && exponent->number >= 0.0 &&
           exponent->number == rint(exponent->number);
}

/* The step whose value decides, 0: it bends nowhere; -1: there is no room. */
static int32_t telling_step(tn_making *m, int32_t step)
{
    tn_tape *tape = &m->tape;
    const tn_tape_step *s = &tape->steps[step - 1];
    const int32_t a = s->of[0], b = s->of[1];
    int32_t found = 0;
    switch (of_op[s->op].kind) {
    case TN_BEND_NOWHERE:
        return 0;
    case TN_BEND_POWER:
        return is_smooth_power(tape, s) ? 0 : a;
    case TN_BEND_FIRST:
    case TN_BEND_WHOLE:
        return a;
    case TN_BEND_SECOND:
        return b;
    case TN_BEND_ITSELF:
        return step;
    case TN_BEND_DIFFERENCE:
        found = tn_tape_add(tape, TN_TAPE_DIFFERENCE, (const int32_t[]){a, b});
        break;
    case TN_BEND_QUOTIENT:
        found = tn_tape_add(tape, TN_TAPE_QUOTIENT, (const int32_t[]){a, b});
        break;
    case TN_BEND_POLE: {
        const int32_t turns = tn_tape_add(
            tape, TN_TAPE_PRODUCT, (const int32_t[]){a, tn_tape_constant(tape, 1.0 / TN_PI)});
        found =
            tn_tape_add(tape, TN_TAPE_SUM, (const int32_t[]){turns, tn_tape_constant(tape, 0.5)});
        break;
    }
    case TN_BEND_HALVES:
        found = tn_tape_add(tape, TN_TAPE_SUM, (const int32_t[]){a, tn_tape_constant(tape, 0.5)});
        break;
    }
    return found > 0 ? found : -1;
}

static bool varies(const tn_tape *tape, int32_t step)
{
    return tape->steps[step - 1].op != TN_TAPE_CONSTANT;
}

static void keep_bend(tn_making *m, int32_t telling, tn_bend_level level)
{
    if (!varies(&m->tape, telling)) {
        return;
    }
    for (int32_t k = 0; k < m->bend_count; k++) {
        if (m->bends[k].step == telling && m->bends[k].level == level) {
            return;
        }
    }
    m->bends[m->bend_count++] = (tn_formula_bend){telling, level};
}

static void keep_crests(tn_making *m, int32_t step)
{
    const tn_tape_step *s = &m->tape.steps[step - 1];
    const tn_crest_kind kind = of_op[s->op].crest;
    const bool none = s->op == TN_TAPE_POWER && is_smooth_power(&m->tape, s);
    if (kind == TN_CREST_STEEP || kind == TN_CREST_BOTH) {
        keep_bend(m, s->of[0], TN_LEVEL_0);
    }
    if (kind == TN_CREST_SECOND) {
        keep_bend(m, s->of[1], TN_LEVEL_SLOPE);
    } else if ((kind == TN_CREST_FIRST && !none) || kind == TN_CREST_BOTH) {
        keep_bend(m, s->of[0], TN_LEVEL_SLOPE);
    }
}

/* false: there is no room. */
static bool note_bend(tn_making *m, int32_t step)
{
    const tn_tape_op op = m->tape.steps[step - 1].op;
    const int32_t telling = telling_step(m, step);
    keep_crests(m, step);
    if (telling > 0) {
        keep_bend(m, telling, of_op[op].kind >= TN_BEND_WHOLE ? TN_LEVEL_WHOLE : TN_LEVEL_0);
        m->may_jump = m->may_jump || (of_op[op].jumps && varies(&m->tape, telling));
    }
    return telling >= 0;
}

static bool note_bends(tn_making *m, int32_t count, tn_expression_problem *problem)
{
    m->tape.count = count;
    for (int32_t step = 1; step <= count; step++) {
        if (!note_bend(m, step)) {
            snprintf(problem->message, sizeof(problem->message),
                     "more than %d operations in a function", TN_TAPE_STEPS);
            return false;
        }
    }
    return true;
}

static void *keep(tn_arena *arena, const void *items, int32_t count, size_t size)
{
    void *kept = tn_arena_items(arena, (size_t)count + 1, size);
    if (kept) {
        memcpy(kept, items, (size_t)count * size);
    }
    return kept;
}

static tn_status make(tn_making *m, tn_arena *arena, tn_formula *out,
                      tn_expression_problem *problem)
{
    const int32_t count = read_steps(m, problem);
    if (count == 0 || !note_bends(m, count, problem)) {
        return TN_ERROR_ARGUMENT;
    }
    if (!arena) {
        return TN_OK;
    }
    *out = (tn_formula){
        .text = tn_arena_text(arena, m->text, strlen(m->text)),
        .steps = keep(arena, m->tape.steps, m->tape.count, sizeof(*m->tape.steps)),
        .count = count,
        .all = m->tape.count,
        .bends = keep(arena, m->bends, m->bend_count, sizeof(*m->bends)),
        .bend_count = m->bend_count,
        .may_jump = m->may_jump,
    };
    return out->text && out->steps && out->bends ? TN_OK : TN_ERROR_MEMORY;
}

tn_status tn_formula_make(const char *text, tn_arena *arena, tn_formula *out,
                          tn_expression_problem *problem)
{
    tn_making m = {.text = text};
    return make(&m, arena, out, problem);
}

const char *tn_formula_problem(const char *text, char variable, tn_expression_problem *problem)
{
    tn_making m = {.text = text, .variable = variable};
    return make(&m, NULL, NULL, problem) == TN_OK ? NULL : problem->message;
}

bool tn_formula_shift(const char *text, double by, char *out, size_t size)
{
    tn_making m = {.text = text};
    tn_expression_problem problem;
    size_t used = 0, from = 0;
    if (make(&m, NULL, NULL, &problem) != TN_OK || m.place_count > TN_TAPE_STEPS) {
        return false;
    }
    for (int32_t k = 0; k < m.place_count && used < size; k++) {
        used += (size_t)snprintf(out + used, size - used, "%.*s(%c + %.17g)",
                                 (int)(m.places[k] - from), text + from, text[m.places[k]], by);
        from = m.places[k] + 1;
    }
    if (used < size) {
        used += (size_t)snprintf(out + used, size - used, "%s", text + from);
    }
    return used < size;
}
