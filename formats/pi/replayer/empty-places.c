/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "formats/pi/replayer/empty-places.h"

#include "formats/pi/replayer/report.h"
#include "formats/pi/replayer/thread.h"

#include <signal.h>
#include <stddef.h>
#include <ucontext.h>

static struct sigaction before;

/* Where the thread was; not 0 where that is not known. */
static uintptr_t
interrupted_at (const ucontext_t *context)
{
#if defined __x86_64__
  return (uintptr_t) context->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
  return (uintptr_t) context->uc_mcontext.pc;
#else
  return 1;
#endif
}

/* The instruction runs again, under the handler that was there. */
static void
on_fault (int number, siginfo_t *info, void *context)
{
  if (info->si_code <= 0 || info->si_addr != NULL || interrupted_at (context) != 0)
    {
      sigaction (number, &before, NULL);
      return;
    }
  const TtReplayThread *thread = tt_replay_current ();
  tt_replay_report ("end",
                    "thread %s, record %llu: the program calls a function that lies after all recorded ones in its "
                    "runtime's table, but the recording has ended",
                    thread != NULL ? thread->name : tt_replay_own_name (),
                    thread != NULL ? (unsigned long long) thread->record : 0);
  tt_replay_give_up ();
}

void
tt_replay_watch_empty_places (void)
{
  static bool watches;
  struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK };

  if (__atomic_exchange_n (&watches, true, __ATOMIC_RELAXED))
    return;
  sigemptyset (&action.sa_mask);
  sigaction (SIGSEGV, &action, &before);
}
