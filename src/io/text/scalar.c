/* scalar.c: what the text of a plain scalar means (scalar.h).
 *
 * Room io/text. Numbers are [-+]? (digits [. digits?]? | . digits) ([eE] [-+]? digits)?; hexadecimal and
 * octal ones are texts, because a length in hexadecimal is a slip.
 */
#include "io/text/scalar.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_digits(const char *text)
{
    while (*text >= '0' && *text <= '9') {
        text++;
    }
    return text;
}

static bool is_number(const char *text)
{
    text += *text == '-' || *text == '+';
    const char *start = text;
    text = skip_digits(text);
    long digits = text - start;
    if (*text == '.') {
        start = ++text;
        text = skip_digits(text);
        digits += text - start;
    }
    if (digits == 0) {
        return false;
    }
    if (*text == 'e' || *text == 'E') {
        text++;
        text += *text == '-' || *text == '+';
        start = text;
        text = skip_digits(text);
        if (text == start) {
            return false;
        }
    }
    return *text == '\0';
}

typedef struct word {
    const char *text;
    tn_scalar value;
} word;

tn_scalar tn_scalar_read(const char *text)
{
    const double inf = (double)INFINITY;
    const word words[] = {
        {"", {TN_SCALAR_NULL, 0.0}},           {"~", {TN_SCALAR_NULL, 0.0}},
        {"null", {TN_SCALAR_NULL, 0.0}},       {"Null", {TN_SCALAR_NULL, 0.0}},
        {"NULL", {TN_SCALAR_NULL, 0.0}},       {"true", {TN_SCALAR_BOOL, 1.0}},
        {"True", {TN_SCALAR_BOOL, 1.0}},       {"TRUE", {TN_SCALAR_BOOL, 1.0}},
        {"false", {TN_SCALAR_BOOL, 0.0}},      {"False", {TN_SCALAR_BOOL, 0.0}},
        {"FALSE", {TN_SCALAR_BOOL, 0.0}},      {".inf", {TN_SCALAR_INFINITE, inf}},
        {".Inf", {TN_SCALAR_INFINITE, inf}},   {".INF", {TN_SCALAR_INFINITE, inf}},
        {"+.inf", {TN_SCALAR_INFINITE, inf}},  {"+.Inf", {TN_SCALAR_INFINITE, inf}},
        {"+.INF", {TN_SCALAR_INFINITE, inf}},  {"-.inf", {TN_SCALAR_INFINITE, -inf}},
        {"-.Inf", {TN_SCALAR_INFINITE, -inf}}, {"-.INF", {TN_SCALAR_INFINITE, -inf}},
        {".nan", {TN_SCALAR_NAN, 0.0}},        {".NaN", {TN_SCALAR_NAN, 0.0}},
        {".NAN", {TN_SCALAR_NAN, 0.0}},
    };
    if (is_number(text)) {
        double value = strtod(text, NULL);
        return (tn_scalar){isinf(value) ? TN_SCALAR_TOO_LARGE : TN_SCALAR_NUMBER, value};
    }
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcmp(text, words[i].text) == 0) {
            return words[i].value;
        }
    }
    return (tn_scalar){TN_SCALAR_TEXT, 0.0};
}
