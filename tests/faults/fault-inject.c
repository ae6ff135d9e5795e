/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes one call of the C library fail, in a program that is started with this library in LD_PRELOAD.
 *
 * FAULT_CALL: the kind of call (a word of kind_names). FAULT_AT: which of them fails, from 1; 0: none. FAULT_ALL=1: all
 * later ones, too. FAULT_ERRNO: the number that they fail with. FAULT_COUNT_FILE: 8 bytes, in which the calls of the
 * kind are counted, those of children included. TRACETOOL: only this program is meant, not what it starts.
 *
 * A call that fails does nothing, but for close and fclose, which close all the same, as those of the kernel do.
 * Standard error is left alone: what fails is to be told. What the C library calls in itself is not seen.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

typedef enum
{
  OPEN,
  READ,
  WRITE,
  SYNC,
  CLOSE,
  RENAME,
  STAT,
  FOLDER,
  RESIZE,
  MAP,
  ALLOCATE,
  UNLINK,
  START,
  SEEK,
  RANDOM,
  MODE,
  N_KINDS,
} Kind;

static const char *const kind_names[N_KINDS] = { "open", "read",   "write",  "sync", "close",  "rename",
                                                 "stat", "folder", "resize", "mmap", "malloc", "unlink",
                                                 "start", "seek", "random", "mode" };

static Kind wanted = N_KINDS;
static int64_t wanted_at, *count, own_count;
static int wanted_errno, fails_later;

/* By system calls: the functions of the C library are those below. */
static int
is_meant (void)
{
  const char *program = getenv ("TRACETOOL");
  struct stat meant, own;

  return program == NULL || syscall (SYS_newfstatat, AT_FDCWD, program, &meant, 0) != 0 ||
         syscall (SYS_newfstatat, AT_FDCWD, "/proc/self/exe", &own, 0) != 0 ||
         (meant.st_ino == own.st_ino && meant.st_dev == own.st_dev);
}

__attribute__ ((constructor)) static void
start (void)
{
  const char *kind = getenv ("FAULT_CALL"), *at = getenv ("FAULT_AT"), *number = getenv ("FAULT_ERRNO"),
             *path = getenv ("FAULT_COUNT_FILE"), *all = getenv ("FAULT_ALL");
  int fd = path == NULL ? -1 : (int) syscall (SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
  long map = fd < 0 ? -1 : syscall (SYS_mmap, NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

  if (fd >= 0)
    syscall (SYS_close, fd);
  count = map == -1 ? &own_count : (int64_t *) map;
  wanted_at = at == NULL ? 0 : strtoll (at, NULL, 10);
  wanted_errno = number == NULL ? EIO : atoi (number);
  fails_later = all != NULL && *all == '1';
  for (int i = 0; kind != NULL && i < N_KINDS && is_meant (); i++)
    if (strcmp (kind, kind_names[i]) == 0)
      wanted = (Kind) i;
}

static int
fails (Kind kind)
{
  if (kind != wanted)
    return 0;
  int64_t n = __atomic_add_fetch (count, 1, __ATOMIC_SEQ_CST);
  if (wanted_at == 0 || n < wanted_at || (n > wanted_at && !fails_later))
    return 0;
  errno = wanted_errno;
  return 1;
}

#define REAL(name) (__extension__ (__typeof__ (&name)) real (#name))

static void *
real (const char *name)
{
  void *found = dlsym (RTLD_NEXT, name);

  if (found == NULL)
    abort ();
  return found;
}

/* A function that is passed on unless it fails: its real form is looked up once. */
#define PASS(type, name, kind, failure, parameters, arguments)                                                         \
  type name parameters                                                                                                 \
  {                                                                                                                    \
    static __typeof__ (&name) next;                                                                                    \
                                                                                                                       \
    if (fails (kind))                                                                                                  \
      return failure;                                                                                                  \
    if (next == NULL)                                                                                                  \
      next = REAL (name);                                                                                              \
    return next arguments;                                                                                             \
  }

/* -- files ------------------------------------------------------------------------------------------------- */

#define OPENING(name, place, places)                                                                                   \
  int name (place const char *path, int flags, ...)                                                                    \
  {                                                                                                                    \
    static __typeof__ (&name) next;                                                                                    \
    va_list more;                                                                                                      \
                                                                                                                       \
    va_start (more, flags);                                                                                            \
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg (more, mode_t) : 0;                                    \
    va_end (more);                                                                                                     \
    if (fails (OPEN))                                                                                                  \
      return -1;                                                                                                       \
    if (next == NULL)                                                                                                  \
      next = REAL (name);                                                                                              \
    return next (places path, flags, mode);                                                                            \
  }

#define NOTHING
#define FOLDER_PARAMETER int folder,
#define FOLDER_ARGUMENT folder,

OPENING (open, NOTHING, NOTHING)
OPENING (open64, NOTHING, NOTHING)
OPENING (openat, FOLDER_PARAMETER, FOLDER_ARGUMENT)
OPENING (openat64, FOLDER_PARAMETER, FOLDER_ARGUMENT)
PASS (FILE *, fopen, OPEN, NULL, (const char *path, const char *mode), (path, mode))
PASS (FILE *, fopen64, OPEN, NULL, (const char *path, const char *mode), (path, mode))
PASS (FILE *, fdopen, OPEN, NULL, (int fd, const char *mode), (fd, mode))

PASS (ssize_t, read, READ, -1, (int fd, void *to, size_t n), (fd, to, n))
PASS (ssize_t, pread, READ, -1, (int fd, void *to, size_t n, off_t at), (fd, to, n, at))
PASS (ssize_t, pread64, READ, -1, (int fd, void *to, size_t n, off64_t at), (fd, to, n, at))

ssize_t __read_chk (int fd, void *to, size_t n, size_t room);
ssize_t __pread_chk (int fd, void *to, size_t n, off_t at, size_t room);
ssize_t __pread64_chk (int fd, void *to, size_t n, off64_t at, size_t room);
PASS (ssize_t, __read_chk, READ, -1, (int fd, void *to, size_t n, size_t room), (fd, to, n, room))
PASS (ssize_t, __pread_chk, READ, -1, (int fd, void *to, size_t n, off_t at, size_t room), (fd, to, n, at, room))
PASS (ssize_t, __pread64_chk, READ, -1, (int fd, void *to, size_t n, off64_t at, size_t room), (fd, to, n, at, room))

/* The stream must know that it failed: ferror() is all that its user may ask. */
static int
fails_on (Kind kind, FILE *file)
{
  if (file == stderr || !fails (kind))
    return 0;
  file->_flags |= _IO_ERR_SEEN;
  return 1;
}

size_t
fread (void *to, size_t size, size_t n, FILE *file)
{
  return fails_on (READ, file) ? 0 : REAL (fread) (to, size, n, file);
}

size_t
fwrite (const void *from, size_t size, size_t n, FILE *file)
{
  return fails_on (WRITE, file) ? 0 : REAL (fwrite) (from, size, n, file);
}

int
fputs (const char *text, FILE *file)
{
  return fails_on (WRITE, file) ? EOF : REAL (fputs) (text, file);
}

int
fflush (FILE *file)
{
  return file != NULL && fails_on (WRITE, file) ? EOF : REAL (fflush) (file);
}

ssize_t
write (int fd, const void *from, size_t n)
{
  static __typeof__ (&write) next;

  if (fd != STDERR_FILENO && fails (WRITE))
    return -1;
  if (next == NULL)
    next = REAL (write);
  return next (fd, from, n);
}

PASS (ssize_t, pwrite, WRITE, -1, (int fd, const void *from, size_t n, off_t at), (fd, from, n, at))
PASS (ssize_t, pwrite64, WRITE, -1, (int fd, const void *from, size_t n, off64_t at), (fd, from, n, at))
PASS (ssize_t, sendfile, WRITE, -1, (int to, int from, off_t *at, size_t n), (to, from, at, n))
PASS (ssize_t, sendfile64, WRITE, -1, (int to, int from, off64_t *at, size_t n), (to, from, at, n))
PASS (ssize_t, writev, WRITE, -1, (int fd, const struct iovec *from, int n), (fd, from, n))

PASS (int, fsync, SYNC, -1, (int fd), (fd))
PASS (int, fdatasync, SYNC, -1, (int fd), (fd))
PASS (int, msync, SYNC, -1, (void *at, size_t n, int flags), (at, n, flags))

int
close (int fd)
{
  int failed = fails (CLOSE), number = errno;
  int result = REAL (close) (fd);

  if (failed)
    errno = number;
  return failed ? -1 : result;
}

int
fclose (FILE *file)
{
  int failed = fails (CLOSE), number = errno;
  int result = REAL (fclose) (file);

  if (failed)
    errno = number;
  return failed ? EOF : result;
}

PASS (int, rename, RENAME, -1, (const char *from, const char *to), (from, to))
PASS (int, renameat, RENAME, -1, (int a, const char *from, int b, const char *to), (a, from, b, to))
PASS (int, renameat2, RENAME, -1, (int a, const char *from, int b, const char *to, unsigned how), (a, from, b, to, how))
PASS (int, link, RENAME, -1, (const char *from, const char *to), (from, to))
PASS (int, linkat, RENAME, -1, (int a, const char *from, int b, const char *to, int how), (a, from, b, to, how))
PASS (int, symlink, RENAME, -1, (const char *from, const char *to), (from, to))
PASS (int, mkdir, RENAME, -1, (const char *path, mode_t mode), (path, mode))
PASS (int, mkdirat, RENAME, -1, (int folder, const char *path, mode_t mode), (folder, path, mode))

PASS (int, unlink, UNLINK, -1, (const char *path), (path))
PASS (int, unlinkat, UNLINK, -1, (int folder, const char *path, int how), (folder, path, how))
PASS (int, rmdir, UNLINK, -1, (const char *path), (path))
PASS (int, remove, UNLINK, -1, (const char *path), (path))

PASS (int, chmod, MODE, -1, (const char *path, mode_t mode), (path, mode))
PASS (int, fchmod, MODE, -1, (int fd, mode_t mode), (fd, mode))
PASS (int, fchown, MODE, -1, (int fd, uid_t user, gid_t group), (fd, user, group))
PASS (int, flock, MODE, -1, (int fd, int how), (fd, how))

PASS (off_t, lseek, SEEK, -1, (int fd, off_t at, int from), (fd, at, from))
PASS (off64_t, lseek64, SEEK, -1, (int fd, off64_t at, int from), (fd, at, from))
PASS (int, fseeko, SEEK, -1, (FILE * file, off_t at, int from), (file, at, from))
PASS (int, fseeko64, SEEK, -1, (FILE * file, off64_t at, int from), (file, at, from))
PASS (off_t, ftello, SEEK, -1, (FILE * file), (file))
PASS (off64_t, ftello64, SEEK, -1, (FILE * file), (file))

PASS (int, stat, STAT, -1, (const char *path, struct stat *facts), (path, facts))
PASS (int, lstat, STAT, -1, (const char *path, struct stat *facts), (path, facts))
PASS (int, fstat, STAT, -1, (int fd, struct stat *facts), (fd, facts))
PASS (int, stat64, STAT, -1, (const char *path, struct stat64 *facts), (path, facts))
PASS (int, lstat64, STAT, -1, (const char *path, struct stat64 *facts), (path, facts))
PASS (int, fstat64, STAT, -1, (int fd, struct stat64 *facts), (fd, facts))
PASS (int, access, STAT, -1, (const char *path, int how), (path, how))
PASS (int, faccessat, STAT, -1, (int folder, const char *path, int how, int flags), (folder, path, how, flags))
PASS (int, fstatat, STAT, -1, (int folder, const char *path, struct stat *facts, int flags),
      (folder, path, facts, flags))
PASS (int, fstatat64, STAT, -1, (int folder, const char *path, struct stat64 *facts, int flags),
      (folder, path, facts, flags))
PASS (ssize_t, readlink, STAT, -1, (const char *path, char *to, size_t n), (path, to, n))
PASS (ssize_t, readlinkat, STAT, -1, (int folder, const char *path, char *to, size_t n), (folder, path, to, n))
PASS (char *, realpath, STAT, NULL, (const char *path, char *to), (path, to))

PASS (DIR *, opendir, FOLDER, NULL, (const char *path), (path))
PASS (DIR *, fdopendir, FOLDER, NULL, (int fd), (fd))
PASS (struct dirent *, readdir, FOLDER, NULL, (DIR * folder), (folder))
PASS (struct dirent64 *, readdir64, FOLDER, NULL, (DIR * folder), (folder))

PASS (int, ftruncate, RESIZE, -1, (int fd, off_t size), (fd, size))
PASS (int, ftruncate64, RESIZE, -1, (int fd, off64_t size), (fd, size))
PASS (int, truncate, RESIZE, -1, (const char *path, off_t size), (path, size))
PASS (int, truncate64, RESIZE, -1, (const char *path, off64_t size), (path, size))
PASS (int, memfd_create, RESIZE, -1, (const char *name, unsigned flags), (name, flags))
PASS (int, posix_fallocate, RESIZE, wanted_errno, (int fd, off_t at, off_t n), (fd, at, n))
PASS (int, posix_fallocate64, RESIZE, wanted_errno, (int fd, off64_t at, off64_t n), (fd, at, n))

/* -- processes and the system ---------------------------------------------------------------------------------- */

PASS (pid_t, fork, START, -1, (void), ())
PASS (int, pipe, START, -1, (int fds[2]), (fds))
PASS (int, pipe2, START, -1, (int fds[2], int flags), (fds, flags))
PASS (int, dup, START, -1, (int fd), (fd))
PASS (int, dup2, START, -1, (int fd, int to), (fd, to))
PASS (int, execve, START, -1, (const char *path, char *const *words, char *const *environment),
      (path, words, environment))
PASS (int, posix_spawn, START, wanted_errno,
      (pid_t * child, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *how,
       char *const *words, char *const *environment),
      (child, path, actions, how, words, environment))
PASS (int, posix_spawnp, START, wanted_errno,
      (pid_t * child, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *how,
       char *const *words, char *const *environment),
      (child, path, actions, how, words, environment))
PASS (int, pthread_create, START, wanted_errno,
      (pthread_t * thread, const pthread_attr_t *how, void *(*run) (void *), void *data), (thread, how, run, data))
PASS (ssize_t, getrandom, RANDOM, -1, (void *to, size_t n, unsigned flags), (to, n, flags))
PASS (int, getentropy, RANDOM, -1, (void *to, size_t n), (to, n))

/* -- memory ---------------------------------------------------------------------------------------------------- */

PASS (void *, mmap, MAP, MAP_FAILED, (void *at, size_t n, int may, int flags, int fd, off_t from),
      (at, n, may, flags, fd, from))
PASS (void *, mmap64, MAP, MAP_FAILED, (void *at, size_t n, int may, int flags, int fd, off64_t from),
      (at, n, may, flags, fd, from))

/* By their own names: dlsym() itself allocates. */
void *__libc_malloc (size_t size);
void *__libc_calloc (size_t n, size_t size);
void *__libc_realloc (void *old, size_t size);
void *__libc_memalign (size_t alignment, size_t size);

void *
malloc (size_t size)
{
  return fails (ALLOCATE) ? NULL : __libc_malloc (size);
}

void *
calloc (size_t n, size_t size)
{
  return fails (ALLOCATE) ? NULL : __libc_calloc (n, size);
}

void *
realloc (void *old, size_t size)
{
  return fails (ALLOCATE) ? NULL : __libc_realloc (old, size);
}

void *
aligned_alloc (size_t alignment, size_t size)
{
  return fails (ALLOCATE) ? NULL : __libc_memalign (alignment, size);
}

int
posix_memalign (void **to, size_t alignment, size_t size)
{
  if (fails (ALLOCATE))
    return ENOMEM;
  *to = __libc_memalign (alignment, size);
  return *to == NULL ? ENOMEM : 0;
}
