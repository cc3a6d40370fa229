/* fuzz_formula.c: any bytes as a formula, as a number with a unit and as a unit. What is refused is
 * explained and the place lies in the text; what is accepted is a number, the same each time. The
 * first byte chooses how names are looked up. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "quantity/expression.h"
#include "quantity/unit.h"

#define LONGEST 4096

static tn_name_answer find(void *context, const char *name, size_t length, tn_value *out)
{
    static const double numbers[] = {0.0, 1.0, -2.5, 1e300, 1e-300};
    (void)context;
    if (length == 6 && memcmp(name, "broken", 6) == 0)
        return TN_NAME_BROKEN;
    if (length != 1 || *name < 'a' || *name > 'g')
        return TN_NAME_UNKNOWN;
    *out = tn_plain(numbers[(*name - 'a') % 5]);
    out->dimension.exponent[TN_LENGTH] = *name == 'f' ? TN_WHOLE : 0;
    out->dimension.exponent[TN_ANGLE] = *name == 'g' ? TN_WHOLE : 0;
    return TN_NAME_KNOWN;
}

static void offer(void *context, tn_suggestion *suggestion)
{
    (void)context;
    tn_suggestion_offer(suggestion, "g");
}

static void check_value(const tn_value *value, bool finite)
{
    char unit[TN_DIMENSION_TEXT], name[TN_DIMENSION_TEXT];
    fuzz_require(value->count >= 1 && value->count <= 3, "a number or a vector");
    for (int32_t i = 0; i < value->count && finite; i++)
        fuzz_require(isfinite(value->v[i]), "a value is a number");
    fuzz_require(strlen(tn_dimension_unit(value->dimension, unit)) > 0, "a unit has a name");
    fuzz_require(strlen(tn_dimension_name(value->dimension, name)) > 0, "a dimension has a name");
}

static void evaluate(const char *text, size_t length, unsigned choice)
{
    const tn_name_source names = {find,
                                  choice & 1u ? offer : NULL,
                                  NULL,
                                  (choice & 2u) != 0,
                                  (choice & 4u) != 0,
                                  (choice & 8u) != 0};
    tn_value value, again;
    tn_expression_problem problem;
    memset(&problem, 0, sizeof problem);
    memset(&value, 0, sizeof value);
    memset(&again, 0, sizeof again);
    const bool good = tn_expression_evaluate(text, &names, &value, &problem);
    if (!good) {
        fuzz_require(problem.at <= length, "the place of a problem is in the text");
        fuzz_require(memchr(problem.message, 0, sizeof problem.message) != NULL, "a message ends");
        fuzz_require(problem.message[0] != 0 || strstr(text, "broken") != NULL,
                     "a problem is explained");
        return;
    }
    if (!names.only_writing)
        check_value(&value, !names.changing);
    fuzz_require(tn_expression_evaluate(text, &names, &again, &problem), "once more");
    fuzz_require(value.count == again.count &&
                     memcmp(value.v, again.v, sizeof value.v[0] * (size_t)value.count) == 0 &&
                     tn_dimension_equal(value.dimension, again.dimension),
                 "the same");
}

static void read_quantity(const char *text, size_t length)
{
    tn_value value;
    tn_unit unit;
    size_t at = 0, unit_at = 0;
    const tn_quantity_form form = tn_quantity_read(text, &at, &value);
    if (form == TN_QUANTITY_GOOD)
        check_value(&value, false);
    if (form == TN_QUANTITY_WRONG)
        fuzz_require(at <= length, "the place of what is no unit is in the text");
    if (!tn_unit_read(text, &unit_at, &unit))
        fuzz_require(unit_at <= length, "the place of a wrong unit is in the text");
    (void)tn_unit_find(text, length, &unit);
    if (length < 64)
        (void)tn_unit_suggest(text, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t length = size == 0 ? 0 : size - 1 < LONGEST ? size - 1 : LONGEST;
    char *text = malloc(length + 1);
    fuzz_require(text != NULL, "memory");
    if (length > 0)
        memcpy(text, data + 1, length);
    text[length] = 0;
    evaluate(text, strlen(text), size > 0 ? data[0] : 0u);
    read_quantity(text, strlen(text));
    free(text);
    return 0;
}
