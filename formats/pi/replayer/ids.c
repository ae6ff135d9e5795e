/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/replayer/ids.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static TtPiApi replayed = TT_PI_API_PI;

void
tt_replay_set_api (TtPiApi api)
{
  replayed = api;
}

TtPiIds
tt_replay_ids (void)
{
  const char *text = getenv ("TRACETOOL_PI_IDS");
  long ids = text != NULL ? strtol (text, NULL, 10) : 0;

  return ids >= 0 && ids < TT_PI_N_IDS ? (TtPiIds) ids : TT_PI_IDS_2021_SUMMER;
}

bool
tt_replay_has_others (void)
{
  const char *text = getenv ("TRACETOOL_PI_OTHERS");

  return text != NULL && strcmp (text, "1") == 0;
}

uint32_t
tt_replay_highest_id (void)
{
  const char *text = getenv ("TRACETOOL_PI_HIGHEST");

  return text != NULL ? (uint32_t) strtoul (text, NULL, 10) : 0;
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
