/* suggest.h: what to say behind "there is no ...": the name most like a mistyped word, and the names
 * there are.
 *
 * Room base. All names are offered, in the order in which they are to be listed:
 *     tn_suggestion s = tn_suggestion_for("lnk1");
 *     tn_suggestion_offer(&s, "link1");   for all candidates; then s.best is "link1"
 *     tn_suggestion_hint(&s, NULL, hint); "did you mean 'link1'? There are: link1, link2"
 */
#ifndef TN_BASE_SUGGEST_H
#define TN_BASE_SUGGEST_H

#include <stdbool.h>

#include "base/base.h"

/* Longest word compared, in bytes: keeps the table on the stack; names of people's making are
 * shorter. */
#define TN_LONGEST_WORD 64
/* Names listed, and the bytes they may take; of more the first ones, and how many are left out. */
#define TN_MOST_LISTED 24
#define TN_LIST_SIZE   480
/* A hint with all of it. */
#define TN_HINT_SIZE 720

typedef struct tn_suggestion {
    const char *word; /* what was written */
    int32_t distance; /* edits to the best, or the limit that a candidate must stay below */
    int32_t count;    /* names offered */
    int32_t listed;   /* of these in the list */
    size_t used;      /* bytes of the list */
    char best[TN_LONGEST_WORD + 1]; /* the nearest name so far, "" when none is near enough */
    char list[TN_LIST_SIZE];        /* "a, b, c" */
    char last[TN_LONGEST_WORD +
              1]; /* the last one offered, "" if it is longer: listed instead of "1 more" */
} tn_suggestion;

TN_SIBLING tn_suggestion tn_suggestion_for(const char *word);
/* Of equally near candidates the first one stays. */
TN_SIBLING void tn_suggestion_offer(tn_suggestion *suggestion, const char *candidate);
/* The same of another name for what is listed already. */
TN_SIBLING void tn_suggestion_offer_alias(tn_suggestion *suggestion, const char *candidate);

/* The hint, in a buffer of TN_HINT_SIZE bytes; NULL when there is nothing to say. where: how to see all of a long list, "'tenon
 * joints'", or NULL. */
TN_SIBLING const char *tn_suggestion_hint(const tn_suggestion *suggestion, const char *where,
                                          char *buffer);

/* Insertions, deletions, replacements and swaps of neighbours that turn a into b, upper and lower
 * case being the same; limit when there are limit or more, or when a word is over-long. */
TN_SIBLING int32_t tn_edit_distance(const char *a, const char *b, int32_t limit);

#endif
