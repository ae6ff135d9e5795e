/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/pi/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#endif

#if defined(__linux__) && defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__linux__) && defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifndef ARCHITECTURE

const char *
tt_pi_watch_missing (const TtPiRun *run)
{
  return "files are only seen on Linux, x86-64 and aarch64";
}

int
tt_pi_watch_filter (void)
{
  return ENOSYS;
}

int
tt_pi_watch_seize (pid_t child)
{
  return ENOSYS;
}

void
tt_pi_watch_loop (const TtPiRun *run, TtPiRan *ran, pid_t child)
{
}

#else

#define MAX_PATH_LEN 4096
#define NO_DIRECTORY 255

/* The system calls that stop: where the path is among their arguments, and whether they open it. */
static const struct
{
  guint number;
  guint8 path, directory;
  gboolean opens;
} calls[] = {
#ifdef SYS_open
  { SYS_open, 0, NO_DIRECTORY, TRUE },
  { SYS_stat, 0, NO_DIRECTORY, FALSE },
  { SYS_lstat, 0, NO_DIRECTORY, FALSE },
  { SYS_access, 0, NO_DIRECTORY, FALSE },
#endif
  { SYS_openat, 1, 0, TRUE },
  { SYS_newfstatat, 1, 0, FALSE },
  { SYS_faccessat, 1, 0, FALSE },
#ifdef SYS_openat2
  { SYS_openat2, 1, 0, TRUE },
#endif
#ifdef SYS_faccessat2
  { SYS_faccessat2, 1, 0, FALSE },
#endif
#ifdef SYS_statx
  { SYS_statx, 1, 0, FALSE },
#endif
};

const char *
tt_pi_watch_missing (const TtPiRun *run)
{
#ifndef __x86_64__
  if (run->redirects != NULL)
    return "files can only be redirected on x86-64";
#endif
  return NULL;
}

int
tt_pi_watch_filter (void)
{
  struct sock_filter code[4 + 2 * G_N_ELEMENTS (calls)];
  guint n = 0;

  code[n++] = (struct sock_filter) BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, arch));
  code[n++] = (struct sock_filter) BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 0, 1 + 2 * G_N_ELEMENTS (calls));
  code[n++] = (struct sock_filter) BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr));
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      code[n++] = (struct sock_filter) BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, calls[i].number, 0, 1);
      code[n++] = (struct sock_filter) BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    }
  code[n++] = (struct sock_filter) BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW);

  struct sock_fprog program = { .len = (unsigned short) n, .filter = code };
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    return errno;
  return 0;
}

int
tt_pi_watch_seize (pid_t child)
{
  long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                 PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL;

  return ptrace (PTRACE_SEIZE, child, 0, options) == 0 ? 0 : errno;
}

/* A path in the memory of a process, page by page: what follows it may not be there. */
static char *
read_text (pid_t pid, guint64 address)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char part[256];

  while (text->len < MAX_PATH_LEN)
    {
      gsize len = MIN (sizeof part, 4096 - (address + text->len) % 4096);
      struct iovec local = { part, len }, remote = { (void *) (guintptr) (address + text->len), len };
      gssize n = process_vm_readv (pid, &local, 1, &remote, 1, 0);
      if (n <= 0)
        return NULL;
      g_string_append_len (text, part, (gssize) strnlen (part, (gsize) n));
      if (memchr (part, '\0', (gsize) n) != NULL)
        return g_string_free (g_steal_pointer (&text), FALSE);
    }
  return NULL;
}

/* Relative paths become absolute by the directory they are relative to. */
static char *
absolute_path (pid_t pid, guint64 directory, const char *path)
{
  g_autofree char *link = NULL;
  char target[MAX_PATH_LEN];

  if (path[0] == '/')
    return g_strdup (path);
  if ((int) directory == AT_FDCWD || directory == G_MAXUINT64)
    link = g_strdup_printf ("/proc/%ld/cwd", (long) pid);
  else
    link = g_strdup_printf ("/proc/%ld/fd/%d", (long) pid, (int) directory);
  gssize len = readlink (link, target, sizeof target - 1);
  if (len <= 0)
    return g_strdup (path);
  target[len] = '\0';
  return path[0] == '\0' ? NULL : g_build_filename (target, path, NULL);
}

static gboolean
is_below (const char *path, const char *directory)
{
  gsize len = directory != NULL ? strlen (directory) : 0;

  return len > 0 && strncmp (path, directory, len) == 0 && (path[len] == '/' || path[len] == '\0');
}

static const char *
find_replacement (const TtPiRun *run, const char *path)
{
  const char *other = run->redirects != NULL ? g_hash_table_lookup (run->redirects, path) : NULL;

  if (other != NULL || run->redirect_so == NULL || strstr (path, ".so") == NULL || access (path, F_OK) == 0)
    return other;
  g_autofree char *base = g_path_get_basename (path);
  return g_hash_table_lookup (run->redirect_so, base);
}

#ifdef __x86_64__
/* The argument registers of system calls, in order. */
static unsigned long long *
read_argument (struct user_regs_struct *registers, guint index)
{
  unsigned long long *const all[] = { &registers->rdi, &registers->rsi, &registers->rdx };

  return all[index];
}

/* The new path goes below the stack, beyond the zone that a leaf function may use; the old address comes back when the
 * call is over. */
static gboolean
redirect_open (pid_t pid, guint path_index, const char *other, guint64 *saved)
{
  struct user_regs_struct registers;
  gsize len = strlen (other) + 1;

  if (ptrace (PTRACE_GETREGS, pid, 0, &registers) != 0)
    return FALSE;
  guint64 address = (registers.rsp - 1024 - len) & ~(guint64) 15;
  struct iovec local = { (void *) (guintptr) other, len }, remote = { (void *) (guintptr) address, len };
  if (process_vm_writev (pid, &local, 1, &remote, 1, 0) != (gssize) len)
    return FALSE;
  *saved = *read_argument (&registers, path_index);
  *read_argument (&registers, path_index) = address;
  return ptrace (PTRACE_SETREGS, pid, 0, &registers) == 0;
}

static void
put_back (pid_t pid, guint path_index, guint64 saved)
{
  struct user_regs_struct registers;

  if (ptrace (PTRACE_GETREGS, pid, 0, &registers) != 0)
    return;
  *read_argument (&registers, path_index) = saved;
  ptrace (PTRACE_SETREGS, pid, 0, &registers);
}
#else
static gboolean
redirect_open (pid_t pid, guint path_index, const char *other, guint64 *saved)
{
  return FALSE;
}

static void
put_back (pid_t pid, guint path_index, guint64 saved)
{
}
#endif

/* A call whose path was replaced. */
typedef struct
{
  guint path_index;
  guint64 saved;
} Redirected;

typedef struct
{
  const TtPiRun *run;
  TtPiRan *ran;
  GHashTable *redirected; /* pid -> Redirected */
} Watch;

/* How to go on: PTRACE_CONT, or PTRACE_SYSCALL to see the end of the call. */
static int
see_call (Watch *self, pid_t pid)
{
  struct __ptrace_syscall_info info = { 0 };

  if (ptrace (PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info) <= 0 || info.op != PTRACE_SYSCALL_INFO_SECCOMP)
    return PTRACE_CONT;
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      if (calls[i].number != info.seccomp.nr || (!calls[i].opens && self->run->redirects == NULL))
        continue;

      g_autofree char *text = read_text (pid, info.seccomp.args[calls[i].path]);
      guint64 directory = calls[i].directory == NO_DIRECTORY ? G_MAXUINT64 : info.seccomp.args[calls[i].directory];
      g_autofree char *path = text != NULL ? absolute_path (pid, directory, text) : NULL;
      if (path == NULL)
        break;
      if (self->run->watch && calls[i].opens && !is_below (path, self->run->ignore))
        g_ptr_array_add (self->ran->files, g_strdup (path));
      const char *other = find_replacement (self->run, path);
      Redirected done = { .path_index = calls[i].path };
      if (other == NULL || !redirect_open (pid, calls[i].path, other, &done.saved))
        break;
      g_hash_table_insert (self->redirected, GINT_TO_POINTER (pid), g_memdup2 (&done, sizeof done));
      return PTRACE_SYSCALL;
    }
  return PTRACE_CONT;
}

static void
end_call (Watch *self, pid_t pid)
{
  const Redirected *done = g_hash_table_lookup (self->redirected, GINT_TO_POINTER (pid));

  if (done == NULL)
    return;
  put_back (pid, done->path_index, done->saved);
  g_hash_table_remove (self->redirected, GINT_TO_POINTER (pid));
}

static void
go_on (Watch *self, pid_t pid, int status)
{
  int signal = WSTOPSIG (status), event = status >> 16, how = PTRACE_CONT;

  if (event == PTRACE_EVENT_SECCOMP)
    {
      how = see_call (self, pid);
      signal = 0;
    }
  else if (event == PTRACE_EVENT_STOP)
    {
      /* Stopped by a signal it stays so until the next one; else it is new. */
      if (signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU)
        how = PTRACE_LISTEN;
      signal = 0;
    }
  else if (event != 0)
    signal = 0;
  else if (signal == (SIGTRAP | 0x80))
    {
      end_call (self, pid);
      signal = 0;
    }
  /* A call that was replaced is not over while signals come. */
  if (how == PTRACE_CONT && g_hash_table_contains (self->redirected, GINT_TO_POINTER (pid)))
    how = PTRACE_SYSCALL;
  ptrace (how, pid, 0, (long) signal);
}

void
tt_pi_watch_loop (const TtPiRun *run, TtPiRan *ran, pid_t child)
{
  g_autoptr (GHashTable) redirected = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  Watch self = { run, ran, redirected };
  int status;

  for (;;)
    {
      pid_t pid = waitpid (-1, &status, __WALL);
      if (pid < 0 && errno == EINTR)
        continue;
      if (pid < 0)
        return;
      if (WIFSTOPPED (status))
        go_on (&self, pid, status);
      else if (pid == child)
        ran->wait_status = status;
    }
}

#endif
