/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a recording of PI calls: threads that put kernels into a queue, wait for them and read what they left.
 *
 *   gen-pi [--calls N] [--threads N] [--layout g1|g2|g3] DIRECTORY
 *
 * The same calls in each layout; deterministic. Expects to make DIRECTORY.
 */
#include "config.h"

#include "formats/pi/api.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#define PREFIX_G1 864
#define PREFIX_G2 856
#define QUEUE G_GUINT64_CONSTANT (0x55d0c0de0080)
#define OTHERS G_GUINT64_CONSTANT (0x55d0c0df0000)

typedef enum
{
  LAYOUT_G1,
  LAYOUT_G2,
  LAYOUT_G3,
} Layout;

typedef struct
{
  FILE *file;
  guint64 clock, event;
  guint32 random;
  Layout layout;
  guint8 record[2048];
  gsize len;
} Writer;

static guint32
next_random (Writer *self)
{
  self->random = self->random * 1664525u + 1013904223u;
  return self->random >> 16;
}

static void
put (Writer *self, guint64 value, gsize size)
{
  value = GUINT64_TO_LE (value);
  memcpy (self->record + self->len, &value, size);
  self->len += size;
}

static void
put_varint (Writer *self, guint64 value)
{
  for (; value > 127; value >>= 7)
    self->record[self->len++] = (guint8) (value | 128);
  self->record[self->len++] = (guint8) value;
}

static void
put_field (Writer *self, guint8 key, guint64 value)
{
  if (value == 0)
    return;
  self->record[self->len++] = key;
  put_varint (self, value);
}

/* What argument @index of @function is in this call. */
static guint64
argument (Writer *self, const TtPiFunction *function, guint index)
{
  const TtPiParam *param = &function->params[index];

  if (param->kind == TT_PI_KIND_HANDLE)
    return strcmp (param->type, "queue") == 0   ? QUEUE
           : strcmp (param->type, "event") == 0 ? self->event
                                                : OTHERS + param->type[0];
  if (param->role == TT_PI_ROLE_OUT_EVENT)
    return 0x7ffd10001000 + (self->event & 0xfff);
  if (param->kind == TT_PI_KIND_POINTER)
    return 0x7ffd10000000 + 8 * index;
  return param->size == 8 ? 4096 : 1;
}

static void
put_message (Writer *self, const TtPiFunction *function, guint64 start, guint64 end)
{
  put (self, 0, 4);
  put_field (self, 0x08, (guint64) function->ids[TT_PI_IDS_2021_SUMMER]);
  put_field (self, 0x10, start);
  put_field (self, 0x18, end);
  for (guint i = 0; i < function->n_params; i++)
    {
      guint kind = function->params[i].kind;
      gboolean is_pointer = kind == TT_PI_KIND_POINTER || kind == TT_PI_KIND_HANDLE || kind == TT_PI_KIND_STRING;
      self->record[self->len++] = 0x2a;
      gsize at = self->len++;
      put_field (self, 0x08, is_pointer ? 4 : function->params[i].size == 8 ? 1 : 0);
      self->record[self->len++] = 0x10;
      put_varint (self, argument (self, function, i));
      self->record[at] = (guint8) (self->len - at - 1);
    }
  guint32 size = GUINT32_TO_LE ((guint32) (self->len - 4));
  memcpy (self->record, &size, sizeof size);
}

static void
put_packed (Writer *self, const TtPiFunction *function, guint64 start, guint64 end)
{
  gboolean is_special = strcmp (function->name, "piPlatformsGet") == 0;
  guint prefix = is_special ? 0 : self->layout == LAYOUT_G1 ? PREFIX_G1 : PREFIX_G2;

  put (self, (guint64) function->ids[TT_PI_IDS_2021_SUMMER], 4);
  if (self->layout == LAYOUT_G1)
    put (self, 1, 1);
  put (self, start, 8);
  put (self, end, 8);
  put (self, 0, 8);
  put (self, 0, 8);
  put (self, prefix + function->packed, 8);
  memset (self->record + self->len, 0x7f, prefix);
  self->len += prefix;
  for (guint i = 0; i < function->n_params; i++)
    put (self, argument (self, function, i), function->params[i].size);
  put (self, 0, 4);
}

static void
put_call (Writer *self, const char *name, guint us)
{
  const TtPiFunction *function = tt_pi_function_by_name (name);
  guint64 start = self->clock + 1 + next_random (self) % 8, end = start + us + next_random (self) % (us + 2);

  self->len = 0;
  self->clock = end;
  if (self->layout == LAYOUT_G3)
    put_message (self, function, start, end);
  else
    put_packed (self, function, start, end);
  fwrite (self->record, 1, self->len, self->file);
}

/* A thread's calls; the first thread makes the queue, and ends the runtime. */
static gboolean
write_thread (const char *directory, guint thread, guint64 n_calls, Layout layout)
{
  static const struct
  {
    const char *name;
    guint us;
  } loop[] = {
    { "piKernelSetArg", 1 }, { "piextKernelSetArgMemObj", 1 },  { "piEnqueueKernelLaunch", 12 },
    { "piEventsWait", 150 }, { "piEnqueueMemBufferWrite", 20 }, { "piQueueFinish", 90 },
    { "piEventRelease", 1 },
  };
  g_autofree char *number = g_strdup_printf ("_%u", thread - 1);
  g_autofree char *name =
      g_strconcat ("main", thread == 0 ? "" : number, layout == LAYOUT_G3 ? ".pi_trace" : ".trace", NULL);
  g_autofree char *path = g_build_filename (directory, name, NULL);
  Writer self = { .file = g_fopen (path, "wb"), .clock = 100 + 37 * thread, .random = thread + 1, .layout = layout };

  if (self.file == NULL)
    return FALSE;
  self.event = 0x55d0d0000000 + ((guint64) thread << 28);
  guint64 n = 0;
  if (thread == 0)
    {
      put_call (&self, "piPlatformsGet", 900);
      put_call (&self, "piContextCreate", 120);
      put_call (&self, "piQueueCreate", 60);
      n = 4;
    }
  for (guint i = 0; n < n_calls; n++, i = (i + 1) % G_N_ELEMENTS (loop))
    {
      self.event += i == 2 ? 64 : 0;
      put_call (&self, loop[i].name, loop[i].us);
    }
  if (thread == 0)
    put_call (&self, "piTearDown", 200);
  return fclose (self.file) == 0;
}

int
main (int argc, char **argv)
{
  static const char *const layouts[] = { "g1", "g2", "g3", NULL };
  gint64 n_calls = 2000000;
  int n_threads = 4;
  g_autofree char *layout_text = g_strdup ("g3");
  const GOptionEntry entries[] = {
    { "calls", 0, 0, G_OPTION_ARG_INT64, &n_calls, "Calls of all threads (2000000)", "N" },
    { "threads", 0, 0, G_OPTION_ARG_INT, &n_threads, "Threads (4)", "N" },
    { "layout", 0, 0, G_OPTION_ARG_STRING, &layout_text, "g1, g2 or g3", "LAYOUT" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("DIRECTORY");
  g_autoptr (GError) error = NULL;
  int layout = 0;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      fprintf (stderr, "gen-pi: %s\n", error->message);
      return 2;
    }
  while (layouts[layout] != NULL && strcmp (layouts[layout], layout_text) != 0)
    layout++;
  if (argc != 2 || layouts[layout] == NULL || n_threads < 1 || n_calls < 4 || g_mkdir (argv[1], 0755) != 0)
    {
      fprintf (stderr, "usage: gen-pi [--calls N] [--threads N] [--layout g1|g2|g3] DIRECTORY\n");
      return 2;
    }
  for (guint i = 0; i < (guint) n_threads; i++)
    {
      guint64 share = (guint64) n_calls / (guint) n_threads + (i == 0 ? (guint64) n_calls % (guint) n_threads : 0);
      if (!write_thread (argv[1], i, share, (Layout) layout))
        {
          fprintf (stderr, "gen-pi: cannot write in '%s'\n", argv[1]);
          return 1;
        }
    }
  return 0;
}
