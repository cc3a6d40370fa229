/* trajectories.c: test support: see trajectories.h. */
#include "trajectories.h"

#include <check.h>
#include <math.h>
#include <string.h>

#include "sample_mechanisms.h"

static mechanism four_bars_1(void)
{
    return sample_n_four_bar(1, TN_BODY_RIGID);
}

static mechanism four_bars_2(void)
{
    return sample_n_four_bar(2, TN_BODY_RIGID);
}

static mechanism four_bars_2_planar(void)
{
    return sample_n_four_bar(2, TN_BODY_PLANAR);
}

static mechanism four_bars_40(void)
{
    return sample_n_four_bar(40, TN_BODY_RIGID);
}

static void see_b0(const mechanism *m, double *seen)
{
    const tn_vec3 p = tn_sim_marker_position(m->sim, (tn_marker){0});
    const tn_twist crank = tn_sim_body_velocity(m->sim, (tn_body){0});
    seen[0] = p.x;
    seen[1] = p.y;
    seen[2] = 2.0 * crank.v.x; /* the tip is twice as far out as the middle */
    seen[3] = 2.0 * crank.v.y;
}

static void see_markers(const mechanism *m, int count, double *seen)
{
    for (int i = 0; i < count; i++) {
        const tn_vec3 p = tn_sim_marker_position(m->sim, (tn_marker){i});
        seen[3 * i] = p.x;
        seen[3 * i + 1] = p.y;
        seen[3 * i + 2] = p.z;
    }
}

static void see_four_markers(const mechanism *m, double *seen)
{
    see_markers(m, 4, seen);
}

/* theta1 = angle of joint 0 (0 at the start), J2, J3. */
static void see_bennett(const mechanism *m, double *seen)
{
    mechanism_check_rank(m->sim, 20, 17);
    tn_sim_joint_coordinates(m->sim, (tn_joint){0}, seen);
    seen[0] += 1.2;
    tn_sim_joint_speeds(m->sim, (tn_joint){0}, seen + 1);
    see_markers(m, 2, seen + 2);
}

static void see_slider_crank(const mechanism *m, double *seen)
{
    tn_sim_joint_coordinates(m->sim, (tn_joint){0}, seen);
    seen[0] += 0.3;
    tn_sim_joint_speeds(m->sim, (tn_joint){0}, seen + 1);
    seen[2] = tn_sim_body_pose(m->sim, (tn_body){2}).p.x;
    seen[3] = tn_sim_body_velocity(m->sim, (tn_body){2}).v.x;
}

/* FA, FB, FC on crank, rod, rod; the guide on the slider. */
static void see_slider_crank_forces(const mechanism *m, double *seen)
{
    for (int j = 0; j < 3; j++) {
        const tn_wrench w = tn_sim_joint_wrench(m->sim, (tn_joint){j}, TN_WRENCH_ON_A);
        seen[2 * j] = w.f.x;
        seen[2 * j + 1] = w.f.y;
    }
    seen[6] = tn_sim_joint_wrench(m->sim, (tn_joint){3}, TN_WRENCH_ON_A).f.y;
}

static void see_cylinder(const mechanism *m, double *seen)
{
    tn_sim_joint_coordinates(m->sim, (tn_joint){0}, seen);
    tn_sim_joint_speeds(m->sim, (tn_joint){0}, seen + 2);
}

/* The file gives the axes of D about the origin of C. */
static void see_cylinder_wrench(const mechanism *m, double *seen)
{
    double q[2];
    tn_sim_joint_coordinates(m->sim, (tn_joint){0}, q);
    const tn_wrench w = tn_sim_joint_wrench(m->sim, (tn_joint){0}, TN_WRENCH_IN_C);
    const tn_pose turn = {{0.0, 0.0, 0.0}, tn_quat_from_axis_angle(vec(0.0, 0.0, 1.0), q[1])};
    const tn_vec3 f = tn_pose_rotate_vector(turn, w.f), mo = tn_pose_rotate_vector(turn, w.m);
    seen[0] = f.x;
    seen[1] = f.y;
    seen[2] = f.z;
    seen[3] = mo.x;
    seen[4] = mo.y;
    seen[5] = mo.z;
}

static void see_top(const mechanism *m, double *seen)
{
    const tn_mat3 R = tn_quat_to_matrix(tn_sim_body_pose(m->sim, (tn_body){0}).q);
    for (int i = 0; i < 9; i++)
        seen[i] = R.m[i / 3][i % 3];
    const tn_vec3 w = tn_sim_body_velocity(m->sim, (tn_body){0}).w;
    seen[9] = w.x;
    seen[10] = w.y;
    seen[11] = w.z;
}

#define B0_COLUMNS                                                                                 \
    {                                                                                              \
        "B0x", "B0y", "B0vx", "B0vy"                                                               \
    }
#define A04_COLUMNS                                                                                \
    {                                                                                              \
        "P2x", "P2y", "P2z", "P3x", "P3y", "P3z", "P4x", "P4y", "P4z", "P5x", "P5y", "P5z"         \
    }
#define BENNETT_COLUMNS                                                                            \
    {                                                                                              \
        "theta1", "theta1dot", "J2x", "J2y", "J2z", "J3x", "J3y", "J3z"                            \
    }
#define CRANK_COLUMNS                                                                              \
    {                                                                                              \
        "phi", "phidot", "x", "xdot"                                                               \
    }
#define CRANK_FORCES                                                                               \
    {                                                                                              \
        "FAx", "FAy", "FBx", "FBy", "FCx", "FCy", "N_slider"                                       \
    }
#define CYLINDER_WRENCH                                                                            \
    {                                                                                              \
        "FX", "FY", "FZ", "MX", "MY", "MZ"                                                         \
    }
#define TOP_COLUMNS                                                                                \
    {                                                                                              \
        "R00", "R01", "R02", "R10", "R11", "R12", "R20", "R21", "R22", "wx", "wy", "wz"            \
    }

const trajectory trajectories[] = {
    {"N=1", four_bars_1, "A02_N1", B0_COLUMNS, see_b0, 1e-3, 10.0, 6e-4},
    {"N=2", four_bars_2, "A02_N2", B0_COLUMNS, see_b0, 1e-3, 10.0, 6e-4},
    {"N=2 planar", four_bars_2_planar, "A02_N2", B0_COLUMNS, see_b0, 1e-3, 10.0, 6e-4},
    {"N=40", four_bars_40, "A02_N40", B0_COLUMNS, see_b0, 2e-3, 2.0, 3e-4},
    {"bricard", sample_bricard, "A04", A04_COLUMNS, see_four_markers, 1e-3, 10.0, 5e-6},
    {"bricard slender", sample_bricard_slender, "A04_slender", A04_COLUMNS, see_four_markers, 1e-3,
     10.0, 5e-6},
    {"bennett", sample_bennett, "P14", BENNETT_COLUMNS, see_bennett, 1e-3, 5.0, 4e-5},
    {"slider-crank", sample_slider_crank, "P08_free", CRANK_COLUMNS, see_slider_crank, 1e-3, 1.0,
     4e-3},
    {"slider-crank forces", sample_slider_crank, "P08_free", CRANK_FORCES, see_slider_crank_forces,
     1e-3, 1.0, 2e-2},
    {"cylinder",
     sample_inclined_cylinder,
     "P03",
     {"z", "theta", "zdot", "thetadot"},
     see_cylinder,
     1e-3,
     3.0,
     2e-4},
    {"cylinder wrench", sample_inclined_cylinder, "P03", CYLINDER_WRENCH, see_cylinder_wrench, 1e-3,
     3.0, 3e-3},
    {"top", sample_top, "P06", TOP_COLUMNS, see_top, 1e-3, 10.0, 3e-6},
};

const int trajectory_count = sizeof trajectories / sizeof trajectories[0];

const trajectory *trajectory_find(const char *name)
{
    for (int k = 0; k < trajectory_count; k++)
        if (strcmp(trajectories[k].name, name) == 0)
            return &trajectories[k];
    ck_abort_msg("there is no trajectory '%s'", name);
}

static void run_unevenly(mechanism *m, double h, double swing, int count)
{
    for (int k = 0; k < count; k++)
        mechanism_run(m, h * (k % 2 ? 1.0 - swing : 1.0 + swing), 1, NULL);
}

void trajectory_watch_uneven(const trajectory *t, const csv_table *table, mechanism *m, double h,
                             double swing, sightings *out)
{
    double time = 0.0;
    out->count = 0;
    for (int row = 1; row < table->row_count && out->count < MAX_ROWS; row++) {
        const double next = csv_table_at(table, row, "t");
        if (next > t->duration + 0.5 * h)
            break;
        run_unevenly(m, h, swing, (int)lround((next - time) / h));
        time = next;
        t->observe(m, out->seen[out->count++]);
    }
}

void trajectory_watch(const trajectory *t, const csv_table *table, mechanism *m, double h,
                      sightings *out)
{
    trajectory_watch_uneven(t, table, m, h, 0.0, out);
}

double trajectory_deviation(const trajectory *t, const csv_table *table, const sightings *s)
{
    double worst = 0.0;
    for (int row = 0; row < s->count; row++)
        for (int k = 0; t->columns[k]; k++)
            worst =
                fmax(worst, fabs(s->seen[row][k] - csv_table_at(table, row + 1, t->columns[k])));
    return worst;
}

double trajectory_error(const trajectory *t, const csv_table *table, mechanism *m, double h)
{
    static sightings s;
    trajectory_watch(t, table, m, h, &s);
    return trajectory_deviation(t, table, &s);
}
