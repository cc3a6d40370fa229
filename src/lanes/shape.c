/* shape.c: room lanes: what worlds must have in common to be stepped side by side. */
#include <string.h>

#include "base/base.h"
#include "lanes/block.h"
#include "lanes/lanes.h"
#include "method/hinges/alpha_hinges.h"

/* Worlds on hinges alone, in space: lanes leave out what is 0 of their columns. */
static const tn_alpha_hinges *hinges_of(const tn_sim *sim)
{
    const tn_alpha_hinges *tree = tn_alpha_hinges_of(sim);
    const tn_hinge_world *w = tree ? &tree->forest.world : NULL;
    return tree && !tree->loops && !w->slides && !w->flat && tree->welds.count == 0 ? tree : NULL;
}

static void fill(tn_lane_shape *shape, const tn_sim *sim, const tn_alpha_hinges *tree)
{
    shape->principal = tree->forest.world.principal;
    for (int32_t i = 0; i < shape->bodies; i++)
        shape->limb[i] = -1;
    for (int32_t k = 0; k < tree->count; k++) {
        const tn_hinge_place *place = &tree->places[k];
        shape->inner[k] = tree->inner[k];
        shape->body[k] = place->body;
        shape->joint[k] = place->joint;
        shape->inner_body[k] = place->inner_body;
        shape->is_a[k] = place->is_a;
        shape->slots[k] = tree->slots[k];
        shape->limb[place->body] = k;
    }
    shape->spectral_radius = sim->options.spectral_radius;
    shape->tolerance = sim->options.position_tolerance;
    shape->most_iterations = sim->options.max_iterations;
}

tn_lane_shape *tn_lane_shape_create(const tn_sim *sim, int32_t most, tn_status *status)
{
    const tn_alpha_hinges *tree = hinges_of(sim);
    const tn_lane_kernel *kernel = tn_lane_kernel_of(most);
    *status = TN_OK;
    if (!kernel || !tree || sim->options.max_iterations < 1)
        return NULL;
    tn_lane_shape *shape = TN_NEW(tn_lane_shape);
    const int64_t n = tree->count, bodies = sim->model->body_count;
    int32_t *at = shape ? TN_NEW_ARRAY(int32_t, 5 * n + bodies) : NULL;
    tn_hinge_slots *slots = at ? TN_NEW_ARRAY(tn_hinge_slots, n) : NULL;
    if (!slots) {
        tn_free(at);
        tn_free(shape);
        *status = TN_ERROR_MEMORY;
        return NULL;
    }
    *shape = (tn_lane_shape){.kernel = kernel,
                             .count = tree->count,
                             .bodies = sim->model->body_count,
                             .block = at,
                             .slots = slots,
                             .inertias = tree->inertia_count,
                             .inner = at,
                             .body = at + n,
                             .joint = at + 2 * n,
                             .inner_body = at + 3 * n,
                             .is_a = at + 4 * n,
                             .limb = at + 5 * n};
    fill(shape, sim, tree);
    return shape;
}

void tn_lane_shape_destroy(tn_lane_shape *shape)
{
    if (!shape)
        return;
    tn_free(shape->block);
    tn_free(shape->slots);
    tn_free(shape);
}

static bool same_limbs(const tn_lane_shape *shape, const tn_alpha_hinges *tree)
{
    for (int32_t k = 0; k < tree->count; k++) {
        const tn_hinge_place *place = &tree->places[k];
        if (tree->inner[k] != shape->inner[k] || place->body != shape->body[k] ||
            place->joint != shape->joint[k] || place->inner_body != shape->inner_body[k] ||
            place->is_a != shape->is_a[k])
            return false;
    }
    return true;
}

bool tn_lane_fits(const tn_lane_shape *shape, const tn_sim *sim)
{
    const tn_alpha_hinges *tree = hinges_of(sim);
    return shape && tree && tree->count == shape->count &&
           tree->forest.world.principal == shape->principal &&
           sim->model->body_count == shape->bodies && same_limbs(shape, tree) &&
           sim->options.spectral_radius == shape->spectral_radius &&
           sim->options.position_tolerance == shape->tolerance &&
           sim->options.max_iterations == shape->most_iterations;
}
