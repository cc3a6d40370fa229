/* count.c: room redundancy/loops: the rank of the loop equations, without their stresses.
 *
 * In: a pose and the loops. Out: rows, rank, gap. With C as in group.c, loops cut to the
 * equations that say something by themselves and couplings of length 1,
 *     S = C C^T
 * has a block for every two loops that share a joint. As many singular values of C lie below t as
 * eigenvalues of S below t^2: one sparse factorization counts them (sparse/inertia.h). Neither
 * masses nor the unit of length enter.
 *
 * Bodies with fewer than six motions lose rows when the model is compiled; stresses that live only
 * there are none. They are those that remain when every row still there is let go too.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "redundancy/loops/closing.h"
#include "sparse/inertia.h"

/* Halvings, in decades, between the floor or 1 and the threshold: a gap is found to within a fifth. */
#define TN_COUNT_HALVINGS 5

/* The equations of a node (a loop or coupling) in the free motions of one edge. */
typedef struct tn_part {
    int32_t edge, node, next; /* next of the same edge, or -1 */
    double of[6][6];          /* [equation][motion], by unit motion */
} tn_part;

typedef struct tn_counter {
    tn_closing *c;
    int couplings; /* 1: they take part */
    int32_t nodes; /* loops, then couplings */
    int32_t *size; /* [nodes] equations */
    tn_part *part;
    int32_t parts;
    int32_t *first;     /* [edges] of the parts of an edge, or -1 */
    double (*scale)[6]; /* [edges] 1 / length of a motion; 0: not met yet */
    int32_t *row, *column;
    int64_t *at;
    double *value;
    int64_t blocks, values;
} tn_counter;

static void counter_free(tn_counter *n)
{
    tn_free(n->size);
    tn_free(n->part);
    tn_free(n->first);
    tn_free(n->scale);
    tn_free(n->row);
    tn_free(n->column);
    tn_free(n->at);
    tn_free(n->value);
}

static int takes_part(const tn_counter *n, int32_t coupling)
{
    return n->couplings && n->c->graph->coupling_group[coupling] >= 0 &&
           n->c->taking_part[tn_red_coupling_slot(n->c, coupling)];
}

static tn_status counter_create(tn_counter *n)
{
    const tn_model *model = n->c->pose->model;
    const tn_red_graph *graph = n->c->graph;
    int64_t parts = 0;
    for (int32_t l = 0; l < graph->loop_count; l++)
        parts += graph->loops[l].count;
    if (model->coupling_count > 0)
        parts += model->term_start[model->coupling_count];
    n->nodes = graph->loop_count + model->coupling_count;
    n->size = TN_NEW_ARRAY(int32_t, n->nodes);
    n->part = TN_NEW_ARRAY(tn_part, parts);
    n->first = TN_NEW_ARRAY(int32_t, graph->edge_count);
    n->scale = tn_alloc((size_t)graph->edge_count, sizeof *n->scale);
    if (!n->size || !n->part || !n->first || !n->scale)
        return TN_ERROR_MEMORY;
    for (int32_t e = 0; e < graph->edge_count; e++)
        n->first[e] = -1;
    for (int32_t l = 0; l < graph->loop_count; l++)
        n->size[l] = n->c->frames[l].kept;
    for (int32_t k = 0; k < model->coupling_count; k++)
        n->size[graph->loop_count + k] = takes_part(n, k);
    return TN_OK;
}

/* The part of a node in an edge, a new one if it has none yet. */
static tn_part *part_of(tn_counter *n, int32_t edge, int32_t node)
{
    const int32_t newest = n->first[edge];
    if (newest >= 0 && n->part[newest].node == node)
        return &n->part[newest];
    tn_part *part = &n->part[n->parts];
    *part = (tn_part){.edge = edge, .node = node, .next = newest};
    n->first[edge] = n->parts++;
    return part;
}

/* Loop l: direction, equations kept times unit twists. */
static void add_loop(tn_counter *n, int32_t l)
{
    const tn_red_loop *loop = &n->c->graph->loops[l];
    const tn_loop_frame *f = &n->c->frames[l];
    for (int32_t e = 0; e < loop->count; e++) {
        const int32_t edge = loop->edge[e];
        const tn_edge_motions *motions = &n->c->motions[edge];
        tn_part *part = part_of(n, edge, l);
        for (int32_t k = 0; k < 6; k++) {
            double t[6];
            if (!motions->is_free[k])
                continue;
            tn_red_twist_at(motions, k, f, t);
            if (n->scale[edge][k] == 0.0)
                n->scale[edge][k] = 1.0 / tn_red_twist_length(t);
            for (int32_t q = 0; q < f->kept; q++) {
                for (int i = 0; i < 6; i++)
                    part->of[q][k] += loop->direction[e] * n->scale[edge][k] * f->keep[q][i] * t[i];
            }
        }
    }
}

/* Coupling k: its slopes, to length 1. Motions of joints in no loop count as turns or in sizes of
 * the mechanism. */
static void add_coupling(tn_counter *n, int32_t k)
{
    const tn_model *model = n->c->pose->model;
    const int32_t node = n->c->graph->loop_count + k, before = n->parts;
    double square = 0.0;
    for (int32_t t = model->term_start[k]; t < model->term_start[k + 1]; t++) {
        const tn_model_term *term = &model->terms[t];
        const int32_t edge = n->c->graph->edge_of[term->joint];
        if (edge < 0 || !n->c->motions[edge].is_free[term->row])
            continue;
        double *scale = &n->scale[edge][term->row];
        if (*scale == 0.0) {
            const tn_loop_frame here = {.origin = n->c->motions[edge].at,
                                        .length = n->c->pose->size};
            double twist[6];
            tn_red_twist_at(&n->c->motions[edge], term->row, &here, twist);
            *scale = 1.0 / tn_red_twist_length(twist);
        }
        part_of(n, edge, node)->of[0][term->row] += n->c->pose->sys.terms[t].slope * *scale;
    }
    for (int32_t p = before; p < n->parts; p++) {
        for (int i = 0; i < 6; i++)
            square += n->part[p].of[0][i] * n->part[p].of[0][i];
    }
    for (int32_t p = before; p < n->parts && square > 0.0; p++) {
        for (int i = 0; i < 6; i++)
            n->part[p].of[0][i] /= sqrt(square);
    }
}

/* of a (of b)^T, row-major. */
static void multiply(tn_counter *n, const tn_part *a, const tn_part *b)
{
    const int32_t rows = n->size[a->node], columns = n->size[b->node];
    double *to = n->value + n->values;
    n->row[n->blocks] = a->node;
    n->column[n->blocks] = b->node;
    n->at[n->blocks++] = n->values;
    n->values += (int64_t)rows * columns;
    for (int32_t i = 0; i < rows; i++) {
        for (int32_t j = 0; j < columns; j++) {
            double sum = 0.0;
            for (int k = 0; k < 6; k++)
                sum += a->of[i][k] * b->of[j][k];
            to[i * columns + j] = sum;
        }
    }
}

/* S, one block for each two nodes at an edge. */
static tn_status build_blocks(tn_counter *n)
{
    int64_t blocks = 0, values = 0;
    for (int32_t p = 0; p < n->parts; p++) {
        for (int32_t q = p; q >= 0; q = n->part[q].next) {
            blocks++;
            values += (int64_t)n->size[n->part[q].node] * n->size[n->part[p].node];
        }
    }
    n->row = TN_NEW_ARRAY(int32_t, blocks);
    n->column = TN_NEW_ARRAY(int32_t, blocks);
    n->at = TN_NEW_ARRAY(int64_t, blocks);
    n->value = TN_NEW_ARRAY(double, values);
    if (!n->row || !n->column || !n->at || !n->value)
        return TN_ERROR_MEMORY;
    for (int32_t p = 0; p < n->parts; p++) { /* older parts are of earlier nodes */
        for (int32_t q = p; q >= 0; q = n->part[q].next)
            multiply(n, &n->part[q], &n->part[p]);
    }
    return TN_OK;
}

/* The singular values of the equations of c as squares, ready to be counted. */
static tn_status square_equations(tn_closing *c, int couplings, tn_inertia **out)
{
    tn_counter n = {.c = c, .couplings = couplings};
    tn_status status = counter_create(&n);
    for (int32_t l = 0; l < c->graph->loop_count && status == TN_OK; l++)
        add_loop(&n, l);
    for (int32_t k = 0; k < c->pose->model->coupling_count && status == TN_OK; k++) {
        if (takes_part(&n, k))
            add_coupling(&n, k);
    }
    if (status == TN_OK)
        status = build_blocks(&n);
    if (status == TN_OK) {
        const tn_block_matrix S = {n.nodes, n.size, n.blocks, n.row, n.column, n.at, n.value};
        status = tn_inertia_create(&S, out);
    }
    counter_free(&n);
    return status;
}

/* Nearest to the threshold, between it and `far`, that leaves no value in between. */
static double find_edge(tn_inertia *S, int32_t count, double threshold, double far)
{
    double empty = threshold;
    if (tn_inertia_below(S, far * far) == count)
        return far;
    for (int i = 0; i < TN_COUNT_HALVINGS; i++) {
        const double middle = sqrt(empty * far);
        if (tn_inertia_below(S, middle * middle) == count) {
            empty = middle;
        } else {
            far = middle;
        }
    }
    return empty;
}

static int32_t local_nulls(const tn_closing *c)
{
    int32_t count = 0;
    for (int32_t l = 0; l < c->graph->loop_count; l++)
        count += c->frames[l].nulls;
    return count;
}

/* Counts the zero singular values and, on request, the gap around the threshold. */
static tn_status count_nulls(tn_closing *c, int couplings, int with_gap, int32_t *nulls)
{
    tn_inertia *S = NULL;
    const tn_status status = square_equations(c, couplings, &S);
    if (status != TN_OK)
        return status;
    const int32_t count = tn_inertia_below(S, c->threshold * c->threshold);
    *nulls = count + local_nulls(c);
    if (with_gap && count > 0)
        c->out->gap_low = fmax(c->out->gap_low, find_edge(S, count, c->threshold, TN_COUNT_FLOOR));
    if (with_gap)
        c->out->gap_high = find_edge(S, count, c->threshold, 1.0);
    tn_inertia_destroy(S);
    return TN_OK;
}

/* Stresses that no row still there feels. */
static tn_status count_unseen(const tn_red_pose *pose, const tn_red_graph *graph, double threshold,
                              tn_arena *arena, int32_t *unseen)
{
    tn_red_closure scratch;
    tn_closing c = {
        .pose = pose, .graph = graph, .arena = arena, .threshold = threshold, .out = &scratch};
    tn_status status = tn_red_open_loops(&c, 0);
    for (int32_t e = 0; e < graph->edge_count && status == TN_OK; e++) {
        const int32_t j = graph->edges[e].joint;
        for (int32_t n = 0; j >= 0 && n < pose->state.switches[j].active_count; n++)
            c.motions[e].is_free[tn_red_row(pose, j, n)] = 1;
    }
    if (status == TN_OK)
        status = tn_red_split_loops(&c);
    return status == TN_OK ? count_nulls(&c, 0, 0, unseen) : status;
}

tn_status tn_red_count(const tn_red_pose *pose, const tn_red_graph *graph, double threshold,
                       tn_arena *arena, tn_red_closure *out)
{
    int32_t nulls = 0, unseen = 0;
    tn_closing c = {
        .pose = pose, .graph = graph, .arena = arena, .threshold = threshold, .out = out};
    tn_status status = tn_red_open_loops(&c, 0);
    if (status == TN_OK)
        status = tn_red_split_loops(&c);
    if (status == TN_OK)
        status = count_nulls(&c, 1, 1, &nulls);
    if (status == TN_OK && tn_red_has_dropped_rows(pose->model))
        status = count_unseen(pose, graph, threshold, arena, &unseen);
    out->count = nulls - unseen;
    out->rank = out->rows - out->count;
    return status;
}

tn_status tn_red_count_at(const tn_red_pose *pose, tn_red_closure *out)
{
    tn_arena arena = {0};
    tn_red_graph graph;
    tn_status status = tn_red_graph_build(pose, &arena, &graph);
    if (status == TN_OK)
        status = tn_red_count(pose, &graph, TN_RED_ZERO, &arena, out);
    tn_arena_free(&arena);
    return status;
}
