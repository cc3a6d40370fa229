/* hinge_links.c: room method/hinges: the numbers of links that follow from the geometry of their joints. See alpha_hinges.h. */
#include "method/hinges/alpha_hinges.h"

#include "tenon/math.h"

const tn_hinge_link tn_no_hinge_link = {.J = {1.0, 1.0, 1.0, 0.0, 0.0, 0.0},
                                        .mass = 1.0,
                                        .axis = {0.0, 0.0, 1.0},
                                        .rel = {{1.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}},
                                        .ground = {1.0, 0.0, 0.0, 0.0}};

const tn_hinge_column tn_no_hinge_column = {.spin = 1.0, .sign = 1.0};

/* The body's orientation in the inner one's, the hinge at 0 and at half a turn. */
static void put_orientations(const tn_joint_geometry *geometry, bool is_a, tn_realq *rel)
{
    const tn_xform *here = is_a ? &geometry->T_CA : &geometry->T_DB;
    const tn_xform *there = is_a ? &geometry->T_DB : &geometry->T_CA;
    const tn_quat inner = tn_quat_from_matrix(&there->R), own = tn_quat_from_matrix(&here->R);
    const tn_quat about_z = {0.0, 0.0, 0.0, 1.0};
    rel[0] = q_normalize(q_mul(inner, q_conjugate(own)));
    rel[1] = q_normalize(q_mul(q_mul(inner, about_z), q_conjugate(own)));
}

/* Its axis along z, or across it where it slides, and turns about z, to the last digit. Where a slider would be after half a turn is of
 * no account. */
static void keep_in_plane(const tn_model_joint *joint, tn_hinge_link *link)
{
    tn_vec3 *axis = &link->axis;
    if (joint->type.i == TN_JOINT_slider)
        v3_unit(v3(axis->x, axis->y, 0.0), axis);
    else
        *axis = v3(0.0, 0.0, axis->z > 0.0 ? 1.0 : -1.0);
    for (int i = 0; i < 2; i++)
        link->rel[i].x = link->rel[i].y = 0.0;
}

/* Of a body that a joint of one freedom holds; of chains the rest is found at each step. */
tn_hinge_link tn_hinge_link_of(const tn_sim *sim, const tn_limb_origin *of,
                               const tn_hinge_weld *carrier)
{
    const tn_alpha_link *from = of->link;
    if (of->count > 1) {
        const tn_quat none = {1.0, 0.0, 0.0, 0.0};
        const bool has_mass = of->n == of->count - 1;
        return (tn_hinge_link){.axis = {0.0, 0.0, 1.0},
                               .rel = {none, {0.0, 0.0, 0.0, 1.0}},
                               .J = has_mass ? of->J : (tn_sym3){0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
                               .mass = has_mass ? from->mass : 0.0};
    }

    tn_hinge_link link = {.at = from->at,
                          .inner_at = from->inner_at,
                          .axis = from->axis,
                          .J = of->J,
                          .mass = from->mass};
    put_orientations(&sim->model->joints[from->joint].geometry, from->sign > 0.0, link.rel);
    if (carrier) {
        link.inner_at = v3_add(carrier->at, hinge_in_world(carrier->turn, link.inner_at));
        for (int i = 0; i < 2; i++)
            link.rel[i] = q_normalize(q_mul(carrier->turn, link.rel[i]));
    }
    if (tn_graph_is_flat(sim->model))
        keep_in_plane(&sim->model->joints[from->joint], &link);
    return link;
}

tn_hinge_axes tn_hinge_axes_of(const tn_joint_geometry *geometry, bool is_a,
                               const tn_hinge_weld *carrier)
{
    const tn_mat3 *own = is_a ? &geometry->T_CA.R : &geometry->T_DB.R;
    tn_mat3 inner = is_a ? geometry->T_DB.R : geometry->T_CA.R;
    if (carrier) {
        const tn_mat3 turn = q_to_m3(carrier->turn);
        inner = m3_mul(&turn, &inner);
    }
    return (tn_hinge_axes){
        {m3_column(own, 0), m3_column(own, 1)},
        {m3_column(&inner, 0), m3_column(&inner, 1), m3_column(&inner, 2)},
        carrier ? carrier->at : (tn_vec3){0.0, 0.0, 0.0},
    };
}

/* By hinge_show.h; in the plane hinges whose frames are turned about z alone. */
static bool is_shown_with_others(const tn_joint_geometry *geometry, bool flat)
{
    return flat ? geometry->pin && geometry->cls->turns_about_z : geometry->hinge;
}

/* The screw of the joint's motion; of a solid joint that of a hinge, which is held, and of one that holds a point in the plane that of a
 * hinge without a coordinate. */
tn_hinge_column tn_hinge_column_of(const tn_joint_geometry *geometry, bool is_a, bool flat)
{
    if (geometry->cls->turns_about_point)
        return (tn_hinge_column){.spin = 1.0, .alone = 1.0};
    if (geometry->cls->info.dof == 0)
        return (tn_hinge_column){.spin = 1.0, .sign = is_a ? 1.0 : -1.0, .alone = 1.0};
    const double at[TN_MAX_COORDINATES] = {0.0};
    double T[TN_MAX_ROWS][6];
    tn_joint_twists(geometry->cls, &geometry->setup, &tn_ground_xform, at, T);
    return (tn_hinge_column){.spin = T[0][5],
                             .lead = T[0][2],
                             .sign = is_a ? 1.0 : -1.0,
                             .alone = is_shown_with_others(geometry, flat) ? 0.0 : 1.0};
}

tn_hinge_column tn_hinge_column_in_chain(const tn_hinge_chain *chain, int32_t n)
{
    return (tn_hinge_column){.spin = chain->turns[n] ? 1.0 : 0.0,
                             .lead = chain->turns[n] ? 0.0 : 1.0,
                             .sign = chain->is_a ? 1.0 : -1.0,
                             .alone = 1.0};
}
