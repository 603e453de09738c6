/* A disk that remembers and that can fail, put between a program and its database.
 *
 * Loaded with LD_PRELOAD. It watches the database FAULTS_DATABASE, its write-ahead log, its
 * rollback journal and their folder; the shared-memory file is no part of what is stored.
 *
 * FAULTS_JOURNAL: a file that every change and every fsync of the watched files is written to, so
 * that the state of the disk after a power cut can be worked out for any moment.
 * FAULTS_CONTROL: a file of three 32-bit numbers, read again for each call: the error that writes
 * fail with, the error that fsync fails with (0: none), and how many calls in a thousand fail.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum { NONE, DATABASE, WAL, ROLLBACK, FOLDER, FILES };
enum { CREATED = 1, WRITTEN, TRUNCATED, SYNC_BEGUN, SYNC_DONE, UNLINKED, RENAMED };
enum { DESCRIPTORS = 65536, PATH = 4096 };

struct record {
    uint32_t kind, file;
    uint64_t offset, length;
};

struct control {
    volatile int32_t write_error, sync_error, per_mille;
};

static char paths[FILES][PATH];
static unsigned char watched[DESCRIPTORS];
static int journal = -1;
static struct control *control;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int real_open(const char *path, int flags, mode_t mode) {
    int (*open_)(const char *, int, ...) = dlsym(RTLD_NEXT, "open64");
    return open_(path, flags, mode);
}

__attribute__((constructor)) static void set_up(void) {
    const char *database = getenv("FAULTS_DATABASE"), *name = getenv("FAULTS_JOURNAL");
    if (!database) return;
    snprintf(paths[DATABASE], PATH, "%s", database);
    snprintf(paths[WAL], PATH, "%s-wal", database);
    snprintf(paths[ROLLBACK], PATH, "%s-journal", database);
    snprintf(paths[FOLDER], PATH, "%s", database);
    char *slash = strrchr(paths[FOLDER], '/');
    if (slash) *slash = 0;
    if (name) journal = real_open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if ((name = getenv("FAULTS_CONTROL"))) {
        int file = real_open(name, O_RDONLY | O_CLOEXEC, 0);
        void *shared = mmap(NULL, sizeof *control, PROT_READ, MAP_SHARED, file, 0);
        if (shared != MAP_FAILED) control = shared;
    }
}

static int named(const char *path) {
    for (int file = DATABASE; path && file < FILES; file++)
        if (paths[file][0] && !strcmp(path, paths[file])) return file;
    return NONE;
}

static int behind(int descriptor) {
    return descriptor >= 0 && descriptor < DESCRIPTORS ? watched[descriptor] : NONE;
}

static void note(int kind, int file, uint64_t offset, const void *data, uint64_t length) {
    if (journal < 0) return;
    int before = errno;
    struct record head = {kind, file, offset, length};
    struct iovec parts[] = {{&head, sizeof head}, {(void *)data, data ? length : 0}};
    pthread_mutex_lock(&lock);
    if (writev(journal, parts, 2) < 0) abort();
    pthread_mutex_unlock(&lock);
    errno = before;
}

static int fails(int error) {
    static _Thread_local unsigned seed;
    if (!error) return 0;
    if (!seed) seed = (unsigned)(uintptr_t)&seed ^ (unsigned)getpid();
    if (rand_r(&seed) % 1000 >= control->per_mille) return 0;
    errno = error;
    return 1;
}

static int opened(int descriptor, const char *path, int created) {
    int file = descriptor < 0 ? NONE : named(path);
    if (descriptor >= 0 && descriptor < DESCRIPTORS) watched[descriptor] = file;
    if (file && created) note(CREATED, file, 0, NULL, 0);
    return descriptor;
}

static int open_as(const char *name, int folder, const char *path, int flags, mode_t mode) {
    int created = (flags & O_CREAT) && named(path) && access(path, F_OK) != 0;
    if (created && control && fails(control->write_error)) return -1;
    if (folder == AT_FDCWD) return opened(real_open(path, flags, mode), path, created);
    int (*openat_)(int, const char *, int, ...) = dlsym(RTLD_NEXT, name);
    return opened(openat_(folder, path, flags, mode), path, created);
}

static mode_t mode_of(int flags, va_list more) {
    return flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list more; \
        va_start(more, flags); \
        mode_t mode = mode_of(flags, more); \
        va_end(more); \
        return open_as(#name, AT_FDCWD, path, flags, mode); \
    }
#define OPENAT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        va_list more; \
        va_start(more, flags); \
        mode_t mode = mode_of(flags, more); \
        va_end(more); \
        return open_as(#name, folder, path, flags, mode); \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

int close(int descriptor) {
    REAL(close);
    if (behind(descriptor)) watched[descriptor] = NONE;
    return real(descriptor);
}

/* A full disk takes what still fits: every other failing write is a short one. */
static int shortened(size_t length) {
    static _Thread_local unsigned failures;
    return length > 1 && errno == ENOSPC && failures++ % 2;
}

#define WRITE(name, parameters, arguments, where) \
    ssize_t name parameters { \
        REAL(name); \
        int file = behind(descriptor); \
        if (!file) return real arguments; \
        if (control && fails(control->write_error)) { \
            if (!shortened(length)) return -1; \
            length /= 2; \
        } \
        uint64_t at = where; \
        ssize_t done = real arguments; \
        if (done > 0) note(WRITTEN, file, at, data, done); \
        return done; \
    }
WRITE(write, (int descriptor, const void *data, size_t length), (descriptor, data, length),
      lseek(descriptor, 0, SEEK_CUR))
WRITE(pwrite, (int descriptor, const void *data, size_t length, off_t offset),
      (descriptor, data, length, offset), offset)
WRITE(pwrite64, (int descriptor, const void *data, size_t length, off64_t offset),
      (descriptor, data, length, offset), offset)

#define TRUNCATE(name, type) \
    int name(int descriptor, type length) { \
        REAL(name); \
        int file = behind(descriptor); \
        if (file && control && fails(control->write_error)) return -1; \
        int result = real(descriptor, length); \
        if (file && !result) note(TRUNCATED, file, length, NULL, 0); \
        return result; \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

/* An fsync covers what was written before it began. */
#define SYNC(name) \
    int name(int descriptor) { \
        REAL(name); \
        int file = behind(descriptor); \
        if (!file) return real(descriptor); \
        if (control && fails(control->sync_error)) return -1; \
        note(SYNC_BEGUN, file, 0, NULL, 0); \
        int result = real(descriptor); \
        if (!result) note(SYNC_DONE, file, 0, NULL, 0); \
        return result; \
    }
SYNC(fsync)
SYNC(fdatasync)

int unlink(const char *path) {
    REAL(unlink);
    int file = named(path), result = real(path);
    if (file && !result) note(UNLINKED, file, 0, NULL, 0);
    return result;
}

/* Plybook renames no watched file while it has it open: the reader of the journal refuses it. */
int rename(const char *from, const char *to) {
    REAL(rename);
    int file = named(from) ? named(from) : named(to), result = real(from, to);
    if (file && !result) note(RENAMED, file, 0, NULL, 0);
    return result;
}
