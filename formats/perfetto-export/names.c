/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/perfetto-export/writer.h"

#include "formats/chrome-export/titles.h"

/*
 * The fragment of a name (fragment.h) holds numbers of its texts, the texts themselves, which go into the file with the
 * first event that is shown, and its arguments as every event has them. Facts are copied out of it: it is not aligned.
 */

/* Then the category and the name, each with a NUL. */
typedef struct
{
  guint64 category; /* number; 0: there was no room for it */
  guint32 id;
} Head;

/* Then the arguments, op_long_name, the raw name and the location, each text with a NUL. */
typedef struct
{
  guint64 op_long_name; /* number */
  guint32 args_len;
  guint32 name_at;  /* where in op_long_name the name with its suffix begins */
  guint64 location; /* number; 0: there is none */
  gboolean has_raw; /* the raw name is there */
} Tail;

static const char *
or_empty (const char *text)
{
  return text != NULL ? text : "";
}

static void
append_with_end (GString *to, const char *text)
{
  g_string_append_len (to, text, (gssize) strlen (text) + 1);
}

void
tt_perfetto_name_head (TtChrome *chrome, GString *to, const TtStoredName *name)
{
  GString *category = chrome->scratch;

  g_string_assign (category, or_empty (name->op_cat));
  if (name->group != NULL && *name->group != '\0')
    g_string_append_printf (category, ",%s", name->group);

  Head head = { 0 };
  head.category = tt_perfetto_reserve_category (&tt_perfetto_writer (chrome)->packets->interned, category->str);
  head.id = name->id;
  g_string_append_len (to, (const char *) &head, sizeof head);
  append_with_end (to, category->str);
  append_with_end (to, tt_chrome_shown_name (chrome, name));
}

void
tt_perfetto_name_tail (TtChrome *chrome, GString *to, const char *pid, const TtStoredName *name)
{
  PerfettoWriter *self = tt_perfetto_writer (chrome);
  PerfettoArgs *args = &self->packets->args;
  gboolean has_suffix = name->suffix != NULL && *name->suffix != '\0';
  gsize begin = args->bytes.len;

  Tail tail = { 0 };
  tail.op_long_name = tt_perfetto_reserve_value (&self->packets->interned);
  tail.name_at = (guint32) strlen (pid) + 2;
  tail.has_raw = tt_chrome_has_raw_name (chrome, name);
  tt_perfetto_add_value (args, self->keys[PERFETTO_KEY_NAME], tt_perfetto_name_number (name->id, PERFETTO_NAME_VALUE));
  tt_perfetto_add_value (args, self->keys[PERFETTO_KEY_OP_LONG_NAME], tail.op_long_name);
  if (tail.has_raw)
    tt_perfetto_add_value (args, self->keys[PERFETTO_KEY_RAW_NAME],
                           tt_perfetto_name_number (name->id, PERFETTO_RAW_VALUE));
  if (name->file != NULL)
    {
      tail.location = tt_perfetto_reserve_value (&self->packets->interned);
      tt_perfetto_add_value (args, self->keys[PERFETTO_KEY_LOCATION], tail.location);
    }
  if (name->is_collective && name->communicator != 0)
    tt_perfetto_add_int (args, self->keys[PERFETTO_KEY_COMMUNICATOR], (gint64) name->communicator);
  tail.args_len = (guint32) (args->bytes.len - begin);
  g_string_append_len (to, (const char *) &tail, sizeof tail);
  g_string_append_len (to, (const char *) args->bytes.bytes + begin, (gssize) tail.args_len);
  args->bytes.len = begin;

  g_string_append_printf (to, "%s->%s%s%s", pid, or_empty (name->text), has_suffix ? "~>" : "",
                          has_suffix ? name->suffix : "");
  g_string_append_c (to, '\0');
  if (tail.has_raw)
    append_with_end (to, or_empty (name->raw));
  if (tail.location != 0)
    {
      g_string_append_printf (to, "%s:%" G_GINT64_FORMAT, name->file, name->line);
      g_string_append_c (to, '\0');
    }
}

static void
send_texts (PerfettoInterned *interned, const ChromeFragment *fragment, const Head *head, const Tail *tail)
{
  const char *category = fragment->head + sizeof *head;
  const char *name = category + strlen (category) + 1;
  const char *op_long_name = fragment->tail + sizeof *tail + tail->args_len;

  tt_perfetto_intern_category (interned, category);
  tt_perfetto_intern_name (interned, head->id, PERFETTO_EVENT_NAME, name);
  tt_perfetto_intern_name (interned, head->id, PERFETTO_NAME_VALUE, op_long_name + tail->name_at);
  tt_perfetto_send_value (interned, tail->op_long_name, op_long_name);
  const char *next = op_long_name + strlen (op_long_name) + 1;
  if (tail->has_raw)
    {
      tt_perfetto_intern_name (interned, head->id, PERFETTO_RAW_VALUE, next);
      next += strlen (next) + 1;
    }
  if (tail->location != 0)
    tt_perfetto_send_value (interned, tail->location, next);
}

void
tt_perfetto_use_name (TtChrome *chrome, const ChromeFragment *fragment, PerfettoEvent *event)
{
  PerfettoPackets *packets = tt_perfetto_writer (chrome)->packets;
  WireBytes *args = &packets->args.bytes;
  Head head;
  Tail tail;

  memcpy (&head, fragment->head, sizeof head);
  memcpy (&tail, fragment->tail, sizeof tail);
  if (G_UNLIKELY (tt_perfetto_must_send (&packets->interned, tail.op_long_name)))
    send_texts (&packets->interned, fragment, &head, &tail);
  event->name = tt_perfetto_name_number (head.id, PERFETTO_EVENT_NAME);
  event->category = head.category;
  if (G_UNLIKELY (head.category == 0))
    tt_perfetto_categorize_next (packets, fragment->head + sizeof head);

  guint8 *to = tt_wire_reserve (args, tail.args_len);
  tt_wire_end (args, tt_wire_put_bytes (to, fragment->tail + sizeof tail, tail.args_len));
}
