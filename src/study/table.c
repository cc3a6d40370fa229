/* table.c: room study: what came of all cases as one HDF5 file (tenon/study.h).
 *
 * No times of creation and no order of writing but that of the table get into the file.
 */
#include <errno.h>
#include <string.h>

#include "file/output.h"
#include "record/format/hdf5_file.h"
#include "study/study.h"
#include "tenon/version.h"

typedef struct writer {
    const tn_study_table *table;
    hid_t file, text, plain; /* plain: how data sets are made: without times */
    bool good;
} writer;

static void put_texts(writer *w, hid_t object, const char *name, const char *const *texts,
                      hsize_t count, bool attribute)
{
    const hid_t space = H5Screate_simple(1, &count, NULL);
    const hid_t put =
        attribute ? H5Acreate2(object, name, w->text, space, H5P_DEFAULT, H5P_DEFAULT)
                  : H5Dcreate2(object, name, w->text, space, H5P_DEFAULT, w->plain, H5P_DEFAULT);
    w->good = w->good && put >= 0;
    if (put >= 0 && attribute) {
        w->good = H5Awrite(put, w->text, texts) >= 0 && w->good;
    } else if (put >= 0 && count > 0) {
        w->good = H5Dwrite(put, w->text, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0 && w->good;
    }
    if (put >= 0 && attribute) {
        H5Aclose(put);
    } else if (put >= 0) {
        H5Dclose(put);
    }
    H5Sclose(space);
}

static hid_t put_numbers(writer *w, const char *path, hid_t stored, hid_t given, int rank,
                         const hsize_t *size, const void *data)
{
    const hid_t space = H5Screate_simple(rank, size, NULL);
    const hid_t set = H5Dcreate2(w->file, path, stored, space, H5P_DEFAULT, w->plain, H5P_DEFAULT);
    w->good = w->good && set >= 0;
    if (set >= 0 && size[0] > 0 && (rank < 2 || size[1] > 0))
        w->good = H5Dwrite(set, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0 && w->good;
    H5Sclose(space);
    return set;
}

typedef tn_study_column (*column_at)(const tn_study *study, int32_t index);

/* [cases][columns] with the columns' names and units; values are in SI and rad. */
static void put_table(writer *w, const char *path, const double *given, column_at at, int32_t count)
{
    const tn_study *study = w->table->study;
    const size_t all = (size_t)study->case_count * (size_t)count;
    double *values = TN_NEW_ARRAY(double, all);
    w->good = w->good && values != NULL;
    for (size_t k = 0; w->good && k < all; k++)
        values[k] = given[k] * at(study, (int32_t)(k % (size_t)count)).scale;
    const hsize_t size[2] = {(hsize_t)study->case_count, (hsize_t)count};
    const char **names = TN_NEW_ARRAY(const char *, count),
               **units = TN_NEW_ARRAY(const char *, count);
    const hid_t set =
        w->good ? put_numbers(w, path, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 2, size, values) : -1;
    w->good = w->good && names != NULL && units != NULL;
    for (int32_t i = 0; w->good && i < count; i++) {
        names[i] = at(study, i).name;
        units[i] = at(study, i).told;
    }
    if (w->good && count > 0) {
        put_texts(w, set, "names", names, (hsize_t)count, true);
        put_texts(w, set, "units", units, (hsize_t)count, true);
    }
    if (set >= 0)
        H5Dclose(set);
    tn_free(values);
    tn_free(names);
    tn_free(units);
}

static void put_parameters(writer *w)
{
    const tn_study *study = w->table->study;
    double *values = TN_NEW_ARRAY(double, (size_t)study->case_count *(size_t)study->varied_count);
    w->good = w->good && values != NULL;
    for (int64_t i = 0; w->good && i < study->case_count; i++)
        tn_study_values(study, i, values + i * study->varied_count);
    if (w->good)
        put_table(w, "parameters", values, tn_study_parameter, study->varied_count);
    tn_free(values);
}

/* [results][parameters] of each index, in the order of the other tables' columns. */
static void put_indices(writer *w)
{
    static const char *const paths[] = {"indices/first", "indices/total", "indices/first_error",
                                        "indices/total_error"};
    enum { KINDS = TN_COUNT_OF(paths) };
    const tn_study *study = w->table->study;
    const hsize_t size[2] = {(hsize_t)study->kept_count, (hsize_t)study->varied_count};
    const size_t count = (size_t)(size[0] * size[1]);
    double *values = TN_NEW_ARRAY(double, KINDS *count);
    w->good = w->good && values != NULL;
    for (size_t i = 0; w->good && i < count; i++) {
        tn_study_indices of;
        tn_study_indices_of(w->table, (int32_t)(i / size[1]), (int32_t)(i % size[1]), &of);
        values[i] = of.first;
        values[count + i] = of.total;
        values[2 * count + i] = of.first_error;
        values[3 * count + i] = of.total_error;
    }
    const hid_t group = H5Gcreate2(w->file, "indices", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    for (size_t k = 0; w->good && k < KINDS; k++) {
        const hid_t set = put_numbers(w, paths[k], H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 2, size,
                                      values + k * count);
        if (set >= 0)
            H5Dclose(set);
    }
    if (group >= 0)
        H5Gclose(group);
    tn_free(values);
}

static bool has_failed(int32_t status)
{
    return status != TN_OK && status != TN_STUDY_NOT_RUN;
}

/* Cases with a message, and the messages. */
static void put_failures(writer *w)
{
    const tn_study_table *table = w->table;
    hsize_t count = 0, at = 0;
    for (int64_t i = 0; i < table->study->case_count; i++)
        count += has_failed(table->status[i]);
    int64_t *cases = TN_NEW_ARRAY(int64_t, count);
    const char **messages = TN_NEW_ARRAY(const char *, count);
    w->good = w->good && cases != NULL && messages != NULL;
    for (int64_t i = 0; w->good && i < table->study->case_count; i++) {
        if (has_failed(table->status[i])) {
            cases[at] = i;
            messages[at++] = table->message[i] != NULL ? table->message[i] : "";
        }
    }
    if (w->good) {
        const hid_t group = H5Gcreate2(w->file, "failures", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        const hid_t set =
            put_numbers(w, "failures/case", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &count, cases);
        put_texts(w, group, "message", messages, count, false);
        w->good = w->good && group >= 0;
        if (set >= 0)
            H5Dclose(set);
        if (group >= 0)
            H5Gclose(group);
    }
    tn_free(cases);
    tn_free(messages);
}

/* Without the folder: where the study lay is no result. */
static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static void put_all(writer *w)
{
    const tn_study *study = w->table->study;
    const hsize_t cases = (hsize_t)study->case_count;
    const char *texts[] = {name_of(study->path), name_of(study->model_path), tn_version_text()};
    static const char *const names[] = {"study", "model", "version"};
    for (size_t i = 0; i < TN_COUNT_OF(names); i++)
        put_texts(w, w->file, names[i], &texts[i], 1, true);
    put_parameters(w);
    put_table(w, "results", w->table->results, tn_study_result, study->kept_count);
    const hid_t set =
        put_numbers(w, "status", H5T_STD_I32LE, H5T_NATIVE_INT32, 1, &cases, w->table->status);
    if (set >= 0)
        H5Dclose(set);
    if (study->indices)
        put_indices(w);
    put_failures(w);
}

static void write_file(writer *w, const char *path, tn_output *output, int *error)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    w->file = tn_hdf5_create_file(path, output, error);
    w->text = H5Tcopy(H5T_C_S1);
    w->plain = H5Pcreate(H5P_DATASET_CREATE);
    w->good = w->file >= 0 && w->text >= 0 && w->plain >= 0 &&
              H5Tset_size(w->text, H5T_VARIABLE) >= 0 && H5Tset_cset(w->text, H5T_CSET_UTF8) >= 0 &&
              H5Pset_obj_track_times(w->plain, false) >= 0;
    if (w->good)
        put_all(w);
    if (w->plain >= 0)
        H5Pclose(w->plain);
    if (w->text >= 0)
        H5Tclose(w->text);
    if (w->file >= 0)
        w->good = H5Fclose(w->file) >= 0 && w->good;
    w->good = w->good && *error == 0;
}

tn_status tn_study_write(const tn_study_table *table, const char *path, tn_diagnostics *diags)
{
    int error = 0;
    writer w = {.table = table};
    const char *missing = tn_hdf5_load();
    tn_output *output = missing == NULL ? tn_output_open(path) : NULL;
    if (output == NULL) {
        error = errno;
    } else {
        write_file(&w, path, output, &error);
        if (!w.good) {
            tn_output_drop(output);
        } else if (tn_output_settle(output) != 0) {
            error = errno;
            w.good = false;
        }
    }
    if (!w.good) {
        const tn_location at = {path, 0, 0};
        const char *reason = missing != NULL ? missing : error != 0 ? tn_output_problem(error) : "";
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_IO, at, NULL, "cannot be written%s%s",
                           reason[0] != '\0' ? ": " : "", reason);
    }
    return w.good ? TN_OK : TN_ERROR_IO;
}
