/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/sizes.h"

#include "formats/ctf/layout.h"
#include "formats/ctf/metadata.h"
#include "formats/ctf/packet.h"
#include "formats/ctf/parts.h"
#include "formats/ctf/rules.h"
#include "formats/ctf/schema/read.h"
#include "formats/ctf/source.h"
#include "src/base/look.h"
#include "src/base/progress.h"

#include <math.h>
#include <string.h>

#define ROOM ((gsize) 256 << 10)
#define EVENTS_PER_CHECK 65536u
/* LTTng pads packets to whole pages. */
#define PAGE 4096u
#define INDEX_HEAD 16u

typedef struct
{
  TtCtfSizes *sizes;
  GHashTable *known; /* TtCtfClass -> ClassKind, of the trace that is read */
  TtCtfPacket packet;
  TtCtfFound found;
} Count;

typedef struct
{
  guint kind;
  gboolean is_span; /* one event of it is one span */
} ClassKind;

/* -- kinds --------------------------------------------------------------------------------------------------------- */

static guint
find_kind (const TtCtfSizes *self, const char *provider, const char *op)
{
  for (guint i = 1; i < self->kinds->len; i++)
    {
      const TtCtfKindSize *kind = self->kinds->pdata[i];
      if (strcmp (kind->provider, provider) == 0 &&
          (g_strcmp0 (kind->op, op) == 0 || (op != NULL && g_strcmp0 (kind->zero_op, op) == 0)))
        return i;
    }
  return TT_CTF_NO_KIND;
}

static guint
add_kind (TtCtfSizes *self, const char *provider, const char *op, const char *zero_op)
{
  guint at = find_kind (self, provider, op);

  if (at != TT_CTF_NO_KIND)
    return at;
  TtCtfKindSize *kind = g_new0 (TtCtfKindSize, 1);
  kind->provider = g_strdup (provider);
  kind->op = g_strdup (op);
  kind->zero_op = g_strdup (zero_op);
  g_ptr_array_add (self->kinds, kind);
  return self->kinds->len - 1;
}

/* What spans of the rule are called; NULL: their events say it. */
static char *
op_of (const TtCtfSpanMatch *match, const char *name)
{
  const char *op = match->rule->op, *colon = strchr (name, ':');
  const char *star = op == NULL ? NULL : strchr (op, '*');

  if (match->rule->op_field != NULL)
    return NULL;
  if (op == NULL)
    return g_strdup (match->stem != NULL ? match->stem : colon != NULL ? colon + 1 : name);
  if (star == NULL || match->stem == NULL)
    return g_strdup (op);
  return g_strdup_printf ("%.*s%s%s", (int) (star - op), op, match->stem, star + 1);
}

static ClassKind *
make_kind (TtCtfSizes *self, const TtCtfClass *klass)
{
  TtCtfSpanMatch match = tt_ctf_span_rule (klass->name, klass->names, NULL);
  const TtCtfFactRule *fact = match.rule == NULL ? tt_ctf_fact_rule (klass->name) : NULL;
  const char *colon = strchr (klass->name, ':');
  g_autofree char *provider = colon == NULL ? g_strdup ("") : g_strndup (klass->name, (gsize) (colon - klass->name));
  ClassKind *made = g_new0 (ClassKind, 1);

  if (match.rule != NULL)
    {
      g_autofree char *op = op_of (&match, klass->name);
      made->kind = add_kind (self, provider, op, match.rule->zero_op);
      made->is_span = match.is_begin;
    }
  else if (fact != NULL && fact->kind == TT_CTF_ACTIVITY)
    {
      made->kind = add_kind (self, provider, fact->op, NULL);
      made->is_span = TRUE;
    }
  g_free (match.stem);
  g_free (match.partner);
  return made;
}

/* -- counting ------------------------------------------------------------------------------------------------------ */

static void
count_event (Count *self, TtCtfStreamSize *stream, guint64 n_bits)
{
  TtCtfClass *klass = self->found.plan->klass;
  const ClassKind *of = g_hash_table_lookup (self->known, klass);

  if (of == NULL)
    {
      ClassKind *made = make_kind (self->sizes, klass);
      g_hash_table_insert (self->known, klass, made);
      of = made;
    }
  TtCtfKindSize *kind = self->sizes->kinds->pdata[of->kind];
  kind->n_events++;
  kind->n_spans += of->is_span ? 1 : 0;
  kind->n_bits += n_bits;
  if (of->kind >= stream->kind_bits->len)
    g_array_set_size (stream->kind_bits, of->kind + 1);
  g_array_index (stream->kind_bits, guint64, of->kind) += n_bits;
}

/* FALSE with @error: the file cannot be read. A damaged event ends its packet. */
static gboolean
count_packet (Count *self, TtCtfStreamSize *stream, GError **error)
{
  TtCtfPacket *packet = &self->packet;
  guint64 at = packet->bits.at, from = at, n_bits = 0;

  stream->n_packets++;
  stream->n_bytes += packet->n_bytes;
  if (packet->n_bytes > stream->most_bytes)
    {
      stream->most_bytes = packet->n_bytes;
      stream->n_most = stream->most_bits = 0;
    }
  stream->head_bits += at;
  for (guint n = 0;; n++)
    {
      TtCtfStepResult result = tt_ctf_packet_next (packet, &self->found, error);

      if (result == TT_CTF_STEP_FAILED || (n % EVENTS_PER_CHECK == 0 && tt_cancelled (error)))
        return FALSE;
      if (result != TT_CTF_STEP_DONE)
        break;
      count_event (self, stream, packet->bits.at - at);
      at = packet->bits.at;
      n_bits += at - from;
      from = at;
    }
  if (packet->n_bytes == stream->most_bytes)
    {
      stream->n_most++;
      stream->most_bits += n_bits;
    }
  return TRUE;
}

/* LTTng keeps an index of the packets beside each file. */
static void
count_index (TtCtfStreamSize *stream, const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path), *name = g_path_get_basename (path);
  g_autofree char *file = g_strconcat (name, ".idx", NULL), *index = g_build_filename (folder, "index", file, NULL);
  struct stat facts;

  if (tt_look_stat (index, &facts) == 0)
    stream->index_bytes += (guint64) facts.st_size;
}

static gboolean
count_file (Count *self, const TtCtfPlans *plans, const TtCtfSourceFile *file, TtCtfStreamSize *stream, GError **error)
{
  guint64 at = file->first_byte;
  gboolean is_good = tt_ctf_packet_open (&self->packet, plans, file->path, ROOM, file->n_bytes, error);

  while (is_good && at < file->n_bytes)
    {
      TtCtfStepResult result = tt_ctf_packet_read (&self->packet, at, error);

      is_good = result != TT_CTF_STEP_FAILED;
      if (result != TT_CTF_STEP_DONE)
        break;
      is_good = count_packet (self, stream, error);
      at += self->packet.n_bytes;
    }
  tt_ctf_packet_clear (&self->packet);
  return is_good;
}

static gboolean
count_source (Count *self, const TtCtfPlans *plans, const TtCtfSource *source, GError **error)
{
  TtCtfStreamSize *stream = g_new0 (TtCtfStreamSize, 1);

  stream->kind_bits = g_array_new (FALSE, TRUE, sizeof (guint64));
  g_ptr_array_add (self->sizes->streams, stream);
  for (guint i = 0; i < source->files->len; i++)
    {
      const TtCtfSourceFile *file = source->files->pdata[i];
      count_index (stream, file->path);
      if (!count_file (self, plans, file, stream, error))
        return FALSE;
    }
  return TRUE;
}

static void
pass_over_damage (const char *path, guint64 n_bytes, const char *why, gpointer data)
{
}

static gboolean
count_trace (Count *self, const char *text, const char *path, GPtrArray *files, GError **error)
{
  g_autoptr (TtCtfSchema) schema = tt_ctf_schema_read (path, text, error);
  g_autoptr (TtCtfPlans) plans = schema == NULL ? NULL : tt_ctf_plans_new (schema);
  g_autoptr (GPtrArray) sources = plans == NULL ? NULL
                                                : tt_ctf_sources_find (plans, (char *const *) files->pdata, files->len,
                                                                       pass_over_damage, NULL, error);

  if (sources == NULL)
    return FALSE;
  g_hash_table_remove_all (self->known);
  tt_ctf_found_init (&self->found, plans);
  gboolean is_counted = TRUE;
  for (guint i = 0; i < sources->len && is_counted; i++)
    is_counted = count_source (self, plans, sources->pdata[i], error);
  tt_ctf_found_clear (&self->found);
  return is_counted;
}

/* The directories of one trace; the longest of their metadata counts, which only grow. */
static gboolean
count_parts (Count *self, const TtCtfParts *parts, GError **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *text = NULL, *path = NULL;

  for (guint i = 0; parts->paths->pdata[i] != NULL; i++)
    {
      gboolean is_cut;
      g_autofree char *read = tt_ctf_metadata_read (parts->paths->pdata[i], &is_cut, error);
      g_autoptr (GPtrArray) found =
          read == NULL ? NULL : tt_ctf_trace_files (parts->paths->pdata[i], read, NULL, error);
      struct stat facts;

      if (found == NULL)
        return FALSE;
      if (found->len > 0 && tt_look_stat (found->pdata[0], &facts) == 0)
        self->sizes->metadata_bytes += (guint64) facts.st_size;
      for (guint k = 1; k < found->len; k++)
        g_ptr_array_add (files, g_strdup (found->pdata[k]));
      if (text != NULL && strlen (text) >= strlen (read))
        continue;
      g_free (text);
      g_free (path);
      text = g_steal_pointer (&read);
      path = g_strdup (parts->paths->pdata[i]);
    }
  return text == NULL || count_trace (self, text, path, files, error);
}

/* -- begin and end --------------------------------------------------------------------------------------------------- */

static void
free_kind (gpointer data)
{
  TtCtfKindSize *kind = data;

  g_free (kind->provider);
  g_free (kind->op);
  g_free (kind->zero_op);
  g_free (kind);
}

static void
free_stream (gpointer data)
{
  TtCtfStreamSize *stream = data;

  g_array_unref (stream->kind_bits);
  g_free (stream);
}

TtCtfSizes *
tt_ctf_sizes_new (void)
{
  TtCtfSizes *self = g_new0 (TtCtfSizes, 1);

  self->kinds = g_ptr_array_new_with_free_func (free_kind);
  self->streams = g_ptr_array_new_with_free_func (free_stream);
  g_ptr_array_add (self->kinds, g_new0 (TtCtfKindSize, 1));
  return self;
}

gboolean
tt_ctf_sizes_add (TtCtfSizes *self, const TtInputSet *input, GError **error)
{
  g_autoptr (GPtrArray) directories = tt_ctf_layout_find (input, error);
  g_autoptr (GPtrArray) traces = directories == NULL ? NULL : tt_ctf_parts_find (directories);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_direct_hash, g_direct_equal, NULL, g_free);
  Count count = { .sizes = self, .known = known };
  gboolean is_good = traces != NULL;

  for (guint i = 0; is_good && i < traces->len; i++)
    is_good = count_parts (&count, traces->pdata[i], error);
  return is_good;
}

void
tt_ctf_sizes_free (TtCtfSizes *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->kinds);
  g_ptr_array_unref (self->streams);
  g_free (self);
}

/* -- questions ------------------------------------------------------------------------------------------------------- */

guint
tt_ctf_sizes_find (const TtCtfSizes *self, const char *provider, const char *op_name)
{
  const char *group = provider == NULL ? "" : provider;
  guint at = op_name == NULL ? TT_CTF_NO_KIND : find_kind (self, group, op_name);

  return at != TT_CTF_NO_KIND ? at : find_kind (self, group, NULL);
}

/* A head and an entry for each packet. */
static guint64
index_bytes (const TtCtfStreamSize *stream, guint64 n_packets)
{
  if (stream->index_bytes <= INDEX_HEAD || stream->n_packets == 0)
    return stream->index_bytes;
  return INDEX_HEAD + (stream->index_bytes - INDEX_HEAD) / stream->n_packets * n_packets;
}

guint64
tt_ctf_sizes_predict (const TtCtfSizes *self, const double *kept)
{
  guint64 bytes = self->metadata_bytes;

  for (guint i = 0; i < self->streams->len; i++)
    {
      const TtCtfStreamSize *stream = self->streams->pdata[i];
      double bits = 0, head = stream->n_packets == 0 ? 0 : (double) stream->head_bits / (double) stream->n_packets;
      guint pad = stream->most_bytes % PAGE == 0 ? PAGE : 1;

      if (stream->n_packets == 0)
        continue;
      for (guint k = 0; k < stream->kind_bits->len; k++)
        bits += kept[k] * (double) g_array_index (stream->kind_bits, guint64, k);
      /* One packet is written even if there is nothing in it. Full ones are so to where the next event had no room. */
      double room = stream->n_most > 1 ? (double) stream->most_bits / (double) stream->n_most
                                       : (double) stream->most_bytes * 8 - head;
      double n_full = floor (bits / MAX (room, 1));
      guint64 last = (guint64) ceil ((head + bits - n_full * MAX (room, 1)) / 8);
      bytes += (guint64) n_full * stream->most_bytes + (last + pad - 1) / pad * pad;
      bytes += index_bytes (stream, (guint64) n_full + 1);
    }
  return bytes;
}
