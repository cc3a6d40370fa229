/* cases.c: see cases.h. A01 and A03 are here, the others in tests/support. */
#include "cases.h"

static mechanism pendulum(void)
{
    mechanism m = mechanism_new((tn_vec3){0.0, -9.81, 0.0});
    tn_body_def ball = tn_default_body_def();
    ball.kind = TN_BODY_PARTICLE;
    ball.mass = 1.0;
    ball.pose.p.x = -1.0;
    tn_joint_def bar = tn_default_joint_def();
    bar.type = "rod";
    bar.a = mechanism_body(&m, &ball);
    bar.b = tn_ground();
    bar.placement = TN_PLACE_BODY_FRAMES;
    mechanism_joint(&m, &bar);
    return m;
}

static void see_ball(const mechanism *m, double *seen)
{
    const tn_vec3 p = tn_sim_body_pose(m->sim, (tn_body){0}).p;
    seen[0] = p.x;
    seen[1] = p.y;
}

static mechanism squeezer(void)
{
    return mechanism_read_file("models/andrews.yaml");
}

static void see_squeezer(const mechanism *m, double *seen)
{
    const tn_vec3 p = tn_sim_marker_position(m->sim, (tn_marker){0});
    tn_sim_joint_coordinates(m->sim, (tn_joint){0}, seen);
    tn_sim_joint_speeds(m->sim, (tn_joint){0}, seen + 1);
    seen[0] -= 0.0620;
    seen[2] = p.x;
    seen[3] = p.y;
}

static const trajectory own[] = {
    {"pendulum", pendulum, "A01", {"x", "y"}, see_ball, 0.0, 10.0, 0.0},
    {"squeezer",
     squeezer,
     "A03_iftomm",
     {"beta", "betadot", "Fx", "Fy"},
     see_squeezer,
     0.0,
     0.05,
     0.0},
};

accuracy_case accuracy_case_of(int k)
{
    const accuracy_case all[CASES] = {
        {"pendulum (A01)", "A01", own[0]},
        {"Andrews' squeezer (A03)", "A03", own[1]},
        {"Bricard (A04)", "A04", *trajectory_find("bricard")},
        {"free top (P06)", "P06", *trajectory_find("top")},
        {"Bennett (P14)", "P14", *trajectory_find("bennett")},
    };
    return all[k];
}
