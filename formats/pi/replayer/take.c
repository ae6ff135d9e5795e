/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/replayer/take.h"

#include "formats/pi/replayer/answer.h"
#include "formats/pi/replayer/compare.h"
#include "formats/pi/replayer/ids.h"
#include "formats/pi/replayer/report.h"

#include <stdio.h>
#include <string.h>

#define MAX_RELEASES 4096 /* one after the other, to look past */

/* Another function than the recorded one: no later answer would be right. */
_Noreturn static void
end_unexpected (const TtReplayCall *call, const char *called)
{
  char *text = NULL;
  size_t len;
  FILE *out = open_memstream (&text, &len);

  if (out != NULL)
    {
      tt_replay_describe (out, call);
      fclose (out);
    }
  tt_replay_report ("end", "thread %s, record %llu: the program calls %s, expected %s", call->thread->name,
                    (unsigned long long) call->thread->record - 1, called, text != NULL ? text : call->function->name);
  tt_replay_give_up ();
}

/* -- releases --------------------------------------------------------------------------------------- */

static bool
is_release (const TtReplayCall *call)
{
  return call->function->function != NULL && tt_replay_is_release (call->function->name, strlen (call->function->name));
}

static uint64_t
weigh_release (uint32_t id, uint64_t handle)
{
  return tt_replay_weigh (id, tt_replay_has_handles () ? handle : 0);
}

static uint64_t
recorded_handle (const TtReplayCall *call)
{
  return tt_pi_get (call->begin.args, call->begin.args_size < 8 ? call->begin.args_size : 8);
}

static bool
is_wait (const TtReplayCall *call)
{
  return tt_replay_n_threads () > 1 && tt_replay_is_wait (call->function->name, strlen (call->function->name),
                                                          call->begin.args, call->begin.args_size);
}

/* Of the function, and where it may be elsewhere, of the object that the program names. */
static bool
is_called (TtReplayCall *call, const TtReplayCaller *caller)
{
  if (call->function->id != caller->id)
    return false;
  if (!tt_replay_has_handles ())
    return true;
  if (is_wait (call) || strstr (call->function->name, "USMFree") != NULL)
    return caller->pack (call, caller->data) && tt_replay_is_same (call);
  return recorded_handle (call) == caller->handle;
}

/* The next recorded call that is no release and no wait, unless the program makes that one. */
static bool
find_call (TtReplayThread *thread, const TtReplayCaller *caller, TtReplayCall *call)
{
  while (tt_replay_next (thread, call))
    {
      if ((!is_release (call) && !is_wait (call)) || is_called (call, caller))
        return true;
      if (is_wait (call))
        {
          thread->progress->n_others++;
          continue;
        }
      thread->progress->n_passed++;
      thread->progress->balance -= weigh_release (call->function->id, recorded_handle (call));
    }
  return false;
}

static bool
calls_release (const TtReplayCaller *caller)
{
  char room[32];
  const char *name = tt_replay_name (caller->id, room, sizeof room);

  return tt_replay_is_release (name, strlen (name));
}

/* -- the recorded thread ---------------------------------------------------------------------------- */

static bool
peek (TtReplayThread *thread, TtReplayCall *call)
{
  const TtReplayPlace place = tt_replay_place (thread);
  bool found = tt_replay_next (thread, call);

  tt_replay_go_back (thread, &place);
  return found;
}

/* Whether the next call of @thread, past those that may be elsewhere, is this one, with the same arguments if
 * @exactly. */
static bool
fits (TtReplayThread *thread, const TtReplayCaller *caller, bool exactly)
{
  const TtReplayPlace place = tt_replay_place (thread);
  TtReplayCall next;
  bool found = false;

  for (unsigned past = 0; !found && past < MAX_RELEASES && tt_replay_next (thread, &next); past++)
    found = !is_release (&next) && (!is_wait (&next) || is_called (&next, caller));
  tt_replay_go_back (thread, &place);
  return found && next.function->id == caller->id &&
         (!exactly || (caller->pack (&next, caller->data) && tt_replay_is_same (&next)));
}

static TtReplayThread *
thread_named (const char *name)
{
  for (unsigned i = 0; i < tt_replay_n_threads (); i++)
    if (strcmp (tt_replay_thread_at (i)->name, name) == 0)
      return tt_replay_thread_at (i);
  return NULL;
}

/* By its arguments, where handles are sure. */
static TtReplayThread *
thread_that_fits (const TtReplayCaller *caller)
{
  for (unsigned i = 0; tt_replay_has_handles () && i < tt_replay_n_threads (); i++)
    if (fits (tt_replay_thread_at (i), caller, true))
      return tt_replay_thread_at (i);
  return NULL;
}

/* The first that no thread of this process can have and that begins with this function. */
static TtReplayThread *
thread_left (const TtReplayCaller *caller)
{
  for (unsigned i = 0; i < tt_replay_n_threads (); i++)
    {
      TtReplayThread *thread = tt_replay_thread_at (i);
      if (!thread->is_followed && !tt_replay_was_made (thread->name) && fits (thread, caller, false))
        return thread;
    }
  return NULL;
}

/* Which one the calling thread follows from now on; NULL: none can be meant. */
static TtReplayThread *
choose_thread (const TtReplayCaller *caller)
{
  TtReplayThread *own = tt_replay_current (), *named = own == NULL ? thread_named (tt_replay_own_name ()) : NULL;

  if (named != NULL && named->is_followed)
    named = NULL;
  if (own == NULL)
    own = named;
  /* What fits is never a release: those that are recorded elsewhere have been answered. */
  if (own != NULL && calls_release (caller))
    return own;
  if (own != NULL && fits (own, caller, tt_replay_has_handles ()))
    return own;
  TtReplayThread *other = thread_that_fits (caller);
  if (other != NULL)
    return other;
  return own != NULL ? own : thread_left (caller);
}

/* Whether a release is recorded at another place: what comes next is another call. */
static bool
is_release_elsewhere (const TtReplayCaller *caller)
{
  TtReplayThread *thread = tt_replay_current ();
  TtReplayCall next;

  if (!calls_release (caller))
    return false;
  if (thread == NULL)
    thread = thread_named (tt_replay_own_name ());
  if (thread != NULL && peek (thread, &next) && is_called (&next, caller))
    return false;
  if (thread == NULL && tt_replay_n_threads () > 0)
    thread = tt_replay_thread_at (0);
  if (thread == NULL)
    return false;
  thread->progress->n_released++;
  thread->progress->balance += weigh_release (caller->id, caller->handle);
  return true;
}

/* The same of a wait, or of a query for a status: commands are always done. */
static bool
is_wait_elsewhere (const TtReplayCaller *caller)
{
  TtReplayThread *thread = tt_replay_current ();
  TtReplayCall next;

  if (!caller->is_wait || tt_replay_n_threads () < 2)
    return false;
  if (thread != NULL && peek (thread, &next) && is_called (&next, caller))
    return false;
  if (thread_that_fits (caller) != NULL)
    return false;
  if (caller->status_at != 0 && caller->status_room >= 4)
    memset ((void *) (uintptr_t) caller->status_at, 0, 4);
  if (caller->status_size_at != 0)
    tt_pi_put64 ((uint8_t *) (uintptr_t) caller->status_size_at, 4);
  return true;
}

/* -- calls ------------------------------------------------------------------------------------------ */

static void
take_call (const TtReplayCaller *caller, TtReplayCall *call)
{
  TtReplayThread *thread = choose_thread (caller);
  char room[32];
  const char *name = tt_replay_name (caller->id, room, sizeof room);

  if (thread == NULL)
    {
      tt_replay_report ("end",
                        "thread %s: the program calls %s, but this thread made no calls when it was "
                        "recorded",
                        tt_replay_own_name (), name);
      tt_replay_give_up ();
    }
  tt_replay_follow (thread);
  if (!find_call (thread, caller, call))
    {
      tt_replay_report ("end", "thread %s, record %llu: the program calls %s, but the recording has ended",
                        thread->name, (unsigned long long) thread->record, name);
      tt_replay_give_up ();
    }
  if (call->function->id != caller->id)
    end_unexpected (call, name);
  if (!call->has_end)
    {
      tt_replay_report ("end", "thread %s, record %llu: the recorded program died inside this call of %s", thread->name,
                        (unsigned long long) thread->record - 1, call->function->name);
      tt_replay_give_up ();
    }
  if (caller->pack (call, caller->data))
    return;
  tt_replay_report ("end", "thread %s, record %llu: %s has other parameters than in the runtime that was recorded",
                    thread->name, (unsigned long long) thread->record - 1, name);
  tt_replay_give_up ();
}

bool
tt_replay_take (const TtReplayCaller *caller, TtReplayCall *call)
{
  tt_replay_lock ();
  bool is_here = !is_release_elsewhere (caller) && !is_wait_elsewhere (caller);
  if (is_here)
    take_call (caller, call);
  tt_replay_unlock ();
  return is_here;
}

int32_t
tt_replay_finish (const TtReplayCall *call)
{
  tt_replay_compare (call);
  tt_replay_answer (call);
  return call->end.result;
}
