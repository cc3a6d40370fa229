/* table_hdf5.c: a recorded motion in an HDF5 file (layout: tenon/record.h) as a table, its columns
 * named as in a file of comma-separated values.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/format/hdf5_library.h"
#include "table/table.h"
#include "tool.h"

/* The data sets in the order of their columns. Beside some stands a list of columns; others have the
 * same fields for each of what `names` of their group lists, or for `owner`. */
static const struct source {
    const char *path, *names, *owner;
} sources[] = {
    {"/t", NULL, ""},
    {"/bodies/pose", "/bodies/names", NULL},
    {"/bodies/velocity", "/bodies/names", NULL},
    {"/joints/coordinates", NULL, NULL},
    {"/joints/speeds", NULL, NULL},
    {"/joints/effort", NULL, NULL},
    {"/joints/reaction", "/joints/names", NULL},
    {"/couplings/value", NULL, NULL},
    {"/couplings/force", NULL, NULL},
    {"/markers/position", "/markers/names", NULL},
    {"/measures/value", NULL, NULL},
    {"/energy", NULL, "energy"},
    {"/work", NULL, "energy"},
    {"/joints/multipliers", NULL, NULL},
};
enum { SOURCES = sizeof sources / sizeof sources[0] };

/* ---- texts ---- */

typedef struct texts {
    char **text;
    int count;
} texts;

static void free_texts(texts *list)
{
    for (int i = 0; i < list->count; i++)
        free(list->text[i]);
    free(list->text);
    *list = (texts){NULL, 0};
}

/* Copies what the library read and gives that back to it. */
static bool take_texts(char **read, int count, hid_t type, hid_t space, texts *out)
{
    out->text = calloc((size_t)count + 1, sizeof *out->text);
    bool good = out->text != NULL;
    for (int i = 0; good && i < count; i++, out->count++) {
        out->text[i] = strdup(read[i] != NULL ? read[i] : "");
        good = out->text[i] != NULL;
    }
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, read);
    if (!good)
        free_texts(out);
    return good;
}

/* All texts of an object with this space, from a data set or an attribute. */
static bool read_texts(hid_t space, hid_t object, bool attribute, texts *out)
{
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    char **read = count >= 0 && count < INT32_MAX ? calloc((size_t)count + 1, sizeof *read) : NULL;
    bool good = read != NULL &&
                (attribute ? H5Aread(object, type, read)
                           : H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read)) >= 0;
    if (good)
        good = take_texts(read, (int)count, type, space, out);
    free(read);
    H5Tclose(type);
    return good;
}

static bool texts_of_attribute(hid_t object, const char *name, texts *out)
{
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0)
        return false;
    const hid_t space = H5Aget_space(attribute);
    const bool good = read_texts(space, attribute, true, out);
    H5Sclose(space);
    H5Aclose(attribute);
    return good;
}

static bool texts_of_set(hid_t file, const char *path, texts *out)
{
    const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    if (set < 0)
        return false;
    const hid_t space = H5Dget_space(set);
    const bool good = read_texts(space, set, false, out);
    H5Sclose(space);
    H5Dclose(set);
    return good;
}

/* ---- columns ---- */

/* A data set, open, and what its columns are called. */
typedef struct part {
    hid_t set;
    texts names, units;
    long rows;
} part;

/* owner.field; the owner may be "". NULL: no memory. */
static char *join(const char *owner, const char *field)
{
    const size_t size = strlen(owner) + strlen(field) + 2;
    char *name = malloc(size);
    if (name != NULL)
        snprintf(name, size, "%s%s%s", owner, owner[0] != '\0' ? "." : "", field);
    return name;
}

/* All fields of all owners. */
static bool cross(const texts *owners, const texts *fields, const texts *units, part *out)
{
    if (fields->count == 0 || owners->count > INT32_MAX / fields->count)
        return false;
    const int count = owners->count * fields->count;
    out->names.text = calloc((size_t)count + 1, sizeof(char *));
    out->units.text = calloc((size_t)count + 1, sizeof(char *));
    bool good = out->names.text != NULL && out->units.text != NULL;
    for (int i = 0; good && i < count; i++) {
        const int k = i % fields->count;
        out->names.text[i] = join(owners->text[i / fields->count], fields->text[k]);
        out->units.text[i] = strdup(k < units->count ? units->text[k] : "");
        out->names.count = out->units.count = i + 1;
        good = out->names.text[i] != NULL && out->units.text[i] != NULL;
    }
    return good;
}

static bool name_by_fields(hid_t file, const struct source *source, part *out)
{
    texts owners = {0}, fields = {0}, units = {0};
    char *single = (char *)source->owner;
    const texts one = {&single, 1};
    const bool good = texts_of_attribute(out->set, "columns", &fields) &&
                      texts_of_attribute(out->set, "units", &units) &&
                      (source->names == NULL || texts_of_set(file, source->names, &owners)) &&
                      cross(source->names == NULL ? &one : &owners, &fields, &units, out);
    free_texts(&owners);
    free_texts(&fields);
    free_texts(&units);
    return good;
}

static bool name_by_list(hid_t file, const struct source *source, part *out)
{
    char *columns = NULL, *units = NULL;
    const size_t size = strlen(source->path) + sizeof "_columns";
    columns = malloc(size);
    units = malloc(size);
    bool good = columns != NULL && units != NULL;
    if (good) {
        snprintf(columns, size, "%s_columns", source->path);
        snprintf(units, size, "%s_units", source->path);
        good = texts_of_set(file, columns, &out->names) && texts_of_set(file, units, &out->units) &&
               out->names.count == out->units.count;
    }
    free(columns);
    free(units);
    return good;
}

/* As many numbers in a row as it has names? */
static bool fits(part *p)
{
    hsize_t dims[H5S_MAX_RANK] = {0};
    const hid_t space = H5Dget_space(p->set);
    const int rank = H5Sget_simple_extent_dims(space, dims, NULL);
    H5Sclose(space);
    hsize_t width = 1;
    for (int k = 1; k < rank; k++)
        width *= dims[k];
    p->rows = (long)dims[0];
    return rank >= 1 && width == (hsize_t)p->names.count;
}

static void close_part(part *p)
{
    if (p->set >= 0)
        H5Dclose(p->set);
    free_texts(&p->names);
    free_texts(&p->units);
}

/* False: it is there and cannot be understood. What is not there has set -1. */
static bool open_part(hid_t file, const struct source *source, part *out)
{
    *out = (part){.set = -1};
    const char *group_end = strchr(source->path + 1, '/');
    char group[32] = "";
    if (group_end != NULL)
        memcpy(group, source->path, (size_t)(group_end - source->path));
    if ((group[0] != '\0' && H5Lexists(file, group, H5P_DEFAULT) <= 0) ||
        H5Lexists(file, source->path, H5P_DEFAULT) <= 0)
        return true;
    out->set = H5Dopen2(file, source->path, H5P_DEFAULT);
    const bool by_list = source->names == NULL && source->owner == NULL;
    return out->set >= 0 &&
           (by_list ? name_by_list(file, source, out) : name_by_fields(file, source, out)) &&
           fits(out);
}

/* ---- the table ---- */

static bool same_rows(const part *parts, long rows)
{
    for (int s = 0; s < SOURCES; s++) {
        if (parts[s].set >= 0 && parts[s].rows != rows)
            return false;
    }
    return true;
}

static bool take_names(part *parts, tool_table *out)
{
    for (int s = 0; s < SOURCES; s++)
        out->columns += parts[s].names.count;
    const size_t count = (size_t)out->columns + 1;
    out->names = calloc(count, sizeof *out->names);
    out->units = calloc(count, sizeof *out->units);
    out->values = calloc((size_t)out->rows + 1, count * sizeof *out->values);
    if (out->names == NULL || out->units == NULL || out->values == NULL)
        return false;
    int column = 0;
    for (int s = 0; s < SOURCES; s++) {
        for (int k = 0; k < parts[s].names.count; k++, column++) {
            out->names[column] = parts[s].names.text[k];
            out->units[column] = parts[s].units.text[k];
            parts[s].names.text[k] = parts[s].units.text[k] = NULL;
        }
    }
    return true;
}

/* The numbers of a data set to their columns, from `first` on. */
static bool take_numbers(const part *p, int first, tool_table *out)
{
    const int width = p->names.count;
    double *block = calloc((size_t)out->rows + 1, (size_t)width * sizeof *block + 1);
    const bool good = block != NULL &&
                      H5Dread(p->set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, block) >= 0;
    for (long row = 0; good && row < out->rows; row++) {
        memcpy(out->values + row * out->columns + first, block + row * width,
               (size_t)width * sizeof *block);
    }
    free(block);
    return good;
}

static bool read_file(hid_t file, tool_table *out)
{
    part parts[SOURCES];
    bool good = true;
    for (int s = 0; s < SOURCES; s++)
        good = open_part(file, &sources[s], &parts[s]) && good;
    out->rows = parts[0].rows;
    good = good && parts[0].set >= 0 && same_rows(parts, out->rows) && take_names(parts, out);
    for (int s = 0, first = 0; s < SOURCES; s++) {
        good = good && (parts[s].set < 0 || take_numbers(&parts[s], first, out));
        first += parts[s].names.count;
    }
    for (int s = 0; s < SOURCES; s++)
        close_part(&parts[s]);
    return good;
}

bool tool_is_hdf5(const char *path)
{
    static const char signature[8] = "\211HDF\r\n\032\n";
    char head[8];
    FILE *file = fopen(path, "rb");
    const bool same = file != NULL && fread(head, 1, sizeof head, file) == sizeof head &&
                      memcmp(head, signature, sizeof head) == 0;
    if (file != NULL)
        fclose(file);
    return same;
}

int tool_table_read_hdf5(const char *path, tool_table *out)
{
    const char *missing = tn_hdf5_load();
    if (missing != NULL) {
        tool_error("%s: cannot be read: %s", path, missing);
        return TOOL_BAD_INPUT;
    }
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* errors are reported here */
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    texts format = {0};
    const bool ours = file >= 0 && texts_of_attribute(file, "format", &format) &&
                      format.count == 1 && strcmp(format.text[0], "tenon-record-1") == 0;
    free_texts(&format);
    const bool good = ours && read_file(file, out);
    if (file < 0) {
        tool_error("%s: a damaged HDF5 file", path);
    } else if (!ours) {
        tool_error("%s: an HDF5 file, but not a motion that `tenon run --hdf5` recorded", path);
    } else if (!good) {
        tool_error("%s: a recorded motion that cannot be read: damaged, or too large", path);
    } else if (out->rows == 0) {
        tool_error("%s: has no rows of numbers", path);
    }
    if (file >= 0)
        H5Fclose(file);
    return good && out->rows > 0 ? TOOL_OK : TOOL_BAD_INPUT;
}
