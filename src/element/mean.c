/* mean.c: room element: the frame of a set of particles (mean.h), by the singular values of A. */
#include "element/mean.h"

#include <math.h>

#include "math/dense/eig3.h"

/* The second singular value must be more than this share of the largest. */
#define TN_IN_A_LINE 1e-9

static tn_mat3 of_columns(tn_vec3 a, tn_vec3 b, tn_vec3 c)
{
    return (tn_mat3){{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}

static tn_mat3 symmetric(const tn_mat3 *a)
{
    tn_mat3 s;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            s.m[i][j] = 0.5 * (a->m[i][j] + a->m[j][i]);
    }
    return s;
}

/* tr(a) 1 - a */
static tn_mat3 complement(const tn_mat3 *a)
{
    const double t = a->m[0][0] + a->m[1][1] + a->m[2][2];
    tn_mat3 c;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            c.m[i][j] = (i == j ? t : 0.0) - a->m[i][j];
    }
    return c;
}

static tn_mat3 inverse_of(const tn_mat3 *a)
{
    const tn_vec3 x = m3_column(a, 0), y = m3_column(a, 1), z = m3_column(a, 2);
    const double det = v3_dot(x, v3_cross(y, z));
    const tn_mat3 rows =
        of_columns(v3_scale(1.0 / det, v3_cross(y, z)), v3_scale(1.0 / det, v3_cross(z, x)),
                   v3_scale(1.0 / det, v3_cross(x, y)));
    return m3_transpose(&rows);
}

static int make_none(tn_mean_frame *frame)
{
    const tn_vec3 none = {(double)NAN, (double)NAN, (double)NAN};
    frame->T = (tn_xform){of_columns(none, none, none), none};
    frame->S = frame->inverse = frame->T.R;
    return 0;
}

int tn_mean_frame_make(const tn_mean_moments *places, tn_mean_frame *frame)
{
    const tn_mat3 AA = m3_tmul(&places->A, &places->A);
    double square[3];
    tn_mat3 V;
    tn_eig3(&AA, square, &V);
    tn_vec3 u1, u2;
    const double largest = v3_unit(m3_mulv(&places->A, m3_column(&V, 2)), &u2);
    const tn_vec3 a1 = m3_mulv(&places->A, m3_column(&V, 1));
    const double second = v3_unit(v3_axpy(a1, -v3_dot(a1, u2), u2), &u1);
    if (!(second > TN_IN_A_LINE * largest))
        return make_none(frame);
    /* the columns of V are right-handed: so must those of U be, whatever the third singular value */
    const tn_mat3 U = of_columns(v3_cross(u1, u2), u1, u2), Vt = m3_transpose(&V);
    frame->T.R = m3_mul(&U, &Vt);
    frame->T.p = places->p;
    const tn_mat3 S = m3_tmul(&frame->T.R, &places->A);
    frame->S = symmetric(&S);
    const tn_mat3 G = complement(&frame->S);
    frame->inverse = inverse_of(&G);
    return 1;
}

static tn_vec3 axial(const tn_mat3 *M)
{
    return v3(M->m[2][1] - M->m[1][2], M->m[0][2] - M->m[2][0], M->m[1][0] - M->m[0][1]);
}

tn_vec3 tn_mean_spin(const tn_mean_frame *frame, const tn_mean_moments *rates)
{
    const tn_mat3 M = m3_tmul(&frame->T.R, &rates->A);
    return m3_mulv(&frame->inverse, axial(&M));
}

tn_vec3 tn_mean_spin_rate(const tn_mean_frame *frame, const tn_mean_moments *rates)
{
    const tn_mat3 M = m3_tmul(&frame->T.R, &rates->A);
    const tn_vec3 w = m3_mulv(&frame->inverse, axial(&M));
    tn_mat3 rate;
    for (int j = 0; j < 3; j++) {
        const tn_vec3 column = v3_sub(m3_column(&M, j), v3_cross(w, m3_column(&frame->S, j)));
        rate.m[0][j] = column.x;
        rate.m[1][j] = column.y;
        rate.m[2][j] = column.z;
    }
    const tn_mat3 S = symmetric(&rate), G = complement(&S);
    const tn_vec3 turned = v3_cross(m3_mulv(&frame->S, w), w);
    return m3_mulv(&frame->inverse, v3_scale(-1.0, v3_axpy(turned, 2.0, m3_mulv(&G, w))));
}
