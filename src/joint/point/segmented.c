/* segmented.c: room joint/point: shared parts of the joints on a rounded line (segmented.h).
 *
 * A point at the distance d from the line passes its place at the speed s' = t . v / (1 - k d).
 */
#include <math.h>

#include "joint/point/segmented.h"

const tn_parameter_info tn_segmented_parameters[1] = {
    {"rounding", "1", 0.2, 0.0, 0.5,
     "part of the shorter segment at a corner that the arc replacing the corner takes"}};

const tn_draw_item tn_segmented_draw[] = {
    {TN_DRAW_STRIPS, TN_DRAW_IN_D, 1, 0},
    {TN_DRAW_BALL, TN_DRAW_IN_C, 0, 0},
    {TN_DRAW_END, 0, 0, 0},
};

tn_status tn_segmented_build(const tn_joint_data *data, tn_arena *arena, tn_joint_setup *setup,
                             const tn_joint_class **cls)
{
    (void)cls;
    const tn_rounded_line *line = NULL;
    const tn_status status = tn_rounded_line_make(data->points, data->point_count,
                                                  setup->parameters[TN_ROUNDING], arena, &line);
    setup->data = line;
    return status;
}

int tn_segmented_place(const tn_joint_setup *setup, tn_vec3 p, tn_line_place *place)
{
    const double point[2] = {p.x, p.z};
    return tn_rounded_line_nearest(tn_segmented_line(setup), point, place);
}

static tn_vec3 in_d(const double xz[2])
{
    return v3(xz[0], 0.0, xz[1]);
}

/* n, t and y of D in G, in this order. */
static void axes_in_g(const tn_xform *T_GD, const tn_line_place *place, tn_vec3 axes[3])
{
    axes[0] = m3_tmulv(&T_GD->R, in_d(place->normal));
    axes[1] = m3_tmulv(&T_GD->R, in_d(place->tangent));
    axes[2] = tn_axis_of_d(T_GD, 1);
}

void tn_segmented_rows(const tn_xform *T_GD, const tn_line_place *place, double W[TN_MAX_ROWS][6])
{
    tn_vec3 axes[3];
    axes_in_g(T_GD, place, axes);
    for (int k = 0; k < 3; k++) {
        tn_row_linear(W[k], axes[k]);
        tn_row_angular(W[3 + k], tn_unit(k));
    }
}

/* s' of what moves in D with twist_GD (in G). */
static double passing_speed(const tn_xform *T_GD, const tn_line_place *place,
                            const double twist_GD[6])
{
    const tn_vec3 t = m3_tmulv(&T_GD->R, in_d(place->tangent));
    return v3_dot(t, v3_load(twist_GD)) / (1.0 - place->curvature * place->distance);
}

/* n' = -k t s', t' = k n s'. */
void tn_segmented_row_rates(const tn_xform *T_GD, const tn_line_place *place,
                            const double twist_GD[6], double dW[TN_MAX_ROWS][6])
{
    tn_vec3 axes[3];
    const tn_vec3 w = v3_load(twist_GD + 3);
    axes_in_g(T_GD, place, axes);
    const double turn = place->curvature * passing_speed(T_GD, place, twist_GD);
    tn_row_linear(dW[0], v3_axpy(v3_cross(axes[0], w), -turn, axes[1]));
    tn_row_linear(dW[1], v3_axpy(v3_cross(axes[1], w), turn, axes[0]));
    tn_row_linear(dW[2], v3_cross(axes[2], w));
}

static int32_t count_pieces(const tn_joint_setup *setup)
{
    return tn_segmented_line(setup)->count;
}

static tn_joint_setup piece_alone(const tn_joint_setup *setup, int32_t piece)
{
    tn_joint_setup own = *setup;
    own.data = &tn_segmented_line(setup)->alone[piece];
    return own;
}

static void place_on_piece(const tn_joint_setup *setup, const tn_xform *T_GD,
                           const double twist_GD[6], tn_piece_place *out)
{
    const tn_rounded_line *line = tn_segmented_line(setup);
    tn_line_place place;
    tn_segmented_place(setup, T_GD->p, &place);
    const tn_line_piece *piece = &line->pieces[place.piece];
    out->piece = place.piece;
    out->before = piece->begins ? place.s - piece->from : INFINITY;
    out->after = piece->ends ? piece->from + piece->length - place.s : INFINITY;
    out->speed = passing_speed(T_GD, &place, twist_GD);
}

const tn_joint_pieces tn_segmented_pieces = {count_pieces, piece_alone, place_on_piece};
