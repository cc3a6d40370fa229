/* tape.c: formulas of one variable as lists of operations (tape.h). */
#include "quantity/tape.h"

#include <string.h>

int32_t tn_tape_operands(tn_tape_op op)
{
    static const int8_t operands[TN_TAPE_OP_COUNT] = {
#define TN_TAPE_COUNT(op, operands, rule) [op] = (operands),
        TN_TAPE_LIST(TN_TAPE_COUNT)
#undef TN_TAPE_COUNT
    };
    return operands[op];
}

/* What comes out changes by jumps, whatever goes in. */
static bool gives_steps(tn_tape_op op)
{
    static const tn_tape_op all[] = {
        TN_TAPE_CONSTANT, TN_TAPE_SIGN, TN_TAPE_FLOOR, TN_TAPE_CEIL,
        TN_TAPE_ROUND,    TN_TAPE_LESS, TN_TAPE_EQUAL, TN_TAPE_AT_MOST,
        TN_TAPE_NOT,      TN_TAPE_AND,  TN_TAPE_OR,    TN_TAPE_DIFFERENT,
    };
    for (size_t i = 0; i < TN_COUNT_OF(all); i++) {
        if (all[i] == op) {
            return true;
        }
    }
    return false;
}

bool tn_tape_is_in_steps(const tn_tape *tape, int32_t step)
{
    return step == 0 || tape->steps[step - 1].in_steps;
}

/* A choice goes by truths: its ways count. */
static bool are_in_steps(const tn_tape *tape, const tn_tape_step *step)
{
    const int32_t count = tn_tape_operands(step->op);
    bool all = count > 0;
    for (int32_t i = 0; i < count; i++) {
        all = all && tn_tape_is_in_steps(tape, step->of[i]);
    }
    return all || gives_steps(step->op);
}

static bool same(const tn_tape_step *a, const tn_tape_step *b)
{
    return a->op == b->op && memcmp(a->of, b->of, sizeof(a->of)) == 0 &&
           memcmp(&a->number, &b->number, sizeof(a->number)) == 0;
}

static int32_t note(tn_tape *tape, tn_tape_step step)
{
    for (int32_t i = 0; i < tape->count; i++) {
        if (same(&tape->steps[i], &step)) {
            return i + 1;
        }
    }
    if (tape->count == TN_TAPE_STEPS) {
        return 0;
    }
    step.in_steps = are_in_steps(tape, &step);
    tape->steps[tape->count++] = step;
    return tape->count;
}

int32_t tn_tape_variable(tn_tape *tape)
{
    return note(tape, (tn_tape_step){.op = TN_TAPE_VARIABLE});
}

int32_t tn_tape_constant(tn_tape *tape, double number)
{
    return note(tape, (tn_tape_step){.op = TN_TAPE_CONSTANT, .number = number});
}

int32_t tn_tape_add(tn_tape *tape, tn_tape_op op, const int32_t *of)
{
    tn_tape_step step = {.op = op};
    for (int32_t i = 0; i < tn_tape_operands(op); i++) {
        if (of[i] == 0) {
            return 0;
        }
        step.of[i] = of[i];
    }
    return note(tape, step);
}
