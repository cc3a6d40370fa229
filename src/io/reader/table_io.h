/* table_io.h: writing and describing a table's fields; the counterpart of tn_read_table.
 *
 * Room io/reader.
 */
#ifndef TN_IO_READER_TABLE_IO_H
#define TN_IO_READER_TABLE_IO_H

#include <string.h>

#include "io/text/emitter.h"
#include "io/reader/field.h"
#include "io/text/json.h"
#include "io/reader/reader.h"

/* Writes the fields of source that differ from initial. */
void tn_write_table(tn_emitter *emitter, const tn_table *table, const void *source,
                    const void *initial);

/* The members that describe a mapping with these fields, into a JSON object already begun. */
void tn_schema_of_table(tn_json *json, const tn_table *table);
/* The properties alone, into "properties" already begun. */
void tn_schema_of_field(tn_json *json, const tn_field *field);

/* Schemas of values used in many places, as members of an object already begun. */
void tn_schema_numbers(tn_json *json, int32_t least, int32_t most);
/* One number, or a list of so many. */
void tn_schema_number_or_list(tn_json *json, int32_t least, int32_t most);
/* One text, or a list of them. */
void tn_schema_text_or_list(tn_json *json);
/* A list of places in space; most 0: of any length. */
void tn_schema_places(tn_json *json, int32_t least, int32_t most);
void tn_schema_reference(tn_json *json, const char *definition);
/* {"type": "string", "enum": [...]} of a list of words; ends with NULL. */
void tn_schema_words(tn_json *json, const tn_words *words);

static inline const void *tn_field_source(const tn_field *field, const void *source)
{
    return (const char *)source + field->offset;
}

/* Whether a value of size bytes must be written: it differs from the default, or it says where a
 * joint is. */
static inline int tn_field_differs(const tn_field *field, const void *source, const void *initial,
                                   size_t size)
{
    return field->placements != 0 ||
           memcmp(tn_field_source(field, source), tn_field_source(field, initial), size) != 0;
}

static inline void *tn_field_target(const tn_field *field, void *target)
{
    return (char *)target + field->offset;
}

/* Items whose own key says what they are: which keys were given, and do they belong to it? */
#define TN_MOST_OTHERS 8
/* `seen`: what tn_read_table answered. */
bool tn_key_seen(const tn_table *table, uint64_t seen, const char *key);
/* The own key, those that go with it, and `repeat`, which any item takes. */
bool tn_key_belongs(const char *key, const char *own, const char *const others[TN_MOST_OTHERS]);
/* Writes those alone: definitions of a program may have anything in the others. */
void tn_write_own_keys(tn_emitter *emitter, const tn_table *table, const char *own,
                       const char *const others[TN_MOST_OTHERS], const void *source,
                       const void *initial);

#endif
