/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/sandbox.h"

#include "src/base/sanitizers.h"

#if defined __linux__ && (defined __x86_64__ || (defined __aarch64__ && defined __LP64__)) && !TT_SANITIZER_CALLS_MORE

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* Flags of open() that only reading leaves out. */
#define WRITING ((guint32) (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND))

static const int allowed[] = {
  SYS_read,           SYS_pread64,       SYS_readv,          SYS_write,         SYS_writev,        SYS_close,
  SYS_lseek,          SYS_fstat,         SYS_newfstatat,     SYS_statx,         SYS_getdents64,    SYS_readlinkat,
  SYS_faccessat,      SYS_getcwd,        SYS_fcntl,          SYS_munmap,        SYS_mremap,        SYS_madvise,
  SYS_brk,            SYS_futex,         SYS_exit,           SYS_exit_group,    SYS_rt_sigreturn,  SYS_rt_sigaction,
  SYS_rt_sigprocmask, SYS_clock_gettime, SYS_gettimeofday,   SYS_getpid,        SYS_gettid,        SYS_getrandom,
  SYS_sched_yield,    SYS_uname,         SYS_restart_syscall,
#if TT_HAS_SANITIZER
  /* AddressSanitizer asks for the stack of signals before what does not return. */
  SYS_sigaltstack,
#endif
#ifdef SYS_open
  SYS_stat,           SYS_lstat,         SYS_access,         SYS_readlink,      SYS_time,
#endif
};

/* Calls of which one argument must not have some bits. */
static const struct
{
  int call;
  guint argument;
  guint32 forbidden;
} masked[] = {
  { SYS_openat, 2, WRITING },
#ifdef SYS_open
  { SYS_open, 1, WRITING },
#endif
  { SYS_mmap, 2, PROT_EXEC },
  { SYS_mprotect, 2, PROT_EXEC },
};

#define MAX_CODE 128u

typedef struct
{
  struct sock_filter code[MAX_CODE];
  guint n;
} Program;

static void
add (Program *self, guint code, guint32 value, guint if_true, guint if_false)
{
  g_assert (self->n < MAX_CODE);
  self->code[self->n++] =
      (struct sock_filter){ (guint16) code, (guint8) if_true, (guint8) if_false, value };
}

static void
load (Program *self, gsize offset)
{
  add (self, BPF_LD | BPF_W | BPF_ABS, (guint32) offset, 0, 0);
}

static void
answer (Program *self, guint32 value)
{
  add (self, BPF_RET | BPF_K, value, 0, 0);
}

/* All flags lie in the lower halves of their arguments, which come first on these processors. */
static void
make_program (Program *self)
{
  const guint32 denied = SECCOMP_RET_ERRNO | EPERM;

  load (self, offsetof (struct seccomp_data, arch));
  add (self, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
  answer (self, SECCOMP_RET_KILL_PROCESS);
  load (self, offsetof (struct seccomp_data, nr));
  for (guint i = 0; i < G_N_ELEMENTS (allowed); i++)
    {
      add (self, BPF_JMP | BPF_JEQ | BPF_K, (guint32) allowed[i], 0, 1);
      answer (self, SECCOMP_RET_ALLOW);
    }
  for (guint i = 0; i < G_N_ELEMENTS (masked); i++)
    {
      add (self, BPF_JMP | BPF_JEQ | BPF_K, (guint32) masked[i].call, 0, 4);
      load (self, offsetof (struct seccomp_data, args) + masked[i].argument * sizeof (guint64));
      add (self, BPF_JMP | BPF_JSET | BPF_K, masked[i].forbidden, 1, 0);
      answer (self, SECCOMP_RET_ALLOW);
      answer (self, denied);
    }
  /* abort() raises its signal so; of other processes this one reaches none. */
  add (self, BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 4);
  load (self, offsetof (struct seccomp_data, args));
  add (self, BPF_JMP | BPF_JEQ | BPF_K, (guint32) getpid (), 0, 1);
  answer (self, SECCOMP_RET_ALLOW);
  answer (self, denied);
  answer (self, denied);
}

gboolean
tt_sandbox_enter (void)
{
  Program program = { .n = 0 };

  make_program (&program);
  const struct sock_fprog filter = { (unsigned short) program.n, program.code };
  return prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

#else

gboolean
tt_sandbox_enter (void)
{
  return FALSE;
}

#endif
