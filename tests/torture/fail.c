/* For LD_PRELOAD: calls of one family fail, as the control page says that the file $FAIL_CONTROL holds. Who maps it, as shim.py does, can say
 * at any time which calls fail, and read how many there were, also when the process is dead. Only in programs named drawbridge...: what
 * these start works as ever.
 *
 * Wakes between threads (eventfd) never fail, as in a kernel: 8 bytes in memory. Streams are made of our own descriptors' calls, so what stdio reads and writes fails, too. What the dynamic loader allocates never fails: it
 * ends the process for a thread without a stack, and that is no program's to mend. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <limits.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SHORT = -1, SHORT_BYTES = 7, LIBRARIES = 64, STREAMS = 64, DESCRIPTORS = 1024, FAMILY_BYTES = 16, LIBRARY_BYTES = 48 };

/* The same in shim.py. */
struct control {
    char family[FAMILY_BYTES];
    char library[LIBRARY_BYTES];    /* only calls from the library whose file's name begins so, or "drawbridge"; empty: from everywhere */
    int32_t error;                  /* an errno, or SHORT: a few bytes only */
    int32_t unused;
    _Atomic uint64_t first, last;   /* of the calls since the family was set; they fail, these two included */
    _Atomic uint64_t calls, faults; /* how many there were, and how many of them failed */
};

static struct control *control;

static struct library {
    char name[LIBRARY_BYTES];
    uintptr_t begin, end;
} libraries[LIBRARIES];
static size_t library_count;
static uintptr_t loader;

static struct {
    FILE *stream;
    int descriptor;
} streams[STREAMS];
static pthread_mutex_t streams_lock = PTHREAD_MUTEX_INITIALIZER;

static _Atomic bool wakes[DESCRIPTORS]; /* those of eventfd */

/* ---- which call fails ---- */

static int add_library(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size, (void)data;
    if (library_count == LIBRARIES)
        return 1;
    struct library *library = &libraries[library_count++];
    const char *slash = strrchr(info->dlpi_name, '/');
    strncpy(library->name, !*info->dlpi_name ? "drawbridge" : slash ? slash + 1 : info->dlpi_name, sizeof library->name - 1);
    library->begin = UINTPTR_MAX;
    for (size_t i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD) {
            uintptr_t at = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, end = at + info->dlpi_phdr[i].p_memsz;
            library->begin = at < library->begin ? at : library->begin;
            library->end = end > library->end ? end : library->end;
        }
    return 0;
}

static bool is_meant(uintptr_t caller)
{
    const struct library *library = NULL;
    for (size_t i = 0; i < library_count && !library; i++)
        if (caller >= libraries[i].begin && caller < libraries[i].end)
            library = &libraries[i];
    if (library && library->begin == loader)
        return false;
    return !*control->library || (library && strncmp(library->name, control->library, strlen(control->library)) == 0);
}

/* 0: the call goes on; or what it fails with. */
static int fault(const char *family, void *caller)
{
    if (!control || strcmp(control->family, family) != 0 || !is_meant((uintptr_t)caller))
        return 0;
    uint64_t call = atomic_fetch_add(&control->calls, 1) + 1;
    if (call < control->first || call > control->last)
        return 0;
    atomic_fetch_add(&control->faults, 1);
    return control->error;
}

static bool is_wake(int file)
{
    return file >= 0 && file < DESCRIPTORS && wakes[file];
}

#define FAULT(family) fault(family, __builtin_return_address(0))
#define REAL(name)                \
    static __typeof__(name) *real; \
    if (!real)                    \
        real = (__typeof__(name) *)(uintptr_t)dlsym(RTLD_NEXT, #name)

/* A function that fails with errno and a value. */
#define WRAP(type, name, parameters, arguments, family, failed) \
    type name parameters                                        \
    {                                                           \
        REAL(name);                                             \
        int error = FAULT(family);                              \
        if (error) {                                            \
            errno = error;                                      \
            return failed;                                      \
        }                                                       \
        return real arguments;                                  \
    }

/* A function that transfers `count` bytes, and may transfer fewer. */
#define WRAP_BYTES(name, parameters, arguments, family)              \
    ssize_t name parameters                                          \
    {                                                                \
        REAL(name);                                                  \
        int error = is_wake(file) ? 0 : FAULT(family);               \
        if (error > 0) {                                             \
            errno = error;                                           \
            return -1;                                               \
        }                                                            \
        if (error == SHORT)                                          \
            count = count > SHORT_BYTES ? SHORT_BYTES : count != 0;  \
        return real arguments;                                       \
    }

/* ---- memory ---- */

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);

static bool no_memory(void *caller)
{
    int error = fault("memory", caller);
    if (error)
        errno = error;
    return error != 0;
}

#define NO_MEMORY() no_memory(__builtin_return_address(0))

void *malloc(size_t size)
{
    return NO_MEMORY() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return NO_MEMORY() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return NO_MEMORY() ? NULL : __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t count, size_t size)
{
    size_t bytes;
    return __builtin_mul_overflow(count, size, &bytes) || NO_MEMORY() ? NULL : __libc_realloc(old, bytes);
}

void *memalign(size_t alignment, size_t size)
{
    return NO_MEMORY() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return NO_MEMORY() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **made, size_t alignment, size_t size)
{
    void *memory = NO_MEMORY() ? NULL : __libc_memalign(alignment, size);
    if (memory)
        *made = memory;
    return memory ? 0 : ENOMEM;
}

WRAP(void *, mmap, (void *at, size_t size, int protection, int flags, int file, off_t offset), (at, size, protection, flags, file, offset), "memory", MAP_FAILED)

/* ---- bytes ---- */

WRAP_BYTES(read, (int file, void *data, size_t count), (file, data, count), "read")
WRAP_BYTES(pread, (int file, void *data, size_t count, off_t offset), (file, data, count, offset), "read")
WRAP_BYTES(pread64, (int file, void *data, size_t count, off64_t offset), (file, data, count, offset), "read")
WRAP_BYTES(recv, (int file, void *data, size_t count, int flags), (file, data, count, flags), "read")
WRAP_BYTES(write, (int file, const void *data, size_t count), (file, data, count), "write")
WRAP_BYTES(pwrite, (int file, const void *data, size_t count, off_t offset), (file, data, count, offset), "write")
WRAP_BYTES(send, (int file, const void *data, size_t count, int flags), (file, data, count, flags), "write")

WRAP(ssize_t, recvmsg, (int file, struct msghdr *message, int flags), (file, message, flags), "read", -1)

/* GnuTLS and the HTTP library send by this. */
ssize_t sendmsg(int file, const struct msghdr *message, int flags)
{
    REAL(sendmsg);
    int error = FAULT("write");
    if (error > 0) {
        errno = error;
        return -1;
    }
    if (error != SHORT || !message->msg_iovlen)
        return real(file, message, flags);
    struct iovec part = message->msg_iov[0];
    struct msghdr less = *message;
    part.iov_len = part.iov_len > SHORT_BYTES ? SHORT_BYTES : part.iov_len;
    less.msg_iov = &part;
    less.msg_iovlen = 1;
    return real(file, &less, flags);
}

ssize_t writev(int file, const struct iovec *parts, int count)
{
    REAL(writev);
    int error = FAULT("write");
    if (error > 0) {
        errno = error;
        return -1;
    }
    return error == SHORT && count > 0 ? syscall(SYS_write, file, parts->iov_base, parts->iov_len > SHORT_BYTES ? SHORT_BYTES : parts->iov_len) : real(file, parts, count);
}

/* ---- files ---- */

#define MODE_OF(flags)                                  \
    va_list more;                                       \
    va_start(more, flags);                              \
    mode_t mode = (flags) & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
    va_end(more)

int open(const char *path, int flags, ...)
{
    MODE_OF(flags);
    int error = FAULT("open");
    return error ? (errno = error, -1) : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    MODE_OF(flags);
    int error = FAULT("open");
    return error ? (errno = error, -1) : (int)syscall(SYS_openat, folder, path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));
int openat64(int folder, const char *path, int flags, ...) __attribute__((alias("openat")));

WRAP(DIR *, opendir, (const char *path), (path), "open", NULL)
WRAP(struct dirent *, readdir, (DIR *folder), (folder), "open", NULL)
WRAP(int, scandir, (const char *path, struct dirent ***list, int (*choose)(const struct dirent *), int (*order)(const struct dirent **, const struct dirent **)),
     (path, list, choose, order), "open", -1)
WRAP(int, stat, (const char *path, struct stat *status), (path, status), "open", -1)
WRAP(int, lstat, (const char *path, struct stat *status), (path, status), "open", -1)
WRAP(int, fstat, (int file, struct stat *status), (file, status), "open", -1)
WRAP(int, access, (const char *path, int mode), (path, mode), "open", -1)
WRAP(char *, realpath, (const char *path, char *real_path), (path, real_path), "open", NULL)
WRAP(ssize_t, readlink, (const char *path, char *text, size_t size), (path, text, size), "open", -1)
WRAP(int, mkostemp, (char *name, int flags), (name, flags), "open", -1)
WRAP(int, mkstemp, (char *name), (name), "open", -1)

WRAP(int, rename, (const char *from, const char *to), (from, to), "rename", -1)
WRAP(int, renameat, (int old, const char *from, int new, const char *to), (old, from, new, to), "rename", -1)
WRAP(int, renameat2, (int old, const char *from, int new, const char *to, unsigned flags), (old, from, new, to, flags), "rename", -1)
WRAP(int, link, (const char *from, const char *to), (from, to), "rename", -1)
WRAP(int, linkat, (int old, const char *from, int new, const char *to, int flags), (old, from, new, to, flags), "rename", -1)
WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode), "rename", -1)
WRAP(int, fchmod, (int file, mode_t mode), (file, mode), "rename", -1)
WRAP(int, fchown, (int file, uid_t user, gid_t group), (file, user, group), "rename", -1)
WRAP(int, ftruncate, (int file, off_t size), (file, size), "rename", -1)

WRAP(int, fsync, (int file), (file), "sync", -1)
WRAP(int, fdatasync, (int file), (file), "sync", -1)

/* The descriptor is gone whatever close says. */
int close(int file)
{
    if (file >= 0 && file < DESCRIPTORS)
        wakes[file] = false;
    int error = FAULT("sync"), result = (int)syscall(SYS_close, file);
    return error ? (errno = error, -1) : result;
}

/* ---- sockets, threads and descriptors ---- */

WRAP(int, accept, (int socket, struct sockaddr *address, socklen_t *size), (socket, address, size), "accept", -1)
WRAP(int, accept4, (int socket, struct sockaddr *address, socklen_t *size, int flags), (socket, address, size, flags), "accept", -1)

WRAP(int, pthread_create, (pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *closure), (thread, attributes, run, closure), "thread", error)
WRAP(int, posix_spawnp, (pid_t *process, const char *file, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment),
     (process, file, actions, attributes, arguments, environment), "thread", error)

WRAP(int, socket, (int domain, int type, int protocol), (domain, type, protocol), "descriptor", -1)
WRAP(int, socketpair, (int domain, int type, int protocol, int pair[2]), (domain, type, protocol, pair), "descriptor", -1)
WRAP(int, listen, (int socket, int backlog), (socket, backlog), "descriptor", -1)
WRAP(int, pipe2, (int pair[2], int flags), (pair, flags), "descriptor", -1)

int eventfd(unsigned count, int flags)
{
    REAL(eventfd);
    int error = FAULT("descriptor"), made = error ? -1 : real(count, flags);
    if (error)
        errno = error;
    if (made >= 0 && made < DESCRIPTORS)
        wakes[made] = true;
    return made;
}

WRAP(int, epoll_create1, (int flags), (flags), "descriptor", -1)

/* To take a file out or to change what is waited for needs no memory. */
int epoll_ctl(int epoll, int operation, int file, struct epoll_event *event)
{
    REAL(epoll_ctl);
    int error = operation == EPOLL_CTL_ADD ? FAULT("descriptor") : 0;
    return error ? (errno = error, -1) : real(epoll, operation, file, event);
}

WRAP(int, inotify_init1, (int flags), (flags), "descriptor", -1)
WRAP(int, inotify_add_watch, (int file, const char *path, uint32_t mask), (file, path, mask), "descriptor", -1)
WRAP(int, memfd_create, (const char *name, unsigned flags), (name, flags), "descriptor", -1)

WRAP(int, poll, (struct pollfd *files, nfds_t count, int milliseconds), (files, count, milliseconds), "wait", -1)
WRAP(int, epoll_wait, (int epoll, struct epoll_event *events, int most, int milliseconds), (epoll, events, most, milliseconds), "wait", -1)

/* ---- streams over the calls above ---- */

static ssize_t stream_read(void *cookie, char *data, size_t count)
{
    return read((int)(intptr_t)cookie, data, count);
}

/* Of stdio's: 0 is an error here. */
static ssize_t stream_write(void *cookie, const char *data, size_t count)
{
    ssize_t written = write((int)(intptr_t)cookie, data, count);
    return written < 0 ? 0 : written;
}

static int stream_seek(void *cookie, off64_t *offset, int whence)
{
    off64_t at = lseek64((int)(intptr_t)cookie, *offset, whence);
    *offset = at;
    return at < 0 ? -1 : 0;
}

static int stream_close(void *cookie)
{
    pthread_mutex_lock(&streams_lock);
    for (size_t i = 0; i < STREAMS; i++)
        if (streams[i].stream && streams[i].descriptor == (int)(intptr_t)cookie)
            streams[i].stream = NULL;
    pthread_mutex_unlock(&streams_lock);
    return close((int)(intptr_t)cookie);
}

FILE *fdopen(int descriptor, const char *mode)
{
    static const cookie_io_functions_t functions = { stream_read, stream_write, stream_seek, stream_close };
    FILE *stream = fopencookie((void *)(intptr_t)descriptor, mode, functions);
    if (!stream)
        return NULL;
    pthread_mutex_lock(&streams_lock);
    for (size_t i = 0; i < STREAMS; i++)
        if (!streams[i].stream) {
            streams[i].stream = stream;
            streams[i].descriptor = descriptor;
            break;
        }
    pthread_mutex_unlock(&streams_lock);
    return stream;
}

FILE *fopen(const char *path, const char *mode)
{
    int flags = strchr(mode, '+') ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
    flags |= *mode == 'w' ? O_CREAT | O_TRUNC : *mode == 'a' ? O_CREAT | O_APPEND : 0;
    int descriptor = open(path, flags | (strchr(mode, 'e') ? O_CLOEXEC : 0), 0666);
    return descriptor < 0 ? NULL : fdopen(descriptor, mode);
}

FILE *fopen64(const char *path, const char *mode) __attribute__((alias("fopen")));

int fileno(FILE *stream)
{
    REAL(fileno);
    int found = -1;
    pthread_mutex_lock(&streams_lock);
    for (size_t i = 0; i < STREAMS; i++)
        if (streams[i].stream == stream)
            found = streams[i].descriptor;
    pthread_mutex_unlock(&streams_lock);
    return found < 0 ? real(stream) : found;
}

/* ---- the beginning ---- */

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("FAIL_CONTROL");
    char program[PATH_MAX] = "";
    syscall(SYS_readlink, "/proc/self/exe", program, sizeof program - 1);
    const char *name = strrchr(program, '/');
    if (!path || !name || strncmp(name, "/drawbridge", strlen("/drawbridge")) != 0)
        return;
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
    void *page = (void *)syscall(SYS_mmap, NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    syscall(SYS_close, file);
    if (page == MAP_FAILED)
        abort();
    loader = getauxval(AT_BASE);
    dl_iterate_phdr(add_library, NULL);
    stdout = fdopen(STDOUT_FILENO, "w");
    control = page;
}
