/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/stack-export/folded-paths.h"

void
tt_folded_paths_init (TtFoldedPaths *self, TtStore *store, const TtStackOptions *options, TtStackReport *report)
{
  const TtFoldedNode root = { 0 };

  *self = (TtFoldedPaths){
    .store = store,
    .report = report,
    .original_names = options->original_names,
    .labels = tt_stack_labels_new (store),
    .nodes = g_array_new (FALSE, FALSE, sizeof (TtFoldedNode)),
    .frames = g_ptr_array_new_with_free_func (g_free),
    .by_text = g_hash_table_new (g_str_hash, g_str_equal),
    .names = g_array_new (FALSE, FALSE, sizeof (guint32)),
  };
  g_array_append_val (self->nodes, root);
}

void
tt_folded_paths_clear (TtFoldedPaths *self)
{
  g_clear_pointer (&self->labels, tt_stack_labels_free);
  g_clear_pointer (&self->nodes, g_array_unref);
  g_clear_pointer (&self->frames, g_ptr_array_unref);
  g_clear_pointer (&self->by_text, g_hash_table_unref);
  g_clear_pointer (&self->names, g_array_unref);
  tt_map64_clear (&self->children);
  tt_map64_clear (&self->by_name);
  tt_map64_clear (&self->threads);
}

/* -- paths ---------------------------------------------------------------------------------------- */

static guint32
find_frame (TtFoldedPaths *self, const char *text)
{
  guint32 known = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_text, text));

  if (known != 0)
    return known - 1;
  char *kept = g_strdup (text);
  g_ptr_array_add (self->frames, kept);
  g_hash_table_insert (self->by_text, kept, GUINT_TO_POINTER (self->frames->len));
  return self->frames->len - 1;
}

static guint32
find_name_frame (TtFoldedPaths *self, guint32 name)
{
  guint32 frame = tt_map64_get (&self->by_name, name);

  if (frame != TT_MAP64_NONE)
    return frame;
  g_autofree char *text = tt_stack_label_name (self->store, name, self->original_names);
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  self->report->n_renamed += tt_stack_label_clean (valid);
  frame = find_frame (self, valid);
  tt_map64_set (&self->by_name, name, frame);
  g_array_append_val (self->names, name);
  return frame;
}

static guint32
find_child (TtFoldedPaths *self, guint32 parent, guint32 frame, TtFoldedKind kind, guint32 id)
{
  guint64 key = (guint64) parent << 32 | frame;
  guint32 node = tt_map64_get (&self->children, key);

  if (node != TT_MAP64_NONE)
    return node;
  const TtFoldedNode fresh = { .parent = parent, .frame = frame, .kind = kind, .id = id };
  node = self->nodes->len;
  g_array_append_val (self->nodes, fresh);
  tt_map64_set (&self->children, key, node);
  return node;
}

static guint32
find_process (TtFoldedPaths *self, guint32 thread)
{
  return find_child (self, 0, find_frame (self, tt_stack_labels_process (self->labels, thread)), TT_FOLDED_PROCESS,
                     thread);
}

static guint32
find_thread (TtFoldedPaths *self, guint32 thread)
{
  guint32 node = tt_map64_get (&self->threads, thread);

  if (node != TT_MAP64_NONE)
    return node;
  node = find_process (self, thread);
  node = find_child (self, node, find_frame (self, tt_stack_labels_thread (self->labels, thread)), TT_FOLDED_THREAD,
                     thread);
  tt_map64_set (&self->threads, thread, node);
  return node;
}

/* Spans that are on no stack. */
static guint32
find_apart (TtFoldedPaths *self, guint32 thread, TtFoldedKind kind)
{
  const char *text = kind == TT_FOLDED_ASYNC ? "(async)" : "(overlap)";

  return find_child (self, thread, find_frame (self, text), kind, 0);
}

static guint32
find_span (TtFoldedPaths *self, guint32 parent, guint32 name)
{
  return find_child (self, parent, find_name_frame (self, name), TT_FOLDED_NAME, name);
}

guint32
tt_folded_paths_of_span (TtFoldedPaths *self, guint32 parent, const TtEvent *event)
{
  guint32 node = parent;

  if (event->flags & TT_FLAG_ASYNC)
    node = find_apart (self, find_thread (self, event->thread), TT_FOLDED_ASYNC);
  else if (event->flags & TT_FLAG_OVERLAP)
    node = find_apart (self, find_thread (self, event->thread), TT_FOLDED_OVERLAP);
  else if (parent == 0)
    node = find_thread (self, event->thread);
  return find_span (self, node, event->name);
}

void
tt_folded_paths_count (TtFoldedPaths *self, guint32 node, tt_int128 self_ns)
{
  TtFoldedNode *path = &g_array_index (self->nodes, TtFoldedNode, node);

  path->self_ns += self_ns;
  self->report->n_paths += !path->is_span;
  path->is_span = TRUE;
}

/* -- parts ---------------------------------------------------------------------------------------- */

void
tt_folded_paths_pack (const TtFoldedPaths *self, GByteArray *bytes)
{
  tt_pack_number (bytes, self->report->n_spans);
  tt_pack_number (bytes, self->report->n_instants);
  /* Several names may have one text: who adds up counts those that are told otherwise. */
  tt_pack_number (bytes, self->names->len);
  for (guint i = 0; i < self->names->len; i++)
    tt_pack_number (bytes, g_array_index (self->names, guint32, i));
  tt_pack_number (bytes, self->nodes->len - 1);
  for (guint i = 1; i < self->nodes->len; i++)
    {
      const TtFoldedNode *node = &g_array_index (self->nodes, TtFoldedNode, i);

      tt_pack_number (bytes, node->parent);
      tt_pack_number (bytes, node->kind);
      tt_pack_number (bytes, node->id);
      tt_pack_number (bytes, node->is_span != FALSE);
      if (node->is_span)
        tt_pack_wide (bytes, (tt_uint128) node->self_ns);
    }
}

/* @kind: of the parent. */
static gboolean
may_be_in (TtFoldedKind kind, TtFoldedKind parent)
{
  switch (kind)
    {
    case TT_FOLDED_PROCESS:
      return parent == TT_FOLDED_ROOT;
    case TT_FOLDED_THREAD:
      return parent == TT_FOLDED_PROCESS;
    case TT_FOLDED_ASYNC:
    case TT_FOLDED_OVERLAP:
      return parent == TT_FOLDED_THREAD;
    case TT_FOLDED_NAME:
      return parent >= TT_FOLDED_THREAD;
    case TT_FOLDED_ROOT:
    case TT_N_FOLDED_KINDS:
      break;
    }
  return FALSE;
}

void
tt_folded_said_unpack (GArray *said, TtUnpack *from, const TtFoldedBounds *bounds)
{
  const guint64 n = tt_unpack_below (from, G_MAXUINT32 - 1);
  /* Of spans no more is left than all can have. */
  tt_int128 ns_left = ((tt_int128) bounds->n_events + 1) << 64;
  TtFoldedSaid one = { .kind = TT_FOLDED_ROOT };

  g_array_append_val (said, one);
  for (guint64 i = 1; i <= n && !from->is_bad; i++)
    {
      one.parent = (guint32) tt_unpack_below (from, i - 1);
      one.kind = (guint32) tt_unpack_below (from, TT_N_FOLDED_KINDS - 1);
      one.id = (guint32) tt_unpack_below (from, one.kind == TT_FOLDED_NAME ? bounds->max_name : bounds->max_thread);
      one.is_span = tt_unpack_below (from, 1) != 0;
      one.self_ns = one.is_span ? (tt_int128) tt_unpack_wide (from) : 0;
      from->is_bad |= one.self_ns > ns_left || one.self_ns < -ns_left || (one.is_span && one.kind < TT_FOLDED_ASYNC);
      if (from->is_bad)
        return;
      ns_left -= one.self_ns < 0 ? -one.self_ns : one.self_ns;
      from->is_bad |=
          !may_be_in ((TtFoldedKind) one.kind, (TtFoldedKind) g_array_index (said, TtFoldedSaid, one.parent).kind);
      g_array_append_val (said, one);
    }
}

/* @parent: here. */
static guint32
find_said (TtFoldedPaths *self, guint32 parent, const TtFoldedSaid *said)
{
  if (said->kind == TT_FOLDED_PROCESS)
    return find_process (self, said->id);
  if (said->kind == TT_FOLDED_THREAD)
    return find_thread (self, said->id);
  return said->kind == TT_FOLDED_NAME ? find_span (self, parent, said->id)
                                      : find_apart (self, parent, (TtFoldedKind) said->kind);
}

void
tt_folded_paths_unpack (TtFoldedPaths *self, TtUnpack *from)
{
  const TtFoldedBounds bounds = { .max_thread = tt_store_max_thread (self->store),
                                  .max_name = tt_store_max_name (self->store),
                                  .n_events = tt_store_n_events (self->store) };
  g_autoptr (GArray) said = g_array_new (FALSE, FALSE, sizeof (TtFoldedSaid));
  g_autofree guint32 *numbers = NULL;

  self->report->n_spans += tt_unpack_below (from, bounds.n_events);
  self->report->n_instants += tt_unpack_below (from, bounds.n_events);
  const guint64 n_names = tt_unpack_below (from, (guint64) bounds.max_name + 1);
  for (guint64 i = 0; i < n_names && !from->is_bad; i++)
    find_name_frame (self, (guint32) tt_unpack_below (from, bounds.max_name));
  tt_folded_said_unpack (said, from, &bounds);
  if (from->is_bad)
    return;
  numbers = g_new0 (guint32, said->len);
  for (guint i = 1; i < said->len; i++)
    {
      const TtFoldedSaid *one = &g_array_index (said, TtFoldedSaid, i);

      numbers[i] = find_said (self, numbers[one->parent], one);
      if (one->is_span)
        tt_folded_paths_count (self, numbers[i], one->self_ns);
    }
}
