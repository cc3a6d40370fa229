/* gimbal.c: room joint/type: the origins of C and D coincide; the rotation is counted as three angles.
 *
 * R_CD = Rz(roll) Ry(pitch) Rx(yaw), p = 0 (roll_pitch_yaw.h). G keeps C's orientation at D's
 * origin. The bilateral rows fx, fy, fz are constant in G and know nothing of the pole; the motion
 * rows are those of roll, pitch and yaw.
 */
#include "joint/turn/roll_pitch_yaw.h"
#include "joint/row_vectors.h"

static const tn_row_info rows[] = {
    {"fx", TN_FORCE_ROW},      {"fy", TN_FORCE_ROW},       {"fz", TN_FORCE_ROW},
    {"roll", TN_ANGLE_ROW(0)}, {"pitch", TN_ANGLE_ROW(1)}, {"yaw", TN_ANGLE_ROW(2)},
};
static const tn_coordinate_info coordinates[] = {{"roll", 1}, {"pitch", 1}, {"yaw", 1}};

static int project(const tn_joint_setup *setup, const tn_xform *T_CD, tn_xform *T_GD)
{
    (void)setup;
    T_GD->R = T_CD->R;
    T_GD->p = v3(0.0, 0.0, 0.0);
    return 1;
}

static void pose_to_coordinates(const tn_joint_setup *setup, const tn_xform *T_GD,
                                const double *reference, double *q)
{
    (void)setup;
    tn_rpy_from_rotation(&T_GD->R, reference, q);
}

static int stop_at_pole(const tn_joint_setup *setup, const tn_xform *T_GD,
                        const tn_joint_stops *stops, const double *reference, double *q,
                        double *error)
{
    (void)setup;
    return tn_rpy_stop_at_pole(&T_GD->R, stops, reference, q, error);
}

static void coordinates_to_pose(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    (void)setup;
    T_GD->R = tn_rpy_to_rotation(q);
    T_GD->p = v3(0.0, 0.0, 0.0);
}

static void wrenches(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                     double W[TN_MAX_ROWS][6])
{
    (void)setup;
    (void)T_GD;
    tn_vec3 angular[3];
    tn_rpy_wrenches(q, angular);
    for (int k = 0; k < 3; k++) {
        tn_row_linear(W[k], tn_unit(k));
        tn_row_angular(W[3 + k], angular[k]);
    }
}

static void wrench_rates(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                         const double twist_GD[6], double dW[TN_MAX_ROWS][6])
{
    (void)setup;
    (void)T_GD;
    tn_vec3 angular[3];
    tn_rpy_wrench_rates(q, v3_load(twist_GD + 3), angular);
    for (int k = 0; k < 3; k++)
        tn_row_angular(dW[3 + k], angular[k]);
}

static void twists(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                   double T[TN_MAX_ROWS][6])
{
    (void)setup;
    (void)T_GD;
    tn_vec3 angular[3];
    tn_rpy_twists(q, angular);
    for (int k = 0; k < 3; k++)
        tn_row_angular(T[k], angular[k]);
}

static const tn_draw_item draw[] = {{TN_DRAW_BALL, TN_DRAW_IN_C, 0, 0}, {TN_DRAW_END, 0, 0, 0}};

const tn_joint_class tn_joint_class_gimbal = {
    .info = {.name = "gimbal",
             .summary = "turns about a point, counted as roll, pitch and yaw",
             TN_JOINT_DOF(3),
             .rows = rows,
             TN_JOINT_COORDINATES(coordinates)},
    .draw = draw,
    .chain = tn_chain_in_order,
    .project = project,
    .whole_turns = 0x7,
    .pose_to_coordinates = pose_to_coordinates,
    .stop_at_pole = stop_at_pole,
    .coordinates_to_pose = coordinates_to_pose,
    .wrenches = wrenches,
    .wrench_rates = wrench_rates,
    .twists = twists,
    .predict = tn_rpy_predict,
};
