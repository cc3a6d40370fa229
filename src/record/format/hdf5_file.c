/* hdf5_file.c: a virtual file driver of the HDF5 library that swallows errors (hdf5_file.h).
 *
 * Room record/format. POSIX reads and writes at an offset. What was not written reads back as zeros, which
 * is enough for a file that is only closed after an error.
 *
 * A program that is killed leaves a file that opens and holds what was flushed before: what the
 * library writes about the data (its metadata) is kept back until a flush, and then written in an
 * order in which each state is a file: new pieces, the head of the file with its length, indices of
 * chunks, heads of data sets with their lengths. After an error nothing more of it is written. What is left: an
 * index node that is split in two has an instant without half of its frames.
 * Limits: the driver interface of HDF5 1.10 and 1.12.
 */
#include "record/format/hdf5_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"

#define LARGEST_ADDRESS ((haddr_t)INT64_MAX) /* of an off_t */

/* The driver's part of the file access properties. */
typedef struct driver_info {
    int *error; /* errno of the first failure */
    tn_output *output;
} driver_info;

/* What is kept back. */
typedef struct piece {
    haddr_t address;
    size_t size;
    H5FD_mem_t type;
    unsigned char *bytes;
} piece;

typedef struct checked_file {
    H5FD_t head; /* the library's part, first */
    piece *pieces;
    int32_t piece_count, piece_capacity;
    haddr_t flushed; /* end of the file at the last flush: pieces beyond are new */
    int descriptor;
    int *error;
    haddr_t eoa; /* end of what the library has given out */
    haddr_t eof; /* end of what it has written */
} checked_file;

static void remember(const checked_file *file)
{
    if (*file->error == 0)
        *file->error = errno;
}

static void write_out(checked_file *file, haddr_t address, size_t size, const void *buffer)
{
    const char *from = buffer;
    while (size > 0) {
        ssize_t count = pwrite(file->descriptor, from, size, (off_t)address);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0) {
            remember(file);
            break;
        }
        from += count;
        address += (haddr_t)count;
        size -= (size_t)count;
    }
}

/* ---- metadata, kept back ---------------------------------------------------------------------- */

/* False: out of memory. */
static int keep_back(checked_file *file, H5FD_mem_t type, haddr_t address, size_t size,
                     const void *buffer)
{
    for (int32_t k = file->piece_count; k-- > 0;) {
        piece *p = &file->pieces[k];
        if (p->address == address && p->size == size) {
            memcpy(p->bytes, buffer, size);
            return 1;
        }
        if (p->address < address + size && address < p->address + p->size)
            break; /* parts of one another stay in their order */
    }
    piece *grown =
        tn_grow(file->pieces, &file->piece_capacity, file->piece_count + 1, sizeof *grown);
    unsigned char *bytes = tn_alloc(size, 1);
    if (grown != NULL)
        file->pieces = grown;
    if (grown == NULL || bytes == NULL) {
        tn_free(bytes);
        return 0;
    }
    memcpy(bytes, buffer, size);
    file->pieces[file->piece_count++] = (piece){address, size, type, bytes};
    return 1;
}

/* What is kept back counts for the library as written. */
static void overlay(const checked_file *file, haddr_t address, size_t size, unsigned char *buffer)
{
    for (int32_t k = 0; k < file->piece_count; k++) {
        const piece *p = &file->pieces[k];
        const haddr_t from = p->address > address ? p->address : address;
        const haddr_t to =
            p->address + p->size < address + size ? p->address + p->size : address + size;
        if (from < to)
            memcpy(buffer + (from - address), p->bytes + (from - p->address), (size_t)(to - from));
    }
}

/* In which of the passes of a flush a piece is written. */
enum { NEW_PIECES, HEAD_OF_FILE, INDICES, OTHERS, HEADS, PASSES };

static int pass_of(const checked_file *file, const piece *p)
{
    if (p->type == H5FD_MEM_SUPER)
        return HEAD_OF_FILE;
    if (p->address >= file->flushed)
        return NEW_PIECES;
    return p->type == H5FD_MEM_BTREE ? INDICES : p->type == H5FD_MEM_OHDR ? HEADS : OTHERS;
}

static void write_pieces(checked_file *file)
{
    if (*file->error == 0 && ftruncate(file->descriptor, (off_t)file->eoa) != 0)
        remember(file); /* as long as its head will say */
    for (int pass = 0; pass < PASSES; pass++) {
        for (int32_t k = 0; k < file->piece_count && *file->error == 0; k++) {
            if (pass_of(file, &file->pieces[k]) == pass) {
                write_out(file, file->pieces[k].address, file->pieces[k].size,
                          file->pieces[k].bytes);
            }
        }
    }
    for (int32_t k = 0; k < file->piece_count; k++)
        tn_free(file->pieces[k].bytes);
    file->piece_count = 0;
    file->flushed = file->eoa;
}

static herr_t file_flush(H5FD_t *head, hid_t dxpl, hbool_t closing)
{
    (void)dxpl;
    (void)closing;
    write_pieces((checked_file *)head);
    return 0;
}

static H5FD_t *file_open(const char *name, unsigned flags, hid_t fapl, haddr_t largest)
{
    (void)name; /* always a new file, which is open already */
    (void)flags;
    (void)largest;
    const driver_info *info = H5Pget_driver_info(fapl);
    const int descriptor = tn_output_descriptor(info->output);
    if (descriptor < 0) {
        *info->error = errno;
        return NULL;
    }
    checked_file *file = TN_NEW(checked_file);
    if (file == NULL) {
        *info->error = ENOMEM;
        close(descriptor);
        return NULL;
    }
    file->descriptor = descriptor;
    file->error = info->error;
    return &file->head;
}

static herr_t file_close(H5FD_t *head)
{
    checked_file *file = (checked_file *)head;
    write_pieces(file);
    tn_free(file->pieces);
    if (close(file->descriptor) != 0)
        remember(file);
    tn_free(file);
    return 0;
}

static herr_t file_query(const H5FD_t *head, unsigned long *flags)
{
    (void)head;
    /* metadata is not accumulated: it would lose its types */
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t file_get_eoa(const H5FD_t *head, H5FD_mem_t type)
{
    (void)type;
    return ((const checked_file *)head)->eoa;
}

static herr_t file_set_eoa(H5FD_t *head, H5FD_mem_t type, haddr_t address)
{
    (void)type;
    ((checked_file *)head)->eoa = address;
    return 0;
}

static haddr_t file_get_eof(const H5FD_t *head, H5FD_mem_t type)
{
    (void)type;
    return ((const checked_file *)head)->eof;
}

static herr_t file_read(H5FD_t *head, H5FD_mem_t type, hid_t dxpl, haddr_t address, size_t size,
                        void *buffer)
{
    (void)type;
    (void)dxpl;
    const checked_file *file = (const checked_file *)head;
    char *to = buffer;
    const haddr_t start = address;
    const size_t all = size;
    while (size > 0) {
        ssize_t count = pread(file->descriptor, to, size, (off_t)address);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            remember(file);
        if (count <= 0)
            break;
        to += count;
        address += (haddr_t)count;
        size -= (size_t)count;
    }
    memset(to, 0, size);
    overlay(file, start, all, buffer);
    return 0;
}

static herr_t file_write(H5FD_t *head, H5FD_mem_t type, hid_t dxpl, haddr_t address, size_t size,
                         const void *buffer)
{
    (void)dxpl;
    checked_file *file = (checked_file *)head;
    if (address + size > file->eof)
        file->eof = address + size;
    if (type == H5FD_MEM_DRAW) {
        write_out(file, address, size, buffer);
    } else if (!keep_back(file, type, address, size, buffer) && *file->error == 0) {
        *file->error = ENOMEM;
    }
    return 0;
}

static herr_t file_truncate(H5FD_t *head, hid_t dxpl, hbool_t closing)
{
    (void)dxpl;
    (void)closing;
    checked_file *file = (checked_file *)head;
    if (*file->error == 0 && file->eoa != file->eof &&
        ftruncate(file->descriptor, (off_t)file->eoa) != 0)
        remember(file);
    file->eof = file->eoa;
    return 0;
}

static const H5FD_class_t driver = {
    .name = "tenon_checked",
    .maxaddr = LARGEST_ADDRESS,
    .fc_degree = H5F_CLOSE_WEAK,
    .fapl_size = sizeof(driver_info),
    .open = file_open,
    .close = file_close,
    .query = file_query,
    .get_eoa = file_get_eoa,
    .set_eoa = file_set_eoa,
    .get_eof = file_get_eof,
    .read = file_read,
    .write = file_write,
    .flush = file_flush,
    .truncate = file_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

/* The open file keeps its own reference to the driver, so the identifier here can go. */
hid_t tn_hdf5_create_file(const char *path, tn_output *output, int *error)
{
    driver_info info = {error, output};
    hid_t id = H5FDregister(&driver);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_driver(access, id, &info);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    H5FDunregister(id);
    return file;
}
