/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/stacks.h"

#include <string.h>

#define MOST_TEXT ((gsize) 64 << 20)
#define NO_FRAME G_MAXUINT32

typedef struct
{
  const char *name; /* as JSON, with quotes */
  const char *parent_id;
  guint32 parent;
} Frame;

struct _TtStacks
{
  GHashTable *ids; /* text -> index + 1 */
  GArray *frames;
  GStringChunk *texts;
  gsize text_bytes;
  gboolean has_looked;
  GString *args;
};

TtStacks *
tt_stacks_new (void)
{
  TtStacks *self = g_new0 (TtStacks, 1);

  self->ids = g_hash_table_new (g_str_hash, g_str_equal);
  self->frames = g_array_new (FALSE, FALSE, sizeof (Frame));
  self->texts = g_string_chunk_new (4096);
  self->args = g_string_new (NULL);
  return self;
}

void
tt_stacks_free (TtStacks *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->ids);
  g_array_unref (self->frames);
  g_string_chunk_free (self->texts);
  g_string_free (self->args, TRUE);
  g_free (self);
}

/* -- the table ------------------------------------------------------------------------------------------ */

static const char *
keep_text (TtStacks *self, const char *text)
{
  self->text_bytes += strlen (text) + 1;
  return g_string_chunk_insert_const (self->texts, text);
}

static const char *
keep_id (TtStacks *self, const TtJsonValue *id)
{
  if (id->kind != TT_JSON_STRING && id->kind != TT_JSON_NUMBER)
    return NULL;
  g_autofree char *text = tt_json_text (id);
  return keep_text (self, text);
}

static const char *
keep_name (TtStacks *self, const TtJsonValue *name)
{
  g_autoptr (GString) clean = g_string_new (NULL);

  if (name->kind != TT_JSON_STRING)
    return keep_text (self, "\"?\"");
  tt_json_clean ((TtSlice){ name->raw.bytes - 1, name->raw.len + 2 }, clean);
  return keep_text (self, clean->str);
}

static void
add_frame (TtStacks *self, const TtJsonValue *key, const TtJsonValue *value)
{
  Frame frame = { .parent = NO_FRAME };

  if (value->kind != TT_JSON_OBJECT || self->frames->len == TT_STACKS_MOST_FRAMES || self->text_bytes > MOST_TEXT)
    return;
  TtJsonValue name = tt_json_get (value->raw, "name"), parent = tt_json_get (value->raw, "parent");
  frame.name = keep_name (self, &name);
  frame.parent_id = keep_id (self, &parent);
  const char *id = keep_id (self, key);
  g_array_append_val (self->frames, frame);
  g_hash_table_insert (self->ids, (gpointer) id, GUINT_TO_POINTER (self->frames->len));
}

static guint32
find_frame (const TtStacks *self, const char *id)
{
  guint32 number = id == NULL ? 0 : GPOINTER_TO_UINT (g_hash_table_lookup (self->ids, id));

  return number == 0 ? NO_FRAME : number - 1;
}

/* Follows each frame to its root once; what leads back to a frame on the way is cut. */
static void
cut_circles (TtStacks *self)
{
  g_autofree guint32 *walk = g_new0 (guint32, self->frames->len); /* number of the walk that came by */

  for (guint32 i = 0; i < self->frames->len; i++)
    for (guint32 at = i; walk[at] == 0;)
      {
        Frame *frame = &g_array_index (self->frames, Frame, at);
        walk[at] = i + 1;
        if (frame->parent == NO_FRAME)
          break;
        if (walk[frame->parent] == i + 1)
          frame->parent = NO_FRAME;
        else
          at = frame->parent;
      }
}

static void
add_table (TtStacks *self, TtSlice frames)
{
  const char *cursor = NULL;
  TtJsonValue key, value;

  while (tt_json_member (frames, &cursor, &key, &value))
    add_frame (self, &key, &value);
  for (guint i = 0; i < self->frames->len; i++)
    {
      Frame *frame = &g_array_index (self->frames, Frame, i);
      frame->parent = find_frame (self, frame->parent_id);
    }
  cut_circles (self);
}

void
tt_stacks_take (TtStacks *self, TtSlice frames)
{
  if (!self->has_looked)
    add_table (self, frames);
}

/* What is wrong with the file is said where it is read in earnest. */
void
tt_stacks_look_for (TtStacks *self, const char *path)
{
  TtRepairs unused = { 0 };
  TtJsonValue key, value;

  if (self->has_looked || self->frames->len > 0 || strcmp (path, "-") == 0)
    return;
  self->has_looked = TRUE;
  g_autoptr (TtInput) input = tt_input_open (path, NULL);
  if (input == NULL)
    return;
  tt_input_take_cut (input);
  g_autoptr (TtJson) json = tt_json_new (input, &unused);
  if (tt_json_peek (json, NULL) != TT_JSON_OBJECT || !tt_json_begin_object (json, NULL))
    return;
  while (tt_json_next_key (json, &key, NULL))
    if (TT_JSON_KEY_IS (key, "stackFrames") && tt_json_value (json, &value, NULL) && value.kind == TT_JSON_OBJECT)
      add_table (self, value.raw);
}

/* -- events ----------------------------------------------------------------------------------------------- */

static void
append_names (TtStacks *self, guint32 innermost)
{
  guint32 path[TT_STACKS_DEEPEST];
  guint32 at = innermost;
  guint n = 0;

  for (; at != NO_FRAME && n < TT_STACKS_DEEPEST; n++)
    {
      path[n] = at;
      at = g_array_index (self->frames, Frame, at).parent;
    }
  g_string_append (self->args, at != NO_FRAME ? "[\"...\"," : "[");
  while (n-- > 0)
    {
      g_string_append (self->args, g_array_index (self->frames, Frame, path[n]).name);
      if (n > 0)
        g_string_append_c (self->args, ',');
    }
  g_string_append_c (self->args, ']');
}

static void
append_key (TtStacks *self, const char *key)
{
  g_string_append_printf (self->args, "%s\"%s\":", self->args->len > 1 ? "," : "", key);
}

/* The stack that the members @id or @list of the event tell; both together are nonsense to Catapult, too: @list. */
static void
append_stack (TtStacks *self, const TtTraceEvent *event, const char *id, const char *list, const char *as, gboolean *is_lost)
{
  TtJsonValue frame = tt_json_get (event->record, id), stack = tt_json_get (event->record, list);

  if (stack.kind == TT_JSON_ARRAY)
    {
      append_key (self, as);
      tt_json_clean (stack.raw, self->args);
      return;
    }
  if (frame.kind != TT_JSON_STRING && frame.kind != TT_JSON_NUMBER)
    return;
  g_autofree char *text = tt_json_text (&frame);
  guint32 found = find_frame (self, text);
  if (found != NO_FRAME)
    {
      append_key (self, as);
      append_names (self, found);
      return;
    }
  *is_lost = TRUE;
  append_key (self, id);
  g_string_append_len (self->args, frame.raw.bytes - (frame.kind == TT_JSON_STRING),
                       (gssize) (frame.raw.len + 2 * (frame.kind == TT_JSON_STRING)));
}

TtSlice
tt_stacks_join_args (TtStacks *self, const TtTraceEvent *event, gboolean *is_lost)
{
  gboolean is_end = event->ph == 'E' || event->ph == 'e' || event->ph == 'F';
  TtSlice args = event->args.raw;

  *is_lost = FALSE;
  g_string_assign (self->args, "{");
  if (event->args.kind == TT_JSON_OBJECT && args.len > 2)
    {
      g_string_append_len (self->args, args.bytes + 1, (gssize) args.len - 2);
      while (self->args->len > 1 && (g_ascii_isspace (self->args->str[self->args->len - 1]) ||
                                     self->args->str[self->args->len - 1] == ','))
        g_string_truncate (self->args, self->args->len - 1);
    }
  append_stack (self, event, "sf", "stack", is_end ? "estack" : "stack", is_lost);
  append_stack (self, event, "esf", "estack", "estack", is_lost);
  g_string_append_c (self->args, '}');
  return (TtSlice){ self->args->str, self->args->len };
}
