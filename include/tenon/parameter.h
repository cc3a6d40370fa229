/* parameter.h: the parameters of a model, as its file or a setting gave them. */
#ifndef TENON_PARAMETER_H
#define TENON_PARAMETER_H

#include "tenon/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A named number, or a vector of two or three. What is in a list is a parameter of its own, "list[0]". */
typedef struct tn_parameter {
    const char *name;
    double value[3]; /* [count], in SI units and rad */
    int32_t count;
    const char *unit; /* "N m/rad"; "1" of a plain number */
    const char *text; /* what was written, such as =0.3*length; NULL of a list */
    int32_t used;     /* 1: something in the model asks for it */
    tn_location at;   /* line 0: a setting */
} tn_parameter;

/* In the order of the file. Pointers are valid until the spec is destroyed. */
TN_API int32_t tn_spec_parameter_count(const tn_spec *spec);
TN_API const tn_parameter *tn_spec_parameter(const tn_spec *spec, int32_t index);

/* How many model files the spec was read from, with those they include; 0: made by a program, or
 * from a model in XML. */
TN_API int32_t tn_spec_file_count(const tn_spec *spec);
/* What the spec was read from, one after the other: model files, meshes, tables; NULL after the last.
 * Also what a program gave as the place of a definition. */
TN_API const char *tn_spec_source(const tn_spec *spec, int32_t index);

#ifdef __cplusplus
}
#endif
#endif
