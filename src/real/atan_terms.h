/* atan_terms.h: room real: the arc tangent's terms, of a number or of a vector of them, by FDLIBM 5.3:
 *     Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Permission to use, copy,
 *     modify, and distribute this software is freely granted, provided that this notice is
 *     preserved.
 */
#ifndef TN_REAL_ATAN_TERMS_H
#define TN_REAL_ATAN_TERMS_H

/* atan(0.5), atan(1), atan(1.5), atan(infinity), in two parts. */
static const double atan_high[] = {4.63647609000806093515e-01, 7.85398163397448278999e-01,
                                   9.82793723247329054082e-01, 1.57079632679489655800e+00};
static const double atan_low[] = {2.26987774529616870924e-17, 3.06161699786838301793e-17,
                                  1.39033110312309984516e-17, 6.12323399573676603587e-17};

/* Up to these sizes atan itself, and the differences from the first three of those, are what is worked out. */
static const double atan_bound[] = {0.4375, 0.6875, 1.1875, 2.4375};

/* x - atan x, over x, on |x| <= 7/16: the sum of both, of z = x^2 and w = z^2. */
#define TN_ATAN_EVEN(z, w)                                                                         \
    ((z) *                                                                                         \
     (3.33333333333329318027e-01 +                                                                 \
      (w) *                                                                                        \
          (1.42857142725034663711e-01 +                                                            \
           (w) * (9.09088713343650656196e-02 +                                                     \
                  (w) * (6.66107313738753120669e-02 +                                              \
                         (w) * (4.97687799461593236017e-02 + (w)*1.62858201153657823623e-02))))))
#define TN_ATAN_ODD(w)                                                                             \
    ((w) *                                                                                         \
     (-1.99999999998764832476e-01 +                                                                \
      (w) * (-1.11111104054623557880e-01 +                                                         \
             (w) * (-7.69187620504482999495e-02 +                                                  \
                    (w) * (-5.83357013379057348645e-02 + (w) * -3.65315727442169155270e-02)))))

#endif
