/* check.c: complaints of the validation and the checks every section needs (check.h). */
#include "spec/validate/check.h"

#include "tenon/limits.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* Longest message; names longer than this are cut in messages only. */
#define MESSAGE_SIZE 512

static const tn_place *place_of(const tn_check *check, const char *key, int32_t sub)
{
    const tn_place *place = tn_spec_find_place(check->spec, check->section, check->item, key, sub);
    if (place == NULL && sub != TN_WHOLE_FIELD) {
        place = tn_spec_find_place(check->spec, check->section, check->item, key, TN_WHOLE_FIELD);
    }
    return place;
}

int tn_check_is_bad(const tn_check *check, const char *key)
{
    const tn_place *place = place_of(check, key, TN_WHOLE_FIELD);
    return place != NULL && place->bad;
}

static void report(tn_check *check, tn_severity severity, const char *key, int32_t sub,
                   const char *hint, const char *format, va_list arguments)
{
    const tn_place *place = place_of(check, key, sub);
    if (tn_check_is_bad(check, key) || (place != NULL && place->bad)) {
        return;
    }
    tn_location at = check->at;
    if (place != NULL) {
        at.line = place->line;
        at.column = place->column;
    }
    char message[MESSAGE_SIZE];
    vsnprintf(message, sizeof(message), format, arguments);
    const bool is_error = severity == TN_ERROR;
    const tn_status status = is_error ? TN_ERROR_INPUT : TN_OK;
    check->status = is_error && check->status == TN_OK ? status : check->status;
    if (check->name != NULL) {
        tn_diagnostics_add(check->diags, severity, status, at, hint, "%s '%.100s': %s", check->what,
                           check->name, message);
    } else {
        tn_diagnostics_add(check->diags, severity, status, at, hint, "%s: %s", check->what,
                           message);
    }
}

void tn_complain(tn_check *check, const char *key, int32_t sub, const char *hint,
                 const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(check, TN_ERROR, key, sub, hint, format, arguments);
    va_end(arguments);
}

void tn_advise(tn_check *check, const char *key, int32_t sub, const char *hint, const char *format,
               ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(check, TN_WARNING, key, sub, hint, format, arguments);
    va_end(arguments);
}

int tn_check_finite(tn_check *check, const char *key, int32_t sub, double value, const char *label)
{
    if (!isfinite(value)) {
        tn_complain(check, key, sub, NULL, "%s is not finite (%g)", label, value);
        return 0;
    }
    if (fabs(value) > TN_LARGEST_NUMBER) {
        tn_complain(check, key, sub, NULL, "%s is too large: %g, the limit is %g", label, value,
                    TN_LARGEST_NUMBER);
        return 0;
    }
    return 1;
}

int tn_check_not_negative(tn_check *check, const char *key, int32_t sub, double value,
                          const char *label)
{
    if (!tn_check_finite(check, key, sub, value, label)) {
        return 0;
    }
    if (value < 0.0) {
        tn_complain(check, key, sub, NULL, "%s must not be negative, is %g", label, value);
    }
    return value >= 0.0;
}

int tn_check_positive(tn_check *check, const char *key, int32_t sub, double value,
                      const char *label)
{
    if (!tn_check_finite(check, key, sub, value, label)) {
        return 0;
    }
    if (value <= 0.0) {
        tn_complain(check, key, sub, NULL, "%s must be positive, is %g", label, value);
    } else if (value < TN_SMALLEST_NUMBER) {
        tn_complain(check, key, sub, NULL, "%s is too small: %g, the limit is %g", label, value,
                    TN_SMALLEST_NUMBER);
    }
    return value >= TN_SMALLEST_NUMBER;
}

int tn_check_vector(tn_check *check, const char *key, tn_vec3 value, const char *label)
{
    const int finite = isfinite(value.x) && isfinite(value.y) && isfinite(value.z);
    if (finite && fabs(value.x) <= TN_LARGEST_NUMBER && fabs(value.y) <= TN_LARGEST_NUMBER &&
        fabs(value.z) <= TN_LARGEST_NUMBER) {
        return 1;
    }
    tn_complain(check, key, TN_WHOLE_FIELD, NULL, "%s is %s (%g, %g, %g)", label,
                finite ? "too large" : "not finite", value.x, value.y, value.z);
    return 0;
}

void tn_check_pose(tn_check *check, const char *position_key, const char *rotation_key,
                   const tn_pose *pose, const char *label)
{
    tn_check_vector(check, position_key, pose->p, label);
    tn_check_rotation(check, rotation_key, pose->q, label);
}

void tn_check_rotation(tn_check *check, const char *rotation_key, tn_quat q, const char *label)
{
    double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (length == 0.0) {
        tn_complain(check, rotation_key, TN_WHOLE_FIELD, "the identity is (1, 0, 0, 0)",
                    "%s has a zero quaternion", label);
    } else if (!(fabs(length - 1.0) <= TN_UNIT_TOLERANCE)) {
        tn_complain(check, rotation_key, TN_WHOLE_FIELD, NULL,
                    "%s has a quaternion of length %g instead of 1", label, length);
    }
}

/* What was removed itself, and the record, may still name what went: nothing comes of it. */
static bool may_name_removed(const tn_check *check)
{
    return check->section == TN_SECTION_RECORD ||
           tn_spec_is_removed(check->spec, check->section, check->item);
}

int tn_check_index(tn_check *check, const char *key, tn_section section, int32_t index, uint32_t of,
                   const char *label)
{
    const int32_t count = tn_spec_count(check->spec, section);
    if (TN_IN(index, count) && !tn_spec_had(check->spec, section, index, of)) {
        tn_complain(check, key, TN_WHOLE_FIELD, "give ids of this description",
                    "%s is of another description, where index %d was something else", label,
                    (int)index);
        return 0;
    }
    if (TN_IN(index, count)) {
        if (!tn_spec_is_removed(check->spec, section, index) || may_name_removed(check)) {
            return 1;
        }
        tn_complain(check, key, TN_WHOLE_FIELD, "name one that is there",
                    "%s has index %d, which was removed", label, (int)index);
        return 0;
    }
    tn_complain(check, key, TN_WHOLE_FIELD, NULL, "%s has index %d, but there are %d", label,
                (int)index, (int)count);
    return 0;
}

void tn_check_forward(tn_check *check, const tn_diagnostics *found)
{
    for (int32_t i = 0; i < tn_diagnostics_count(found); i++) {
        const tn_diagnostic *d = tn_diagnostics_get(found, i);
        if (d->severity == TN_ERROR && check->status == TN_OK) {
            check->status = TN_ERROR_INPUT;
        }
        tn_diagnostics_add(check->diags, d->severity, d->code, d->at.line > 0 ? d->at : check->at,
                           d->hint, "%s '%.100s': %s", check->what, check->name, d->message);
    }
}
