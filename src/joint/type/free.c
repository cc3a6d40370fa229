/* free.c: room joint/type: no constraint; measures and limits the pose of C in D.
 *
 * T_CD = trans(x, y, z) Rz(roll) Ry(pitch) Rx(yaw) (roll_pitch_yaw.h). G is C. All rows are motion
 * rows: forces along the axes of D, which turn in G with n' = -w x n, and the moments of roll,
 * pitch and yaw.
 */
#include "joint/point/point_rows.h"
#include "joint/turn/roll_pitch_yaw.h"
#include "joint/row_vectors.h"

static const tn_row_info rows[] = {
    {"x", TN_LENGTH_ROW(0)},   {"y", TN_LENGTH_ROW(1)},    {"z", TN_LENGTH_ROW(2)},
    {"roll", TN_ANGLE_ROW(3)}, {"pitch", TN_ANGLE_ROW(4)}, {"yaw", TN_ANGLE_ROW(5)},
};
static const tn_coordinate_info coordinates[] = {{"x", 0},    {"y", 0},     {"z", 0},
                                                 {"roll", 1}, {"pitch", 1}, {"yaw", 1}};

static void pose_to_coordinates(const tn_joint_setup *setup, const tn_xform *T_GD,
                                const double *reference, double *q)
{
    (void)setup;
    v3_store(q, T_GD->p);
    tn_rpy_from_rotation(&T_GD->R, reference + 3, q + 3);
}

static int stop_at_pole(const tn_joint_setup *setup, const tn_xform *T_GD,
                        const tn_joint_stops *stops, const double *reference, double *q,
                        double *error)
{
    (void)setup;
    const tn_joint_stops angles = {stops->held >> 3, stops->value + 3, stops->lower + 3,
                                   stops->upper + 3};
    v3_store(q, T_GD->p);
    return tn_rpy_stop_at_pole(&T_GD->R, &angles, reference + 3, q + 3, error + 3);
}

static void coordinates_to_pose(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    (void)setup;
    T_GD->R = tn_rpy_to_rotation(q + 3);
    T_GD->p = v3_load(q);
}

static void wrenches(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                     double W[TN_MAX_ROWS][6])
{
    (void)setup;
    tn_vec3 angular[3];
    tn_rpy_wrenches(q + 3, angular);
    for (int k = 0; k < 3; k++) {
        tn_row_linear(W[k], tn_axis_of_d(T_GD, k));
        tn_row_angular(W[3 + k], angular[k]);
    }
}

static void wrench_rates(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                         const double twist_GD[6], double dW[TN_MAX_ROWS][6])
{
    (void)setup;
    tn_vec3 angular[3];
    tn_rpy_wrench_rates(q + 3, v3_load(twist_GD + 3), angular);
    for (int k = 0; k < 3; k++) {
        tn_row_linear(dW[k], tn_axis_of_d_rate(T_GD, k, twist_GD));
        tn_row_angular(dW[3 + k], angular[k]);
    }
}

static void twists(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                   double T[TN_MAX_ROWS][6])
{
    (void)setup;
    tn_vec3 angular[3];
    tn_rpy_twists(q + 3, angular);
    for (int k = 0; k < 3; k++) {
        tn_row_linear(T[k], tn_axis_of_d(T_GD, k));
        tn_row_angular(T[3 + k], angular[k]);
    }
}

static void predict(const double *q, const double *now, const double *speeds, double h,
                    double *predicted)
{
    for (int k = 0; k < 3; k++)
        predicted[k] = q[k] + h * speeds[k];
    tn_rpy_predict(q + 3, now + 3, speeds + 3, h, predicted + 3);
}

const tn_joint_class tn_joint_class_free = {
    .info = {.name = "free",
             .summary = "leaves all motions free and counts them as coordinates",
             TN_JOINT_DOF(6),
             .rows = rows,
             TN_JOINT_COORDINATES(coordinates)},
    .chain = tn_chain_in_order,
    .project = tn_any_pose_is_legal,
    .whole_turns = 0x38,
    .pose_to_coordinates = pose_to_coordinates,
    .stop_at_pole = stop_at_pole,
    .coordinates_to_pose = coordinates_to_pose,
    .wrenches = wrenches,
    .wrench_rates = wrench_rates,
    .twists = twists,
    .predict = predict,
};
