/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libtracetool-pi-replay.so: a PI plugin that answers calls from a recording. It runs inside foreign programs: plain
 * C11, without GLib.
 *
 * Environment, set by `tracetool pi replay`: TRACETOOL_PI_REPLAY, the directory of native recordings, a file a thread;
 * TRACETOOL_PI_BUFFERS, the directory of contents in files of their own; TRACETOOL_PI_REPORT, a file to which lines for
 * the command are added; TRACETOOL_PI_PROGRESS, a directory where each thread keeps the number of its calls;
 * TRACETOOL_PI_IDS, the list of ids of the runtime (TtPiIds); TRACETOOL_PI_HIGHEST, the highest that was recorded;
 * TRACETOOL_PI_OTHERS=1 when calls of no known backend were made to plugins that are not replaced;
 * TRACETOOL_PI_HANDLES=0 when handles in the recording are inferred and so not compared.
 *
 * Each thread reads its own file in order. A call of another function than the recorded one ends the process with
 * status TT_REPLAY_STATUS; other arguments are reported, and the recorded answer is given all the same. Handles are the
 * recorded ones, for the program only passes them on; memory that the program will touch (USM, mapped buffers) is real.
 */
#include "formats/pi/places.h"
#include "formats/pi/replayer/empty-places.h"
#include "formats/pi/replayer/ids.h"
#include "formats/pi/replayer/report.h"
#include "formats/pi/replayer/take.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_VERSION 20

static bool
pack_args (TtReplayCall *call, const void *data)
{
  const TtPiFunction *function = call->function->function;
  const uint64_t *args = data;
  size_t at = 0;

  /* Floating-point numbers are passed in other registers: those recorded are taken for the present ones. */
  for (unsigned i = 0; function != NULL && i < function->n_params; at += function->params[i++].size)
    if (function->params[i].kind == TT_PI_KIND_FLOAT)
      memcpy (call->packed + at, call->begin.args + at, function->params[i].size);
    else
      {
        uint64_t word = *args++;
        for (unsigned k = 0; k < function->params[i].size; k++)
          call->packed[at + k] = (uint8_t) (word >> (8 * k));
      }
  return true;
}

static int32_t
answer_call (uint32_t id, const uint64_t *args)
{
  const TtPiFunction *function = tt_pi_function_by_id (TT_PI_API_PI, tt_replay_ids (), id);
  TtReplayCaller caller = { .id = id, .handle = args[0], .pack = pack_args, .data = args };
  TtReplayCall call;

  uint8_t packed[12];

  tt_pi_put64 (packed, args[0]);
  tt_pi_put32 (packed + 8, (uint32_t) args[1]);
  caller.is_wait =
      function != NULL && tt_replay_is_wait (function->name, strlen (function->name), packed, sizeof packed);
  if (caller.is_wait && strcmp (function->name, "piEventGetInfo") == 0)
    {
      caller.status_room = args[2];
      caller.status_at = args[3];
      caller.status_size_at = args[4];
    }
  return tt_replay_take (&caller, &call) ? tt_replay_finish (&call) : 0;
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
#define ADDRESS(id) place_##id,

TT_PI_256 (PLACE, )

typedef int32_t (*Place) (ARGS);
static const Place places[] = { TT_PI_256 (ADDRESS, ) };

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

/* How many functions the table of a runtime has at least, by the minor number of its version, which counts through all
 * versions: as many as plugins of releases fill. In between functions were added and taken away, so a number holds for
 * later versions only as far as none was taken away. What lies after the table may not be written to. */
static uint32_t
least_functions (const char *version)
{
  static const struct
  {
    unsigned minor;
    uint32_t n;
  } tables[] = { { 47, 159 }, { 37, 152 }, { 15, 106 }, { 6, 104 } };
  const char *dot = strchr (version, '.');
  unsigned long minor = dot != NULL ? strtoul (dot + 1, NULL, 10) : 0;

  for (unsigned i = 0; i < tt_pi_n_versions; i++)
    if (tt_pi_versions[i].minor == minor)
      return tt_pi_versions[i].n_functions;
  for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
    if (minor >= tables[i].minor)
      return tables[i].n;
  return 0;
}

__attribute__ ((visibility ("default"))) int32_t piPluginInit (void *plugin);

int32_t
piPluginInit (void *plugin)
{
  const uint32_t n_places = sizeof places / sizeof places[0];
  size_t room;
  void **table = find_table (plugin, &room);

  if (table == NULL)
    {
      tt_replay_report ("end", "the runtime's plugin structure is not understood: it has no two equal versions");
      return -30;
    }
  uint32_t least = least_functions (plugin);
  for (uint32_t id = 0; id < n_places && (id <= tt_replay_highest_id () || id < least); id++)
    if (id < least || tt_pi_function_by_id (TT_PI_API_PI, tt_replay_ids (), id) != NULL)
      memcpy (&table[id], &places[id], sizeof table[id]);
  tt_replay_watch_empty_places ();
  return 0;
}
