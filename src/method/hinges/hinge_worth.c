/* hinge_worth.c: room method/hinges: do steps in the coordinates of joints cost less than others?
 *
 * In: a model, its tree, and its loops once they are made. Out: how many links it has, and whether to go by them.
 */
#include "method/hinges/alpha_hinges.h"

int32_t tn_hinge_links_by(const tn_model *model, int32_t j)
{
    if (j < 0)
        return tn_graph_is_flat(model) ? TN_FLAT_SIZE : 6;
    return tn_hinge_is_weld(model, j) ? 0 : tn_tree_screws(&model->joints[j]);
}

int32_t tn_hinge_links_of(const tn_model *model, const tn_alpha_tree *tree)
{
    int32_t count = 0;
    for (int32_t n = 0; n < tree->count && tree->limbs; n++)
        count += tn_hinge_links_by(model, tree->links[n].joint);
    return count;
}

/* Thousands of instructions a step. */
typedef struct tn_hinge_costs {
    double link, weld, chain, cut; /* of a link, a weld, a chain, and a joint that closes a loop */
} tn_hinge_costs;

/* In space, and in the plane. */
static const tn_hinge_costs in_space = {2.2, 1.2, 4.0, 20.0}, in_plane = {1.5, 1.2, 4.0, 7.5};

/* Likewise of general steps in the plane: a joint or coupling, what something acts along, and the rest. */
#define TN_PLANE_JOINT 4.2
#define TN_PLANE_DRIVE 2.0
#define TN_PLANE_STEP  6.0

static double general_in_plane(const tn_model *model)
{
    const int32_t drives = model->drive_count;
    const int32_t driven = drives < model->joint_count ? drives : model->joint_count;
    return TN_PLANE_JOINT * model->element_count + TN_PLANE_DRIVE * driven + TN_PLANE_STEP;
}

/* Steps of bare trees (alpha_tree.h) take 5 thousand a body, general ones in space 6.6, and as much a chain, or where there are loops 12 a
 * joint. A body that floats alone costs little in each. */
bool tn_hinge_links_pay(int32_t links, const tn_model *model, const tn_alpha_tree *tree)
{
    const bool flat = tn_graph_is_flat(model);
    const tn_hinge_costs *of = flat ? &in_plane : &in_space;
    int32_t chains = 0, cuts = 0, welds = 0;
    for (int32_t n = 0; n < tree->count; n++) {
        chains += tn_hinge_links_by(model, tree->links[n].joint) > 1;
        welds += tn_hinge_links_by(model, tree->links[n].joint) == 0;
    }
    for (int32_t j = 0; j < model->joint_count; j++)
        cuts += tn_tree_hangs(&model->joints[j]) < 0;
    cuts += model->coupling_count;
    const double own = of->link * links + of->weld * welds + of->chain * chains + of->cut * cuts;
    if (flat)
        return own <= general_in_plane(model) + of->chain * chains;
    if (cuts > 0)
        return own <= 12.0 * model->element_count + 4.0 * chains;
    return own <= (tree->bare ? 5.0 * tree->count : 6.6 * (tree->count + 1) + 4.0 * chains);
}

/* Thousands of instructions that the factors of a loop's rows take, by tn_loop_matrix.work; a third of the rows are of coordinates that
 * nothing holds. */
#define TN_PLANE_ROWS 0.012

bool tn_hinge_loops_pay(const tn_model *model, const tn_alpha_hinges *hinges)
{
    if (!hinges->forest.world.flat || !hinges->loops)
        return true;
    double own = in_plane.link * hinges->count + in_plane.cut * hinges->loops->cut_count;
    for (int32_t i = 0; i < hinges->loops->count; i++)
        own += TN_PLANE_ROWS * hinges->loops->all[i].V.work;
    return own <= general_in_plane(model);
}
