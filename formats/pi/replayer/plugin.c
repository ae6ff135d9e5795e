/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libtracetool-pi-replay.so: a PI plugin that answers calls from a recording. It runs inside foreign programs: plain
 * C11, without GLib.
 *
 * Environment, set by `tracetool pi replay`: TRACETOOL_PI_REPLAY, the directory of native recordings, a file a thread;
 * TRACETOOL_PI_BUFFERS, the directory of contents in files of their own; TRACETOOL_PI_REPORT, a file to which lines for
 * the command are added; TRACETOOL_PI_PROGRESS, a directory where each thread keeps the number of its calls;
 * TRACETOOL_PI_IDS, the list of ids of the runtime (TtPiIds); TRACETOOL_PI_HIGHEST, the highest that was recorded;
 * TRACETOOL_PI_OTHERS=1 when calls of no known backend were made to plugins that are not replaced; TRACETOOL_PI_HANDLES=0 when handles in the recording are
 * inferred and so not compared.
 *
 * Each thread reads its own file in order. A call of another function than the recorded one ends the process with
 * status TT_REPLAY_STATUS; other arguments are reported, and the recorded answer is given all the same. Handles are the
 * recorded ones, for the program only passes them on; memory that the program will touch (USM, mapped buffers) is real.
 */
#include "formats/pi/replayer/answer.h"
#include "formats/pi/replayer/compare.h"
#include "formats/pi/replayer/ids.h"
#include "formats/pi/replayer/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_VERSION 20

static void
pack_args (TtReplayCall *call)
{
  const TtPiFunction *function = call->function->function;
  size_t at = 0;

  for (unsigned i = 0; function != NULL && i < function->n_params; i++)
    for (unsigned k = 0; k < function->params[i].size; k++)
      call->packed[at++] = (uint8_t) (call->args[i] >> (8 * k));
}

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

/* The next recorded call that is no release, unless the program makes that one. */
static bool
find_call (TtReplayThread *thread, uint32_t id, uint64_t handle, TtReplayCall *call)
{
  while (tt_replay_next (thread, call))
    {
      uint64_t recorded = tt_pi_get (call->begin.args, call->begin.args_size < 8 ? call->begin.args_size : 8);
      bool is_same = call->function->id == id && (!tt_replay_has_handles () || recorded == handle);
      if (!is_release (call) || is_same)
        return true;
      thread->progress->n_passed++;
      thread->progress->balance -= weigh_release (call->function->id, recorded);
    }
  return false;
}

static bool
calls_release (uint32_t id)
{
  char room[32];
  const char *name = tt_replay_name (id, room, sizeof room);

  return tt_replay_is_release (name, strlen (name));
}

/* Whether the call is recorded at another place: what comes next is another one. */
static bool
is_release_elsewhere (TtReplayThread *thread, uint32_t id, uint64_t handle)
{
  TtReplayCall next;

  if (!calls_release (id))
    return false;
  if (tt_replay_next (thread, &next))
    {
      uint64_t recorded = tt_pi_get (next.begin.args, next.begin.args_size < 8 ? next.begin.args_size : 8);
      bool is_same = next.function->id == id && (!tt_replay_has_handles () || recorded == handle);
      tt_replay_go_back (thread);
      if (is_same)
        return false;
    }
  thread->progress->n_released++;
  thread->progress->balance += weigh_release (id, handle);
  return true;
}

static int32_t
answer_call (uint32_t id, const uint64_t *args)
{
  TtReplayThread *thread = tt_replay_thread (id);
  TtReplayCall call;
  char room[32];

  if (is_release_elsewhere (thread, id, args[0]))
    return 0;
  if (!find_call (thread, id, args[0], &call))
    {
      tt_replay_report ("end", "thread %s, record %llu: the program calls %s, but the recording has ended",
                        thread->name, (unsigned long long) thread->record, tt_replay_name (id, room, sizeof room));
      tt_replay_give_up ();
    }
  if (call.function->id != id)
    end_unexpected (&call, tt_replay_name (id, room, sizeof room));
  if (!call.has_end)
    {
      tt_replay_report ("end", "thread %s, record %llu: the recorded program died inside this call of %s", thread->name,
                        (unsigned long long) thread->record - 1, call.function->name);
      tt_replay_give_up ();
    }
  call.args = args;
  pack_args (&call);
  tt_replay_compare (&call);
  tt_replay_answer (&call);
  return call.end.result;
}

/* A function for each place in the table. They take as many arguments as any function has, and ignore those that the
 * caller does not pass, which the calling conventions of x86-64 and aarch64 allow. */
#define ARGS                                                                                                  \
  uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h, uint64_t i, \
      uint64_t j, uint64_t k, uint64_t l, uint64_t m, uint64_t n, uint64_t o, uint64_t p
#define PLACE(id)                                                                                 \
  static int32_t place_##id (ARGS)                                                                \
  {                                                                                               \
    const uint64_t args[TT_REPLAY_MAX_ARGS] = { a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p }; \
    return answer_call (0x##id, args);                                                            \
  }
#define ROW(x) \
  F (x##0)     \
  F (x##1)     \
  F (x##2)     \
  F (x##3) F (x##4) F (x##5) F (x##6) F (x##7) F (x##8) F (x##9) F (x##a) F (x##b) F (x##c) F (x##d) F (x##e) F (x##f)
#define ALL ROW (0) ROW (1) ROW (2) ROW (3) ROW (4) ROW (5) ROW (6) ROW (7) ROW (8) ROW (9) ROW (a) ROW (b)

#define F PLACE
/* clang-format off */
ALL
/* clang-format on */
#undef F
#define F(id) place_##id,

    typedef int32_t (*Place) (ARGS);
static const Place places[] = { ALL };

/* The functions in the plugin structure: after two versions, in fields of the same size, and an address. The host has
 * written its version into both. */
static void **
find_table (char *plugin, size_t *room)
{
  size_t len = strnlen (plugin, MAX_VERSION);

  *room = len + 1;
  while (*room < MAX_VERSION && plugin[*room] == '\0')
    ++*room;
  if (len == 0 || len >= MAX_VERSION || strncmp (plugin + *room, plugin, len + 1) != 0)
    return NULL;
  return (void **) (void *) (plugin + TT_PI_NATIVE_PAD (2 * *room) + 8);
}

__attribute__ ((visibility ("default"))) int32_t piPluginInit (void *plugin);

int32_t
piPluginInit (void *plugin)
{
  const unsigned n_places = sizeof places / sizeof places[0];
  size_t room;
  void **table = find_table (plugin, &room);

  if (table == NULL)
    {
      tt_replay_report ("end", "the runtime's plugin structure is not understood: it has no two equal versions");
      return -30;
    }
  for (uint32_t id = 0; id < n_places && id <= tt_replay_highest_id (); id++)
    if (tt_pi_function_by_id (TT_PI_API_PI, tt_replay_ids (), id) != NULL)
      memcpy (&table[id], &places[id], sizeof table[id]);
  return 0;
}
