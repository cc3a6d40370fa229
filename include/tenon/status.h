/* status.h: the status that a Tenon call returns, and the list of problems it found.
 *
 * Errors have three channels: a caller's bug is an assertion (replaceable handler); a user's mistake
 * is a status plus located diagnostics; a numerical event is counted in the step report (sim.h).
 */
#ifndef TENON_STATUS_H
#define TENON_STATUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define TN_API __declspec(dllexport)
#elif defined(__GNUC__)
#define TN_API __attribute__((visibility("default")))
#else
#define TN_API
#endif

/* One line per status: name, text shown to people. */
#define TN_STATUS_LIST(X)                                                                          \
    X(TN_OK, "ok")                                                                                 \
    X(TN_ERROR_MEMORY, "out of memory")                                                            \
    X(TN_ERROR_ARGUMENT, "invalid argument")                                                       \
    X(TN_ERROR_INPUT, "invalid input")                                                             \
    X(TN_ERROR_IO, "file cannot be read or written")                                               \
    X(TN_ERROR_NOT_FOUND, "no such name")                                                          \
    X(TN_ERROR_UNSUPPORTED, "not supported")                                                       \
    X(TN_ERROR_NOT_CONVERGED, "the solver did not converge")                                       \
    X(TN_ERROR_NOT_FINITE, "a value is not finite")                                                \
    X(TN_ERROR_SINGULAR, "the motion is not determined")                                           \
    X(TN_ERROR_CONFLICT, "constraints contradict each other")                                      \
    X(TN_ERROR_UNSTABLE, "the step is too long: it creates energy")                                \
    X(TN_ERROR_STIFF, "too stiff or too fast for this accuracy: ask for less, for shorter steps, " \
                      "or take generalized_alpha")                                                 \
    X(TN_ERROR_LOAD, "a load has no value here: its table has no such time, its formula no "       \
                     "value, or its two points "                                                   \
                     "met")                                                                        \
    X(TN_ERROR_WORK, "more work than one call may take")                                           \
    X(TN_ERROR_INACCURATE, "what the step ends with does not obey mechanics, in parts of any "     \
                           "length: take a shorter one")                                           \
    X(TN_ERROR_BUSY, "a simulation cannot be changed from inside its own step")                    \
    X(TN_ERROR_STOPPED, "stopped on request")

typedef enum tn_status {
#define TN_STATUS_ENUM(name, text) name,
    TN_STATUS_LIST(TN_STATUS_ENUM)
#undef TN_STATUS_ENUM
        TN_STATUS_COUNT
} tn_status;

/* The text of a status; never NULL. */
TN_API const char *tn_status_text(tn_status status);

/* How serious a problem is: only TN_ERROR prevents a call from succeeding. */
typedef enum tn_severity { TN_NOTE, TN_WARNING, TN_ERROR } tn_severity;

/* Where in a text a problem is. line and column count from 1; 0 means unknown. */
typedef struct tn_location {
    const char *file; /* NULL when the problem has no file */
    int32_t line;
    int32_t column;
} tn_location;

/* One problem. The strings live as long as the tn_diagnostics that holds them. */
typedef struct tn_diagnostic {
    tn_severity severity;
    tn_status code;
    tn_location at;
    const char *message;
    const char *hint; /* NULL when there is none */
} tn_diagnostic;

/* A growing list of problems; every call that takes one accepts NULL (problems are then dropped).
 */
typedef struct tn_diagnostics tn_diagnostics;

/* NULL when out of memory. */
TN_API tn_diagnostics *tn_diagnostics_create(void);
/* Frees the list and its problems; NULL is accepted. */
TN_API void tn_diagnostics_destroy(tn_diagnostics *diags);
/* Removes all problems. */
TN_API void tn_diagnostics_clear(tn_diagnostics *diags);
/* Number of problems. */
TN_API int32_t tn_diagnostics_count(const tn_diagnostics *diags);
/* Number of problems that are errors. */
TN_API int32_t tn_diagnostics_error_count(const tn_diagnostics *diags);
/* index in 0 .. count-1. */
TN_API const tn_diagnostic *tn_diagnostics_get(const tn_diagnostics *diags, int32_t index);

#if defined(__GNUC__)
#define TN_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define TN_PRINTF(fmt, args)
#endif

/* Adds a problem; hint may be NULL; the message is printf-formatted, all strings are copied. */
TN_API void tn_diagnostics_add(tn_diagnostics *diags, tn_severity severity, tn_status code,
                               tn_location at, const char *hint, const char *format, ...)
    TN_PRINTF(6, 7);

/* Called when a caller breaks a contract (a bug, not bad input); the default prints and aborts.
 * Only in builds with assertions (Debug, RelWithDebInfo). Returns the previous handler. */
typedef void (*tn_assert_handler)(const char *condition, const char *file, int line);
/* Sets the handler, NULL: the default; returns the previous one. */
TN_API tn_assert_handler tn_set_assert_handler(tn_assert_handler handler);

/* The allocator used by every tn_..._create; set it before the first call of the library and not
 * while objects exist. realloc semantics: size 0 frees, NULL allocates. NULL restores libc. */
typedef void *(*tn_realloc_function)(void *context, void *block, size_t size);
/* Sets the allocator: see tn_realloc_function. */
TN_API void tn_set_allocator(tn_realloc_function function, void *context);

/* Requests the end of long calls. The function is called by the calls of the thread that set it: in each
 * sub-step, before each factorization and in each pass of long searches, thousands of times a second; if a call
 * has worker threads, by these too, at the same time. Once it returns something other than 0 it must do
 * so until the call has returned. The call then returns TN_ERROR_STOPPED within a second, and nothing has
 * changed: a step is rolled back (tn_sim_advance keeps the steps before). The function must not call the
 * library. NULL, the default: no call is stopped. */
typedef int (*tn_stop_function)(void *context);
/* Sets the request of this thread: see tn_stop_function. */
TN_API void tn_set_stop(tn_stop_function function, void *context);

#ifdef __cplusplus
}
#endif
#endif
