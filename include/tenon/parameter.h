/* parameter.h: the parameters of a model, with the values from its file or from a setting. */
#ifndef TENON_PARAMETER_H
#define TENON_PARAMETER_H

#include "tenon/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A named number, or a vector of two or three. Each entry of a list is a parameter of its own, "list[0]". */
typedef struct tn_parameter {
    const char *name;
    double value[3]; /* [count], in SI units and rad */
    int32_t count;
    const char *unit; /* "N m/rad"; "1" of a plain number */
    const char *text; /* what was written, such as =0.3*length; NULL of a list */
    int32_t used;     /* 1: something in the model uses it */
    tn_location at;   /* line 0: a setting */
} tn_parameter;

/* In the order of the file. Pointers are valid until the spec is destroyed. */
TN_API int32_t tn_spec_parameter_count(const tn_spec *spec);
/* A parameter by its index, owned by the spec; NULL: no such index. */
TN_API const tn_parameter *tn_spec_parameter(const tn_spec *spec, int32_t index);

/* Number of model files the spec was read from, included files too; 0: made by a program, or read from
 * XML. */
TN_API int32_t tn_spec_file_count(const tn_spec *spec);
/* The files the spec was read from: model files, meshes, tables; NULL after the last. Also the file names a
 * program gave as location of a definition. */
TN_API const char *tn_spec_source(const tn_spec *spec, int32_t index);

#ifdef __cplusplus
}
#endif
#endif
