/* labels.h: places for texts so that they cover each other as little as possible. */
#ifndef TN_TOOL_LABELS_H
#define TN_TOOL_LABELS_H

#include <stdint.h>

/* Pixels, y downwards. */
typedef struct label {
    double x, y; /* in: the point the text is about; out: the left end of its base line */
    double width, height;
    int32_t of_value;
    const char *text;
    int32_t shown; /* out: 0 when others would cover it */
} label;

/* Moves every label beside its point, within the picture. */
void tool_place_labels(label *labels, int32_t count, double width, double height);

/* Width of a text, about, for a sans serif font of this size. */
double tool_text_width(const char *text, double font);

#endif
