/* segmented.h: room joint/point: what the joints on a rounded line swept along y share.
 *
 * The line lies in the x-z plane of D; the surface is it, moved along y. At the place of C's origin
 * the tangent is t = (t_x, 0, t_z) and the normal n = t x y; the third direction is y of D. All in
 * D; rows are in G, where a vector x of D changes by R^T (x' - w x x), w of G in D.
 */
#ifndef TN_JOINT_POINT_SEGMENTED_H
#define TN_JOINT_POINT_SEGMENTED_H

#include "joint/point/rounded_line.h"
#include "joint/row_vectors.h"

enum { TN_ROUNDING }; /* the types' parameter: share of the shorter segment rounded at a corner */

/* Of both types: parameters and drawing. */
extern const tn_parameter_info tn_segmented_parameters[1];
extern const tn_draw_item tn_segmented_draw[];

tn_status tn_segmented_build(const tn_joint_data *data, tn_arena *arena, tn_joint_setup *setup,
                             const tn_joint_class **cls);

static inline const tn_rounded_line *tn_segmented_line(const tn_joint_setup *setup)
{
    return setup->data;
}

/* The place of the line nearest to a point in D. */
int tn_segmented_place(const tn_joint_setup *setup, tn_vec3 p, tn_line_place *place);

extern const tn_joint_pieces tn_segmented_pieces;

/* Rows of both types: forces n, t and y, moments x, y, z of G, at a place of the line. */
void tn_segmented_rows(const tn_xform *T_GD, const tn_line_place *place, double W[TN_MAX_ROWS][6]);

/* Their rates while G moves in D with twist_GD (in G), at the signed distance of place; rows of
 * rate 0 are left as they are. */
void tn_segmented_row_rates(const tn_xform *T_GD, const tn_line_place *place,
                            const double twist_GD[6], double dW[TN_MAX_ROWS][6]);

#endif
