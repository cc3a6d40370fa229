/* books.c: room step/part: the energy accounting of a sub-step.
 *
 * In: the states before and after h seconds. With E the kinetic, potential and elastic energy, W the work of drivers,
 * motors and loads, L the losses to friction and damping, joints that do no work leave
 *     B = dE - dW + dL = 0.
 * A method of order p has an error B of O(h^(p+1)) in a step. It is compared with the energy that the step exchanges:
 * for every body, in the kinetic metric, |du| |u|, the work of its inertia if it acted along the path all the time,
 * and the work of its weight, of springs, drives and loads,
 *     X = sum (m |dv| |v| + |dw|_J |w|_J + h |w| w.J w + m |g . dx|) + |dE_el| + |dW| + |dL|.
 * X is not small where something turns: a body on a rod has (h w) m v^2. The error is about (h w)^2 / 12 of it; both
 * figures have no units and do not depend on the size of the machine.
 *
 * Powers are known at the ends only: the more they change, the less certain is their work. The same holds for springs
 * whose oscillation is too fast for the step: their energy is uncertain.
 *
 * Limits: impulses (of impacts, of switches) act between sub-steps and are not part of this accounting.
 */
#include "step/part/books.h"

#include <math.h>
#include <string.h>

#include "assemble/armature.h"
#include "assemble/body_terms.h"
#include "assemble/drive_terms.h"
#include "base/base.h"
#include "math/dense/worst.h"
#include "math/lanes.h"

/* A power that changes by more than this share of itself is not resolved by the step. */
#define TN_RESOLVED_POWER 0.5

/* Is the armature that of an angle? */
static bool turns(const tn_sim *sim, int32_t n)
{
    const tn_model_armature *of = &sim->model->armatures[n];
    const tn_joint_type_info *info = &sim->model->joints[of->joint].geometry.cls->info;
    return info->coordinates[of->row - info->bilateral_count].angular;
}

tn_status tn_books_create(const tn_sim *sim, tn_opening *opening)
{
    const int64_t rows = sim->model->loop_joints > 0 ? sim->sys.layout->y_size : 0;
    opening->own_u = TN_NEW_ARRAY(double, sim->model->size.velocities);
    opening->gap = TN_NEW_ARRAY(double, rows);
    opening->spin = TN_NEW_ARRAY(double, 2 * (int64_t)sim->model->armature_count);
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        if (body->dim == 0)
            continue;
        opening->mass += body->mass;
        opening->inertia += body->J.m[0][0] + body->J.m[1][1] + body->J.m[2][2];
    }
    for (int32_t n = 0; n < sim->model->armature_count; n++)
        *(turns(sim, n) ? &opening->inertia : &opening->mass) += sim->model->armatures[n].inertia;
    return opening->own_u && opening->gap && opening->spin ? TN_OK : TN_ERROR_MEMORY;
}

void tn_books_destroy(tn_opening *opening)
{
    tn_free(opening->own_u);
    tn_free(opening->gap);
    tn_free(opening->spin);
}

void tn_books_open(const tn_sim *sim, const tn_state *from, double step, tn_opening *opening)
{
    opening->from = from;
    opening->step = step;
    opening->stored = tn_store_of(&sim->sys, from, step, &opening->stiff);
    if (tn_gap_is_on(from))
        memcpy(opening->gap, sim->sys.gap, sizeof(double) * (size_t)sim->sys.layout->y_size);
}

void tn_books_note_speeds(const tn_sim *sim, tn_opening *opening)
{
    const size_t bytes = sizeof(double) * (size_t)sim->model->size.velocities;
    opening->u = opening->from->u;
    tn_armatures_speeds(&sim->sys, opening->from, sim->state.u, opening->spin);
    if (sim->from == opening->from) /* nothing has moved since then */
        return;
    if (memcmp(opening->u, sim->state.u, bytes) == 0)
        return;
    memcpy(opening->own_u, sim->state.u, bytes);
    opening->u = opening->own_u;
    opening->spun = tn_armatures_energy(&sim->sys, opening->from, opening->from->u);
}

/* Squares of velocities and their changes in the kinetic metric, J: m v^2, w.J w. */
typedef struct tn_squares {
    double run, pushed;   /* of v and dv */
    double spun, twisted; /* of w and dw */
} tn_squares;

/* The change of one body's velocities over a sub-step. */
typedef struct tn_change {
    tn_squares of;     /* the mean velocities, and the changes */
    double made;       /* J, kinetic energy */
    double turn_speed; /* rad/s, of the mean */
    double fallen;     /* J, work of the weight */
} tn_change;

/* Kinetic and potential energy from differences of velocity and pose, which have less round-off than differences of
 * energies. */
static tn_change change_in_plane(const tn_sim *sim, const tn_opening *opening, int32_t i)
{
    const tn_model_body *body = &sim->model->bodies[i];
    const double *u = sim->state.u + body->u, *u0 = opening->u + body->u;
    const tn_vec3 *x = &sim->state.x[i], *x0 = &opening->from->x[i], g = sim->model->gravity;
    const double m = body->mass, J = body->J.m[2][2];
    const double dv[] = {u[0] - u0[0], u[1] - u0[1]}, dw = u[2] - u0[2];
    const double v[] = {0.5 * (u[0] + u0[0]), 0.5 * (u[1] + u0[1])}, w = 0.5 * (u[2] + u0[2]);
    const tn_squares of = {.run = m * (v[0] * v[0] + v[1] * v[1]),
                           .pushed = m * (dv[0] * dv[0] + dv[1] * dv[1]),
                           .spun = J * w * w,
                           .twisted = J * dw * dw};
    return (tn_change){of, m * (dv[0] * v[0] + dv[1] * v[1]) + J * dw * w, fabs(w),
                       m * (g.x * (x->x - x0->x) + g.y * (x->y - x0->y))};
}

static tn_change change_in_space(const tn_sim *sim, const tn_opening *opening, int32_t i)
{
    const tn_model_body *body = &sim->model->bodies[i];
    tn_vec3 v, w, v0, w0;
    tn_body_unpack(body, sim->state.u, &v, &w);
    tn_body_unpack(body, opening->u, &v0, &w0);
    const tn_vec3 dv = v3_sub(v, v0), dw = v3_sub(w, w0);
    const tn_vec3 mean_v = v3_scale(0.5, v3_add(v, v0)), mean_w = v3_scale(0.5, v3_add(w, w0));
    const tn_vec3 dx = v3_sub(sim->state.x[i], opening->from->x[i]);
    const tn_vec3 turned = m3_mulv(&body->J, dw), spin = m3_mulv(&body->J, mean_w);
    const tn_squares of = {.run = body->mass * v3_dot(mean_v, mean_v),
                           .pushed = body->mass * v3_dot(dv, dv),
                           .spun = v3_dot(spin, mean_w),
                           .twisted = v3_dot(turned, dw)};
    return (tn_change){of, body->mass * v3_dot(dv, mean_v) + v3_dot(turned, mean_w),
                       v3_norm(mean_w), body->mass * v3_dot(sim->model->gravity, dx)};
}

static void add_body(const tn_sim *sim, const tn_opening *opening, int32_t i, double h, tn_books *b,
                     tn_squares *sum)
{
    const bool planar = sim->model->bodies[i].kind == TN_BODY_PLANAR;
    const tn_change c =
        planar ? change_in_plane(sim, opening, i) : change_in_space(sim, opening, i);
    b->made += c.made - c.fallen;
    b->moved += sqrt(c.of.pushed * c.of.run) + sqrt(c.of.twisted * c.of.spun) +
                h * c.of.spun * c.turn_speed + fabs(c.fallen);
    b->size += fabs(c.fallen);
    sum->run += c.of.run;
    sum->pushed += c.of.pushed;
    sum->spun += c.of.spun;
    sum->twisted += c.of.twisted;
}

/* Mean and change of one velocity of a planar body. */
TN_INLINE tn_v2 mean_and_change(double now, double before)
{
    return (tn_v2){0.5 * (now + before), now - before};
}

/* The same sums as add_body, for a planar body: mean velocity and change are the two lanes of one vector. */
TN_INLINE void add_planar(const tn_sim *sim, const tn_opening *opening, int32_t i, double h,
                          tn_books *b, tn_v2 *moves, tn_v2 *turns)
{
    const tn_model_body *body = &sim->model->bodies[i];
    const double *u = sim->state.u + body->u, *u0 = opening->u + body->u;
    const tn_vec3 *x = &sim->state.x[i], *x0 = &opening->from->x[i], g = sim->model->gravity;
    const double m = body->mass, J = body->J.m[2][2];
    const tn_v2 vx = mean_and_change(u[0], u0[0]), vy = mean_and_change(u[1], u0[1]),
                w = mean_and_change(u[2], u0[2]);
    const tn_v2 run = m * (vx * vx + vy * vy),
                spun = J * w * w; /* of mean and change; twice the energy, J */
    const double made = m * (vx[1] * vx[0] + vy[1] * vy[0]) + J * w[1] * w[0];
    const double fallen = m * (g.x * (x->x - x0->x) + g.y * (x->y - x0->y));
    b->made += made - fallen;
    b->moved +=
        sqrt(run[1] * run[0]) + sqrt(spun[1] * spun[0]) + h * spun[0] * fabs(w[0]) + fabs(fallen);
    b->size += fabs(fallen);
    *moves += run;
    *turns += spun;
}

/* A run of planar bodies; returns the first body that is not planar. */
static int32_t add_planar_row(const tn_sim *sim, const tn_opening *opening, int32_t first, double h,
                              tn_books *books, tn_squares *squares)
{
    tn_v2 moves = {squares->run, squares->pushed}, turns = {squares->spun, squares->twisted};
    tn_books b = *books;
    int32_t i = first;
    for (; i < sim->model->body_count && sim->model->bodies[i].kind == TN_BODY_PLANAR; i++)
        add_planar(sim, opening, i, h, &b, &moves, &turns);
    *books = b;
    *squares = (tn_squares){moves[0], moves[1], turns[0], turns[1]};
    return i;
}

#if __has_builtin(__builtin_shufflevector)
#define TN_BOOKS_WIDE 1

/* x, y, z and the number after z. */
TN_WIDE static inline tn_v4 lanes_at(const double *p)
{
    return *(const tn_v4 *)p;
}

/* x + y + z of each vector; the fourth lane is not read. */
TN_WIDE static inline tn_v4 sums_of(tn_v4 a, tn_v4 b, tn_v4 c, tn_v4 d)
{
    const tn_v4 ab_02 = __builtin_shufflevector(a, b, 0, 4, 2, 6);
    const tn_v4 cd_02 = __builtin_shufflevector(c, d, 0, 4, 2, 6);
    const tn_v4 ab_13 = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const tn_v4 cd_13 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    return __builtin_shufflevector(ab_02, cd_02, 0, 1, 4, 5) +
           __builtin_shufflevector(ab_13, cd_13, 0, 1, 4, 5) +
           __builtin_shufflevector(ab_02, cd_02, 2, 3, 6, 7);
}

TN_WIDE static inline tn_v4 inertia_times(const tn_mat3 *J, tn_v4 w)
{
    const tn_v4 z = lanes_at(J->m[2]) * w;
    return sums_of(lanes_at(J->m[0]) * w, lanes_at(J->m[1]) * w, z, z);
}

/* The same sums as add_body, in vectors of four, for a body of six velocities that is followed by another: the fourth
 * lane reads the number after z, which lies within the array. */
TN_WIDE static inline void add_wide(const tn_model_body *body, const double *u, const double *u0,
                                    tn_v4 falls, double h, tn_books *b, tn_v4 *sum)
{
    const double m = body->mass;
    const tn_v4 half = {0.5, 0.5, 0.5, 0.5}, masses = {m, m, 1.0, 1.0};
    const tn_v4 v = lanes_at(u), w = lanes_at(u + 3);
    const tn_v4 v0 = lanes_at(u0), w0 = lanes_at(u0 + 3);
    const tn_v4 dv = v - v0, dw = w - w0, mean_v = half * (v + v0), mean_w = half * (w + w0);
    const tn_v4 turned = inertia_times(&body->J, dw), spin = inertia_times(&body->J, mean_w);
    const tn_v4 of = masses * sums_of(mean_v * mean_v, dv * dv, spin * mean_w, turned * dw);
    const tn_v4 others = sums_of(dv * mean_v, turned * mean_w, mean_w * mean_w, falls);
    const double fallen = m * others[3];
    b->made += m * others[0] + others[1] - fallen;
    b->moved +=
        sqrt(of[1] * of[0]) + sqrt(of[3] * of[2]) + h * of[2] * sqrt(others[2]) + fabs(fallen);
    b->size += fabs(fallen);
    *sum += of;
}

/* A run of such bodies, as most of those in space are; returns the first that is not one. */
TN_WIDE static int32_t add_row_wide(const tn_sim *sim, const tn_opening *opening, int32_t first,
                                    double h, tn_books *books, tn_squares *squares)
{
    const tn_model *model = sim->model;
    const tn_vec3 *x = sim->state.x, *x0 = opening->from->x, g = model->gravity;
    const tn_v4 gravity = {g.x, g.y, g.z, 0.0};
    tn_v4 sum = {squares->run, squares->pushed, squares->spun, squares->twisted};
    tn_books b = *books;
    int32_t i = first;
    for (; i + 1 < model->body_count && model->bodies[i].dim == 6 &&
           model->bodies[i].u + 6 < model->size.velocities;
         i++) {
        const tn_model_body *body = &model->bodies[i];
        const tn_v4 fall = gravity * (lanes_at(&x[i].x) - lanes_at(&x0[i].x));
        add_wide(body, sim->state.u + body->u, opening->u + body->u, fall, h, &b, &sum);
    }
    *books = b;
    *squares = (tn_squares){sum[0], sum[1], sum[2], sum[3]};
    return i;
}

#else
#define TN_BOOKS_WIDE 0
static int32_t add_row_wide(const tn_sim *sim, const tn_opening *opening, int32_t first, double h,
                            tn_books *b, tn_squares *sum)
{
    return first;
}
#endif

/* Kinetic energy of velocities `to` less that of `from`. */
static double kinetic_change(const tn_sim *sim, const double *from, const double *to)
{
    double sum = 0.0;
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        if (body->dim == 0)
            continue;
        tn_vec3 v, w, v0, w0;
        tn_body_unpack(body, to, &v, &w);
        tn_body_unpack(body, from, &v0, &w0);
        const tn_vec3 turned = m3_mulv(&body->J, v3_sub(w, w0));
        sum += 0.5 * body->mass * v3_dot(v3_sub(v, v0), v3_add(v, v0)) +
               0.5 * v3_dot(turned, v3_add(w, w0));
    }
    return sum;
}

/* The sums over all bodies. */
static tn_squares add_up(const tn_sim *sim, const tn_opening *opening, double h, tn_books *b)
{
    tn_squares sum = {0.0, 0.0, 0.0, 0.0};
    const bool wide = TN_BOOKS_WIDE && tn_wide_lanes();
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        i = add_planar_row(sim, opening, i, h, b, &sum);
        if (wide)
            i = add_row_wide(sim, opening, i, h, b, &sum);
        if (i < sim->model->body_count && sim->model->bodies[i].dim > 0)
            add_body(sim, opening, i, h, b, &sum);
    }
    return sum;
}

/* The same sums, where the method has computed them already. */
static tn_squares add_moved(const tn_moved *known, tn_books *b)
{
    b->made += known->made;
    b->moved += known->moved;
    b->size += known->size;
    return (tn_squares){known->run, known->pushed, known->spun, known->twisted};
}

static void add_armatures(const tn_sim *sim, const tn_opening *opening, tn_books *b,
                          tn_squares *sum)
{
    double begun = 0.0, *speeds = opening->spin + sim->model->armature_count;
    tn_armatures_speeds(&sim->sys, &sim->state, sim->state.u, speeds);
    for (int32_t n = 0; n < sim->model->armature_count; n++) {
        const double a = sim->model->armatures[n].inertia, before = opening->spin[n];
        const double now = speeds[n];
        const double mean = 0.5 * (now + before), change = now - before;
        b->made += a * change * mean;
        b->moved += a * fabs(change * mean);
        *(turns(sim, n) ? &sum->spun : &sum->run) += a * mean * mean;
        *(turns(sim, n) ? &sum->twisted : &sum->pushed) += a * change * change;
        begun += 0.5 * a * before * before;
    }
    if (opening->u != opening->from->u)
        b->changed += begun - opening->spun;
}

/* Poses are exact to the tolerance e, velocities to e / h: what these may change counts as uncertain or as noise. */
static void add_bodies(const tn_sim *sim, const tn_opening *opening, double h, tn_books *b)
{
    const double tolerance = sim->options.position_tolerance, blur = tolerance / h;
    tn_squares sum = sim->told.moves ? add_moved(&sim->told.moved, b) : add_up(sim, opening, h, b);
    if (opening->u != opening->from->u)
        b->changed = kinetic_change(sim, opening->from->u, opening->u);
    add_armatures(sim, opening, b, &sum);
    b->kinetic = 0.5 * (sum.run + sum.spun);
    b->size += 2.0 * b->kinetic;
    /* sub-steps chosen by accuracy do not depend on output times, so they count by their own length */
    const double step = sim->traits.divides_steps ? h : tn_larger(h, opening->step);
    const double rest = tolerance / step, mass = opening->mass + opening->inertia;
    /* forces in a sub-step much shorter than its step may be impulsive: they count by their mean over the step */
    const double lifted =
        (sim->model->lever * v3_norm(sim->model->gravity) + sim->pushed * (h / step)) * tolerance;
    b->noise = mass * rest * rest + lifted;
    b->blurred = mass * blur * blur + lifted +
                 blur * (sqrt(opening->mass * (sum.run + sum.pushed)) +
                         sqrt(opening->inertia * (sum.spun + sum.twisted)));
    b->uncertain += b->blurred;
}

/* Largest error of the trapezoidal rule for a work, given the powers of both ends: about (h k)^2 / 12 of a power that
 * grows as exp(k t). Where the ends differ too much to say what was between them, all of the work. */
static double unresolved(double before, double after, double h)
{
    if (after == before)
        return 0.0; /* those of most drives */
    const double change = fabs(after - before), larger = tn_larger(fabs(before), fabs(after));
    if (change > TN_RESOLVED_POWER * larger)
        return h * larger;
    return larger > 0.0 ? h * change * change / (12.0 * larger) : 0.0;
}

/* Adds the energy of springs and compliant rows. */
static void add_store(const tn_sim *sim, const tn_opening *opening, double h, tn_books *b)
{
    tn_stiff_store stiff;
    const double after = tn_store_of(&sim->sys, &sim->state, opening->step, &stiff);
    const double stored = after - opening->stored;
    const double swung = stiff.energy - opening->stiff.energy;
    b->made += stored;
    b->moved += fabs(stored);
    b->size += after + opening->stored;
    b->uncertain += fabs(swung - 0.5 * h * (stiff.power + opening->stiff.power)) +
                    0.5 * h * (stiff.losses + opening->stiff.losses);
}

static void add_work(const tn_sim *sim, const tn_opening *opening, double h, tn_books *b)
{
    const tn_state *s = &sim->state, *from = opening->from;
    const double work = s->head->work - from->head->work, lost = s->head->lost - from->head->lost;
    b->made += lost - work;
    b->moved += fabs(work) + fabs(lost);
    b->size += fabs(work) + fabs(lost);
    b->uncertain += unresolved(from->head->losing, s->head->losing, h);
    for (int32_t k = 0; k < s->head->drive_count; k++) {
        const tn_drive *after = &s->drives[k], *before = &from->drives[k];
        b->uncertain += unresolved(before->power_in, after->power_in, h) +
                        unresolved(before->power_out, after->power_out, h);
    }
    for (int32_t k = 0; k < sim->model->load_count + 2; k++)
        b->uncertain += unresolved(from->load_power[k], s->load_power[k], h);
}

/* Loops that no pose closes give way as they move: their forces do work along the gaps, and may be twice as large
 * between the ends as at the ends. */
static double work_at_gaps(const tn_sim *sim, const tn_opening *opening)
{
    double work = 0.0;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const int64_t slot = sim->sys.layout->y_offset[j];
        const tn_row_list rows = tn_active_rows(sim->model, &sim->state, j);
        const double *after = sim->state.lambda + (size_t)j * TN_MAX_ROWS;
        const double *before = opening->from->lambda + (size_t)j * TN_MAX_ROWS;
        for (int32_t n = 0; n < rows.count; n++) {
            work += 2.0 * tn_larger(fabs(after[rows.row[n]]), fabs(before[rows.row[n]])) *
                    fabs(sim->sys.gap[slot + n] - opening->gap[slot + n]);
        }
    }
    return work;
}

tn_books tn_books_close(const tn_sim *sim, const tn_opening *opening, double h)
{
    tn_books b = {0};
    add_bodies(sim, opening, h, &b);
    add_store(sim, opening, h, &b);
    add_work(sim, opening, h, &b);
    if (tn_gap_is_on(&sim->state))
        b.uncertain += work_at_gaps(sim, opening);
    b.corrected = sim->corrected;
    return b;
}

int32_t tn_books_mover(const tn_sim *sim, const tn_opening *opening, double h)
{
    int32_t most = -1;
    double moved = 0.0;
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        tn_books b = {0};
        tn_squares sum = {0.0, 0.0, 0.0, 0.0};
        if (sim->model->bodies[i].dim > 0)
            add_body(sim, opening, i, h, &b, &sum);
        if (b.moved > moved) {
            moved = b.moved;
            most = i;
        }
    }
    return most;
}
