/* cases.c: see cases.h. A03 is here, and what is seen of A01; the others are in tests/support. */
#include "cases.h"
#include "sample_mechanisms.h"

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
    {"pendulum", sample_pendulum, "A01", {"x", "y"}, see_ball, 0.0, 10.0, 0.0},
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
