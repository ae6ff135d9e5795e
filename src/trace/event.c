/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/event.h"

static const char *const flag_words[TT_N_FLAGS] = {
  "unclosed",   "inferred", "enqueue", "end_before_start", "recursive", "self_clamped",
  "collective", "overlap",  "async",   "window",           "failed",    "step",
};

const char *
tt_clock_text (TtClock clock)
{
  switch (clock)
    {
    case TT_CLOCK_EPOCH:
      return "epoch";
    case TT_CLOCK_RELATIVE:
      return "relative";
    case TT_CLOCK_TICKS:
      return "ticks";
    }
  g_return_val_if_reached ("relative");
}

const char *
tt_flags_text (guint32 flags)
{
  char text[128] = "";

  for (guint bit = 0; bit < TT_N_FLAGS; bit++)
    if (flags & (1u << bit))
      {
        if (text[0] != '\0')
          g_strlcat (text, ",", sizeof text);
        g_strlcat (text, flag_words[bit], sizeof text);
      }

  return g_intern_string (text);
}
