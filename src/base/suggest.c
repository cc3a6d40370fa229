/* suggest.c: Damerau-Levenshtein distance, the nearest of many candidates, and their list.
 *
 * Room base. The distance is the "optimal string alignment" form: a swap of neighbours is one edit,
 * and no letter is edited twice. Row i of the table is
 *     d[i][j] = min(d[i-1][j] + 1, d[i][j-1] + 1, d[i-1][j-1] + (a_i != b_j),
 *                   d[i-2][j-2] + 1 if a_i = b_(j-1) and a_(i-1) = b_j)
 * and only three rows are kept. Comparing bytes: a replaced letter outside ASCII may count twice.
 */
#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

/* One edit in a word of up to 3 letters, one more for every 3 letters, never more than 4. */
#define TN_LETTERS_PER_EDIT 3
#define TN_MOST_EDITS       4

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Row i of the table from the two before it; returns its smallest entry. */
static int32_t fill_row(const char *a, const char *b, int32_t i, int32_t b_length,
                        const int32_t *two_back, const int32_t *back, int32_t *row)
{
    row[0] = i;
    int32_t least = i;
    for (int32_t j = 1; j <= b_length; j++) {
        bool same = lower(a[i - 1]) == lower(b[j - 1]);
        int32_t d = smaller(back[j] + 1, row[j - 1] + 1);
        d = smaller(d, back[j - 1] + !same);
        bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                       lower(a[i - 2]) == lower(b[j - 1]);
        if (swapped) {
            d = smaller(d, two_back[j - 2] + 1);
        }
        row[j] = d;
        least = smaller(least, d);
    }
    return least;
}

int32_t tn_edit_distance(const char *a, const char *b, int32_t limit)
{
    size_t a_size = strlen(a), b_size = strlen(b);
    if (a_size > TN_LONGEST_WORD || b_size > TN_LONGEST_WORD) {
        return limit;
    }
    int32_t a_length = (int32_t)a_size, b_length = (int32_t)b_size;
    int32_t longer = a_length > b_length ? a_length - b_length : b_length - a_length;
    if (longer >= limit) {
        return limit;
    }
    int32_t rows[3][TN_LONGEST_WORD + 1];
    for (int32_t j = 0; j <= b_length; j++) {
        rows[0][j] = j;
    }
    for (int32_t i = 1; i <= a_length; i++) {
        /* (i + 1) % 3 is the row two back; for i = 1 it is not read */
        int32_t least =
            fill_row(a, b, i, b_length, rows[(i + 1) % 3], rows[(i - 1) % 3], rows[i % 3]);
        /* later rows stay above: also a swap adds 1 to row i - 1, which is at most 1 below row i */
        if (least >= limit) {
            return limit;
        }
    }
    return smaller(rows[a_length % 3][b_length], limit);
}

tn_suggestion tn_suggestion_for(const char *word)
{
    size_t edits = 1 + strlen(word) / TN_LETTERS_PER_EDIT;
    if (edits > TN_MOST_EDITS) {
        edits = TN_MOST_EDITS;
    }
    return (tn_suggestion){.word = word, .distance = (int32_t)edits + 1};
}

void tn_suggestion_offer_alias(tn_suggestion *suggestion, const char *candidate)
{
    int32_t distance = tn_edit_distance(suggestion->word, candidate, suggestion->distance);
    const size_t length = strlen(candidate);
    /* a word with no letter in common is no suggestion, however short */
    bool replaced_all = distance >= (int32_t)length;
    if (distance < suggestion->distance && !replaced_all) {
        suggestion->distance = distance;
        memcpy(suggestion->best, candidate, length + 1);
    }
}

void tn_suggestion_offer(tn_suggestion *suggestion, const char *candidate)
{
    tn_suggestion_offer_alias(suggestion, candidate);
    const size_t length = strlen(candidate), comma = suggestion->count > 0 ? 2 : 0;
    const bool whole = suggestion->listed == suggestion->count++;
    if (whole && suggestion->listed < TN_MOST_LISTED &&
        suggestion->used + comma + length < TN_LIST_SIZE) {
        memcpy(suggestion->list + suggestion->used, ", ", comma);
        memcpy(suggestion->list + suggestion->used + comma, candidate, length + 1);
        suggestion->used += comma + length;
        suggestion->listed++;
    }
    suggestion->last[0] = '\0';
    if (length <= TN_LONGEST_WORD)
        memcpy(suggestion->last, candidate, length + 1);
}

/* "There are: a, b and 7 more: 'tenon joints'" */
static void say_list(const tn_suggestion *s, const char *where, char *buffer, size_t size)
{
    const int32_t more = s->count - s->listed;
    char rest[80] = "";
    if (more == 1 && s->last[0] != '\0') {
        snprintf(rest, sizeof rest, ", %s", s->last);
    } else if (more > 0) {
        snprintf(rest, sizeof rest, " and %d more%s%s", (int)more, where != NULL ? ", see " : "",
                 where != NULL ? where : "");
    }
    const bool alone = s->count == 1;
    snprintf(buffer, size, "%sere %s%s%s%s", s->best[0] != '\0' ? "Th" : "th",
             alone ? "is only '" : "are: ", s->list, alone ? "'" : "", rest);
}

const char *tn_suggestion_hint(const tn_suggestion *suggestion, const char *where, char *buffer)
{
    const bool near = suggestion->best[0] != '\0';
    const bool listed = suggestion->listed > 0 && !(near && suggestion->count == 1);
    size_t used = 0;
    buffer[0] = '\0';
    if (near) {
        used = (size_t)snprintf(buffer, TN_HINT_SIZE, "did you mean '%s'?%s", suggestion->best,
                                listed ? " " : "");
    }
    if (listed) {
        say_list(suggestion, where, buffer + used, TN_HINT_SIZE - used);
    } else if (suggestion->count == 0 && !near) {
        snprintf(buffer, TN_HINT_SIZE, "there are none");
    }
    return buffer[0] != '\0' ? buffer : NULL;
}
