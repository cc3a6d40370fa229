/* run.c: runs a fuzz program without libFuzzer: on each file of the folders it is given, and on so many
 * changes of each, the same every time. A folder without files, or none: on bytes by chance.
 *     check_NAME ROUNDS [FOLDER ...]
 * TENON_FUZZ_BYTES: the most of those by chance; TENON_FUZZ_FIRST: another sequence of them, for campaigns. */
#include <dirent.h>
#include <limits.h>
#include <string.h>

#include "fuzz.h"

#define MOST         65536
#define MOST_FOLDERS 10

static uint64_t state = 1;

/* Splitmix64. */
static uint64_t next(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static size_t below(size_t count)
{
    return count > 0 ? (size_t)(next() % count) : 0;
}

/* A byte, another byte of the same text, a piece less, a piece twice. */
static size_t change(uint8_t *data, size_t size)
{
    const size_t a = below(size), b = below(size), larger = a > b ? a : b;
    size_t length = 1 + below(16);
    length = length < size - larger ? length : size - larger;
    switch (below(4)) {
    case 0:
        data[a] = (uint8_t)next();
        return size;
    case 1:
        data[a] = data[b];
        return size;
    case 2:
        memmove(data + a, data + a + length, size - a - length);
        return size - length;
    default:
        memmove(data + a, data + b, length);
        return size;
    }
}

/* A copy of its own, so that a sanitizer sees what is read beyond it. */
static long run(const uint8_t *data, size_t size)
{
    uint8_t *own = malloc(size + (size == 0));
    fuzz_require(own != NULL, "memory");
    memcpy(own, data, size);
    (void)LLVMFuzzerTestOneInput(own, size);
    free(own);
    return 1;
}

static long run_changes(const uint8_t *data, size_t size, long rounds)
{
    static uint8_t changed[MOST];
    long count = run(data, size);
    for (long k = 0; k < rounds && size > 0; k++) {
        memcpy(changed, data, size);
        size_t length = size;
        for (size_t n = 1 + below(4); n > 0 && length > 1; n--)
            length = change(changed, length);
        count += run(changed, length);
    }
    return count;
}

static long run_file(const char *path, long rounds)
{
    static uint8_t data[MOST];
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    const size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    return run_changes(data, size, rounds);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The files of a folder in the order of their names. */
static long run_folder(const char *folder, long rounds)
{
    char *paths[1000];
    size_t count = 0;
    long runs = 0;
    DIR *directory = opendir(folder);
    struct dirent *entry;
    while (directory && count < 1000 && (entry = readdir(directory)) != NULL) {
        const size_t room = strlen(folder) + strlen(entry->d_name) + 2;
        if (entry->d_name[0] == '.')
            continue;
        paths[count] = malloc(room);
        fuzz_require(paths[count] != NULL, "memory");
        snprintf(paths[count++], room, "%s/%s", folder, entry->d_name);
    }
    if (directory)
        closedir(directory);
    qsort(paths, count, sizeof *paths, compare);
    for (size_t k = 0; k < count; k++) {
        runs += run_file(paths[k], rounds);
        free(paths[k]);
    }
    return runs;
}

static long setting(const char *name, long usual)
{
    const char *text = getenv(name);
    return text ? atol(text) : usual;
}

int main(int argc, char **argv)
{
    const long rounds = argc > 1 ? atol(argv[1]) : 100;
    static uint8_t bytes[MOST];
    const size_t most = (size_t)setting("TENON_FUZZ_BYTES", 400) % MOST;
    static char folders[MOST_FOLDERS][PATH_MAX];
    long runs = 0;
    state = (uint64_t)setting("TENON_FUZZ_FIRST", 1);
    fuzz_require(freopen("/dev/null", "w", stdout) != NULL, "what the tool prints goes nowhere");
    for (int k = 2; k < argc && k < MOST_FOLDERS; k++) /* programs go elsewhere */
        if (!realpath(argv[k], folders[k]))
            folders[k][0] = 0;
    for (int k = 2; k < argc && k < MOST_FOLDERS; k++)
        runs += run_folder(folders[k], rounds);
    for (long k = 0; k < rounds; k++) {
        const size_t size = below(most);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)next();
        runs += run(bytes, size);
    }
    fprintf(stderr, "%ld inputs\n", runs);
    fuzz_require(runs > 0, "a program that ran on nothing has shown nothing");
    return 0;
}
