/* locale_scope.h: numbers with a point, whatever the program's locale.
 *
 * Room io/text. Only the calling thread is affected, and only between the two calls.
 */
#ifndef TN_IO_TEXT_LOCALE_SCOPE_H
#define TN_IO_TEXT_LOCALE_SCOPE_H

#include <locale.h>

typedef struct tn_locale_scope {
    locale_t plain;  /* the "C" locale; 0: there was no memory for it */
    locale_t before; /* what the thread had */
} tn_locale_scope;

/* Answers 0 when out of memory; nothing has changed then. */
static inline int tn_locale_enter(tn_locale_scope *scope)
{
    scope->before = (locale_t)0;
    scope->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (scope->plain == (locale_t)0) {
        return 0;
    }
    scope->before = uselocale(scope->plain);
    return 1;
}

static inline void tn_locale_leave(tn_locale_scope *scope)
{
    uselocale(scope->before);
    freelocale(scope->plain);
}

#endif
