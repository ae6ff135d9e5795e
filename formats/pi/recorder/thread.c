#include "formats/pi/recorder/recorder.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Thread_local TtRecordThread *current __attribute__ ((tls_model ("initial-exec")));
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

uint64_t
tt_record_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec - tt_recorder.zero_monotonic_ns;
}

void
tt_record_complain (const char *what, const char *path, int error)
{
  static bool complained;

  if (__atomic_exchange_n (&complained, true, __ATOMIC_RELAXED))
    return;
  fprintf (stderr, "tracetool: %s '%s': %s; the recording is not complete\n", what, path, strerror (error));
}

static bool
make_directory (const char *path)
{
  return mkdir (path, 0777) == 0;
}

/* Whoever makes "buffers" owns the directory. */
static bool
claim (void)
{
  const char *directory = getenv ("DPCPP_TRACE_DATA_PATH");
  char base[3800], buffers[4000];

  if (directory == NULL || strlen (directory) > 3000)
    return false;
  snprintf (base, sizeof base, "%s", directory);
  snprintf (buffers, sizeof buffers, "%s/buffers", base);
  for (unsigned i = 1; !make_directory (buffers); i++)
    {
      if (errno != EEXIST || i > 1000)
        {
          tt_record_complain ("cannot make", buffers, errno);
          return false;
        }
      /* The same process after exec counts on. */
      snprintf (base, sizeof base, i == 1 ? "%s/process-%ld" : "%s/process-%ld-%u", directory, (long) getpid (), i);
      make_directory (base);
      snprintf (buffers, sizeof buffers, "%s/buffers", base);
    }
  snprintf (tt_recorder.base, sizeof tt_recorder.base, "%s", base);
  return true;
}

bool
tt_record_claim (void)
{
  static bool failed;
  bool is_there;

  pthread_mutex_lock (&lock);
  if (tt_recorder.base[0] == '\0' && !failed)
    failed = !claim ();
  is_there = tt_recorder.base[0] != '\0';
  pthread_mutex_unlock (&lock);
  return is_there;
}

int
tt_record_open (const char *name, int flags)
{
  char path[4096 + 512];

  snprintf (path, sizeof path, "%s/%s", tt_recorder.base, name);
  return open (path, flags | O_CLOEXEC, 0666);
}

/* The name that the naming library gave, else the kernel's. */
static void
name_thread (char *name, size_t size)
{
  const char *(*given) (void) = (const char *(*) (void) ) dlsym (RTLD_DEFAULT, "tt_pi_thread_name");
  const char *text = given != NULL ? given () : NULL;
  char task[17] = "";

  if (text == NULL && syscall (SYS_gettid) == getpid ())
    text = "main";
  if (text == NULL && prctl (PR_GET_NAME, task) == 0)
    text = task;
  snprintf (name, size, "%s", text == NULL || text[0] == '\0' ? "thread" : text);
  for (char *at = name; *at != '\0'; at++)
    if (*at == '/' || (unsigned char) *at < 32)
      *at = '_';
  if (name[0] == '.')
    name[0] = '_';
}

/* The system call itself: that of the C library is one which `pi record` stops at. */
static bool
identify (int fd, uint64_t *device, uint64_t *inode)
{
  struct stat status;

  if (fd < 0 || syscall (SYS_fstat, fd, &status) != 0)
    return false;
  *device = status.st_dev;
  *inode = status.st_ino;
  return true;
}

static bool
is_ours (const TtRecordThread *self)
{
  uint64_t device, inode;

  return identify (self->fd, &device, &inode) && device == self->device && inode == self->inode;
}

static bool
open_descriptor (TtRecordThread *self, int flags)
{
  self->fd = open (self->path, O_WRONLY | O_APPEND | O_CLOEXEC | flags, 0666);
  if (self->fd < 0)
    return false;

  /* Out of the way of programs that count on small numbers. */
  int high = fcntl (self->fd, F_DUPFD_CLOEXEC, 500);
  if (high >= 0)
    {
      close (self->fd);
      self->fd = high;
    }
  return identify (self->fd, &self->device, &self->inode);
}

int
tt_record_thread_fd (TtRecordThread *self)
{
  if (!is_ours (self) && !open_descriptor (self, 0))
    return -1;
  return self->fd;
}

static bool
open_file (TtRecordThread *self)
{
  if (tt_recorder.format == TT_RECORD_NATIVE)
    {
      TtPiNativeHeader header = {
        .pid = (uint32_t) getpid (),
        .tid = (uint32_t) syscall (SYS_gettid),
        .zero_monotonic_ns = tt_recorder.zero_monotonic_ns,
        .zero_wall_ns = tt_recorder.zero_wall_ns,
      };
      prctl (PR_GET_NAME, header.task);
      errno = 0;
      bool opened = tt_pi_native_open (&self->writer, self->path, &header);
      errno = self->writer.error;
      return opened;
    }
  return open_descriptor (self, O_CREAT | O_EXCL);
}

/* A second thread of the same name gets a file of its own. */
static bool
open_unique (TtRecordThread *self)
{
  static const char *const suffixes[] = { TT_PI_NATIVE_SUFFIX, ".pi_trace", ".trace" };
  char name[TT_PI_NATIVE_MAX_NAME + 1], path[4096 + 512];

  name_thread (name, 200);
  for (unsigned i = 1; i < 100000; i++)
    {
      if (i == 1)
        snprintf (self->name, sizeof self->name, "%s", name);
      else
        snprintf (self->name, sizeof self->name, "%s-%u", name, i);
      snprintf (path, sizeof path, "%s/%s%s", tt_recorder.base, self->name, suffixes[tt_recorder.format]);
      free (self->path);
      self->path = strdup (path);
      if (self->path == NULL)
        return false;
      if (open_file (self))
        return true;
      if (errno != EEXIST)
        break;
    }
  tt_record_complain ("cannot write", self->path, errno);
  return false;
}

void
tt_record_thread_end (TtRecordThread *self)
{
  if (self->lost > self->lost_written && tt_recorder.format == TT_RECORD_NATIVE)
    tt_pi_native_write_lost (&self->writer, self->lost - self->lost_written);
  tt_pi_native_close (&self->writer, true);
  if (is_ours (self))
    close (self->fd);
  free (self->scratch);
  free (self->path);
  free (self);
}

static void
end_thread (void *data)
{
  current = NULL;
  tt_record_thread_end (data);
}

static void
make_key (void)
{
  pthread_key_create (&key, end_thread);
}

static TtRecordThread *
new_thread (void)
{
  /* What cannot be written is not tried again by the same thread. */
  static _Thread_local bool failed __attribute__ ((tls_model ("initial-exec")));

  if (!tt_recorder.is_on || failed)
    return NULL;

  TtRecordThread *self = calloc (1, sizeof *self);
  failed = true;
  if (self == NULL || !tt_record_claim ())
    {
      free (self);
      return NULL;
    }
  self->fd = -1;
  if (!open_unique (self))
    {
      free (self->path);
      free (self);
      return NULL;
    }
  failed = false;
  pthread_once (&once, make_key);
  pthread_setspecific (key, self);
  current = self;
  return self;
}

/* A page that is zero in a child. */
static uint32_t unwatched = 1, *alive = &unwatched;

void
tt_record_watch_forks (void)
{
#ifdef MADV_WIPEONFORK
  size_t size = (size_t) sysconf (_SC_PAGESIZE);
  void *page = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (page == MAP_FAILED)
    return;
  if (madvise (page, size, MADV_WIPEONFORK) != 0)
    {
      munmap (page, size);
      return;
    }
  alive = page;
  *alive = 1;
#endif
}

TtRecordThread *
tt_record_thread (void)
{
  if (__builtin_expect (*alive == 0, 0))
    tt_record_after_fork ();

  TtRecordThread *self = current;

  return self != NULL ? self : new_thread ();
}

void
tt_record_after_fork (void)
{
  /* The mappings are the parent's files: they are left alone. */
  current = NULL;
  *alive = 1;
  tt_recorder.base[0] = '\0';
  pthread_mutex_init (&lock, NULL);
  tt_record_call_after_fork ();
  tt_record_memory_after_fork ();
  tt_record_plugin_after_fork ();
  tt_record_images_after_fork ();
  tt_record_graph_after_fork ();
}
