/* read.h: room study: what the files that read a study share. */
#ifndef TN_STUDY_READ_H
#define TN_STUDY_READ_H

#include "io/reader/reader.h"
#include "study/study.h"

/* The entry of a parameter, its name the key. */
void tn_study_read_varied(tn_reader *reader, int32_t key, tn_varied *varied);

/* What a study file says, before it is checked against the model. Nodes: TN_NO_NODE where not
 * given. */
typedef struct tn_study_draft {
    const char *model;
    double seed;
    int32_t samples, sampling;
    int32_t model_node, parameters, keep, simulation, sweep, check, samples_node, indices,
        limit_node;
    int32_t sweep_from, sweep_to, sweep_coordinate, sweep_output, sweep_through;
    int32_t *keys; /* [varied_count] nodes of the parameters' names */
} tn_study_draft;

/* read_tables.c: the file's tables, into the draft and the study. */
void tn_study_read_draft(tn_reader *reader, int32_t root, tn_study *study, tn_study_draft *draft);
/* check.c: the draft against the model: units, coordinates, what is kept. */
void tn_study_read_against(tn_reader *reader, const tn_spec *spec, const tn_model *model,
                           tn_study *study, const tn_study_draft *draft);

#endif
