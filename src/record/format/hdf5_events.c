/* hdf5_events.c: the table of events of a run, in the group /events of an HDF5 file.
 *
 * Room record/format. /events/time [n] s, /events/event [n] and /events/where [n] texts, /events/side [n],
 * /events/value [n]. Without events there is no group.
 */
#include "base/base.h"
#include "record/format/hdf5_sink.h"

/* One column of n items of a type; negative on failure. */
static herr_t put_column(hid_t group, const char *name, hid_t type, hsize_t n, const void *values)
{
    const hid_t space = H5Screate_simple(1, &n, NULL);
    const hid_t set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const herr_t result = set < 0 ? -1 : H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    if (set >= 0)
        H5Dclose(set);
    H5Sclose(space);
    return result;
}

/* The columns gathered from the list. */
typedef struct columns {
    double *time, *value;
    int32_t *side;
    const char **event, **where;
} columns;

static herr_t put_all(const tn_hdf5_sink *sink, const columns *c, hsize_t n)
{
    const hid_t group = H5Gcreate2(sink->file, "/events", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0)
        return -1;
    herr_t result = put_column(group, "time", H5T_NATIVE_DOUBLE, n, c->time);
    result |= put_column(group, "value", H5T_NATIVE_DOUBLE, n, c->value);
    result |= put_column(group, "side", H5T_NATIVE_INT32, n, c->side);
    result |= put_column(group, "event", sink->text, n, c->event);
    result |= put_column(group, "where", sink->text, n, c->where);
    H5Gclose(group);
    return result;
}

tn_status tn_hdf5_put_events(tn_hdf5_sink *sink, const tn_record_event *events, int32_t count,
                             tn_diagnostics *diags)
{
    columns c = {TN_NEW_ARRAY(double, count), TN_NEW_ARRAY(double, count),
                 TN_NEW_ARRAY(int32_t, count), TN_NEW_ARRAY(const char *, count),
                 TN_NEW_ARRAY(const char *, count)};
    tn_status status = c.time && c.value && c.side && c.event && c.where ? TN_OK : TN_ERROR_MEMORY;
    for (int32_t k = 0; k < count && status == TN_OK; k++) {
        c.time[k] = events[k].time;
        c.value[k] = events[k].value;
        c.side[k] = events[k].side;
        c.event[k] = events[k].event;
        c.where[k] = events[k].where;
    }
    if (status == TN_OK && put_all(sink, &c, (hsize_t)count) < 0)
        status = tn_hdf5_failed(sink, "write events", diags);
    tn_free(c.time);
    tn_free(c.value);
    tn_free(c.side);
    tn_free(c.event);
    tn_free(c.where);
    return status;
}
