/* dense.h: test support: small dense problems solved by LAPACK. Matrices are row-major. */
#ifndef TENON_TESTS_DENSE_H
#define TENON_TESTS_DENSE_H

/* x = A^-1 b by pivoted LU; A and b are kept. */
void dense_solve(int n, const double *A, const double *b, double *x);

/* The change of velocity of least kinetic energy that stops the rows:
 * min 1/2 du^T M du,  J (u + du) = 0, through the pseudo-inverse of J M^-1/2. */
typedef struct dense_projection {
    int rank;        /* singular values above 1e-9 of the largest */
    double gap_high; /* smallest of them, relative to the largest; 1 if none */
    double gap_low;  /* largest of the rest, relative; 0 if none */
} dense_projection;
dense_projection dense_project(int n, int m, const double *M, const double *J, const double *u,
                               double *du);

#endif
