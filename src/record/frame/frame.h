/* frame.h: what one record consists of, independent of the file it goes to.
 *
 * Room record/frame. In: a simulation and a record definition. Out: a row of doubles per frame and the
 * name and unit of each of them. A frame is a list of parts (the pose of a body, the wrench of a
 * joint, ...), each an instance of a kind; the kinds are a table, so a new quantity is one line
 * there and reaches every file format.
 */
#ifndef TN_RECORD_FRAME_FRAME_H
#define TN_RECORD_FRAME_FRAME_H

#include "tenon/record.h"
#include "tenon/results.h"

/* Longest name of a field ("lambda0", a coordinate) with its terminating zero. */
#define TN_FIELD_NAME_SIZE 64
/* Fields of the widest kind that is not ragged: a pose. */
#define TN_MOST_FIELDS 7

typedef enum tn_part_kind_id {
    TN_PART_TIME,
    TN_PART_POSE,
    TN_PART_VELOCITY,
    TN_PART_COORDINATES,
    TN_PART_SPEEDS,
    TN_PART_EFFORT,
    TN_PART_REACTION,
    TN_PART_COUPLING_VALUE,
    TN_PART_COUPLING_FORCE,
    TN_PART_POSITION,
    TN_PART_MEASURE,
    TN_PART_ENERGY,
    TN_PART_WORK,
    TN_PART_MULTIPLIERS,
    TN_PART_KIND_COUNT
} tn_part_kind_id;

/* The fields of a kind that is not ragged, and how they are read. */
typedef struct tn_part_form {
    int32_t field_count;
    const char *const *fields;
    const char *const *units;
    /* Reads the values of owner (body, joint, coupling or marker index) into out. */
    void (*read)(const tn_sim *sim, int32_t owner, double *out);
} tn_part_form;

typedef struct tn_part_kind {
    const char *group;   /* HDF5 group, "" for the root */
    const char *dataset; /* HDF5 dataset in it */
    uint32_t what;       /* TN_RECORD_..., one of them is enough; 0: always */
    int32_t ragged;      /* 1: the number of fields depends on the joint type */
    tn_part_form form;
    tn_part_form in_plane; /* of planar models, where it differs: else without read */
} tn_part_kind;

extern const tn_part_kind tn_part_kinds[TN_PART_KIND_COUNT];

typedef struct tn_part {
    tn_part_kind_id kind;
    int32_t owner;  /* index of the body, joint, coupling or marker; of an effort see
                     * tn_owning_joint; 0 for time and energy */
    int32_t offset; /* of its first value in the row */
    int32_t width;  /* values */
} tn_part;

static inline const tn_joint_type_info *tn_part_joint(const tn_sim *sim, int32_t joint)
{
    return tn_model_joint_info(tn_sim_model(sim), (tn_joint){joint});
}

/* Efforts are owned by coordinate i of joint j as j TN_MAX_COORDINATES + i. */
static inline int32_t tn_owning_joint(const tn_part *part)
{
    return part->kind == TN_PART_EFFORT ? part->owner / TN_MAX_COORDINATES : part->owner;
}

typedef struct tn_frame {
    const tn_sim *sim;
    int64_t changes; /* of the simulation, when its columns were found */
    tn_part *parts;  /* in the order of the row */
    int32_t part_count;
    int32_t part_capacity;
    int32_t column_count;
    int32_t planar;  /* 1: columns of the plane */
    int32_t degrees; /* 1: angles in degrees */
    double *scale;   /* [column_count] of what is read in SI and rad; NULL: 1 */
    int8_t *unique;  /* [column_count] see unique.c; NULL: not known */
} tn_frame;

static inline const tn_part_form *tn_form_of(const tn_frame *frame, tn_part_kind_id kind)
{
    const tn_part_kind *k = &tn_part_kinds[kind];
    return frame->planar && k->in_plane.read ? &k->in_plane : &k->form;
}

tn_status tn_frame_init(tn_frame *frame, const tn_sim *sim, const tn_record_def *def);
void tn_frame_clear(tn_frame *frame);

/* Fills row[column_count] from the present state. */
void tn_frame_read(const tn_frame *frame, double *row);

/* unique.c: says for the present pose which reactions, multipliers, efforts, coupling forces and measures mean
 * something by themselves (1) and which are one of many ways to share a load (0). */
tn_status tn_frame_find_unique(tn_frame *frame);
static inline int tn_part_has_unique(const tn_part *part)
{
    return part->kind == TN_PART_MULTIPLIERS || part->kind == TN_PART_COUPLING_FORCE ||
           part->kind == TN_PART_REACTION || part->kind == TN_PART_EFFORT ||
           part->kind == TN_PART_MEASURE;
}

/* Name of the thing a part belongs to; NULL for the time, which has only a field name. */
const char *tn_part_owner_name(const tn_frame *frame, const tn_part *part);
/* Name and unit of a value of a part. */
void tn_part_field_name(const tn_frame *frame, const tn_part *part, int32_t field,
                        char name[TN_FIELD_NAME_SIZE]);
const char *tn_part_field_unit(const tn_frame *frame, const tn_part *part, int32_t field);

#endif
