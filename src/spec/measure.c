/* measure.c: measures in a spec: defaults, adding, reading back, words (tenon/measure.h).
 *
 * Room spec.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "spec/spec_internal.h"

/* "measure" and a number. */
#define DEFAULT_NAME_SIZE 24

tn_measure_def tn_default_measure_def(tn_quantity quantity)
{
    return (tn_measure_def){.cookie = TN_COOKIE_MEASURE,
                            .quantity = quantity,
                            .joint = {-1},
                            .load = {-1},
                            .markers = {{-1}, {-1}},
                            .about = {-1},
                            .part = TN_WRENCH_PART_COUNT,
                            .above = (double)NAN};
}

/* A text behind others in a block; NULL stays. */
static const char *pack_text(const char *text, char **at)
{
    if (text == NULL) {
        return NULL;
    }
    const size_t size = strlen(text) + 1;
    const char *copy = memcpy(*at, text, size);
    *at += size;
    return copy;
}

static size_t size_of(const char *text)
{
    return text != NULL ? strlen(text) + 1 : 0;
}

/* Its texts into one block. */
static tn_status pack_measure(tn_measure_def *def, char **block)
{
    *block = tn_alloc(size_of(def->name) + size_of(def->formula) + size_of(def->above_unit), 1);
    if (*block == NULL) {
        return TN_ERROR_MEMORY;
    }
    char *at = *block;
    def->name = pack_text(def->name, &at);
    def->formula = pack_text(def->formula, &at);
    def->above_unit = pack_text(def->above_unit, &at);
    return TN_OK;
}

tn_status tn_spec_add_measure(tn_spec *spec, const tn_measure_def *def, tn_measure_id *out)
{
    TN_DEMAND(spec && def, TN_ERROR_ARGUMENT);
    if (def->cookie != TN_COOKIE_MEASURE) {
        return tn_spec_refuse(spec, __func__);
    }
    tn_measure_entry *grown = tn_grow(spec->measures, &spec->measure_capacity,
                                      spec->measure_count + 1, sizeof(*spec->measures));
    if (grown == NULL) {
        return TN_ERROR_MEMORY;
    }
    spec->measures = grown;

    char name[DEFAULT_NAME_SIZE];
    snprintf(name, sizeof(name), "measure%d", (int)spec->measure_count);
    const char *named = def->name != NULL ? def->name : name;
    tn_measure_def copy = *def;
    copy.name = named;
    char *block;
    if (pack_measure(&copy, &block) != TN_OK) {
        return TN_ERROR_MEMORY;
    }
    if (tn_spec_intern_file(spec, def->at.file, &copy.at.file) != TN_OK) {
        tn_free(block);
        return TN_ERROR_MEMORY;
    }
    const tn_mark mark =
        tn_mark_of(TN_SECTION_MEASURE, copy.name, NULL, (const int32_t[2]){(int32_t)copy.quantity});
    if (out != NULL) {
        *out = (tn_measure_id){spec->measure_count, mark.of};
    }
    spec->measures[spec->measure_count++] =
        (tn_measure_entry){.def = copy, .block = block, .mark = mark};
    return TN_OK;
}

tn_status tn_spec_set_formula(tn_spec *spec, int32_t measure, const char *formula)
{
    tn_measure_entry *entry = &spec->measures[measure];
    tn_measure_def def = entry->def;
    char *block;
    def.formula = formula;
    if (pack_measure(&def, &block) != TN_OK) {
        return TN_ERROR_MEMORY;
    }
    tn_free(entry->block);
    *entry = (tn_measure_entry){.def = def, .block = block, .mark = entry->mark};
    return TN_OK;
}

int32_t tn_spec_measure_count(const tn_spec *spec)
{
    TN_DEMAND(spec, 0);
    return spec->measure_count;
}

const tn_measure_def *tn_spec_measure(const tn_spec *spec, tn_measure_id measure)
{
    TN_DEMAND(spec && tn_spec_had(spec, TN_SECTION_MEASURE, measure.i, measure.of), NULL);
    return &spec->measures[measure.i].def;
}

tn_measure_kind tn_quantity_kind(tn_quantity quantity)
{
    static const tn_measure_kind kinds[] = {
#define KIND(id, name, kind) kind,
        TN_QUANTITY_LIST(KIND)
#undef KIND
    };
    return (unsigned)quantity < TN_QUANTITY_COUNT ? kinds[quantity] : TN_MEASURE_KIND_COUNT;
}

const char *tn_wrench_part_name(tn_wrench_part part)
{
    static const char *const names[TN_WRENCH_PART_COUNT + 1] = {
        [TN_WRENCH_CONSTRAINT] = "constraint",
        [TN_WRENCH_COMPLIANCE] = "compliance",
        [TN_WRENCH_LOCK] = "lock",
        [TN_WRENCH_LIMIT] = "limit",
        [TN_WRENCH_DRIVER] = "drive",
        [TN_WRENCH_MOTOR] = "motor",
        [TN_WRENCH_FRICTION] = "friction",
        [TN_WRENCH_SPRING] = "spring",
        [TN_WRENCH_PART_COUNT] = "all"};
    return (unsigned)part <= TN_WRENCH_PART_COUNT ? names[part] : NULL;
}
