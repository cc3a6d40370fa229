/* The base room: memory hook, assertions, status texts, diagnostics, arena, names, suggestions. */
#define TENON_TESTS_FORK /* assertions end their process */
#include <check.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "tenon/version.h"
#include "allocator.h"
#include "base/arena.h"
#include "base/base.h"
#include "base/names.h"
#include "base/suggest.h"
#include "run_main.h"

static test_allocator the_meter;

static void meter_start(void)
{
    the_meter = (test_allocator){.left = -1};
    tn_set_allocator(test_realloc, &the_meter);
}

static void meter_stop(void)
{
    tn_set_allocator(NULL, NULL);
    ck_assert_int_eq(the_meter.alive, 0);
}

START_TEST(allocation_is_zeroed_and_hooked)
{
    unsigned char *block = tn_alloc(1000, 3);
    ck_assert_ptr_nonnull(block);
    for (int i = 0; i < 3000; i++) {
        ck_assert_uint_eq(block[i], 0);
    }
    ck_assert_int_eq(the_meter.alive, 1);
    tn_free(block);
    tn_free(NULL);
    void *nothing = tn_alloc(0, 16);
    ck_assert_ptr_nonnull(nothing);
    tn_free(nothing);
    ck_assert_int_eq(the_meter.calls, 2);
}
END_TEST

START_TEST(allocation_refuses_overflow)
{
    ck_assert_ptr_null(tn_alloc(SIZE_MAX / 2, 3));
    ck_assert_ptr_null(tn_alloc(SIZE_MAX, SIZE_MAX));
    ck_assert_ptr_null(tn_realloc(NULL, SIZE_MAX));
    ck_assert_ptr_null(tn_copy_text("x", SIZE_MAX));
    ck_assert_int_eq(the_meter.calls, 0);
}
END_TEST

START_TEST(growing_keeps_items_and_moves_seldom)
{
    int *items = NULL;
    int32_t capacity = 0;
    for (int32_t i = 0; i < 100000; i++) {
        items = tn_grow(items, &capacity, i + 1, sizeof(*items));
        items[i] = i;
    }
    int64_t sum = 0;
    for (int32_t i = 0; i < 100000; i++) {
        sum += items[i] == i;
    }
    ck_assert_int_eq(sum, 100000);
    ck_assert_int_lt(the_meter.calls, 40); /* log(1e5 / 8) / log 1.5 = 24 */
    int32_t before = capacity;
    ck_assert_ptr_null(tn_grow(items, &capacity, INT32_MAX, (size_t)PTRDIFF_MAX / 1000));
    ck_assert_int_eq(capacity, before);
    tn_free(items);
}
END_TEST

static jmp_buf after_assertion;
static char asserted[80];

static void note_assertion(const char *condition, const char *file, int line)
{
    ck_assert_ptr_nonnull(file);
    ck_assert_int_gt(line, 0);
    snprintf(asserted, sizeof(asserted), "%s", condition);
    longjmp(after_assertion, 1);
}

START_TEST(assertion_handler_is_called_and_restored)
{
    tn_assert_handler original = tn_set_assert_handler(note_assertion);
    ck_assert(original != NULL && original != note_assertion);
    if (setjmp(after_assertion) == 0) {
        tn_assert_failed("1 > 2", __FILE__, __LINE__);
        ck_abort_msg("the handler was not called");
    }
    ck_assert_str_eq(asserted, "1 > 2");
    ck_assert(tn_set_assert_handler(NULL) == note_assertion);
    ck_assert(tn_set_assert_handler(original) == original);
}
END_TEST

START_TEST(assertion_default_aborts)
{
    tn_assert_failed("expected by the test", __FILE__, __LINE__);
}
END_TEST

START_TEST(the_library_is_of_these_headers)
{
    ck_assert_int_eq(tn_version_number(), TN_VERSION_NUMBER);
    ck_assert_int_eq(tn_version_fits(), 1);
    int part[3];
    ck_assert_int_eq(sscanf(tn_version_text(), "%d.%d.%d", &part[0], &part[1], &part[2]), 3);
    ck_assert_int_eq(10000 * part[0] + 100 * part[1] + part[2], TN_VERSION_NUMBER);
}
END_TEST

START_TEST(every_status_has_a_text)
{
    for (int i = 0; i < TN_STATUS_COUNT; i++) {
        const char *text = tn_status_text((tn_status)i);
        ck_assert_ptr_nonnull(text);
        ck_assert_str_ne(text, "");
        ck_assert_str_ne(text, "unknown status");
    }
    ck_assert_str_eq(tn_status_text(TN_OK), "ok");
    ck_assert_str_eq(tn_status_text(TN_STATUS_COUNT), "unknown status");
}
END_TEST

START_TEST(diagnostics_keep_everything)
{
    tn_diagnostics *diags = tn_diagnostics_create();
    char file[] = "model.yaml", hint[] = "did you mean 'link1'?";
    tn_location at = {file, 12, 7};
    tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_NOT_FOUND, at, hint, "unknown body '%s'", "lnk1");
    tn_diagnostics_add(diags, TN_WARNING, TN_OK, (tn_location){0}, NULL, "%d%%", 50);
    memset(file, '-', sizeof(file) - 1);
    memset(hint, '-', sizeof(hint) - 1);

    ck_assert_int_eq(tn_diagnostics_count(diags), 2);
    ck_assert_int_eq(tn_diagnostics_error_count(diags), 1);
    const tn_diagnostic *first = tn_diagnostics_get(diags, 0);
    ck_assert_int_eq(first->severity, TN_ERROR);
    ck_assert_int_eq(first->code, TN_ERROR_NOT_FOUND);
    ck_assert_str_eq(first->at.file, "model.yaml");
    ck_assert_int_eq(first->at.line, 12);
    ck_assert_int_eq(first->at.column, 7);
    ck_assert_str_eq(first->message, "unknown body 'lnk1'");
    ck_assert_str_eq(first->hint, "did you mean 'link1'?");
    const tn_diagnostic *second = tn_diagnostics_get(diags, 1);
    ck_assert_str_eq(second->message, "50%");
    ck_assert_ptr_null(second->hint);
    ck_assert_ptr_null(second->at.file);

    tn_diagnostics_clear(diags);
    ck_assert_int_eq(tn_diagnostics_count(diags), 0);
    ck_assert_int_eq(tn_diagnostics_error_count(diags), 0);
    tn_diagnostics_destroy(diags);
}
END_TEST

START_TEST(diagnostics_accept_null)
{
    tn_diagnostics_add(NULL, TN_ERROR, TN_ERROR_INPUT, (tn_location){0}, NULL, "dropped");
    tn_diagnostics_clear(NULL);
    tn_diagnostics_destroy(NULL);
    ck_assert_int_eq(tn_diagnostics_count(NULL), 0);
    ck_assert_int_eq(tn_diagnostics_error_count(NULL), 0);
    ck_assert_int_eq(the_meter.calls, 0);
}
END_TEST

/* Every possible point of failure: the problem is counted, never lost silently, never a crash. */
START_TEST(diagnostics_survive_lack_of_memory)
{
    int kept_sometimes = 0, lost_sometimes = 0;
    for (int budget = 0; budget < 40; budget++) {
        the_meter.left = budget;
        tn_diagnostics *diags = tn_diagnostics_create();
        ck_assert((diags == NULL) == (budget == 0));
        for (int i = 0; i < 30 && diags != NULL; i++) {
            tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, (tn_location){"f", i, 1}, "hint",
                               "problem %d", i);
        }
        ck_assert_int_eq(tn_diagnostics_count(diags), diags != NULL ? 30 : 0);
        ck_assert_int_eq(tn_diagnostics_error_count(diags), diags != NULL ? 30 : 0);
        for (int i = 0; i < tn_diagnostics_count(diags); i++) {
            const tn_diagnostic *d = tn_diagnostics_get(diags, i);
            ck_assert_ptr_nonnull(d->message);
            kept_sometimes += d->code == TN_ERROR_INPUT;
            lost_sometimes += d->code == TN_ERROR_MEMORY;
        }
        tn_diagnostics_destroy(diags);
        ck_assert_int_eq(the_meter.alive, 0);
    }
    ck_assert_int_gt(kept_sometimes, 0);
    ck_assert_int_gt(lost_sometimes, 0);
}
END_TEST

START_TEST(arena_items_are_aligned_zeroed_and_stay)
{
    tn_arena arena = {0};
    double *numbers[500];
    char *texts[500];
    for (int i = 0; i < 500; i++) {
        char text[24];
        int length = snprintf(text, sizeof(text), "text %d", i);
        texts[i] = tn_arena_text(&arena, text, (size_t)length);
        numbers[i] = tn_arena_alloc(&arena, (size_t)(i + 1) * sizeof(double));
        ck_assert_uint_eq((uintptr_t)numbers[i] % _Alignof(max_align_t), 0);
        int zeros = 0;
        for (int k = 0; k <= i; k++) {
            zeros += numbers[i][k] == 0.0;
            numbers[i][k] = i;
        }
        ck_assert_int_eq(zeros, i + 1);
    }
    for (int i = 0; i < 500; i++) {
        char text[24];
        snprintf(text, sizeof(text), "text %d", i);
        ck_assert_str_eq(texts[i], text);
        ck_assert_double_eq(numbers[i][i], (double)i);
    }
    void *large = tn_arena_alloc(&arena, 8u * 1024u * 1024u);
    ck_assert_ptr_nonnull(large);
    ck_assert_int_lt(the_meter.calls, 30);
    tn_arena_free(&arena);
    ck_assert_int_eq(the_meter.alive, 0);
    ck_assert_ptr_null(tn_arena_alloc(&arena, SIZE_MAX));
    ck_assert_ptr_null(tn_arena_text(&arena, "", SIZE_MAX));
}
END_TEST

START_TEST(names_find_what_was_added)
{
    tn_names names = {0};
    ck_assert_int_eq(tn_names_find_text(&names, "link1"), TN_NO_NAME);
    ck_assert_int_eq(tn_names_add(&names, "link1", 5, 7), TN_OK);
    ck_assert_int_eq(tn_names_add(&names, "link1 and more", 4, 8), TN_OK); /* "link" */
    ck_assert_int_eq(tn_names_add(&names, "", 0, 9), TN_OK);
    ck_assert_int_eq(tn_names_add(&names, "link1", 5, 10), TN_ERROR_CONFLICT);
    ck_assert_int_eq(tn_names_add(&names, "a\0b", 3, 11), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(names.count, 3);
    ck_assert_int_eq(tn_names_find_text(&names, "link1"), 7);
    ck_assert_int_eq(tn_names_find_text(&names, "link"), 8);
    ck_assert_int_eq(tn_names_find(&names, "link1...", 5), 7);
    ck_assert_int_eq(tn_names_find_text(&names, ""), 9);
    ck_assert_int_eq(tn_names_find_text(&names, "Link1"), TN_NO_NAME);
    ck_assert_int_eq(tn_names_find_text(&names, "link11"), TN_NO_NAME);
    ck_assert_str_eq(names.entries[0].text, "link1");
    tn_names_free(&names);
    ck_assert_int_eq(tn_names_find_text(&names, "link1"), TN_NO_NAME);
}
END_TEST

/* Slots probed to find one name. */
static int64_t probes(const tn_names *names, int32_t entry)
{
    uint32_t mask = (uint32_t)names->slot_count - 1;
    int64_t count = 1;
    for (uint32_t i = names->entries[entry].hash & mask; names->slots[i] != entry;
         i = (i + 1) & mask) {
        count++;
    }
    return count;
}

/* Knuth (The Art of Computer Programming 3, 6.4): linear probing with random hashes at load a needs
 * (1 + 1/(1 - a))/2 probes on average for a name that is there: 2 at a = 2/3. */
START_TEST(names_hold_a_million)
{
    enum { count = 1000000 };
    tn_names names = {0};
    char text[24];
    for (int32_t i = 0; i < count; i++) {
        int length = snprintf(text, sizeof(text), "link%d", i);
        if (tn_names_add(&names, text, (size_t)length, i) != TN_OK) {
            ck_abort_msg("%s cannot be added", text);
        }
    }
    int64_t total = 0;
    for (int32_t i = 0; i < count; i++) {
        snprintf(text, sizeof(text), "link%d", i);
        if (tn_names_find_text(&names, text) != i) {
            ck_abort_msg("%s is lost", text);
        }
        total += probes(&names, i);
    }
    ck_assert_int_eq(tn_names_find_text(&names, "link1000000"), TN_NO_NAME);
    double load = (double)count / names.slot_count;
    double expected = 0.5 * (1 + 1 / (1 - load));
    ck_assert_double_le(load, 2.0 / 3.0);
    ck_assert_double_eq_tol((double)total / count, expected, 0.02 * expected);
    tn_names_free(&names);
}
END_TEST

START_TEST(names_survive_lack_of_memory)
{
    for (int budget = 0; budget < 30; budget++) {
        the_meter.left = budget;
        tn_names names = {0};
        int32_t added = 0;
        tn_status status = TN_OK;
        while (added < 1000 && status == TN_OK) {
            char text[24];
            int length = snprintf(text, sizeof(text), "n%d", added);
            status = tn_names_add(&names, text, (size_t)length, added);
            added += status == TN_OK;
        }
        ck_assert_int_eq(names.count, added);
        ck_assert(added == 1000 || status == TN_ERROR_MEMORY);
        for (int32_t i = 0; i < added; i++) {
            char text[24];
            snprintf(text, sizeof(text), "n%d", i);
            ck_assert_int_eq(tn_names_find_text(&names, text), i);
        }
        tn_names_free(&names);
        ck_assert_int_eq(the_meter.alive, 0);
    }
}
END_TEST

static const struct {
    const char *a, *b;
    int32_t distance;
} distances[] = {
    {"kitten", "sitting", 3},
    {"saturday", "sunday", 3},
    {"", "abc", 3},
    {"abc", "", 3},
    {"", "", 0},
    {"ca", "abc", 3},
    {"ab", "ba", 1},
    {"abcd", "acbd", 1},
    {"lnk1", "link1", 1},
    {"LINK1", "link1", 0},
    {"abc", "xyz", 3},
    {"a", "bcdefghijk", 10},
};

START_TEST(edit_distances)
{
    const char *a = distances[_i].a, *b = distances[_i].b;
    int32_t d = distances[_i].distance;
    ck_assert_int_eq(tn_edit_distance(a, b, 100), d);
    ck_assert_int_eq(tn_edit_distance(b, a, 100), d);
    for (int32_t limit = 1; limit < 12; limit++) {
        ck_assert_int_eq(tn_edit_distance(a, b, limit), d < limit ? d : limit);
    }
}
END_TEST

/* The name most like a word, or "". */
static const char *meant(const char *word, const char *const *names, size_t count)
{
    static tn_suggestion suggestion;
    suggestion = tn_suggestion_for(word);
    for (size_t i = 0; i < count; i++) {
        tn_suggestion_offer(&suggestion, names[i]);
    }
    return suggestion.best;
}

START_TEST(suggestions)
{
    static const char *const kinds[] = {"hinge",     "slider", "cylindrical", "spherical",
                                        "universal", "solid",  "x",           "gravity"};
    size_t count = TN_COUNT_OF(kinds);
    ck_assert_str_eq(meant("hing", kinds, count), "hinge");
    ck_assert_str_eq(meant("Hinge", kinds, count), "hinge");
    ck_assert_str_eq(meant("sldier", kinds, count), "slider");
    ck_assert_str_eq(meant("cilindrical", kinds, count), "cylindrical");
    ck_assert_str_eq(meant("y", kinds, count), "");
    ck_assert_str_eq(meant("", kinds, count), "");
    ck_assert_str_eq(meant("prismatic", kinds, count), "");
    ck_assert_str_eq(meant("hinge", kinds, 0), "");

    char long_word[200];
    memset(long_word, 'a', sizeof(long_word) - 1);
    long_word[sizeof(long_word) - 1] = '\0';
    ck_assert_str_eq(meant(long_word, kinds, count), "");

    static const char *const links[] = {"link1", "link2"};
    ck_assert_str_eq(meant("lnk2", links, 2), "link2");
    ck_assert_str_eq(meant("link3", links, 2), "link1");
    ck_assert_str_eq(meant("wheel", links, 2), "");
}
END_TEST

/* What is said behind "there is no 'lnk2'" where so many names are known. */
START_TEST(hints)
{
    char hint[TN_HINT_SIZE], name[TN_LIST_SIZE];
    tn_names names = {0};
    tn_suggestion s = tn_suggestion_for("lnk2");
    ck_assert_str_eq(tn_suggestion_hint(&s, NULL, hint), "there are none");
    tn_suggestion_offer_alias(&s, "link2");
    ck_assert_str_eq(tn_suggestion_hint(&s, NULL, hint), "did you mean 'link2'?");
    tn_names_add(&names, "wheel", 5, 0);
    s = tn_suggestion_for("lnk2");
    tn_names_offer(&names, &s);
    ck_assert_str_eq(tn_suggestion_hint(&s, NULL, hint), "there is only 'wheel'");
    tn_names_add(&names, "link1", 5, 1);
    s = tn_suggestion_for("lnk2");
    tn_names_offer(&names, &s);
    ck_assert_str_eq(tn_suggestion_hint(&s, NULL, hint),
                     "did you mean 'link1'? There are: wheel, link1");
    tn_names_free(&names);
    s = tn_suggestion_for("lnk1");
    tn_suggestion_offer(&s, "link1");
    ck_assert_str_eq(tn_suggestion_hint(&s, NULL, hint), "did you mean 'link1'?");
    s = tn_suggestion_for("x");
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof(name), "part%d", i);
        tn_suggestion_offer(&s, name);
    }
    tn_suggestion_hint(&s, "'tenon joints'", hint);
    ck_assert_ptr_nonnull(strstr(hint, "there are: part0, part1, "));
    ck_assert_ptr_nonnull(strstr(hint, "part23 and 76 more, see 'tenon joints'"));
    /* names that do not fit are counted */
    s = tn_suggestion_for("x");
    tn_suggestion_offer(&s, "a");
    memset(name, 'a', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    tn_suggestion_offer(&s, name);
    tn_suggestion_offer(&s, "b");
    ck_assert_str_eq(tn_suggestion_hint(&s, NULL, hint), "there are: a and 2 more");
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("base");
    TCase *metered = tcase_create("with a counting allocator");
    tcase_add_checked_fixture(metered, meter_start, meter_stop);
    tcase_add_test(metered, allocation_is_zeroed_and_hooked);
    tcase_add_test(metered, allocation_refuses_overflow);
    tcase_add_test(metered, growing_keeps_items_and_moves_seldom);
    tcase_add_test(metered, diagnostics_keep_everything);
    tcase_add_test(metered, diagnostics_accept_null);
    tcase_add_test(metered, diagnostics_survive_lack_of_memory);
    tcase_add_test(metered, arena_items_are_aligned_zeroed_and_stay);
    tcase_add_test(metered, names_find_what_was_added);
    tcase_add_test(metered, names_hold_a_million);
    tcase_add_test(metered, names_survive_lack_of_memory);
    suite_add_tcase(suite, metered);

    TCase *plain = tcase_create("plain");
    tcase_add_test(plain, assertion_handler_is_called_and_restored);
    tcase_add_test_raise_signal(plain, assertion_default_aborts, 6 /* SIGABRT */);
    tcase_add_test(plain, the_library_is_of_these_headers);
    tcase_add_test(plain, every_status_has_a_text);
    tcase_add_loop_test(plain, edit_distances, 0, (int)TN_COUNT_OF(distances));
    tcase_add_test(plain, suggestions);
    tcase_add_test(plain, hints);
    suite_add_tcase(suite, plain);
    return suite;
}
