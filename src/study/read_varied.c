/* read_varied.c: room study: how a parameter varies, from its entry in a study file.
 *
 * A list, or one of range, uniform, normal, table. All numbers of an entry have one dimension.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "io/reader/number.h"
#include "study/read.h"

/* ---- numbers with a unit of their own ---- */

/* A number, its dimension the same as that of those before it; *known: there are some. */
static bool read_number(tn_reader *reader, int32_t node, const char *key, tn_varied *varied,
                        bool *known, double *out)
{
    tn_value value;
    if (tn_get(reader, node)->kind != TN_NODE_SCALAR) {
        tn_wrong_type(reader, node, key, "a number", NULL);
        return false;
    }
    if (!tn_read_value(reader, node, key, &value))
        return false;
    if (value.count != 1) {
        tn_problem(reader, node, "vary its numbers as parameters of their own",
                   "'%s' must be a number, not a vector", key);
        return false;
    }
    char buffer[TN_DIMENSION_TEXT];
    if (*known && !tn_dimension_equal(value.dimension, varied->dimension)) {
        tn_problem(reader, node, NULL, "'%s' is %s, but the value before is in %s", key,
                   tn_dimension_name(value.dimension, buffer), varied->unit);
        return false;
    }
    varied->dimension = value.dimension;
    snprintf(varied->unit, sizeof varied->unit, "%s", tn_dimension_unit(value.dimension, buffer));
    *known = true;
    *out = value.v[0];
    return true;
}

/* The value of a key of a mapping, or TN_NO_NODE. */
static int32_t value_of(const tn_reader *reader, int32_t mapping, const char *key)
{
    TN_EACH_KEY(reader, mapping, k)
    if (strcmp(tn_node_text(reader->tree, k), key) == 0)
        return tn_get(reader, k)->next;
    return TN_NO_NODE;
}

/* Reports keys of a mapping that are not among these. */
static void refuse_others(tn_reader *reader, int32_t mapping, const char *what,
                          const char *const *keys)
{
    TN_EACH_KEY(reader, mapping, k)
    {
        const char *text = tn_node_text(reader->tree, k);
        tn_suggestion suggestion = tn_suggestion_for(text);
        bool known = false;
        for (int i = 0; keys[i] != NULL; i++) {
            known = known || strcmp(keys[i], text) == 0;
            tn_suggestion_offer(&suggestion, keys[i]);
        }
        char hint[TN_HINT_SIZE];
        if (!known) {
            tn_problem(reader, k, tn_suggestion_hint(&suggestion, NULL, hint),
                       "unknown key '%.100s' in %s", text, what);
        }
    }
}

/* The numbers of a list; *count 0: it was none, which has been reported. */
static double *read_numbers(tn_reader *reader, int32_t node, const char *key, tn_varied *varied,
                            bool *known, int32_t *count)
{
    *count = 0;
    if (!tn_want_sequence(reader, node, key))
        return NULL;
    double *values = tn_reader_alloc(reader, tn_get(reader, node)->count + 1, sizeof *values);
    if (values == NULL)
        return NULL;
    TN_EACH(reader, node, child)
    {
        if (!read_number(reader, child, key, varied, known, &values[*count]))
            return NULL;
        ++*count;
    }
    if (*count == 0)
        tn_problem(reader, node, NULL, "'%s' is an empty list", key);
    return values;
}

static bool need(tn_reader *reader, int32_t mapping, int32_t item, const char *what,
                 const char *key)
{
    if (item == TN_NO_NODE)
        tn_problem(reader, mapping, NULL, "'%s' needs '%s'", what, key);
    return item != TN_NO_NODE;
}

/* ---- ways to vary ---- */

static void read_range(tn_reader *reader, int32_t node, const char *name, tn_varied *varied)
{
    static const char *const keys[] = {"from", "to", "count", NULL};
    if (!tn_want_mapping(reader, node, name))
        return;
    refuse_others(reader, node, "a range", keys);
    const int32_t from = value_of(reader, node, "from"), to = value_of(reader, node, "to"),
                  count = value_of(reader, node, "count");
    bool known = false;
    double number = 0.0;
    if (need(reader, node, from, "range", "from"))
        read_number(reader, from, "from", varied, &known, &varied->from);
    if (need(reader, node, to, "range", "to"))
        read_number(reader, to, "to", varied, &known, &varied->to);
    if (need(reader, node, count, "range", "count") &&
        tn_read_number(reader, count, "count", &number)) {
        if (!(number >= 1.0 && number <= 1e6 && number == floor(number))) {
            tn_problem(reader, count, NULL, "'count' must be a whole number from 1 to 1000000");
        } else {
            varied->count = (int32_t)number;
        }
    }
}

/* [from, to] */
static bool read_ends(tn_reader *reader, int32_t node, const char *key, tn_varied *varied,
                      bool *known)
{
    int32_t count = 0;
    const double *ends = read_numbers(reader, node, key, varied, known, &count);
    if (ends == NULL || count == 0)
        return false;
    if (count != 2 || !(ends[0] < ends[1])) {
        tn_problem(reader, node, NULL, "'%s' must be [from, to], the first the smaller", key);
        return false;
    }
    varied->from = ends[0];
    varied->to = ends[1];
    return true;
}

static void read_uniform(tn_reader *reader, int32_t node, const char *name, tn_varied *varied)
{
    bool known = false;
    (void)name;
    read_ends(reader, node, "uniform", varied, &known);
}

static void read_normal(tn_reader *reader, int32_t node, const char *name, tn_varied *varied)
{
    static const char *const keys[] = {"mean", "deviation", "within", NULL};
    varied->from = -(double)INFINITY;
    varied->to = (double)INFINITY;
    if (!tn_want_mapping(reader, node, name))
        return;
    refuse_others(reader, node, "a normal distribution", keys);
    const int32_t mean = value_of(reader, node, "mean"),
                  deviation = value_of(reader, node, "deviation"),
                  within = value_of(reader, node, "within");
    bool known = false;
    if (need(reader, node, mean, "normal", "mean"))
        read_number(reader, mean, "mean", varied, &known, &varied->mean);
    if (need(reader, node, deviation, "normal", "deviation") &&
        read_number(reader, deviation, "deviation", varied, &known, &varied->deviation) &&
        !(varied->deviation > 0.0))
        tn_problem(reader, deviation, NULL, "'deviation' must be greater than 0");
    if (within != TN_NO_NODE && read_ends(reader, within, "within", varied, &known) &&
        !(varied->from < varied->mean && varied->mean < varied->to))
        tn_problem(reader, within, NULL, "'within' must have the mean inside");
}

static void read_table(tn_reader *reader, int32_t node, const char *name, tn_varied *varied)
{
    static const char *const keys[] = {"values", "weights", NULL};
    if (!tn_want_mapping(reader, node, name))
        return;
    refuse_others(reader, node, "a table", keys);
    const int32_t values = value_of(reader, node, "values"),
                  weights = value_of(reader, node, "weights");
    bool known = false, plain = false;
    int32_t count = 0;
    tn_varied weight = {0};
    if (!need(reader, node, values, "table", "values"))
        return;
    varied->values = read_numbers(reader, values, "values", varied, &known, &varied->count);
    varied->weights = tn_reader_alloc(reader, varied->count + 1, sizeof *varied->weights);
    const double *given = weights != TN_NO_NODE
                              ? read_numbers(reader, weights, "weights", &weight, &plain, &count)
                              : NULL;
    if (varied->values == NULL || varied->weights == NULL ||
        (weights != TN_NO_NODE && given == NULL))
        return;
    if (given != NULL && (count != varied->count || !tn_dimension_is_plain(weight.dimension))) {
        tn_problem(reader, weights, NULL, "'weights' must be %d plain numbers, one for each value",
                   (int)varied->count);
        return;
    }
    double sum = 0.0;
    for (int32_t i = 0; i < varied->count; i++) {
        const double w = given != NULL ? given[i] : 1.0;
        if (!(w >= 0.0))
            tn_problem(reader, weights, NULL, "a weight is negative");
        sum += w;
        varied->weights[i] = sum;
    }
    if (!(sum > 0.0))
        tn_problem(reader, weights, NULL, "all weights are 0");
    for (int32_t i = 0; i < varied->count; i++)
        varied->weights[i] /= sum;
}

static const struct {
    const char *key;
    tn_way way;
    void (*read)(tn_reader *reader, int32_t node, const char *name, tn_varied *varied);
} ways[] = {{"range", TN_WAY_RANGE, read_range},
            {"uniform", TN_WAY_UNIFORM, read_uniform},
            {"normal", TN_WAY_NORMAL, read_normal},
            {"table", TN_WAY_TABLE, read_table}};

static const char *const way_keys[] = {"range", "uniform", "normal", "table", NULL};

void tn_study_read_varied(tn_reader *reader, int32_t key, tn_varied *varied)
{
    const int32_t node = tn_get(reader, key)->next;
    varied->name = tn_node_text(reader->tree, key);
    varied->axis = -1;
    if (tn_get(reader, node)->kind == TN_NODE_SEQUENCE) {
        bool known = false;
        varied->way = TN_WAY_LIST;
        varied->values = read_numbers(reader, node, varied->name, varied, &known, &varied->count);
        return;
    }
    if (tn_get(reader, node)->kind != TN_NODE_MAPPING || tn_get(reader, node)->count != 2) {
        tn_wrong_type(reader, node, varied->name,
                      "a list of values, or one of range, uniform, normal, table", NULL);
        return;
    }
    refuse_others(reader, node, "a parameter", way_keys);
    for (size_t i = 0; i < TN_COUNT_OF(ways); i++) {
        const int32_t value = value_of(reader, node, ways[i].key);
        if (value != TN_NO_NODE) {
            varied->way = ways[i].way;
            ways[i].read(reader, value, varied->name, varied);
        }
    }
}
