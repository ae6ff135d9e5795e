/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/merge.h"
#include "formats/ctf/schema/tsdl.h"
#include "tests/fuzz/ctf-packets.h"
#include "tests/fuzz/memory-file.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Any pieces of the streams of a small trace (ctf-packets.h) through the reader of CTF, whose metadata are read once. What
 * holds: events are no more than there are bytes for, and all that they say can be shown; what is lost has a stream, and
 * what is damaged a reason.
 *
 * Links: tests/fuzz/ctf-packet-mutator.c
 * Links: tests/fuzz/no-comparisons.c
 * Options: -entropic=0
 */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

#define MIN_EVENT_BYTES 14u

static const char metadata_of_trace[] =
    "/* CTF 1.8 */\n"
    "typealias integer { size = 8; align = 8; signed = false; } := u8;\n"
    "typealias integer { size = 16; align = 8; signed = false; } := u16;\n"
    "typealias integer { size = 32; align = 8; signed = false; } := u32;\n"
    "typealias integer { size = 64; align = 8; signed = false; } := u64;\n"
    "trace { major = 1; minor = 8; byte_order = le;\n"
    "  packet.header := struct { u32 magic; u32 stream_id; u64 stream_instance_id; }; };\n"
    "clock { name = c; freq = 1000000000; offset_s = 1700000000; };\n"
    "typealias integer { size = 64; align = 8; signed = false; map = clock.c.value; } := stamp;\n";

/* @: the number of the stream. */
static const char metadata_of_stream[] =
    "stream { id = @; event.header := struct { u16 id; stamp timestamp; }; event.context := struct { u32 vtid; };\n"
    "  packet.context := struct { stamp timestamp_begin; stamp timestamp_end; u64 content_size; u64 packet_size;\n"
    "    u32 events_discarded; u32 packet_seq_num; u32 cpu_id; }; };\n"
    "event { name = \"a:begin\"; id = 0; stream_id = @; fields := struct { u64 n; }; };\n"
    "event { name = \"a:end\"; id = 1; stream_id = @; fields := struct { string s; }; };\n"
    "event { name = \"b\"; id = 2; stream_id = @; fields := struct { u8 n; u8 of[n]; string s; }; };\n"
    "event { name = \"c\"; id = 3; stream_id = @; fields := struct { integer { size = 3; align = 1; } odd;\n"
    "  enum : integer { size = 5; } { A = 0, B = 1 ... 9 } tag; u16 n;\n"
    "  variant <tag> { struct { u8 x; u64 y[2]; } A; floating_point { exp_dig = 8; mant_dig = 24; } B; } v[n]; }; };\n";

static char *folder;
static char *paths[CTF_N_STREAMS];
static TtCtfSchema *schema;
static TtCtfPlans *plans;

/* -- the trace ---------------------------------------------------------------------------------------------------- */

static void
remove_folder (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    g_unlink (paths[i]);
  g_rmdir (folder);
  tt_ctf_plans_free (plans);
  tt_ctf_schema_free (schema);
}

static void
prepare (void)
{
  static const char *const names[] = { "stream_0", "stream_1" };

  if (folder != NULL)
    return;
  folder = g_dir_make_tmp ("fuzz-ctf-XXXXXX", NULL);
  g_assert (folder != NULL);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    paths[i] = g_build_filename (folder, names[i], NULL);
  g_autoptr (GString) metadata = g_string_new (metadata_of_trace);
  for (guint i = 0; i < CTF_N_STREAMS; i++)
    {
      g_string_append (metadata, metadata_of_stream);
      g_string_replace (metadata, "@", i == 0 ? "0" : "1", 0);
    }
  schema = tt_ctf_tsdl_read ("fuzz", metadata->str, NULL);
  g_assert (schema != NULL);
  plans = tt_ctf_plans_new (schema);
  atexit (remove_folder);
}

static void
write_streams (const guint8 *bytes, size_t len)
{
  GByteArray *streams[CTF_N_STREAMS] = { g_byte_array_new (), g_byte_array_new () };

  while (len >= CTF_PIECE_HEAD)
    {
      size_t n = MIN ((size_t) (bytes[1] | bytes[2] << 8), len - CTF_PIECE_HEAD);

      g_byte_array_append (streams[bytes[0] % CTF_N_STREAMS], bytes + CTF_PIECE_HEAD, (guint) n);
      bytes += CTF_PIECE_HEAD + n;
      len -= CTF_PIECE_HEAD + n;
    }
  for (guint i = 0; i < CTF_N_STREAMS; i++)
    {
      fuzz_named_file (paths[i], streams[i]->data, streams[i]->len);
      g_byte_array_unref (streams[i]);
    }
}

/* -- what is read ------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint64 n_events;
  GString *json;
} Seen;

static void
on_event (const TtCtfEvent *event, gpointer data)
{
  Seen *seen = data;

  g_assert (event->stream < CTF_N_STREAMS);
  g_assert_cmpuint (event->number, ==, ++seen->n_events);
  for (guint i = 0; i < event->klass->members->len; i++)
    {
      const TtCtfMember *member = &g_array_index (event->klass->members, TtCtfMember, i);
      gint64 number;

      g_string_truncate (seen->json, 0);
      tt_ctf_append_json (event, member, seen->json);
      g_assert (seen->json->len > 0 && g_utf8_validate_len (seen->json->str, seen->json->len, NULL));
      g_assert (member->kind != TT_CTF_TEXT || tt_ctf_text (event, member) != NULL);
      tt_ctf_element (event, member, 1, &number);
    }
  tt_ctf_event_is_zero (event);
}

static void
on_lost (const TtCtfLoss *loss, gpointer data)
{
  g_assert (loss->kind < TT_CTF_N_LOSSES && loss->count >= -1 && loss->stream < CTF_N_STREAMS);
}

static void
on_broken (const char *stream, TtCtfBreak how, const char *why, gpointer data)
{
  g_assert (*stream != '\0' && *why != '\0' && how <= TT_CTF_BREAK_NO_CLOCK);
}

static void
on_damaged (const char *path, guint64 n_bytes, const char *why, gpointer data)
{
  g_assert (*why != '\0');
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  const TtCtfHandler handler = { .event = on_event, .lost = on_lost, .broken = on_broken };
  g_autoptr (GError) error = NULL;
  Seen seen = { .json = g_string_new (NULL) };

  prepare ();
  write_streams (bytes, len);
  g_autoptr (GPtrArray) sources = tt_ctf_sources_find (plans, paths, CTF_N_STREAMS, on_damaged, NULL, &error);
  g_assert (sources != NULL && sources->len <= CTF_N_STREAMS);
  gboolean is_read = tt_ctf_merge (plans, sources, &handler, &seen, &error);
  g_assert (is_read && error == NULL);
  g_assert (seen.n_events <= len / MIN_EVENT_BYTES);
  g_string_free (seen.json, TRUE);
  return 0;
}
