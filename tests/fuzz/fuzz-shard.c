/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/shard/replay.h"

#include "tests/fuzz/memory-file.h"

#include <string.h>
#include <xxhash.h>

/*
 * Any bytes as a shard, as they are and with the checksums and the size of the end that they ought to have, so that what
 * is in the parts is looked at. What holds: it is put into a sink, or there is an error; into an empty sink fits what
 * another importer began with, and once it is defined nothing of it is new.
 */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

#define TRAILER sizeof (guint64)

static TtSink *
new_sink (void)
{
  static TtNameRules *rules;

  if (rules == NULL)
    rules = tt_name_rules_load (NULL, NULL);
  g_assert (rules != NULL);
  return tt_null_sink_new (tt_names_new (tt_name_rules_ref (rules)));
}

static void
replay (int file, size_t len)
{
  g_autoptr (GError) error = NULL, why = NULL;
  g_autoptr (TtShard) shard = tt_shard_open (file, 0, len, "fuzz", &error);

  g_assert ((shard == NULL) == (error != NULL));
  if (shard == NULL)
    return;
  g_autoptr (TtSink) sink = new_sink (), defined = new_sink ();
  g_assert (tt_shard_end (shard)->left_out != NULL);
  tt_shard_fits (shard, sink);
  tt_shard_define (shard, defined);
  const guint32 n_processes = defined->next_process, n_threads = defined->next_thread;
  tt_shard_define (shard, defined);
  g_assert (defined->next_process == n_processes && defined->next_thread == n_threads);
  gboolean done = tt_shard_replay (shard, sink, &why);
  g_assert (done == (why == NULL));
}

/* Of each part, up to the first that is an end. Returns the size. */
static size_t
seal (guint8 *bytes, size_t len)
{
  size_t at = 0;

  while (len - at >= sizeof (TtShardFrame) + TRAILER)
    {
      TtShardFrame frame;
      memcpy (&frame, bytes + at, sizeof frame);
      const size_t left = len - at - sizeof frame - TRAILER;
      frame.n_bytes = (guint32) MIN (frame.n_bytes, left);
      frame.checksum = XXH3_64bits (bytes + at + sizeof frame, frame.n_bytes);
      memcpy (bytes + at, &frame, sizeof frame);
      const guint64 size = sizeof frame + frame.n_bytes;
      at += size;
      if (frame.kind != TT_SHARD_END)
        continue;
      memcpy (bytes + at, &size, sizeof size);
      return at + TRAILER;
    }
  return len;
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  static int file = -1;

  if (file < 0)
    file = memfd_create ("shard", 0);
  fuzz_write (file, bytes, len);
  replay (file, len);
  g_autofree guint8 *sealed = g_memdup2 (bytes, len);
  const size_t n = seal (sealed, len);
  fuzz_write (file, sealed, n);
  replay (file, n);
  return 0;
}
