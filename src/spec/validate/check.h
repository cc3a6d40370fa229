/* check.h: what the parts of the validation share: which item is being checked, and complaining
 * about one of its fields.
 *
 * Room spec/validate. A complaint names item, field and value and points at where the field was written if
 * that is known, else at the item. A field that the reader has already complained about (a place
 * marked bad) is not complained about again.
 */
#ifndef TN_SPEC_VALIDATE_CHECK_H
#define TN_SPEC_VALIDATE_CHECK_H

#include "spec/spec_internal.h"

/* Quaternions may differ from unit length by this much: six written digits are a unit quaternion,
 * four are not. */
#define TN_UNIT_TOLERANCE 1e-5

typedef struct tn_check {
    const tn_spec *spec;
    tn_diagnostics *diags;
    tn_status status; /* TN_OK until the first complaint */
    tn_section section;
    int32_t item;
    const char *what; /* "body", "joint", ... */
    const char *name; /* of the item, or NULL */
    tn_location at;   /* of the item */
} tn_check;

/* Reports `what 'name': message`. */
void tn_complain(tn_check *check, const char *key, int32_t sub, const char *hint,
                 const char *format, ...) TN_PRINTF(5, 6);

/* The same as a warning. */
void tn_advise(tn_check *check, const char *key, int32_t sub, const char *hint, const char *format,
               ...) TN_PRINTF(5, 6);

/* Whether a field has been complained about by the reader. */
int tn_check_is_bad(const tn_check *check, const char *key);

/* Each complains and answers 0 when the value is not as named. */
int tn_check_finite(tn_check *check, const char *key, int32_t sub, double value, const char *label);
int tn_check_not_negative(tn_check *check, const char *key, int32_t sub, double value,
                          const char *label);
int tn_check_positive(tn_check *check, const char *key, int32_t sub, double value,
                      const char *label);
int tn_check_vector(tn_check *check, const char *key, tn_vec3 value, const char *label);
void tn_check_rotation(tn_check *check, const char *rotation_key, tn_quat q, const char *label);
/* Position and unit quaternion; both keys are those of model files. */
void tn_check_pose(tn_check *check, const char *position_key, const char *rotation_key,
                   const tn_pose *pose, const char *label);

/* An index of something of a section that is there, and was not removed. */
int tn_check_index(tn_check *check, const char *key, tn_section section, int32_t index, uint32_t of,
                   const char *label);

/* Passes on what others found out about the item, with the item's name in front. */
void tn_check_forward(tn_check *check, const tn_diagnostics *found);

void tn_check_body(tn_check *check, const tn_body_def *def);
void tn_check_joint(tn_check *check, const tn_joint_def *def);
void tn_check_drives(tn_check *check, const tn_joint_def *def, const tn_joint_type_info *info);
void tn_check_coupling_drive(tn_check *check, const tn_coupling_def *def);
/* Joints and couplings, which share their names, are checked together. */
void tn_check_coupling(tn_check *check, const tn_coupling_def *def);
void tn_check_load(tn_check *check, const tn_load_def *def);
void tn_check_measure(tn_check *check, const tn_measure_def *def);
/* validate_plane.c */
void tn_check_plane_of_world(tn_check *check, const tn_world_def *def);
void tn_check_plane_of_body(tn_check *check, const tn_body_def *def);
void tn_check_plane_of_joint(tn_check *check, const tn_joint_def *def);
void tn_check_plane_of_marker(tn_check *check, const tn_marker_def *def);
void tn_check_look(tn_check *check, const tn_joint_look *look);

#endif
