/* scalar.h: what the text of a plain scalar means (YAML 1.2 core schema, decimal numbers only).
 *
 * Room io/text.
 */
#ifndef TN_IO_TEXT_SCALAR_H
#define TN_IO_TEXT_SCALAR_H

typedef enum tn_scalar_kind {
    TN_SCALAR_TEXT,
    TN_SCALAR_NUMBER,
    TN_SCALAR_INFINITE,  /* .inf or -.inf */
    TN_SCALAR_NAN,       /* .nan */
    TN_SCALAR_TOO_LARGE, /* a number beyond the range of double */
    TN_SCALAR_BOOL,
    TN_SCALAR_NULL /* nothing, ~ or null */
} tn_scalar_kind;

typedef struct tn_scalar {
    tn_scalar_kind kind;
    double number; /* of NUMBER and INFINITE; 0 or 1 of BOOL */
} tn_scalar;

/* Numbers are written with a point whatever the locale of the thread: callers set the "C" locale.
 */
tn_scalar tn_scalar_read(const char *text);

#endif
