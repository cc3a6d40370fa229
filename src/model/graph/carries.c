/* carries.c: room model/graph: by which joints bodies can hang in joint coordinates.
 *
 * Such a joint is a turn about an axis or a point, a shift, a screw, or a product of these; nothing of it yields; and it is
 * one joint between two bodies that feel all of its rows. Where a model has other joints, or these yield, their bodies float as far as
 * joint coordinates go, and the joints are rows (method/hinges).
 */
#include "joint/turn/ball_rows.h"
#include "model/graph/graph.h"

bool tn_graph_holds_point(const tn_model_joint *joint)
{
    return joint->type.i == TN_JOINT_spherical || joint->geometry.cls->project == tn_ball_project;
}

/* Does it hold a point, and turn about the third axis of its frames? */
static bool is_pin(const tn_model_joint *joint)
{
    return joint->kept[0] == 0 && joint->kept[1] == 1 && joint->kept[2] == TN_MAX_ROWS - 1;
}

/* Rows of its type that planar bodies feel are as many as they have motions, some of which the joint leaves free, unless it is solid;
 * of one motion it is the type's own, or the turn about a point. */
static bool carries_in_plane(const tn_model_joint *joint)
{
    const int32_t motions = joint->kept_count - joint->kept_bilateral;
    const bool is_solid = joint->type.i == TN_JOINT_solid, pin = is_pin(joint);
    if (joint->kept_count != TN_PLANE_ROWS || (motions > 0) == is_solid)
        return false;
    if (joint->geometry.cls->chain)
        return motions > 1;
    if (is_solid)
        return pin || !joint->in_loop;
    return joint->type.i == TN_JOINT_slider ||
           (pin && (joint->type.i == TN_JOINT_hinge || joint->type.i == TN_JOINT_spherical));
}

/* A product of one turn or shift alone has its axis anywhere in its frames: it is rows. */
static bool carries_in_space(const tn_model_joint *joint)
{
    const tn_joint_class *cls = joint->geometry.cls;
    return (joint->type.i == TN_JOINT_hinge || joint->type.i == TN_JOINT_solid ||
            tn_graph_holds_point(joint) || cls->screws_along_z ||
            (cls->chain && cls->info.dof > 1)) &&
           joint->kept_bilateral == cls->info.bilateral_count;
}

static bool yields(const tn_model_joint *joint)
{
    bool some = false;
    for (int32_t row = 0; row < joint->geometry.cls->info.bilateral_count && !some; row++)
        some = joint->compliance[row] > 0.0;
    return some;
}

bool tn_graph_is_flat(const tn_model *model)
{
    tn_body_kind kind = TN_BODY_FIXED;
    for (int32_t i = 0; i < model->body_count && kind == TN_BODY_FIXED; i++)
        kind = model->bodies[i].kind;
    return kind == TN_BODY_PLANAR;
}

void tn_graph_mark_carriers(tn_model *model)
{
    const bool flat = tn_graph_is_flat(model);
    for (int32_t j = 0; j < model->joint_count; j++) {
        tn_model_joint *joint = &model->joints[j];
        joint->carries =
            !yields(joint) && (flat ? carries_in_plane(joint) : carries_in_space(joint));
    }
}
