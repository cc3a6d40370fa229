/* fuzz.h: what the fuzz programs share. Each is one LLVMFuzzerTestOneInput, which takes any bytes and
 * aborts where a promise is broken; libFuzzer feeds it (make fuzz), or fuzz/run.c (make test). */
#ifndef TENON_FUZZ_H
#define TENON_FUZZ_H

#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_require(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "violated: %s\n", what);
        abort();
    }
}

/* Bytes taken one after the other; zeros behind the end. */
typedef struct fuzz_bytes {
    const uint8_t *at, *end;
} fuzz_bytes;

static inline unsigned fuzz_byte(fuzz_bytes *bytes)
{
    return bytes->at < bytes->end ? *bytes->at++ : 0u;
}

static inline void fuzz_leave_folder(void)
{
    char name[4096];
    const char *folder = getcwd(name, sizeof name);
    DIR *files = opendir(".");
    for (struct dirent *file = files ? readdir(files) : NULL; file; file = readdir(files))
        (void)unlink(file->d_name);
    if (files)
        (void)closedir(files);
    if (folder)
        (void)rmdir(folder);
}

/* Goes to a new folder of its own, in memory where there is one, which goes with the program. */
static inline void fuzz_enter_folder(void)
{
    char name[] = "/dev/shm/tenon-fuzz-XXXXXX", beside[] = "/tmp/tenon-fuzz-XXXXXX";
    const char *folder = mkdtemp(name);
    if (!folder)
        folder = mkdtemp(beside);
    fuzz_require(folder && chdir(folder) == 0, "there is a place for files");
    (void)atexit(fuzz_leave_folder);
}

static inline void fuzz_write_file(const char *name, const void *data, size_t size)
{
    FILE *file = fopen(name, "wb");
    fuzz_require(file != NULL, "a file can be written");
    fuzz_require(fwrite(data, 1, size, file) == size && fclose(file) == 0, "and is");
}

#endif
