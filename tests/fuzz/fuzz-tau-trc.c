/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/layout.h"
#include "formats/tau/stream.h"

#include <string.h>

/* Any bytes as the records of a trace; its definitions have a row of every kind. */

#define FRESH_EVERY 4096u

static const char definitions[] =
    "40 dynamic_trace_events\n"
    "# FunctionId Group Tag \"Name Type\" Parameters\n"
    "0 TAUEVENT 0 \".TAU <unknown event>\" TriggerValue\n"
    "1 TAU_USER 0 \".TAU application \" EntryExit\n"
    "2 MPI 0 \"MPI_Send()  \" EntryExit\n"
    "3 TRACER 0 \"EV_INIT\" none\n"
    "4 TAU_USER 0 \"main() int () [{a.c} {1,1}-{9,1}]\" EntryExit\n"
    "5 TAU_USER 0 \"main() int () [{a.c} {1,1}-{9,1}] => f(int) [{b.c} {3,0}] \" EntryExit\n"
    "6 TRACER 0 \"FLUSH\" EntryExit\n"
    "7 TRACER 0 \"FLUSH_CLOSE\" none\n"
    "8 TRACER 0 \"WALL_CLOCK\" none\n"
    "9 TAUEVENT 0 \"Block bytes\" TriggerValue\n"
    "10 TAUEVENT 0 \"Hostname | a\" TriggerValue\n"
    "11 TAUEVENT 1 \"PAPI_TOT_INS\" TriggerValue\n"
    "12 TAUEVENT 1 \"PAPI_TOT_CYC\" TriggerValue\n"
    "13 TAU_MESSAGE -7 \"MESSAGE_SEND\" par\n"
    "14 TAU_MESSAGE -8 \"MESSAGE_RECV\" par\n"
    "15 TAUEVENT 0 \"ONESIDED_MESSAGE_SEND\" TriggerValue\n"
    "16 TAUEVENT 0 \"ONESIDED_MESSAGE_RECV\" TriggerValue\n"
    "17 TAUEVENT 0 \"ONESIDED_MESSAGE_ID_TriggerValueT1\" TriggerValue\n"
    "18 TAUEVENT 0 \"ONESIDED_MESSAGE_ID_TriggerValueT2\" TriggerValue\n"
    "19 TAUEVENT 0 \"ONESIDED_MESSAGE\" TriggerValue\n"
    "20 TAUEVENT 0 \"TauTraceClockOffsetStart\" TriggerValue\n"
    "21 TAU_USER 0 \"odd\" SomethingElse\n"
    "22 TRACER 0 \"FLUSH_ENTER\" none\n"
    "23 TRACER 0 \"FLUSH_EXIT\" none\n"
    "24 TAUEVENT 0 \"Hostname | b\" TriggerValue\n"
    "25 TAUEVENT 0 \"Empty | \" TriggerValue\n";

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  static TtSink *sink;
  static TtTauIds *ids;
  static guint n_runs;
  TtTauLayout layout;
  gboolean has_magic;

  /* What is defined once stays; a new sink from time to time keeps memory bounded. */
  if (n_runs++ % FRESH_EVERY == 0)
    {
      TtTauEdf *edf = tt_tau_edf_new ("fuzz.edf");
      gboolean is_good = tt_tau_edf_feed (edf, definitions, sizeof definitions - 1, NULL) && tt_tau_edf_end (edf, NULL);
      g_assert (is_good);
      g_clear_pointer (&ids, tt_tau_ids_free);
      g_clear_pointer (&sink, tt_sink_free);
      sink = tt_null_sink_new (tt_names_new (NULL));
      ids = tt_tau_ids_new (edf, sink);
    }

  if (!tt_tau_layout_detect (bytes, len, len, tt_tau_ids_edf (ids), &layout, &has_magic))
    return 0;
  tt_sink_begin_source (sink, "tau", "fuzz.trc", TT_CLOCK_RELATIVE);
  g_autoptr (TtTauStream) stream =
      tt_tau_stream_new (ids, sink, "fuzz.trc", layout, (gint64) (len % 5) - 1, len % 2 == 1);
  /* In two pieces, or all at once. */
  gssize taken = tt_tau_stream_feed (stream, bytes, len - len % 3 * (len / 3), len % 3 == 0, NULL);
  if (taken >= 0 && len % 3 != 0)
    taken = tt_tau_stream_feed (stream, bytes + taken, len - (gsize) taken, TRUE, NULL);
  if (taken >= 0)
    tt_tau_stream_end (stream, NULL);
  tt_sink_end_source (sink, len, "", TT_CLOCK_RELATIVE);
  return 0;
}
