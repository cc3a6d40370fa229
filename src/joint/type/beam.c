/* beam.c: room joint/type: a beam element: C and D are the frames of two nodes, x along the tangent.
 *
 * Between the nodes strain and curvature are constant (Sonneville, Cardona, Bruels 2014). With
 * d = log(T_CD) in R^6 and d0 its value without stress, (length, 0, 0, twist, bend_y, bend_z), the
 * six errors are
 *     phi = d - d0:  stretch, shear along y and z (m), twist, bending about y and z (rad),
 * and the rows their derivatives, phi' = T^-1(d) . twist of C against D (se3.h). Bending and
 * twisting with constant moments are exact with any number of elements.
 *
 * It is elastic by the compliance of its rows: with EA, GA, GJ and EI of the section
 * length / (EA, GA_y, GA_z, GJ, EI_y, EI_z). The multipliers are then the section forces with the
 * opposite sign. A row without compliance is hard: a beam that does not shear or stretch.
 * Limits: the nodes turn by less than pi against each other.
 */
#include "joint/point/no_coordinates.h"
#include "math/se3.h"
#include "tenon/beam.h"

enum { LENGTH, TWIST, BEND_Y, BEND_Z };

static const tn_row_info rows[] = {
    {"fx", TN_FORCE_ROW},  {"fy", TN_FORCE_ROW},  {"fz", TN_FORCE_ROW},
    {"mx", TN_MOMENT_ROW}, {"my", TN_MOMENT_ROW}, {"mz", TN_MOMENT_ROW},
};
static const tn_parameter_info parameter_infos[] = {
    {"length", "m", 1.0, 0.0, INFINITY, "length of the element without stress"},
    {"twist", "rad", 0.0, -TN_MAX_BEAM_TURN, TN_MAX_BEAM_TURN,
     "by which C is turned about x without stress"},
    {"bend_y", "rad", 0.0, -TN_MAX_BEAM_TURN, TN_MAX_BEAM_TURN,
     "the same about y, of a curved beam"},
    {"bend_z", "rad", 0.0, -TN_MAX_BEAM_TURN, TN_MAX_BEAM_TURN, "the same about z"},
};

/* d0 */
static void at_rest(const tn_joint_setup *setup, double d[6])
{
    const double *p = setup->parameters;
    v3_store(d, v3(p[LENGTH], 0.0, 0.0));
    v3_store(d + 3, v3(p[TWIST], p[BEND_Y], p[BEND_Z]));
}

static int project(const tn_joint_setup *setup, const tn_xform *T_CD, tn_xform *T_GD)
{
    double d[6];
    (void)T_CD;
    at_rest(setup, d);
    *T_GD = tn_se3_exp(d);
    return 1;
}

static void coordinates_to_pose(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    (void)q;
    project(setup, NULL, T_GD);
}

static void wrenches(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                     double W[TN_MAX_ROWS][6])
{
    double d[6];
    (void)T_GD;
    (void)q;
    at_rest(setup, d);
    tn_se3_tangent(d, W);
}

static void error_rows(const tn_joint_setup *setup, const tn_xform *T_CD, double phi[TN_MAX_ROWS],
                       double J[TN_MAX_ROWS][6])
{
    double d[6], rest[6];
    at_rest(setup, rest);
    tn_se3_log(T_CD, d);
    tn_se3_tangent(d, J);
    for (int k = 0; k < 6; k++)
        phi[k] = d[k] - rest[k];
}

static void error_rates(const tn_joint_setup *setup, const double phi[TN_MAX_ROWS],
                        const double phi_rate[TN_MAX_ROWS], double dJ[TN_MAX_ROWS][6])
{
    double d[6];
    at_rest(setup, d);
    for (int k = 0; k < 6; k++)
        d[k] += phi[k];
    tn_se3_tangent_rate(d, phi_rate, dJ);
}

static const tn_joint_errors errors = {error_rows, error_rates};

static const tn_draw_item draw[] = {{TN_DRAW_LINE, TN_DRAW_IN_D, 0, 0}, {TN_DRAW_END, 0, 0, 0}};

const tn_joint_class tn_joint_class_beam = {
    .info = {.name = "beam",
             .summary = "joins two nodes of an elastic beam",
             TN_JOINT_DOF(0),
             .coordinate_count = 0,
             .rows = rows,
             .parameter_count = TN_COUNT_OF(parameter_infos),
             .parameters = parameter_infos},
    .draw = draw,
    .project = project,
    .pose_to_coordinates = tn_no_coordinates,
    .coordinates_to_pose = coordinates_to_pose,
    .wrenches = wrenches,
    .errors = &errors,
};
