/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/merge.h"
#include "formats/ctf/schema/fragments.h"
#include "tests/fuzz/ctf-schema.h"
#include "tests/fuzz/memory-file.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Any metadata of CTF 2, and any bytes as a stream of such a trace: the length of the metadata (2 bytes, little-endian),
 * they themselves, the stream. What holds: there is a schema or a reason; what refers to a field has one; no event is
 * without a bit, and all that events say can be shown.
 */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

#define HEAD_BYTES 2u

static char *folder;
static char *path;

static void
remove_folder (void)
{
  g_unlink (path);
  g_rmdir (folder);
}

static void
prepare (void)
{
  if (folder != NULL)
    return;
  folder = g_dir_make_tmp ("fuzz-ctf-XXXXXX", NULL);
  g_assert (folder != NULL);
  path = g_build_filename (folder, "stream_0", NULL);
  atexit (remove_folder);
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

  g_assert_cmpuint (event->number, ==, ++seen->n_events);
  for (guint i = 0; i < event->klass->members->len; i++)
    {
      const TtCtfMember *member = &g_array_index (event->klass->members, TtCtfMember, i);

      g_string_truncate (seen->json, 0);
      tt_ctf_append_json (event, member, seen->json);
      g_assert (seen->json->len > 0 && g_utf8_validate_len (seen->json->str, seen->json->len, NULL));
      g_assert (member->kind != TT_CTF_TEXT || tt_ctf_text (event, member) != NULL);
    }
}

static void
on_broken (const char *stream, TtCtfBreak how, const char *why, gpointer data)
{
  g_assert (*stream != '\0' && *why != '\0' && how <= TT_CTF_BREAK_NO_CLOCK);
}

static void
on_damaged (const char *file, guint64 n_bytes, const char *why, gpointer data)
{
  g_assert (*why != '\0');
}

static void
read_stream (const TtCtfSchema *schema, const guint8 *bytes, size_t len)
{
  const TtCtfHandler handler = { .event = on_event, .broken = on_broken };
  g_autoptr (TtCtfPlans) plans = tt_ctf_plans_new (schema);
  g_autoptr (GError) error = NULL;
  Seen seen = { .json = g_string_new (NULL) };

  fuzz_named_file (path, bytes, len);
  g_autoptr (GPtrArray) sources = tt_ctf_sources_find (plans, &path, 1, on_damaged, NULL, &error);
  g_assert (sources != NULL && sources->len <= 1);
  gboolean is_read = sources->len == 0 || tt_ctf_merge (plans, sources, &handler, &seen, &error);
  g_assert (is_read && error == NULL);
  g_assert (seen.n_events <= len * 8);
  g_string_free (seen.json, TRUE);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  g_autoptr (GError) error = NULL;
  size_t n = len < HEAD_BYTES ? 0 : MIN ((size_t) (bytes[0] | bytes[1] << 8), len - HEAD_BYTES);
  g_autofree char *text = len < HEAD_BYTES ? g_strdup ("") : g_strndup ((const char *) bytes + HEAD_BYTES, n);
  g_autoptr (TtCtfSchema) schema = tt_ctf_fragments_read ("fuzz", text, &error);

  g_assert ((schema == NULL) == (error != NULL));
  if (schema == NULL)
    return 0;
  prepare ();
  fuzz_look_at_schema (schema);
  read_stream (schema, bytes + HEAD_BYTES + n, len - HEAD_BYTES - n);
  return 0;
}
