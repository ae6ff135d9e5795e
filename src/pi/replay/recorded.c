/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/pi/replay/recorded.h"

#include "formats/pi/native.h"
#include "formats/pi/replayer/report.h"
#include "src/base/look.h"

typedef struct
{
  TtPiRecorded *found;
  GHashTable *releases; /* index of a function -> id */
  GHashTable *names;    /* index of a function -> its name */
  guint64 done;
  gboolean has_handles, has_others, has_waits;
} Walk;

static void
read_call (Walk *self, const TtPiNativeRecord *record)
{
  gpointer id;

  if (self->found->n_calls++ < self->done || (self->has_others && record->backend < 0))
    return;
  const char *name = g_hash_table_lookup (self->names, GUINT_TO_POINTER (record->function));
  if (self->has_waits && self->done > 0 && name != NULL &&
      tt_replay_is_wait (name, strlen (name), record->args, record->args_size))
    return;
  if (self->done == 0 || record->args_size < 8 ||
      !g_hash_table_lookup_extended (self->releases, GUINT_TO_POINTER (record->function), NULL, &id))
    {
      self->found->n_left++;
      return;
    }
  self->found->n_releases++;
  self->found->balance += tt_replay_weigh (GPOINTER_TO_UINT (id), self->has_handles ? tt_pi_get (record->args, 8) : 0);
}

static void
read_name (Walk *self, const TtPiNativeName *name)
{
  self->found->highest_id = MAX (self->found->highest_id, name->id);
  self->found->release = MAX (self->found->release, name->api == TT_PI_API_UR ? name->release : 0);
  g_hash_table_insert (self->names, GUINT_TO_POINTER (name->index), g_strndup (name->name, name->name_len));
  if (tt_replay_is_release (name->name, name->name_len))
    g_hash_table_insert (self->releases, GUINT_TO_POINTER (name->index), GUINT_TO_POINTER (tt_replay_id_of (name)));
}

TtPiRecorded
tt_pi_recorded_read (const char *path, guint64 done, gboolean has_handles, gboolean has_others, gboolean has_waits)
{
  g_autoptr (GMappedFile) file = tt_look_map (path, NULL);
  g_autoptr (GHashTable) releases = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) names = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  gsize len = file != NULL ? g_mapped_file_get_length (file) : 0, end;
  TtPiRecorded found = { 0 };
  Walk walk = { &found, releases, names, done, has_handles, has_others, has_waits };
  guint32 size;

  if (len < TT_PI_NATIVE_HEADER)
    return found;
  const guint8 *bytes = (const guint8 *) g_mapped_file_get_contents (file);
  end = tt_pi_native_end (bytes, len);
  for (gsize at = TT_PI_NATIVE_HEADER; at < end; at += size)
    {
      TtPiNativeRecord record;
      size = tt_pi_native_record_size (bytes + at, end - at);
      if (tt_pi_native_record (bytes + at, size, &record) != NULL)
        continue;
      if (record.kind == TT_PI_NATIVE_BEGIN)
        read_call (&walk, &record);
      else if (record.kind == TT_PI_NATIVE_NAME)
        read_name (&walk, &record.name);
    }
  return found;
}
