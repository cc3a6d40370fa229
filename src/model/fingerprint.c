/* fingerprint.c: room model: a number that identifies one model from another, so that what was saved of
 * one is not taken for the other: what its bodies and joints are and how they hang together.
 */
#include "base/hash.h"
#include "model/model.h"

static uint64_t add_vec3(uint64_t hash, tn_vec3 v)
{
    const double parts[3] = {v.x, v.y, v.z};
    return tn_hash_bytes(hash, parts, sizeof parts);
}

static uint64_t add_xform(uint64_t hash, const tn_xform *T)
{
    return add_vec3(tn_hash_bytes(hash, T->R.m, sizeof T->R.m), T->p);
}

static uint64_t add_body(uint64_t hash, const tn_model_body *body)
{
    const int32_t kind = (int32_t)body->kind;
    hash = tn_hash_bytes(hash, &kind, sizeof kind);
    hash = tn_hash_bytes(hash, &body->mass, sizeof body->mass);
    hash = tn_hash_bytes(hash, body->J.m, sizeof body->J.m);
    return add_vec3(hash, body->com);
}

/* Of what a state has something of. */
static uint64_t add_removed(uint64_t hash, const tn_model *model)
{
    const int32_t lists[][2] = {{TN_SECTION_BODY, model->body_count},
                                {TN_SECTION_JOINT, model->joint_count},
                                {TN_SECTION_COUPLING, model->coupling_count},
                                {TN_SECTION_LOAD, model->load_count}};
    for (size_t s = 0; s < TN_COUNT_OF(lists); s++) {
        for (int32_t i = 0; i < lists[s][1]; i++) {
            const int32_t place[2] = {lists[s][0], i};
            if (tn_model_is_removed(model, (tn_section)lists[s][0], i))
                hash = tn_hash_bytes(hash, place, sizeof place);
        }
    }
    return hash;
}

static uint64_t add_joint(uint64_t hash, const tn_model_joint *joint)
{
    const char *type = joint->geometry.cls->info.name;
    const int32_t ends[2] = {joint->a, joint->b};
    hash = tn_hash_bytes(hash, type, strlen(type));
    hash = tn_hash_bytes(hash, ends, sizeof ends);
    return add_xform(add_xform(hash, &joint->geometry.T_CA), &joint->geometry.T_DB);
}

static uint64_t add_solid(uint64_t hash, const tn_model_solid *solid)
{
    for (int32_t k = 0; k < solid->material_count; k++) {
        const tn_elastic *m = &solid->materials[k];
        const double constants[] = {(double)m->law, m->lambda, m->mu, m->share, m->viscous};
        hash = tn_hash_bytes(hash, constants, sizeof constants);
    }
    hash = tn_hash_bytes(hash, solid->rest, sizeof *solid->rest * (size_t)solid->node_count);
    if (solid->modal) {
        const size_t size = 3 * (size_t)solid->modal->data.count, all = size * size;
        hash = tn_hash_bytes(hash, solid->modal->data.K, sizeof(double) * all);
        if (solid->modal->data.D)
            hash = tn_hash_bytes(hash, solid->modal->data.D, sizeof(double) * all);
    }
    for (int32_t e = 0; e < solid->element_count; e++) {
        const tn_model_element *element = &solid->elements[e];
        const int32_t material = (int32_t)(element->material - solid->materials);
        hash = material > 0 ? tn_hash_bytes(hash, &material, sizeof material) : hash;
        hash = tn_hash_bytes(hash, element->nodes,
                             sizeof *element->nodes * (size_t)element->data.nodes);
    }
    return hash;
}

void tn_model_compile_fingerprint(tn_model *model)
{
    const int32_t counts[] = {model->body_count,       model->joint_count, model->coupling_count,
                              model->coordinate_count, model->drive_count, model->load_count,
                              model->armature_count};
    uint64_t hash = tn_hash_bytes(TN_HASH_START, counts, sizeof counts);
    for (int32_t i = 0; i < model->body_count; i++)
        hash = add_body(hash, &model->bodies[i]);
    for (int32_t j = 0; j < model->joint_count; j++)
        hash = add_joint(hash, &model->joints[j]);
    for (int32_t t = 0; t < model->term_start[model->coupling_count]; t++) {
        const int32_t of[2] = {model->terms[t].joint, model->terms[t].coordinate};
        hash = tn_hash_bytes(hash, of, sizeof of);
    }
    for (int32_t s = 0; s < model->solid_count; s++)
        hash = add_solid(hash, &model->solids[s]);
    model->fingerprint = add_removed(hash, model);
}
