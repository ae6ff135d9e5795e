/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/child.h"
#include "formats/formats.h"
#include "tests/fuzz/memory-file.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Any bytes as what the processes say that decode a CTF trace: they run a library on what nobody has checked, and may
 * say anything. The functions of child.h are here: a frame is where its bytes end, so that a sanitizer sees what goes
 * past it. A frame of no known kind ends what one process says; the next one says what follows it.
 *
 * Links: tests/fuzz/ctf-frame-mutator.c
 */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

static const char metadata[] = "/* CTF 1.8 */\n";
static const guint8 stream_head[] = { 0xc1, 0x1f, 0xfc, 0xc1 };

/* What is not said yet. */
static const guint8 *at, *end;
static char *folder;

/* -- the child ------------------------------------------------------------------------------------------------- */

struct _TtCtfChild
{
  guint8 *frame;
};

TtCtfChild *
tt_ctf_child_new (const char *word, const char *path, GError **error)
{
  return g_new0 (TtCtfChild, 1);
}

void
tt_ctf_child_free (TtCtfChild *self)
{
  if (self == NULL)
    return;
  g_free (self->frame);
  g_free (self);
}

gboolean
tt_ctf_child_next (TtCtfChild *self, TtCtfFrameKind *kind, TtCtfCursor *frame)
{
  guint32 header[2];
  gsize left = (gsize) (end - at);

  if (left < sizeof header)
    return FALSE;
  memcpy (header, at, sizeof header);
  at += sizeof header;
  if (header[1] >= TT_CTF_N_FRAMES || header[0] > left - sizeof header)
    return FALSE;
  g_free (self->frame);
  /* Not g_memdup2(), which has no bytes for nothing. */
  self->frame = g_malloc (MAX (header[0], 1));
  memcpy (self->frame, at, header[0]);
  at += header[0];
  *kind = (TtCtfFrameKind) header[1];
  *frame = (TtCtfCursor){ .at = self->frame, .end = self->frame + header[0] };
  return TRUE;
}

char *
tt_ctf_child_said (const TtCtfChild *self)
{
  return NULL;
}

char *
tt_ctf_child_last_words (TtCtfChild *self)
{
  return g_strdup ("it ended early");
}

/* -- the import ------------------------------------------------------------------------------------------------ */

static char *
path_of (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static void
write_file (const char *name, const void *bytes, gsize len)
{
  g_autofree char *path = path_of (name);

  fuzz_named_file (path, bytes, len);
}

static void
remove_folder (void)
{
  static const char *const names[] = { "metadata", "stream_0", "stream_1" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = path_of (names[i]);
      g_unlink (path);
    }
  g_rmdir (folder);
}

static void
make_folder (void)
{
  folder = g_dir_make_tmp ("fuzz-ctf-XXXXXX", NULL);
  g_assert (folder != NULL);
  write_file ("metadata", metadata, strlen (metadata));
  write_file ("stream_0", stream_head, sizeof stream_head);
  write_file ("stream_1", stream_head, sizeof stream_head);
  atexit (remove_folder);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  const TtImportOptions options = { .rank = -1, .strict = len % 7 == 0 };
  g_autoptr (GPtrArray) paths = g_ptr_array_new (), inputs = g_ptr_array_new ();
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;

  if (folder == NULL)
    make_folder ();
  at = bytes;
  end = bytes + len;
  g_ptr_array_add (paths, folder);
  gboolean is_trace = tt_format_ctf.group (paths, TRUE, inputs, notes, NULL);
  g_assert (is_trace && inputs->len == 1);
  g_autoptr (TtInputSet) set = inputs->pdata[0];
  g_autoptr (TtSink) sink = tt_null_sink_new (tt_names_new (NULL));
  gboolean is_read = tt_format_ctf.import (set, &options, sink, &error);
  g_assert (is_read == (error == NULL));
  if (is_read)
    {
      gboolean is_finished = tt_sink_finish (sink, NULL);
      g_assert (is_finished);
    }
  return 0;
}
