/* load.c: loads in a spec: defaults, copying, reading back (tenon/load.h).
 *
 * Room spec.
 */
#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "spec/pack.h"
#include "spec/spec_internal.h"

#define NOT_SET ((double)NAN)

/* "load" and a number. */
#define DEFAULT_NAME_SIZE 24

tn_load_def tn_default_load_def(tn_load_kind kind)
{
    return (tn_load_def){.cookie = TN_COOKIE_LOAD,
                         .kind = kind,
                         .markers = {{-1}, {-1}},
                         .point = {NOT_SET, NOT_SET, NOT_SET},
                         .joint = {-1},
                         .scale = NOT_SET,
                         .linear = NOT_SET,
                         .quadratic = NOT_SET,
                         .rotary = NOT_SET,
                         .rotary_quadratic = NOT_SET,
                         .strength = NOT_SET,
                         .exponent = NOT_SET,
                         .solid = {-1}};
}

/* Every function of a load: NULL after the last one. */
static tn_function_def *function_of(tn_load_def *def, int32_t index)
{
    tn_function_def *const groups[] = {def->force, def->moment, def->acceleration, def->medium};
    tn_function_def *const others[] = {&def->thrust, &def->effort, &def->pressure, NULL};
    return index < 12 ? &groups[index / 3][index % 3] : others[index - 12];
}

static int is_usable(const tn_load_def *def)
{
    tn_load_def copy = *def;
    if (def->cookie != TN_COOKIE_LOAD || (def->body_count > 0 && def->bodies == NULL)) {
        return 0;
    }
    for (int32_t i = 0; function_of(&copy, i) != NULL; i++) {
        const tn_function_def *f = function_of(&copy, i);
        if (f->count < 0 || (f->count > 0 && f->numbers == NULL)) {
            return 0;
        }
    }
    return 1;
}

static void copy_load(tn_pack *pack, tn_load_def *def)
{
    def->name = tn_pack_text(pack, def->name);
    def->bodies = tn_pack_items(pack, def->bodies, def->body_count, sizeof(*def->bodies));
    for (int32_t i = 0; function_of(def, i) != NULL; i++) {
        tn_function_def *f = function_of(def, i);
        f->numbers = tn_pack_items(pack, f->numbers, f->count, sizeof(*f->numbers));
        f->formula = tn_pack_text(pack, f->formula);
    }
}

tn_status tn_spec_add_load(tn_spec *spec, const tn_load_def *def, tn_load *out)
{
    TN_DEMAND(spec && def, TN_ERROR_ARGUMENT);
    if (!is_usable(def)) {
        return tn_spec_refuse(spec, __func__);
    }
    tn_load_entry *grown =
        tn_grow(spec->loads, &spec->load_capacity, spec->load_count + 1, sizeof(*spec->loads));
    if (grown == NULL) {
        return TN_ERROR_MEMORY;
    }
    spec->loads = grown;

    char name[DEFAULT_NAME_SIZE];
    snprintf(name, sizeof(name), "load%d", (int)spec->load_count);
    tn_load_def copy = *def;
    copy.name = def->name != NULL ? def->name : name;
    if (tn_spec_intern_file(spec, def->at.file, &copy.at.file) != TN_OK) {
        return TN_ERROR_MEMORY;
    }
    tn_pack pack = {0};
    copy_load(&pack, &copy);
    if (tn_pack_allocate(&pack) != TN_OK) {
        return TN_ERROR_MEMORY;
    }
    copy_load(&pack, &copy);
    const tn_mark mark =
        tn_mark_of(TN_SECTION_LOAD, copy.name, NULL, (const int32_t[2]){(int32_t)copy.kind});
    if (out != NULL) {
        *out = (tn_load){spec->load_count, mark.of};
    }
    spec->loads[spec->load_count++] =
        (tn_load_entry){.def = copy, .block = pack.block, .mark = mark};
    return TN_OK;
}

int32_t tn_spec_load_count(const tn_spec *spec)
{
    TN_DEMAND(spec, 0);
    return spec->load_count;
}

const tn_load_def *tn_spec_load(const tn_spec *spec, tn_load load)
{
    TN_DEMAND(spec && tn_spec_had(spec, TN_SECTION_LOAD, load.i, load.of), NULL);
    return &spec->loads[load.i].def;
}
