/* analysis.h: what is overconstrained in a model, in sentences and as JSON.
 *
 * Room tool/report, in: an analysis of a model, or a simulation. Out: sentences and JSON on what
 * is overconstrained, free or turned away.
 */
#ifndef TN_TOOL_ANALYSIS_H
#define TN_TOOL_ANALYSIS_H

#include <stdbool.h>

#include "json.h"
#include "tenon/analysis.h"

/* Sentences on stdout; nothing when there is nothing to report. */
void analysis_print(const tn_model *model, const tn_analysis *analysis);

/* Writes members of the open object. sim: the analysed simulation; NULL: none, and nothing is written about measures. */
void analysis_write(tool_json *json, const tn_model *model, const tn_sim *sim,
                    const tn_analysis *analysis);

/* "joint0.lambda2": what is not unique, as an array of the open object, by the names of columns in CSV files:
 * multipliers, efforts of what holds coordinates, forces of couplings, measures. */
void analysis_write_indeterminate(tool_json *json, const tn_model *model, const tn_sim *sim,
                                  const tn_analysis *analysis);

/* A consumer of such names. */
typedef struct analysis_names {
    void (*take)(void *context, const char *name);
    void *context;
    bool only_what_holds; /* efforts and measures alone */
} analysis_names;
void analysis_name_columns(const tn_model *model, const tn_sim *sim, const tn_analysis *analysis,
                           const analysis_names *names);

/* "joint0.theta": coordinates with friction that depends on a force which is not unique; then the motion is not unique
 * either. only_what_holds is ignored. */
void analysis_name_friction(const tn_model *model, const tn_analysis *analysis,
                            const analysis_names *names);
/* The same as an array of the open object, "friction_not_unique". */
void analysis_write_friction(tool_json *json, const tn_model *model, const tn_analysis *analysis);

/* "bolt": joints and couplings whose load, with which break_force or break_torque is compared, is not unique. */
void analysis_name_breaks(const tn_model *model, const tn_analysis *analysis,
                          const analysis_names *names);
/* The same as an array of the open object, "break_not_unique". */
void analysis_write_breaks(tool_json *json, const tn_model *model, const tn_analysis *analysis);

/* Name of row k of a joint. */
const char *analysis_row_name(const tn_model *model, tn_joint joint, int32_t k);

/* fx fy fz mx my mz. */
extern const char *const analysis_components[6];

#endif
