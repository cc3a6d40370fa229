/* places.c: room model: where bodies, joints and couplings were written, for messages of what comes
 * out only when a simulation starts: joints that do not close, what begins outside its range.
 */
#include <string.h>

#include "model/model.h"

/* The model's own copy: a spec may be gone by then. */
static tn_status note(tn_model *model, tn_location at, tn_location *place)
{
    *place = (tn_location){NULL, at.line, at.column};
    if (!at.file)
        return TN_OK;
    const size_t length = strlen(at.file);
    int32_t known = tn_names_find(&model->files, at.file, length);
    if (known == TN_NO_NAME) {
        known = model->files.count;
        const tn_status status = tn_names_add(&model->files, at.file, length, known);
        if (status != TN_OK)
            return status;
    }
    place->file = model->files.entries[known].text;
    return TN_OK;
}

tn_status tn_model_note_places(tn_model *model, const tn_spec *spec)
{
    tn_status status = TN_OK;
    model->places = TN_NEW_ARRAY(tn_location, model->body_count + model->element_count);
    if (!model->places)
        return TN_ERROR_MEMORY;
    tn_location *place = model->places;
    for (int32_t i = 0; i < model->body_count && status == TN_OK; i++)
        status = note(model, tn_spec_body(spec, (tn_body){i})->at, place++);
    for (int32_t j = 0; j < model->joint_count && status == TN_OK; j++)
        status = note(model, tn_spec_joint(spec, (tn_joint){j})->at, place++);
    for (int32_t k = 0; k < model->coupling_count && status == TN_OK; k++)
        status = note(model, tn_spec_coupling(spec, (tn_coupling){k})->at, place++);
    return status;
}
