/* point_offset.c: room joint/point: see point_offset.h. */
#include "joint/point/point_offset.h"

#include "joint/point/point_rows.h"

const tn_row_info tn_point_offset_rows[] = {
    {"x", TN_LENGTH_ROW(0)},  {"y", TN_LENGTH_ROW(1)},  {"z", TN_LENGTH_ROW(2)},
    {"mx", TN_ANGLE_ROW(-1)}, {"my", TN_ANGLE_ROW(-1)}, {"mz", TN_ANGLE_ROW(-1)},
};
const tn_coordinate_info tn_point_offset_coordinates[] = {{"x", 0}, {"y", 0}, {"z", 0}};

const tn_draw_item tn_point_offset_draw[] = {
    {TN_DRAW_LINE, TN_DRAW_IN_D, 0, 0},
    {TN_DRAW_BALL, TN_DRAW_IN_C, 0, 0},
    {TN_DRAW_END, 0, 0, 0},
};

void tn_point_offset_place(const tn_joint_setup *setup, const tn_xform *T_GD,
                           const double *reference, double *q)
{
    (void)setup;
    (void)reference;
    v3_store(q, T_GD->p);
}

void tn_point_offset_pose(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    (void)setup;
    T_GD->R = m3_identity();
    T_GD->p = v3_load(q);
}

void tn_point_offset_adjust(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    (void)setup;
    T_GD->p = v3_load(q);
}
