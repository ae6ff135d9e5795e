/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/told-times.h"

guint64
tt_told_times_keep (const TtToldTimes *self, TtSink *sink, guint64 args)
{
  char text[192];
  int len = 0;

  if (self->ts_ns != TT_NO_TIME)
    len = g_snprintf (text, sizeof text, "{\"told_ts_ns\":%" G_GINT64_FORMAT, self->ts_ns);
  if (self->dur_ns != TT_NO_TIME)
    len += g_snprintf (text + len, sizeof text - (gsize) len, "%c\"told_dur_ns\":%" G_GINT64_FORMAT,
                       len == 0 ? '{' : ',', self->dur_ns);
  if (self->longest_ns != TT_NO_TIME)
    len += g_snprintf (text + len, sizeof text - (gsize) len,
                       "%c\"dur_between_ns\":[%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT "]", len == 0 ? '{' : ',',
                       self->shortest_ns, self->longest_ns);
  len += g_snprintf (text + len, sizeof text - (gsize) len, len == 0 ? "{}" : "}");
  guint64 told = tt_sink_args (sink, text, (gsize) len);
  if (args == 0)
    return told;
  tt_sink_args_merge (sink, args, told);
  return args;
}
