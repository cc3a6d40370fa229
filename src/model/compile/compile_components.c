/* compile_components.c: room model/compile: which bodies float freely, together.
 *
 * Bodies are nodes, joints edges. A component of this graph floats when nothing pushes it from
 * outside but gravity: no joint to ground or to a fixed body, no damping against the world, no load
 * but those between its own bodies. Then
 * its linear momentum changes by m g h a step and its angular momentum about its centre of mass not
 * at all. The latter also takes bodies that feel every moment: all rigid, or all planar (about z).
 * A particle with a joint does not turn, whatever moment the joint gives it: such a component is
 * left out. Joints count whether switched on or not.
 */
#include "model/compile/compile.h"

/* The root of a body's tree, with path halving. */
static int32_t root_of(int32_t *parent, int32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* The smaller index becomes the root: components are ordered by their first body. */
static void join(int32_t *parent, int32_t i, int32_t j)
{
    const int32_t a = root_of(parent, i), b = root_of(parent, j);
    if (a < b) {
        parent[b] = a;
    } else {
        parent[a] = b;
    }
}

static bool moves(const tn_model *model, int32_t body)
{
    return body >= 0 && model->bodies[body].dim > 0;
}

static bool can_float(const tn_model_body *body, const tn_model_body *first)
{
    return !tn_body_is_damped(body) && body->kind == first->kind &&
           (body->kind == TN_BODY_RIGID || body->kind == TN_BODY_PLANAR);
}

/* What a load acts on: a pair that moves belongs together, whatever else is pushed from outside. */
static void look_at_load(const tn_load_data *load, int32_t *parent, int32_t *floats)
{
    const bool inner =
        load->body_count == 2 && (load->kind == TN_LOAD_PAIR || load->kind == TN_LOAD_EFFORT);
    if (inner)
        join(parent, load->bodies[0], load->bodies[1]);
    for (int32_t k = 0; k < load->body_count && !inner; k++)
        floats[load->bodies[k]] = 0;
}

/* Elements hold their bodies together, and nodes that stay hold all. */
static void look_at_solid(const tn_model_solid *solid, int32_t *parent, int32_t *floats,
                          const tn_model *model)
{
    int32_t first = -1;
    for (int32_t i = 0; i < tn_solid_body_count(solid); i++) {
        const int32_t body = tn_solid_body(solid, i);
        if (!moves(model, body))
            continue;
        if (first >= 0)
            join(parent, first, body);
        first = body;
        /* particles do not turn: what elements do to them is no moment about their centre */
        floats[body] = 0;
    }
}

/* parent[] of the forest; floats[root] is 0 where something holds the component. */
static void find_components(const tn_model *model, int32_t *parent, int32_t *floats)
{
    for (int32_t i = 0; i < model->body_count; i++) {
        parent[i] = i;
        floats[i] = 1;
    }
    for (int32_t j = 0; j < model->joint_count; j++) {
        const int32_t a = model->joints[j].a, b = model->joints[j].b;
        if (tn_model_is_removed(model, TN_SECTION_JOINT, j))
            continue;
        if (moves(model, a) && moves(model, b))
            join(parent, a, b);
    }
    for (int32_t k = 0; k < model->load_count; k++)
        look_at_load(&model->loads[k], parent, floats);
    for (int32_t k = 0; k < model->solid_count; k++)
        look_at_solid(&model->solids[k], parent, floats, model);
    for (int32_t i = 0; i < model->body_count; i++) {
        if (!floats[i])
            floats[root_of(parent, i)] = 0;
    }
    for (int32_t j = 0; j < model->joint_count; j++) {
        const int32_t a = model->joints[j].a, b = model->joints[j].b;
        if (tn_model_is_removed(model, TN_SECTION_JOINT, j))
            continue;
        if (!moves(model, a) && moves(model, b))
            floats[root_of(parent, b)] = 0;
        if (!moves(model, b) && moves(model, a))
            floats[root_of(parent, a)] = 0;
    }
    for (int32_t i = 0; i < model->body_count; i++) {
        const int32_t root = root_of(parent, i);
        if (!can_float(&model->bodies[i], &model->bodies[root]))
            floats[root] = 0;
    }
}

/* Lists the bodies of floating components one after the other. */
static void list_components(tn_model *model, int32_t *parent, const int32_t *floats, int32_t *place)
{
    int32_t at = 0;
    for (int32_t i = 0; i < model->body_count; i++) {
        if (floats[root_of(parent, i)] && root_of(parent, i) == i)
            place[i] = model->floating_count++;
        if (floats[root_of(parent, i)])
            model->floating_start[place[root_of(parent, i)] + 2]++;
    }
    for (int32_t k = 0; k < model->floating_count; k++)
        model->floating_start[k + 2] += model->floating_start[k + 1];
    for (int32_t i = 0; i < model->body_count; i++) {
        if (!floats[root_of(parent, i)])
            continue;
        at = model->floating_start[place[root_of(parent, i)] + 1]++;
        model->floating_bodies[at] = i;
    }
}

tn_status tn_model_compile_components(tn_model *model)
{
    const int64_t n = model->body_count;
    int32_t *parent = TN_NEW_ARRAY(int32_t, n), *floats = TN_NEW_ARRAY(int32_t, n);
    int32_t *place = TN_NEW_ARRAY(int32_t, n);
    model->floating_start = TN_NEW_ARRAY(int32_t, n + 2);
    model->floating_bodies = TN_NEW_ARRAY(int32_t, n);
    const int ok = parent && floats && place && model->floating_start && model->floating_bodies;
    if (ok) {
        find_components(model, parent, floats);
        list_components(model, parent, floats, place);
    }
    tn_free(parent);
    tn_free(floats);
    tn_free(place);
    return ok ? TN_OK : TN_ERROR_MEMORY;
}
