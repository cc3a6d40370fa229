/* formula_text.c: formulas that are kept (formula_text.h). */
#include "io/value/formula_text.h"

#include <stdio.h>
#include <string.h>

#include "io/reader/scope.h"

tn_name_answer tn_replace_name(tn_rewriting *r, const char *name, size_t length, const char *by)
{
    by = tn_arena_text(&r->reader->arena, by, strlen(by));
    if (by == NULL) {
        r->reader->status = TN_ERROR_MEMORY;
        return TN_NAME_BROKEN;
    }
    if (r->count == TN_MOST_TERMS) {
        tn_problem(r->reader, r->node, NULL, "more than %d names in a formula", TN_MOST_TERMS);
        return TN_NAME_BROKEN;
    }
    r->list[r->count++] = (tn_replacement){(size_t)(name - r->text), length, by};
    return TN_NAME_KNOWN;
}

tn_name_answer tn_replace_by_value(tn_rewriting *r, const char *name, size_t length,
                                   const tn_value *value)
{
    char buffer[TN_DIMENSION_TEXT], text[TN_FORMULA_PATH];
    const bool plain = tn_dimension_is_plain(value->dimension);
    const char *unit = tn_dimension_unit(value->dimension, buffer);
    size_t used = 0;
    for (int32_t i = 0; i < value->count; i++) {
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%.17g*1%s%s",
                                 i > 0              ? ", "
                                 : value->count > 1 ? "["
                                                    : "(",
                                 value->v[i], plain ? "" : " ", plain ? "" : unit);
    }
    snprintf(text + used, sizeof(text) - used, value->count > 1 ? "]" : ")");
    return tn_replace_name(r, name, length, text);
}

bool tn_is_part_of_parameter(const tn_rewriting *r, const char *name, size_t length)
{
    tn_value vector;
    const size_t owner = tn_part_owner(name, length);
    return owner > 0 && tn_scope_ask(r->reader, name, owner, &vector) == TN_NAME_KNOWN;
}

const char *tn_rewritten(const tn_rewriting *r)
{
    size_t size = strlen(r->text) + 1, from = 0, used = 0;
    for (int32_t i = 0; i < r->count; i++) {
        size += strlen(r->list[i].text);
    }
    char *out = tn_reader_alloc(r->reader, (int32_t)size, 1);
    for (int32_t i = 0; out != NULL && i < r->count; i++) {
        const tn_replacement *each = &r->list[i];
        used += (size_t)snprintf(out + used, size - used, "%.*s%s", (int)(each->at - from),
                                 r->text + from, each->text);
        from = each->at + each->length;
    }
    if (out != NULL) {
        snprintf(out + used, size - used, "%s", r->text + from);
    }
    return out;
}
