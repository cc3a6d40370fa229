/* second.c: room redundancy: which states of stress are permanent, to second order.
 *
 * Along a motion G(t) u(t) = 0. A permanent stress, G(t)^T lambda(t) = 0, then has
 *     Q(u) = lambda^T (dG/dt) u = 0
 * for every velocity u that the rows allow. So a stress with Q(u) not 0 for one of them belongs to
 * this pose only: a change point, a dead point, a taut straight bar. Q is evaluated for random velocities,
 * more of them than there are stresses.
 *
 * Permanent stresses of single loops stay with their loops. If only a sum of stresses of several loops is
 * permanent, it becomes a stress of the group.
 *
 * Limits: what second order does not decide is left to the witness poses.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "math/dense/jacobi_svd.h"
#include "redundancy/redundancy.h"

#define TN_SECOND_SEED  11u
#define TN_SECOND_SPARE 4

typedef struct tn_second {
    tn_red_pose *pose;
    tn_red_closure *closure;
    double threshold;
    int32_t slots, samples;
    double
        *weight;   /* [slots] of a row's error or acceleration: 1 / size for lengths, 1 for turns */
    double *bend;  /* [count][samples] Q of each stress along random velocities */
    double *terms; /* [count] upper bound of Q */
} tn_second;

/* ---- the forms along random velocities ---- */

static void fill_weights(tn_second *s)
{
    for (int32_t j = 0; j < s->pose->model->element_count; j++) {
        for (int32_t n = 0; n < s->pose->state.switches[j].active_count; n++)
            s->weight[s->pose->sys.layout->y_offset[j] + n] = tn_red_weight(s->pose, j, n);
    }
}

/* Scales a stress to length 1, with moments divided by the size. */
static void normalise(const tn_second *s, double *lambda)
{
    double square = 0.0;
    for (int32_t i = 0; i < s->slots; i++) {
        const double entry = lambda[i] / (s->weight[i] * s->pose->size);
        square += s->weight[i] > 0.0 ? entry * entry : 0.0;
    }
    for (int32_t i = 0; i < s->slots && square > 0.0; i++)
        lambda[i] /= sqrt(square);
}

/* Upper bound of the acceleration of a joint's rows, from the speeds of its bodies: squares of rad/s, or of sizes
 * per second. (For couplings fill_scales takes the acceleration itself.) */
static double square_speed(const tn_second *s, const double *u, int32_t j)
{
    const int32_t body[2] = {s->pose->model->joints[j].a, s->pose->model->joints[j].b};
    double speed = 0.0;
    for (int k = 0; k < 2; k++) {
        if (body[k] < 0)
            continue;
        const tn_twist twist = tn_assemble_twist(&s->pose->sys, u, body[k]);
        speed = fmax(speed, fmax(v3_norm(twist.w), v3_norm(twist.v) / s->pose->size));
    }
    return speed * speed;
}

static void fill_scales(tn_second *s, const double *u, const double *gamma, double *scale)
{
    for (int32_t j = 0; j < s->pose->model->element_count; j++) {
        const double joint = j < s->pose->model->joint_count ? square_speed(s, u, j) : 0.0;
        for (int32_t n = 0; n < s->pose->state.switches[j].active_count; n++) {
            const int64_t slot = s->pose->sys.layout->y_offset[j] + n;
            scale[slot] =
                j < s->pose->model->joint_count ? joint / s->weight[slot] : fabs(gamma[slot]);
        }
    }
}

/* Q of every stress for u, into column k; and the upper bound of its terms. */
static void sample(tn_second *s, const double *u, double *gamma, double *scale, int32_t k)
{
    tn_assemble_gamma(&s->pose->sys, &s->pose->state, u, gamma);
    fill_scales(s, u, gamma, scale);
    for (int32_t q = 0; q < s->closure->count; q++) {
        const double *lambda = s->closure->stress[q].lambda;
        double sum = 0.0, terms = 0.0;
        for (int32_t i = 0; i < s->slots; i++) {
            if (lambda[i] == 0.0)
                continue;
            sum += lambda[i] * gamma[i];
            terms += fabs(lambda[i]) * scale[i];
        }
        s->bend[(int64_t)q * s->samples + k] = sum;
        s->terms[q] = fmax(s->terms[q], terms);
    }
}

static tn_status sample_all(tn_second *s)
{
    uint64_t seed = TN_SECOND_SEED;
    double *u = TN_NEW_ARRAY(double, s->pose->sys.layout->u_size);
    double *gamma = TN_NEW_ARRAY(double, s->slots), *scale = TN_NEW_ARRAY(double, s->slots);
    tn_status status = u && gamma && scale ? tn_red_pose_factor(s->pose) : TN_ERROR_MEMORY;
    for (int32_t k = 0; k < s->samples && status == TN_OK; k++) {
        double speed;
        status = tn_red_pose_velocity(s->pose, &seed, u, &speed);
        if (status == TN_OK && speed > 0.0)
            sample(s, u, gamma, scale, k);
    }
    tn_free(u);
    tn_free(gamma);
    tn_free(scale);
    return status;
}

/* Divides the forms by their upper bounds, so that zero is decided independent of speeds. */
static void scale_forms(tn_second *s)
{
    for (int32_t q = 0; q < s->closure->count; q++) {
        const double factor = s->terms[q] > 0.0 ? 1.0 / s->terms[q] : 1.0;
        for (int32_t k = 0; k < s->samples; k++)
            s->bend[(int64_t)q * s->samples + k] *= factor;
        for (int32_t i = 0; i < s->slots; i++)
            s->closure->stress[q].lambda[i] *= factor;
    }
}

/* ---- permanent stresses ---- */

/* Combines the listed stresses so that those with Q = 0 come first; *lasting: how many there are. */
static tn_status split(tn_second *s, const int32_t *list, int32_t count, int32_t *lasting)
{
    const int32_t K = s->samples, N = s->slots;
    double *A = TN_NEW_ARRAY(double, (int64_t)count *K);
    double *V = TN_NEW_ARRAY(double, (int64_t)count *count);
    double *sigma = TN_NEW_ARRAY(double, count);
    double *old = TN_NEW_ARRAY(double, (int64_t)count *N);
    const int good = A && V && sigma && old;
    *lasting = 0;
    for (int32_t q = 0; q < count && good; q++) {
        memcpy(A + (int64_t)q * K, s->bend + (int64_t)list[q] * K, sizeof(double) * (size_t)K);
        memcpy(old + (int64_t)q * N, s->closure->stress[list[q]].lambda,
               sizeof(double) * (size_t)N);
    }
    if (good)
        tn_jacobi_svd(K, count, A, V, sigma);
    for (int pass = 0; pass < 2 && good; pass++) {
        for (int32_t c = 0, to = pass == 0 ? 0 : *lasting; c < count; c++) {
            const int lasts = sigma[c] <= s->threshold * sqrt((double)K);
            if (lasts != (pass == 0))
                continue;
            double *lambda = s->closure->stress[list[to]].lambda;
            double *bend = s->bend + (int64_t)list[to++] * K;
            memset(lambda, 0, sizeof(double) * (size_t)N);
            for (int32_t q = 0; q < count; q++) {
                for (int32_t i = 0; i < N && V[(int64_t)c * count + q] != 0.0; i++)
                    lambda[i] += V[(int64_t)c * count + q] * old[(int64_t)q * N + i];
            }
            memcpy(bend, A + (int64_t)c * K, sizeof(double) * (size_t)K);
            *lasting += pass == 0;
        }
    }
    tn_free(A);
    tn_free(V);
    tn_free(sigma);
    tn_free(old);
    return good ? TN_OK : TN_ERROR_MEMORY;
}

/* The stresses of one loop, or the coupled ones of a group. */
static tn_status split_set(tn_second *s, int32_t loop, int32_t group, int32_t *list)
{
    int32_t count = 0, lasting;
    for (int32_t q = 0; q < s->closure->count; q++) {
        if (s->closure->stress[q].loop == loop && s->closure->stress[q].group == group)
            list[count++] = q;
    }
    if (count == 0)
        return TN_OK;
    const tn_status status = split(s, list, count, &lasting);
    for (int32_t k = 0; k < count; k++)
        s->closure->stress[list[k]].momentary = (int8_t)(k >= lasting);
    return status;
}

/* Sums of momentary stresses of a group that are permanent together. */
static tn_status split_rest(tn_second *s, int32_t group, int32_t *list)
{
    int32_t count = 0, lasting;
    for (int32_t q = 0; q < s->closure->count; q++) {
        if (s->closure->stress[q].group == group && s->closure->stress[q].momentary)
            list[count++] = q;
    }
    if (count < 2)
        return TN_OK;
    double *before = TN_NEW_ARRAY(double, (int64_t)count *(s->slots + s->samples));
    if (!before)
        return TN_ERROR_MEMORY;
    const size_t stress = sizeof(double) * (size_t)s->slots;
    const size_t bend = sizeof(double) * (size_t)s->samples;
    for (int32_t k = 0; k < count; k++) {
        double *to = before + (int64_t)k * (s->slots + s->samples);
        memcpy(to, s->closure->stress[list[k]].lambda, stress);
        memcpy(to + s->slots, s->bend + (int64_t)list[k] * s->samples, bend);
    }
    const tn_status status = split(s, list, count, &lasting);
    for (int32_t k = 0; k < count && status == TN_OK; k++) {
        const double *from = before + (int64_t)k * (s->slots + s->samples);
        if (lasting == 0) { /* each by itself: in its own loop, as it was */
            memcpy(s->closure->stress[list[k]].lambda, from, stress);
            memcpy(s->bend + (int64_t)list[k] * s->samples, from + s->slots, bend);
        } else {
            s->closure->stress[list[k]].loop = -1;
            s->closure->stress[list[k]].momentary = (int8_t)(k >= lasting);
        }
    }
    tn_free(before);
    return status;
}

static tn_status split_all(tn_second *s, const tn_red_graph *graph)
{
    int32_t *list = TN_NEW_ARRAY(int32_t, s->closure->count);
    tn_status status = list ? TN_OK : TN_ERROR_MEMORY;
    for (int32_t l = 0; l < graph->loop_count && status == TN_OK; l++)
        status = split_set(s, l, graph->loops[l].group, list);
    for (int32_t g = 0; g < graph->group_count && status == TN_OK; g++)
        status = split_set(s, -1, g, list);
    for (int32_t g = 0; g < graph->group_count && status == TN_OK; g++)
        status = split_rest(s, g, list);
    for (int32_t q = 0; q < s->closure->count && status == TN_OK; q++)
        normalise(s, s->closure->stress[q].lambda);
    tn_free(list);
    return status;
}

static tn_status begin(tn_second *s)
{
    const int64_t count = s->closure->count;
    s->slots = (int32_t)s->pose->sys.layout->y_size;
    s->samples = 2 * s->closure->count + TN_SECOND_SPARE;
    s->weight = TN_NEW_ARRAY(double, s->slots);
    s->bend = TN_NEW_ARRAY(double, count * s->samples);
    s->terms = TN_NEW_ARRAY(double, count);
    if (!s->weight || !s->bend || !s->terms)
        return TN_ERROR_MEMORY;
    fill_weights(s);
    for (int32_t q = 0; q < s->closure->count; q++)
        normalise(s, s->closure->stress[q].lambda);
    return TN_OK;
}

tn_status tn_red_second_split(tn_red_pose *pose, const tn_red_graph *graph, double threshold,
                              tn_red_closure *closure, int32_t *momentary)
{
    *momentary = 0;
    if (closure->count == 0)
        return TN_OK;
    tn_second s = {.pose = pose, .closure = closure, .threshold = threshold};
    tn_status status = begin(&s);
    if (status == TN_OK)
        status = sample_all(&s);
    if (status == TN_OK) {
        scale_forms(&s);
        status = split_all(&s, graph);
    }
    for (int32_t q = 0; q < closure->count && status == TN_OK; q++)
        *momentary += closure->stress[q].momentary;
    tn_free(s.weight);
    tn_free(s.bend);
    tn_free(s.terms);
    return status;
}
