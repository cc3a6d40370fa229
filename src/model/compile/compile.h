/* compile.h: room model/compile: the stages that make a model of a spec.
 *
 * In: a validated spec, and what the stages before have made of the model. Out: the parts of the model
 * that each file is named after, or everything that is wrong with them. compile.c knows the order.
 */
#ifndef TN_MODEL_COMPILE_COMPILE_H
#define TN_MODEL_COMPILE_COMPILE_H

#include "model/model.h"

/* tn_model_compile for a simulation that goes on; from may be NULL. */
tn_status tn_model_compile_from(const tn_spec *spec, const tn_going_on *from, tn_diagnostics *diags,
                                tn_model **out);

/* compile_part.c: the model of some bodies and the joints on them; on failure too what there is of it is
 * *out. Data of joints stay the model's, which must outlive it. */
tn_status tn_model_part(const tn_model *model, const int32_t *bodies, int32_t body_count,
                        const int32_t *joints, int32_t joint_count, tn_model **out);

tn_status tn_model_compile_bodies(tn_model *model, const tn_spec *spec);
tn_status tn_model_compile_joints(tn_model *model, const tn_spec *spec, tn_diagnostics *diags);
void tn_model_compile_stand_ins(tn_model *model);
void tn_model_compile_lever(tn_model *model);
tn_status tn_model_check_finite(const tn_model *model, const tn_spec *spec, tn_diagnostics *diags);
tn_status tn_model_compile_rows(tn_model *model, const tn_spec *spec, tn_diagnostics *diags);
tn_status tn_model_compile_drives(tn_model *model, const tn_spec *spec, tn_diagnostics *diags);
/* After the rows: values at the start need the coordinates the joints have then. */
tn_status tn_model_compile_couplings(tn_model *model, const tn_spec *spec);
/* After the rows: which coordinates bodies can move along. */
tn_status tn_model_compile_armatures(tn_model *model);
tn_status tn_model_compile_measures(tn_model *model, const tn_spec *spec, tn_diagnostics *diags);
void tn_model_free_measures(tn_model *model);
tn_status tn_model_compile_loads(tn_model *model, const tn_spec *spec, tn_diagnostics *diags);
/* After the rows: those of joints on frames of nodes get their own scale. */
tn_status tn_model_compile_solids(tn_model *model, const tn_spec *spec, tn_diagnostics *diags);
tn_status tn_model_compile_components(tn_model *model);
tn_status tn_model_compile_topology(tn_model *model);
tn_status tn_model_compile_drawing(tn_model *model, const tn_spec *spec);
void tn_model_drawing_free(tn_model_drawing *drawing);

#endif
