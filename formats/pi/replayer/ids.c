/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/replayer/ids.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static TtPiApi replayed = TT_PI_API_PI;

/* Read once: the program may change its environment while calls are answered. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static TtPiIds ids;
static bool has_others, has_handles;
static uint32_t highest_id;

void
tt_replay_set_api (TtPiApi api)
{
  replayed = api;
}

static void
read_environment (void)
{
  const char *list = getenv ("TRACETOOL_PI_IDS"), *others = getenv ("TRACETOOL_PI_OTHERS");
  const char *handles = getenv ("TRACETOOL_PI_HANDLES"), *highest = getenv ("TRACETOOL_PI_HIGHEST");
  long number = list != NULL ? strtol (list, NULL, 10) : 0;

  ids = number >= 0 && number < TT_PI_N_IDS ? (TtPiIds) number : TT_PI_IDS_2021_SUMMER;
  has_others = others != NULL && strcmp (others, "1") == 0;
  has_handles = handles == NULL || strcmp (handles, "0") != 0;
  highest_id = highest != NULL ? (uint32_t) strtoul (highest, NULL, 10) : 0;
}

TtPiIds
tt_replay_ids (void)
{
  pthread_once (&once, read_environment);
  return ids;
}

bool
tt_replay_has_others (void)
{
  pthread_once (&once, read_environment);
  return has_others;
}

bool
tt_replay_has_handles (void)
{
  pthread_once (&once, read_environment);
  return has_handles;
}

uint32_t
tt_replay_highest_id (void)
{
  pthread_once (&once, read_environment);
  return highest_id;
}

const char *
tt_replay_name (uint32_t id, char *room, size_t size)
{
  const TtPiFunction *function = replayed == TT_PI_API_PI ? tt_pi_function_by_id (TT_PI_API_PI, tt_replay_ids (), id)
                                 : id < tt_pi_n_functions ? &tt_pi_functions[id]
                                                          : NULL;

  if (function != NULL)
    return function->name;
  snprintf (room, size, "%s#%u", replayed == TT_PI_API_PI ? "pi" : "ur", id);
  return room;
}
