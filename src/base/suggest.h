/* suggest.h: "did you mean ...?": the candidate most like a mistyped word.
 *
 * Room base. Either over a list, or candidate by candidate:
 *     tn_suggestion s = tn_suggestion_for("lnk1");
 *     tn_suggestion_offer(&s, "link1");   for all candidates; then s.best is "link1"
 */
#ifndef TN_BASE_SUGGEST_H
#define TN_BASE_SUGGEST_H

#include "base/base.h"

typedef struct tn_suggestion {
    const char *word; /* what was written */
    const char *best; /* the nearest candidate so far, NULL when none is near enough */
    int32_t distance; /* edits between the two, or the limit that a candidate must stay below */
} tn_suggestion;

TN_SIBLING tn_suggestion tn_suggestion_for(const char *word);
/* Of equally near candidates the first one stays. The candidate's text is not copied. */
TN_SIBLING void tn_suggestion_offer(tn_suggestion *suggestion, const char *candidate);

/* The nearest of count candidates, NULL when none is near. */
TN_SIBLING const char *tn_suggest(const char *word, const char *const *candidates, size_t count);

/* Insertions, deletions, replacements and swaps of neighbours that turn a into b, upper and lower
 * case being the same; limit when there are limit or more, or when a word is over-long. */
TN_SIBLING int32_t tn_edit_distance(const char *a, const char *b, int32_t limit);

#endif
