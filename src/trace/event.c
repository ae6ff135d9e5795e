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
  static char *texts[1 << TT_N_FLAGS];

  g_return_val_if_fail (flags < G_N_ELEMENTS (texts), "");
  char *text = g_atomic_pointer_get (&texts[flags]);
  if (text != NULL)
    return text;

  GString *words = g_string_new (NULL);
  for (guint bit = 0; bit < TT_N_FLAGS; bit++)
    if (flags & (1u << bit))
      g_string_append_printf (words, "%s%s", words->len > 0 ? "," : "", flag_words[bit]);
  text = g_string_free (words, FALSE);
  if (g_atomic_pointer_compare_and_exchange (&texts[flags], NULL, text))
    return text;
  g_free (text);
  return g_atomic_pointer_get (&texts[flags]);
}
