/* hard_loops.c: room motion: do rows without compliance close loops?
 *
 * In: a state. Out: false if the joints that have hard rows form a tree of bodies that move freely in space. Each such
 * joint then has at most six hard rows and six columns of its own, from ground outwards, so no row depends on others,
 * in any pose, closed or not. Loops that close through compliant rows do not count.
 */
#include "motion/kinematics.h"

static bool holds_hard(const tn_sim *sim, int32_t j)
{
    for (int32_t n = 0; n < sim->state.switches[j].active_count; n++) {
        if (tn_active_compliance(&sim->state, j, n) <= 0.0)
            return true;
    }
    return false;
}

/* Fixed bodies are one node, the last. */
static int32_t node_of(const tn_model *model, int32_t body)
{
    return body < 0 || model->bodies[body].dim == 0 ? model->body_count : body;
}

static bool is_free(const tn_model *model, int32_t node)
{
    return node == model->body_count || model->bodies[node].dim == 6;
}

static int32_t find_root(int32_t *root, int32_t node)
{
    while (root[node] != node)
        node = root[node] = root[root[node]];
    return node;
}

bool tn_hard_rows_close(const tn_sim *sim, int32_t *root)
{
    const tn_model *model = sim->model;
    for (int32_t i = 0; i <= model->body_count; i++)
        root[i] = i;
    for (int32_t j = 0; j < model->element_count && model->loop_joints > 0; j++) {
        if (!holds_hard(sim, j))
            continue;
        if (j >= model->joint_count)
            return true;
        const int32_t a = node_of(model, model->joints[j].a),
                      b = node_of(model, model->joints[j].b);
        const int32_t one = find_root(root, a), other = find_root(root, b);
        if (one == other || !is_free(model, a) || !is_free(model, b))
            return true;
        root[one] = other;
    }
    return false;
}
