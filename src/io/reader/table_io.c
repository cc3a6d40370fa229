/* table_io.c: writing and describing a table's fields (table_io.h). */
#include "io/reader/table_io.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Longest description of a field in the schema. */
#define DOC_SIZE 320

void tn_write_table(tn_emitter *emitter, const tn_table *table, const void *source,
                    const void *initial)
{
    for (int32_t i = 0; i < table->field_count; i++) {
        const tn_field *field = &table->fields[i];
        int elsewhere = field->placements != 0 && !(field->placements & emitter->placement);
        if (!(field->flags & TN_FIELD_READ_ONLY) && !elsewhere) {
            field->kind->write(emitter, field, source, initial);
        }
    }
    if (table->write_other != NULL) {
        table->write_other(emitter, source);
    }
}

void tn_schema_of_field(tn_json *json, const tn_field *field)
{
    char doc[DOC_SIZE];
    snprintf(doc, sizeof(doc), "%s%s%s%s%s", field->doc, field->unit != NULL ? " [" : "",
             field->unit != NULL ? field->unit : "", field->unit != NULL ? "]" : "",
             field->flags & TN_FIELD_ANGLE ? " in the file's unit of angle" : "");
    tn_json_open(json, field->key, '{');
    tn_json_text(json, "description", doc);
    field->kind->schema(json, field);
    tn_json_close(json);
}

static int same_group(const tn_field *a, const tn_field *b)
{
    return a->group != NULL && b->group != NULL && strcmp(a->group, b->group) == 0;
}

/* {"not": {"anyOf": [{"required": [a, b]}, ...]}}: no two of a group. */
static void schema_groups(tn_json *json, const tn_table *table)
{
    int open = 0;
    for (int32_t i = 0; i < table->field_count; i++) {
        for (int32_t j = i + 1; j < table->field_count; j++) {
            if (!same_group(&table->fields[i], &table->fields[j])) {
                continue;
            }
            if (!open++) {
                tn_json_open(json, "not", '{');
                tn_json_open(json, "anyOf", '[');
            }
            tn_json_open(json, NULL, '{');
            tn_json_open(json, "required", '[');
            tn_json_text(json, NULL, table->fields[i].key);
            tn_json_text(json, NULL, table->fields[j].key);
            tn_json_close(json);
            tn_json_close(json);
        }
    }
    if (open) {
        tn_json_close(json);
        tn_json_close(json);
    }
}

/* {"required": [the keys that serve this way of placing], "not": {any other placing key}} */
static void schema_placement(tn_json *json, const tn_table *table, uint32_t bit)
{
    tn_json_open(json, NULL, '{');
    tn_json_open(json, "required", '[');
    for (int32_t i = 0; i < table->field_count; i++) {
        if (table->fields[i].placements & bit) {
            tn_json_text(json, NULL, table->fields[i].key);
        }
    }
    tn_json_close(json);
    tn_json_open(json, "not", '{');
    tn_json_open(json, "anyOf", '[');
    for (int32_t i = 0; i < table->field_count; i++) {
        if (table->fields[i].placements != 0 && !(table->fields[i].placements & bit)) {
            tn_json_open(json, NULL, '{');
            tn_json_open(json, "required", '[');
            tn_json_text(json, NULL, table->fields[i].key);
            tn_json_close(json);
            tn_json_close(json);
        }
    }
    tn_json_close(json);
    tn_json_close(json);
    tn_json_close(json);
}

static void schema_placements(tn_json *json, const tn_table *table)
{
    uint32_t all = 0;
    for (int32_t i = 0; i < table->field_count; i++) {
        all |= table->fields[i].placements;
    }
    if (all == 0) {
        return;
    }
    tn_json_open(json, "oneOf", '[');
    for (uint32_t bit = 1; bit <= all; bit <<= 1) {
        if (all & bit) {
            schema_placement(json, table, bit);
        }
    }
    tn_json_close(json);
}

static void schema_required(tn_json *json, const tn_table *table)
{
    tn_json_open(json, "required", '[');
    for (int32_t i = 0; i < table->field_count; i++) {
        const bool elsewhere =
            table->fields[i].kind == &tn_field_items || /* in parts, other files */
            table->fields[i].or_key != NULL;
        if ((table->fields[i].flags & TN_FIELD_REQUIRED) && !elsewhere) {
            tn_json_text(json, NULL, table->fields[i].key);
        }
    }
    tn_json_close(json);
}

static void schema_key(tn_json *json, const char *key)
{
    tn_json_open(json, NULL, '{');
    tn_json_open(json, "required", '[');
    tn_json_text(json, NULL, key);
    tn_json_close(json);
    tn_json_close(json);
}

/* {"anyOf": [{"required": [key]}, {"required": [the key that may be given instead]}]}, of the one field that has one. */
static void schema_instead(tn_json *json, const tn_table *table)
{
    for (int32_t i = 0; i < table->field_count; i++) {
        const tn_field *field = &table->fields[i];
        if (field->or_key != NULL && field->kind != &tn_field_items) {
            tn_json_open(json, "anyOf", '[');
            schema_key(json, field->key);
            schema_key(json, field->or_key);
            if (field->or_other != NULL) {
                schema_key(json, field->or_other);
            }
            tn_json_close(json);
            return;
        }
    }
}

void tn_schema_of_table(tn_json *json, const tn_table *table)
{
    tn_json_text(json, "type", "object");
    tn_json_open(json, "properties", '{');
    for (int32_t i = 0; i < table->field_count; i++) {
        tn_schema_of_field(json, &table->fields[i]);
    }
    tn_json_close(json);
    schema_required(json, table);
    schema_instead(json, table);
    schema_groups(json, table);
    schema_placements(json, table);
    if (table->schema_other != NULL) {
        table->schema_other(json);
    }
    /* sees the keys of the conditions above too, unlike additionalProperties */
    tn_json_bool(json, "unevaluatedProperties", 0);
}

/* A list, or a formula for all of it. */
void tn_schema_numbers(tn_json *json, int32_t least, int32_t most)
{
    tn_json_open(json, "type", '[');
    tn_json_text(json, NULL, "array");
    tn_json_text(json, NULL, "string");
    tn_json_close(json);
    tn_json_text(json, "pattern", "^=");
    tn_json_open(json, "items", '{');
    tn_schema_reference(json, "number");
    tn_json_close(json);
    tn_json_number(json, "minItems", least);
    tn_json_number(json, "maxItems", most);
}

void tn_schema_text_or_list(tn_json *json)
{
    tn_json_open(json, "type", '[');
    tn_json_text(json, NULL, "string");
    tn_json_text(json, NULL, "array");
    tn_json_close(json);
    tn_json_open(json, "items", '{');
    tn_json_text(json, "type", "string");
    tn_json_close(json);
}

void tn_schema_places(tn_json *json, int32_t least, int32_t most)
{
    tn_json_text(json, "type", "array");
    tn_json_open(json, "items", '{');
    tn_schema_numbers(json, 3, 3);
    tn_json_close(json);
    tn_json_number(json, "minItems", least);
    if (most > 0)
        tn_json_number(json, "maxItems", most);
}

void tn_schema_number_or_list(tn_json *json, int32_t least, int32_t most)
{
    tn_json_open(json, "anyOf", '[');
    tn_json_open(json, NULL, '{');
    tn_schema_reference(json, "number");
    tn_json_close(json);
    tn_json_open(json, NULL, '{');
    tn_schema_numbers(json, least, most);
    tn_json_close(json);
    tn_json_close(json);
}

void tn_schema_reference(tn_json *json, const char *definition)
{
    char path[64];
    snprintf(path, sizeof(path), "#/$defs/%s", definition);
    tn_json_text(json, "$ref", path);
}

void tn_schema_words(tn_json *json, const tn_words *words)
{
    tn_json_open(json, "enum", '[');
    for (int32_t i = 0; words->word(i) != NULL; i++) {
        tn_json_text(json, NULL, words->word(i));
    }
    tn_json_close(json);
}

/* ---- items of several kinds ---- */

bool tn_key_seen(const tn_table *table, uint64_t seen, const char *key)
{
    for (int32_t i = 0; i < table->field_count; i++) {
        if (strcmp(table->fields[i].key, key) == 0) {
            return (seen >> i & 1) != 0;
        }
    }
    return false;
}

bool tn_key_belongs(const char *key, const char *own, const char *const others[TN_MOST_OTHERS])
{
    bool belongs = strcmp(own, key) == 0 || strcmp(key, "repeat") == 0;
    for (int i = 0; i < TN_MOST_OTHERS && others[i] != NULL; i++) {
        belongs |= strcmp(others[i], key) == 0;
    }
    return belongs;
}

void tn_write_own_keys(tn_emitter *emitter, const tn_table *table, const char *own,
                       const char *const others[TN_MOST_OTHERS], const void *source,
                       const void *initial)
{
    for (int32_t i = 0; i < table->field_count; i++) {
        const tn_field *field = &table->fields[i];
        if (!(field->flags & TN_FIELD_READ_ONLY) && tn_key_belongs(field->key, own, others)) {
            field->kind->write(emitter, field, source, initial);
        }
    }
}
