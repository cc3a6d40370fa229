/* explain.c: `tenon explain [CODE | MESSAGE]`: what a message means and what to do about it.
 *
 * In: docs/reference/messages.md and summary.md, compiled in (command/texts.h): what the page says is what is printed. An entry begins with
 * "### CODE" and "*text.*", or with "### message", where "..." stands for names and numbers; then come What, Where, Why, Do.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command/texts.h"
#include "tool.h"

#define HEAD      "### "
#define PREFIX    "TN_ERROR_"
#define ANY       "..." /* of a title: names and numbers */
#define WIDTH     78    /* columns of a terminal, less a margin */
#define MOST_TEXT 1000  /* bytes of an entry's field, with room */
#define LEAST     3     /* letters of a part of a message that is searched for */

/* The line at which an entry begins; -1: there are no more. from: where to look. */
static int next_entry(int from)
{
    for (int i = from; tool_messages[i] != NULL; i++) {
        if (strncmp(tool_messages[i], HEAD, sizeof HEAD - 1) == 0)
            return i;
    }
    return -1;
}

static const char *title_of(int entry)
{
    return tool_messages[entry] + sizeof HEAD - 1;
}

static bool is_end(const char *line)
{
    return line == NULL || line[0] == '#';
}

/* Text behind the first `skip` bytes of a line, with those that continue it; without marks of Markdown. */
static void plain_text(int line, size_t skip, char out[MOST_TEXT])
{
    size_t n = 0;
    bool in_link = false;
    for (int i = line; tool_messages[i] != NULL && (i == line || tool_messages[i][0] == ' '); i++) {
        const char *p = tool_messages[i] + (i == line ? skip : 1);
        for (; *p != '\0' && n + 1 < MOST_TEXT; p++) {
            if (*p == '`' || (*p == '[' && strstr(p, "](") != NULL))
                continue;
            if (*p == ']' && p[1] == '(') {
                in_link = true;
            } else if (in_link) {
                in_link = *p != ')';
            } else {
                out[n++] = *p;
            }
        }
    }
    out[n] = '\0';
}

/* Broken at spaces; lines after the first begin in a column. */
static void print_wrapped(const char *text, int column)
{
    int at = column;
    while (*text != '\0') {
        const size_t word = strcspn(text, " ");
        if (at + (int)word > WIDTH) {
            printf("\n%*s", column, "");
            at = column;
        }
        printf("%.*s", (int)word, text);
        at += (int)word + 1;
        text += word;
        if (*text == ' ') {
            text++;
            if (at + (int)strcspn(text, " ") <= WIDTH)
                putchar(' ');
        }
    }
    putchar('\n');
}

static void print_entry(int entry)
{
    char text[MOST_TEXT];
    printf("%s\n", title_of(entry));
    for (int i = entry + 1; !is_end(tool_messages[i]); i++) {
        const char *line = tool_messages[i], *colon = strchr(line, ':');
        if (line[0] == '*') {
            char said[MOST_TEXT] = "";
            for (; tool_messages[i][0] != '\0'; i++)
                snprintf(said + strlen(said), sizeof said - strlen(said), "%s%s",
                         said[0] != '\0' ? " " : "", tool_messages[i]);
            snprintf(text, sizeof text, "%.*s", (int)(strlen(said) - 3), said + 1); /* *text.* */
            printf("  ");
            print_wrapped(text, 2);
        } else if (line[0] == '-' && colon != NULL) {
            plain_text(i, (size_t)(colon + 2 - line), text);
            printf("  %-6.*s ", (int)(colon - line - 2), line + 2);
            print_wrapped(text, 9);
        }
    }
}

/* finding ---------------------------------------------------------------------------------------- */

static bool same_letters(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (tolower((unsigned char)a[i]) != tolower((unsigned char)b[i]))
            return false;
    }
    return true;
}

/* Where a part begins in a text, whatever the case of letters; NULL: it is not there. */
static const char *find(const char *text, const char *part, size_t n)
{
    for (; strlen(text) >= n; text++) {
        if (same_letters(text, part, n))
            return text;
    }
    return NULL;
}

/* Do all parts of a title stand in a message, in their order? */
static bool fits(const char *title, const char *message)
{
    while (*title != '\0') {
        const char *any = strstr(title, ANY);
        const size_t n = any == NULL ? strlen(title) : (size_t)(any - title);
        const char *at = find(message, title, n);
        if (at == NULL)
            return false;
        message = at + n;
        title += n + (any == NULL ? 0 : sizeof ANY - 1);
    }
    return true;
}

static bool is_code(const char *title, const char *word)
{
    const size_t skip = strncmp(title, PREFIX, sizeof PREFIX - 1) == 0 ? sizeof PREFIX - 1 : 0;
    return (strlen(title) == strlen(word) && same_letters(title, word, strlen(word))) ||
           (skip > 0 && strlen(title + skip) == strlen(word) &&
            same_letters(title + skip, word, strlen(word)));
}

/* The message has the text of a status, or what a title says, or it is a part of one of these. */
static bool is_meant(int entry, const char *message)
{
    const char *title = title_of(entry);
    const bool is_part = strlen(message) >= LEAST;
    if (is_part && find(title, message, strlen(message)) != NULL)
        return true;
    if (strncmp(title, PREFIX, sizeof PREFIX - 1) != 0)
        return fits(title, message);
    char head[MOST_TEXT] = "";
    for (int i = entry + 2; tool_messages[i] != NULL && tool_messages[i][0] != '\0'; i++)
        snprintf(head + strlen(head), sizeof head - strlen(head), "%s%s",
                 head[0] != '\0' ? " " : "", tool_messages[i]);
    const size_t n = strlen(head);
    return n > 3 && (find(message, head + 1, n - 3) != NULL ||
                     (is_part && find(head, message, strlen(message)) != NULL));
}

static const char *title_at(const void *context, int index)
{
    (void)context;
    int entry = next_entry(0);
    for (; entry >= 0 && index > 0; index--)
        entry = next_entry(entry + 1);
    return entry < 0 ? NULL : title_of(entry);
}

/* Prints the entries that are meant, by code or by message; how many. */
static int explain(const char *asked, bool by_code)
{
    int found = 0;
    for (int entry = next_entry(0); entry >= 0; entry = next_entry(entry + 1)) {
        if (by_code ? is_code(title_of(entry), asked) : is_meant(entry, asked)) {
            if (found++ > 0)
                putchar('\n');
            print_entry(entry);
        }
    }
    return found;
}

static int run(const tool_arguments *arguments)
{
    const char *asked = arguments->operand;
    if (asked == NULL) {
        for (int entry = next_entry(0); entry >= 0; entry = next_entry(entry + 1))
            printf("%s\n", title_of(entry));
        return TOOL_OK;
    }
    if (explain(asked, true) > 0 || explain(asked, false) > 0)
        return TOOL_OK;
    tool_unknown("message", asked, title_at, NULL);
    tool_error("'tenon explain' lists all; a part of a message in quotes will do");
    return TOOL_BAD_INPUT;
}

const tool_command tool_explain = {
    .name = "explain",
    .operand = "[MESSAGE]",
    .summary = "say what a message means and what to do about it",
    .details =
        "MESSAGE is the code of a status, such as STIFF or TN_ERROR_STIFF, or the text of a "
        "message in\n"
        "quotes, an event, or a part of one. Without it all that can be explained are listed.\n",
    .run = run,
};
