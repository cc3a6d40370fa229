/* hinge_welds.c: room method/hinges: bodies that are welded to the body of a link, or to what does not move: rigid parts of it.
 *
 * A welded body is no link. It moves as its carrier does, the body of the link: with R the carrier's orientation, d the centre of mass
 * from the carrier's in axes of the carrier, and D the rotation of the step,
 *     R_w = R T,   x_w = x + R d,   Dx_w = Dx + (D - 1) R_0 d,   w_w = T^T w.
 * Angular velocities and accelerations of the two are the same vector, so that the inertia T J T^T is part of the link's from the
 * start. The method's formulas for udot are linear in Dx and in what a body remembers; as centres of mass move on arcs, those of a
 * welded body are not the carrier's turned along: it has its own udot, and adds to the link a mass in a point,
 *     F += f,   M += -r x f,   f = m (g - udot),   r = P - x_w,
 * and to the link's part of the matrix what hinge_kernel.h has for a body without J. So a step is, but for rounding, that of a tree in
 * which the weld is a hinge that is held. Loads, dampers and couplings act on the welded body itself, and come to the link in the same
 * way (tn_hinge_push).
 *
 * What the weld bears follows by Newton and Euler from the motion that was found: what hangs on the body, less what acts on it.
 * A body that is welded to what does not move has no motion, and adds to nothing; its weld bears its weight and what hangs on it.
 * Poses are composed of the carrier's, so that welds are closed to rounding: their errors are 0.
 *
 * In: motion of links. Out: forces on links; motion of welded bodies, wrenches of welds, energy accounting.
 *
 * Limits: welds are on and hard (tn_hinges_bear); a weld in a loop is a link.
 */
#include <string.h>

#include "base/base.h"
#include "method/hinges/alpha_hinges.h"

/* ---- making ---- */

bool tn_hinge_is_weld(const tn_model *model, int32_t j)
{
    const tn_model_joint *joint = &model->joints[j];
    return tn_tree_is_solid(joint) && tn_tree_hangs(joint) >= 0 && !joint->in_loop;
}

tn_status tn_hinge_welds_create(const tn_model *model, int32_t links, tn_hinge_welds *welds)
{
    int32_t count = 0;
    for (int32_t j = 0; j < model->joint_count; j++)
        count += tn_hinge_is_weld(model, j);
    welds->all = TN_NEW_ARRAY(tn_hinge_weld, count);
    welds->hung = TN_NEW_ARRAY(tn_hinge_hung, count > 0 ? links : 0);
    welds->seats = TN_NEW_ARRAY(tn_hinge_seat, model->body_count);
    for (int32_t i = 0; i < model->body_count && welds->seats; i++)
        welds->seats[i] = (tn_hinge_seat){-1, -1};
    return welds->all && welds->hung && welds->seats ? TN_OK : TN_ERROR_MEMORY;
}

void tn_hinge_welds_destroy(tn_hinge_welds *welds)
{
    tn_free(welds->all);
    tn_free(welds->hung);
    tn_free(welds->seats);
}

tn_hinge_weld tn_hinge_weld_of(const tn_model *model, const tn_alpha_link *link,
                               const tn_hinge_weld *inner, int32_t carrier, int32_t carrier_link)
{
    const tn_joint_geometry *geometry = &model->joints[link->joint].geometry;
    const bool is_a = link->sign > 0.0;
    const tn_xform *own = is_a ? &geometry->T_CA : &geometry->T_DB,
                   *there = is_a ? &geometry->T_DB : &geometry->T_CA;
    const tn_quat turn = q_normalize(
        q_mul(tn_quat_from_matrix(&there->R), q_conjugate(tn_quat_from_matrix(&own->R))));
    tn_hinge_weld weld = {.turn = turn,
                          .at = v3_sub(there->p, hinge_in_world(turn, own->p)),
                          .J = link->J,
                          .mass = link->mass,
                          .u = link->u,
                          .body = link->body,
                          .joint = link->joint,
                          .carrier = carrier,
                          .link = carrier_link,
                          .inner = -1,
                          .is_a = is_a};
    if (!inner)
        return weld;
    weld.turn = q_normalize(q_mul(inner->turn, turn));
    weld.at = v3_add(inner->at, hinge_in_world(inner->turn, weld.at));
    return weld;
}

tn_sym3 tn_hinge_weld_inertia(const tn_hinge_weld *weld)
{
    const tn_sym3 *J = &weld->J;
    const tn_mat3 own = {{{J->xx, J->xy, J->xz}, {J->xy, J->yy, J->yz}, {J->xz, J->yz, J->zz}}},
                  R = q_to_m3(weld->turn), R_J = m3_mul(&R, &own);
    tn_vec3 row[3], axis[3];
    for (int i = 0; i < 3; i++) {
        row[i] = v3_load(R_J.m[i]);
        axis[i] = v3_load(R.m[i]);
    }
    return (tn_sym3){.xx = v3_dot(row[0], axis[0]),
                     .yy = v3_dot(row[1], axis[1]),
                     .zz = v3_dot(row[2], axis[2]),
                     .xy = v3_dot(row[0], axis[1]),
                     .xz = v3_dot(row[0], axis[2]),
                     .yz = v3_dot(row[1], axis[2])};
}

/* ---- a step ---- */

/* Where the body is, its carrier being at q and x, with the sign that its quaternion had. */
static tn_quat carried(const tn_hinge_world *w, const tn_hinge_weld *weld, tn_quat q)
{
    const double *before = w->at.q + 4 * (size_t)weld->body;
    q = q_mul(q, weld->turn);
    if (w->flat)
        q.x = q.y = 0.0;
    const double along = q.w * before[0] + q.x * before[1] + q.y * before[2] + q.z * before[3];
    return along < 0.0 ? (tn_quat){-q.w, -q.x, -q.y, -q.z} : q;
}

/* Of one that does not move: where it stays. */
static void begin_still(const tn_sim *sim, tn_hinge_weld *weld)
{
    const tn_hinge_world *w = &tn_alpha_of(sim)->hinges->forest.world;
    const tn_quat none = {1.0, 0.0, 0.0, 0.0};
    const bool on_ground = weld->carrier < 0;
    const tn_quat q = on_ground ? none : sim->state.q[weld->carrier];
    weld->offset = on_ground ? weld->at : hinge_in_world(q, weld->at);
    weld->stays = carried(w, weld, q);
    const tn_vec3 x = on_ground ? weld->at : v3_add(sim->state.x[weld->carrier], weld->offset);
    sim->sys.T[weld->body] = (tn_xform){q_to_m3(weld->stays), tn_hinge_in_plane(w, weld->body, x)};
}

/* m/s, m/s^2: of its centre of mass. */
static tn_vec3 velocity_of(const tn_hinge_world *w, const double *a, const tn_hinge_weld *weld)
{
    double six[6];
    hinge_get_six(w, a, weld->u, six);
    return v3_load(six);
}

/* Where the step begins. */
static void begin(const tn_sim *sim, const tn_hinge_rule *c, tn_hinge_weld *weld)
{
    const tn_hinge_world *w = &tn_alpha_of(sim)->hinges->forest.world;
    if (weld->link < 0) {
        begin_still(sim, weld);
        return;
    }
    const tn_vec3 u = velocity_of(w, w->at.u, weld), udot = velocity_of(w, w->at.udot, weld),
                  a = velocity_of(w, w->at.acc, weld);
    weld->acc = v3_axpy(v3_scale(c->acc_udot, udot), c->acc_acc, a);
    weld->drift = v3_axpy(v3_scale(c->drift_u, u), 1.0,
                          v3_axpy(v3_scale(c->drift_a, a), c->drift_acc, weld->acc));
    weld->coast = v3_add(u, v3_axpy(v3_scale(c->coast_a, a), c->coast_acc, weld->acc));
    weld->began = hinge_in_world(sim->state.q[weld->carrier], weld->at);
}

void tn_hinge_welds_begin(const tn_sim *sim, const tn_hinge_rule *c)
{
    const tn_hinge_welds *welds = &tn_alpha_of(sim)->hinges->welds;
    for (int32_t n = 0; n < welds->count; n++)
        begin(sim, c, &welds->all[n]);
}

static tn_vec3 udot_of(const double *link)
{
    return limb_v3(link + TN_LIMB_FIELD(udot));
}

/* Of Dx and D, that links have. */
static void move_by_turn(const tn_hinge_rule *c, const double *link, tn_hinge_weld *weld)
{
    const tn_vec3 turned = rq_moves(limb_q(link + TN_LIMB_FIELD(turned)), weld->began),
                  moved = v3_add(limb_v3(link + TN_LIMB_FIELD(moved)), turned);
    weld->udot = v3_scale(c->beta, v3_sub(moved, weld->drift));
    weld->offset = v3_add(weld->began, turned);
}

/* Of the first order, as a correction is (hinge_twist). */
static void move_by_twist(const tn_hinge_rule *c, const double *link, tn_hinge_weld *weld)
{
    const tn_vec3 turned = v3_cross(limb_v3(link + TN_LIMB_FIELD(w)), weld->offset),
                  more = v3_sub(udot_of(link), weld->carrier_udot);
    weld->udot = v3_add(weld->udot, v3_axpy(more, c->beta, turned));
    weld->offset = hinge_in_world(limb_q(link + TN_LIMB_FIELD(q)), weld->at);
}

/* What its mass weighs on the link. Out: from P to the centre of mass, backwards. */
static tn_vec3 weigh_on(const tn_hinge_world *w, double *link, tn_hinge_weld *weld)
{
    const tn_vec3 arm = v3_sub(limb_v3(link + TN_LIMB_FIELD(arm)), weld->offset);
    double *f = link + TN_LIMB_FIELD(f), *n = link + TN_LIMB_FIELD(n);
    weld->carrier_udot = udot_of(link);
    weld->f = v3_scale(weld->mass, v3_sub(w->gravity, weld->udot));
    weld->m = (tn_vec3){0.0, 0.0, 0.0};
    put_v3(f, v3_add(limb_v3(f), weld->f));
    put_v3(n, v3_sub(limb_v3(n), v3_cross(arm, weld->f)));
    return arm;
}

/* hinge_part of a mass without J, r from it to O. */
static void add_part(const tn_hinge_rule *c, const tn_hinge_weld *weld, tn_vec3 r,
                     tn_hinge_record *record)
{
    const tn_vec3 f = v3_scale(c->by_beta, weld->f), mr = v3_scale(weld->mass, r);
    tn_mat3 C;
    memcpy(C.m, record->part.C, sizeof C.m);
    r33_add_arm(&C, mr, r);
    r33_add_couple(&C, r, f);
    memcpy(record->part.C, C.m, sizeof C.m);
    v3_store(record->part.B, v3_add(v3_load(record->part.B), mr));
    v3_store(record->part.D, v3_add(v3_load(record->part.D), v3_sub(f, mr)));
    record->part.mass += weld->mass;
}

/* Of one that does not move: its weight, for the weld. */
static void weigh_still(const tn_hinge_world *w, tn_hinge_weld *weld)
{
    weld->f = v3_scale(weld->mass, w->gravity);
    weld->m = (tn_vec3){0.0, 0.0, 0.0};
}

typedef void move_weld(const tn_hinge_rule *c, const double *link, tn_hinge_weld *weld);

/* Moves it with its link, and puts its weight there. Out: whether it moves, and weigh_on's arm. */
static bool go_with_link(const tn_hinge_world *w, const tn_hinge_rule *c, move_weld *move,
                         tn_hinge_weld *weld, tn_vec3 *arm)
{
    if (weld->link < 0) {
        weigh_still(w, weld);
        return false;
    }
    double *link = hinge_limb_at(w, weld->link);
    move(c, link, weld);
    *arm = weigh_on(w, link, weld);
    return true;
}

void tn_hinge_welds_predict(const tn_alpha_hinges *hinges, const tn_hinge_rule *c)
{
    const tn_hinge_world *w = &hinges->forest.world;
    tn_vec3 arm;
    for (int32_t n = 0; n < hinges->welds.count; n++) {
        tn_hinge_weld *weld = &hinges->welds.all[n];
        if (!go_with_link(w, c, move_by_turn, weld, &arm))
            continue;
        const double *link = hinge_limb_at(w, weld->link);
        add_part(c, weld, v3_sub(arm, limb_v3(link + TN_LIMB_FIELD(place))),
                 &w->records[weld->link]);
    }
}

void tn_hinge_welds_correct(const tn_alpha_hinges *hinges, const tn_hinge_rule *c, bool by_twist)
{
    tn_vec3 unused;
    for (int32_t n = 0; n < hinges->welds.count; n++)
        (void)go_with_link(&hinges->forest.world, c, by_twist ? move_by_twist : move_by_turn,
                           &hinges->welds.all[n], &unused);
}

/* ---- the end ---- */

/* The energies of a mass in a point (body_book). */
static tn_body_books book_of(const tn_hinge_world *w, const tn_hinge_rule *c,
                             const tn_hinge_weld *weld, tn_vec3 u, tn_vec3 x)
{
    const tn_vec3 none = {0.0, 0.0, 0.0}, u0 = velocity_of(w, w->at.u, weld),
                  x0 = v3_load(w->at.x + 3 * (size_t)weld->body);
    const tn_body_change change = {v3_sub(u, u0), v3_add(u, u0), none, none, none, none};
    return body_book(weld->mass, &change, weld->mass * v3_dot(w->gravity, v3_sub(x, x0)), c->h);
}

static double sum_of(const double *a, int32_t count)
{
    double sum = 0.0;
    for (int32_t n = 0; n < count; n++)
        sum += a[n];
    return sum;
}

/* Velocities and accelerations, the carrier's being there. Out: their sum. */
static double show_velocities(const tn_hinge_world *w, const tn_hinge_rule *c,
                              const tn_hinge_weld *weld, int64_t carrier)
{
    double before[6], u[6], udot[6], acc[6], rate[6];
    hinge_get_six(w, w->at.udot, weld->u, before);
    hinge_get_six(w, w->to.u, carrier, u);
    hinge_get_six(w, w->to.udot, carrier, udot);
    hinge_get_six(w, w->to.acc, carrier, acc);
    v3_store(u, tn_hinge_weld_speed(c, weld));
    v3_store(udot, weld->udot);
    v3_store(acc, v3_axpy(weld->acc, c->acc_new, weld->udot));
    const tn_mat3 turn = q_to_m3(weld->turn); /* angular ones are the carrier's, in other axes */
    v3_store(u + 3, m3_tmulv(&turn, v3_load(u + 3)));
    v3_store(udot + 3, m3_tmulv(&turn, v3_load(udot + 3)));
    v3_store(acc + 3, m3_tmulv(&turn, v3_load(acc + 3)));
    for (int i = 0; i < 6; i++)
        rate[i] = 1.0 / c->h * (udot[i] - before[i]);
    hinge_put_six(w, u, w->to.u, weld->u);
    hinge_put_six(w, udot, w->to.udot, weld->u);
    hinge_put_six(w, acc, w->to.acc, weld->u);
    if (w->has_rates)
        hinge_put_six(w, rate, w->to.udot_rate, weld->u);
    return sum_of(u, 6) + sum_of(udot, 6);
}

static void show_moving(tn_sim *sim, const tn_hinge_rule *c, tn_hinge_welds *welds,
                        const tn_hinge_weld *weld)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_hinge_world *w = &hinges->forest.world;
    const double *link = hinge_limb_at(w, weld->link);
    const tn_quat q = carried(w, weld, limb_q(link + TN_LIMB_FIELD(q)));
    const tn_vec3 x =
        tn_hinge_in_plane(w, weld->body, v3_add(limb_v3(link + TN_LIMB_FIELD(x)), weld->offset));
    const tn_body_books own = book_of(w, c, weld, tn_hinge_weld_speed(c, weld), x);
    body_add_books(&own, &welds->told);
    welds->sum += show_velocities(w, c, weld, hinges->places[weld->link].u);
    v3_store(w->to.x + 3 * (size_t)weld->body, x);
    memcpy(w->to.q + 4 * (size_t)weld->body, &q, sizeof q);
    w->frames.T[weld->body] = (tn_xform){q_to_m3(q), x};
}

/* Poses stay, and what moves is nothing. */
static void show_still(const tn_hinge_world *w, const tn_hinge_rule *c, const tn_hinge_weld *weld)
{
    const size_t i = (size_t)weld->body;
    v3_store(w->to.x + 3 * i, w->frames.T[i].p);
    memcpy(w->to.q + 4 * i, &weld->stays, sizeof weld->stays);
    for (int64_t n = weld->u; n < weld->u + (w->flat ? TN_FLAT_SIZE : 6); n++) {
        if (w->has_rates)
            w->to.udot_rate[n] = -1.0 / c->h * w->at.udot[n];
        w->to.u[n] = w->to.udot[n] = w->to.acc[n] = 0.0;
    }
}

void tn_hinge_welds_show_motion(tn_sim *sim, const tn_hinge_rule *c)
{
    tn_hinge_welds *welds = &tn_alpha_of(sim)->hinges->welds;
    welds->told = body_no_books();
    welds->sum = 0.0;
    for (int32_t n = 0; n < welds->count; n++) {
        if (welds->all[n].link < 0)
            show_still(&tn_alpha_of(sim)->hinges->forest.world, c, &welds->all[n]);
        else
            show_moving(sim, c, welds, &welds->all[n]);
    }
}

/* What the body's turning takes, and what else acts on it, about its centre of mass. */
static tn_vec3 moment_of(const tn_hinge_world *w, const tn_mat3 *R, const tn_hinge_weld *weld)
{
    double u[6], accelerated[6];
    hinge_get_six(w, w->to.u, weld->u, u);
    hinge_get_six(w, w->to.udot, weld->u, accelerated);
    const tn_vec3 turn = v3_load(u + 3), udot = v3_load(accelerated + 3),
                  gyroscopic = v3_cross(s3_mulv(&weld->J, turn), turn);
    if (weld->link < 0)
        return weld->m;
    return v3_add(weld->m, m3_mulv(R, v3_sub(gyroscopic, s3_mulv(&weld->J, udot))));
}

/* A wrench at the point P to what it hangs on, so far from the world's origin. */
static void hang(tn_hinge_weld *on, tn_vec3 x, tn_vec3 P, tn_vec3 f, tn_vec3 m)
{
    on->hung_f = v3_add(on->hung_f, f);
    on->hung_m = v3_add(on->hung_m, v3_add(m, v3_cross(v3_sub(P, x), f)));
}

/* Pulls of links are kept in place of their twists (hinge_show.h). */
static void hang_links(const tn_sim *sim, const tn_hinge_welds *welds)
{
    const tn_hinge_world *w = &tn_alpha_of(sim)->hinges->forest.world;
    for (int32_t n = 0; n < welds->count; n++)
        welds->all[n].hung_f = welds->all[n].hung_m = (tn_vec3){0.0, 0.0, 0.0};
    for (int32_t n = 0; n < welds->hung_count; n++) {
        tn_hinge_weld *weld = &welds->all[welds->hung[n].weld];
        const double *link = hinge_limb_at(w, welds->hung[n].link);
        const tn_vec3 P =
            v3_add(limb_v3(link + TN_LIMB_FIELD(x)), limb_v3(link + TN_LIMB_FIELD(arm)));
        hang(weld, sim->sys.T[weld->body].p, P, limb_v3(link + TN_LIMB_FIELD(v)),
             limb_v3(link + TN_LIMB_FIELD(w)));
    }
}

/* Frames of its joint, which is closed. */
static void put_frames(const tn_sim *sim, int32_t j)
{
    const tn_model_joint *joint = &sim->model->joints[j];
    tn_joint_kinematics *kin = &sim->sys.kin[j];
    const tn_xform *T_A = tn_system_xform(&sim->sys, joint->a),
                   *T_B = tn_system_xform(&sim->sys, joint->b);
    const tn_xform D = xf_mul(T_B, &joint->geometry.T_DB);
    kin->R_GW = D.R;
    kin->r_A = v3_sub(D.p, T_A->p);
    kin->r_B = v3_sub(D.p, T_B->p);
    memset(kin->error, 0, sizeof kin->error);
    kin->T_GD = xf_identity();
    kin->unique = 1;
    kin->off = 0;
    kin->vanished = 0;
    memset(sim->sys.phi + sim->sys.layout->y_offset[j], 0,
           sizeof(double) * (size_t)joint->kept_bilateral);
}

/* Multipliers of its joint, of the wrench on the body about its centre of mass. Out: their sum. */
static double show_joint(tn_sim *sim, const tn_hinge_rule *c, const tn_hinge_weld *weld, tn_vec3 F,
                         tn_vec3 M)
{
    const tn_hinge_world *w = &tn_alpha_of(sim)->hinges->forest.world;
    const int32_t j = weld->joint;
    const size_t at = (size_t)j * TN_MAX_ROWS;
    double before[TN_MAX_ROWS], wrench[6], *lambda = w->to.lambda + at;
    memcpy(before, w->at.lambda + at, sizeof before);
    memcpy(lambda, before, sizeof before);
    put_frames(sim, j);
    const tn_joint_kinematics *kin = &sim->sys.kin[j];
    const double sign = weld->is_a ? 1.0 : -1.0;
    const tn_vec3 at_G = v3_sub(M, v3_cross(weld->is_a ? kin->r_A : kin->r_B, F));
    v3_store(wrench, m3_tmulv(&kin->R_GW, v3_scale(sign, F)));
    v3_store(wrench + 3, m3_tmulv(&kin->R_GW, v3_scale(sign, at_G)));
    tn_hinge_multipliers(&sim->model->joints[j].geometry, kin, wrench, lambda);
    tn_hinge_drop_rows(&sim->model->joints[j], lambda);
    for (size_t n = 0; n < TN_MAX_ROWS && w->has_rates; n++)
        w->to.lambda_rate[at + n] = 1.0 / c->h * (lambda[n] - before[n]);
    return sum_of(lambda, TN_MAX_ROWS);
}

double tn_hinge_welds_show_forces(tn_sim *sim, const tn_hinge_rule *c)
{
    const tn_hinge_welds *welds = &tn_alpha_of(sim)->hinges->welds;
    double sum = welds->sum;
    hang_links(sim, welds);
    for (int32_t n = welds->count - 1; n >= 0; n--) {
        const tn_hinge_weld *weld = &welds->all[n];
        const tn_xform *T = &sim->sys.T[weld->body];
        const tn_vec3 F = v3_sub(weld->hung_f, weld->f),
                      M = v3_sub(weld->hung_m,
                                 moment_of(&tn_alpha_of(sim)->hinges->forest.world, &T->R, weld));
        sum += show_joint(sim, c, weld, F, M);
        if (weld->inner >= 0)
            hang(&welds->all[weld->inner], sim->sys.T[welds->all[weld->inner].body].p, T->p, F, M);
    }
    return sum;
}
