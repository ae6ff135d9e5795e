/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "formats/pi/recorder/safe-copy.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define LEAST_STACK ((size_t) 8 << 20)

/* Of a thread; high 0: not looked at yet, low = high: not known. */
typedef struct
{
  uintptr_t low, high;
} Stack;

static _Thread_local Stack stack __attribute__ ((tls_model ("initial-exec")));

/* The lowest address of the heap that has been read; 0: none yet. Between it and the break there is nothing else. */
static uintptr_t heap_low;
/* Where the program's own file ends in memory; the heap comes after it. */
static uintptr_t program_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int
find_program_end (struct dl_phdr_info *info, size_t size, void *data)
{
  for (unsigned i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD)
      {
        uintptr_t end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
        if (end > program_end)
          program_end = end;
      }
  return size > 0 || data != NULL; /* the program is the first */
}

static void
look_at_program (void)
{
  dl_iterate_phdr (find_program_end, NULL);
}

/* The first thread's stack grows down from an address that the loader knows, as far as the limit lets it. */
static void
look_at_stack (void)
{
  pthread_attr_t attributes;
  void *const *end = dlsym (RTLD_DEFAULT, "__libc_stack_end");
  struct rlimit limit;
  void *low;
  size_t size;

  stack.low = stack.high = 1;
  if (syscall (SYS_gettid) == getpid ())
    {
      if (end == NULL)
        return;
      size = getrlimit (RLIMIT_STACK, &limit) != 0 || limit.rlim_cur > LEAST_STACK ? LEAST_STACK : limit.rlim_cur;
      stack.high = (uintptr_t) *end;
      stack.low = stack.high - size;
    }
  else if (pthread_getattr_np (pthread_self (), &attributes) == 0)
    {
      if (pthread_attr_getstack (&attributes, &low, &size) == 0)
        {
          stack.low = (uintptr_t) low;
          stack.high = (uintptr_t) low + size;
        }
      pthread_attr_destroy (&attributes);
    }
}

/* On a stack of its own, a coroutine's or a signal handler's, nothing is known. */
static bool
is_on_stack (uintptr_t at, size_t len)
{
  uintptr_t here = (uintptr_t) __builtin_frame_address (0);

  if (stack.high == 0)
    look_at_stack ();
  return here >= stack.low && here < stack.high && at >= here && at < stack.high && len <= stack.high - at;
}

static bool
is_in_heap (uintptr_t at, size_t len)
{
  uintptr_t low = __atomic_load_n (&heap_low, __ATOMIC_RELAXED), end;

  if (low == 0 || at < low)
    return false;
  end = (uintptr_t) sbrk (0);
  return at < end && len <= end - at;
}

static void
note_heap (uintptr_t at)
{
  uintptr_t low = __atomic_load_n (&heap_low, __ATOMIC_RELAXED);

  pthread_once (&once, look_at_program);
  if (at > program_end && at < (uintptr_t) sbrk (0) && (low == 0 || at < low))
    __atomic_store_n (&heap_low, at, __ATOMIC_RELAXED);
}

bool
tt_record_is_there (const void *from, size_t len)
{
  uintptr_t at = (uintptr_t) from;

  return is_on_stack (at, len) || is_in_heap (at, len);
}

/* Where the kernel copies nothing: it reads 8 bytes as a mask of signals before it refuses what is to be done with them. */
static bool
are_pages_there (uintptr_t at, size_t len)
{
  const uintptr_t page = (uintptr_t) sysconf (_SC_PAGESIZE), last = (at + len - 1) & ~(page - 1);

  for (uintptr_t look = at & ~(page - 1); len > 0; look += page)
    {
      if (syscall (SYS_rt_sigprocmask, -1, (const void *) look, NULL, (size_t) 8) == 0 || errno == EFAULT)
        return false;
      if (look == last)
        break;
    }
  return true;
}

bool
tt_record_copy (void *to, const void *from, size_t len)
{
  struct iovec local = { to, len }, remote = { (void *) (uintptr_t) from, len };

  if (tt_record_is_there (from, len))
    {
      memcpy (to, from, len);
      return true;
    }
  ssize_t n = process_vm_readv (getpid (), &local, 1, &remote, 1, 0);
  if (n < 0 && (errno == EPERM || errno == ENOSYS || errno == EACCES) && are_pages_there ((uintptr_t) from, len))
    {
      memcpy (to, from, len);
      return true;
    }
  if (n == (ssize_t) len)
    {
      note_heap ((uintptr_t) from);
      return true;
    }
  /* The space in the file was zero and stays so. */
  memset (to, 0, n > 0 ? (size_t) n : 0);
  return false;
}
