/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/source.h"

#include <string.h>

#define ROOM_FOR_HEADS ((gsize) 4096)

typedef struct
{
  const TtCtfPlans *plans;
  TtCtfQuirks quirks;
  GPtrArray *sources;
  GHashTable *by_key; /* borrowed from them */
} Search;

/* What one file says. */
typedef struct
{
  const TtCtfStreamType *type;
  guint64 instance, begin, end; /* begin of its first packet, end of its last */
  guint64 last;                 /* where its last packet begins */
  guint64 last_begin;           /* and its time */
  guint64 n_bytes;              /* of sound packets */
  guint64 n_others;             /* packets with another UUID than the metadata */
  GArray *heads;                /* of Head */
  const char *fault;
} Said;

/* What two packets have in common only if they are one. */
typedef struct
{
  guint64 begin, end, n_bits, n_bytes, sequence_number, discarded;
} Head;

/* A file while sources are made. */
typedef struct
{
  TtCtfSourceFile file;
  gint64 end_ns;
  GArray *heads;
} Part;

/* -- quirks ---------------------------------------------------------------------------------------------------------- */

static gint64
setting (const TtCtfSchema *schema, const char *name)
{
  const gint64 *number = g_hash_table_lookup (schema->numbers, name);

  return number == NULL ? 0 : *number;
}

TtCtfQuirks
tt_ctf_quirks (const TtCtfSchema *schema)
{
  const char *name = g_hash_table_lookup (schema->texts, "tracer_name");
  gint64 major = setting (schema, "tracer_major"), minor = setting (schema, "tracer_minor");
  gint64 patch = g_hash_table_contains (schema->numbers, "tracer_patch") ? setting (schema, "tracer_patch")
                                                                         : setting (schema, "tracer_patchlevel");
  gboolean is_user = g_strcmp0 (name, "lttng-ust") == 0, is_kernel = g_strcmp0 (name, "lttng-modules") == 0;
  TtCtfQuirks self = { 0 };

  if ((!is_user && !is_kernel) || !g_hash_table_contains (schema->numbers, "tracer_major"))
    return self;
  self.ends_nowhere = TRUE;
  if (major != 2)
    self.ends_early = major < 2;
  else if (is_user)
    self.ends_early = minor < 11;
  else
    self.ends_early = minor < 9 || (minor == 9 && patch < 13) || (minor == 10 && patch < 10);
  return self;
}

/* -- one file -------------------------------------------------------------------------------------------------------- */

static void
take_head (Said *said, const TtCtfPacket *packet)
{
  if (packet->at == 0)
    *said = (Said){ .type = packet->type, .instance = packet->instance, .begin = packet->begin, .heads = said->heads };
  const Head head = { packet->begin,           packet->end,      packet->n_bits, packet->n_bytes,
                      packet->sequence_number, packet->discarded };
  g_array_append_val (said->heads, head);
  said->n_others += packet->has_other_uuid ? 1 : 0;
  said->end = packet->end;
  said->last = packet->at;
  said->last_begin = packet->begin;
  said->n_bytes = packet->at + packet->n_bytes;
}

/* The time of the last event of the file's last packet, where that is its end. What is told stands where an event is too late for it. */
static gboolean
mend_end (const Search *self, TtCtfPacket *packet, Said *said, GError **error)
{
  gboolean is_nowhere = self->quirks.ends_nowhere && said->end == 0 && said->last_begin != 0;
  gboolean is_mended = self->quirks.ends_early || is_nowhere;
  guint64 told = said->end, latest = 0;
  TtCtfFound found;
  TtCtfStepResult result;

  tt_ctf_found_init (&found, self->plans);
  if (is_mended && said->end != TT_CTF_UNSAID &&
      (result = tt_ctf_packet_read (packet, said->last, error)) != TT_CTF_STEP_FAILED)
    {
      said->end = packet->bits.clock;
      while (result != TT_CTF_STEP_FAILED && (result = tt_ctf_packet_next (packet, &found, error)) == TT_CTF_STEP_DONE)
        {
          said->end = found.clock;
          latest = MAX (latest, found.clock);
        }
      if (!is_nowhere && latest > told && latest - told > TT_CTF_MOST_EARLY)
        said->end = told;
    }
  else
    result = TT_CTF_STEP_DONE;
  tt_ctf_found_clear (&found);
  return result != TT_CTF_STEP_FAILED;
}

/* Reads all heads of packets. FALSE with @error: the file cannot be read. */
static gboolean
read_heads (const Search *self, const char *path, Said *said, GError **error)
{
  TtCtfPacket packet;
  TtCtfStepResult result;

  *said = (Said){ .heads = g_array_new (FALSE, FALSE, sizeof (Head)) };
  if (!tt_ctf_packet_open (&packet, self->plans, path, ROOM_FOR_HEADS, 0, error))
    return FALSE;
  while ((result = tt_ctf_packet_read (&packet, said->n_bytes, error)) == TT_CTF_STEP_DONE)
    take_head (said, &packet);
  said->fault = packet.fault;
  gboolean is_good = result != TT_CTF_STEP_FAILED && (said->n_bytes == 0 || mend_end (self, &packet, said, error));
  tt_ctf_packet_clear (&packet);
  return is_good;
}

/* -- streams --------------------------------------------------------------------------------------------------------- */

/* Takes a Part, whose first member is the file. */
static void
free_file (gpointer data)
{
  Part *part = data;

  g_clear_pointer (&part->heads, g_array_unref);
  g_free (part->file.path);
  g_free (part);
}

static void
free_source (gpointer data)
{
  TtCtfSource *source = data;

  g_ptr_array_unref (source->files);
  g_free (source->key);
  g_free (source->name);
  g_free (source);
}

/* The stream of a file; made if it is the first of it. */
static TtCtfSource *
source_of (Search *self, const Said *said, const char *path)
{
  g_autofree char *key =
      said->instance != TT_CTF_UNSAID
          ? g_strdup_printf ("%" G_GUINT64_FORMAT " | %" G_GUINT64_FORMAT, said->type->id, said->instance)
          : g_strdup_printf ("%" G_GUINT64_FORMAT " | %s", said->type->id, path);
  TtCtfSource *source = g_hash_table_lookup (self->by_key, key);

  if (source != NULL)
    return source;
  source = g_new0 (TtCtfSource, 1);
  source->type = said->type;
  source->name = g_path_get_basename (path);
  source->key = g_steal_pointer (&key);
  source->files = g_ptr_array_new_with_free_func (free_file);
  source->range = (TtCtfRange){ G_MAXINT64, G_MININT64 };
  g_ptr_array_add (self->sources, source);
  g_hash_table_insert (self->by_key, source->key, source);
  return source;
}

/* FALSE: a time does not fit 64 bits. */
static gboolean
add_file (Search *self, Said *said, const char *path)
{
  TtCtfRange range = { G_MAXINT64, G_MININT64 };
  const TtCtfClockClass *clock = said->type->clock;
  gboolean has_begin = said->begin != TT_CTF_UNSAID && clock != NULL;
  gboolean has_end = said->end != TT_CTF_UNSAID && clock != NULL;

  if ((has_begin && !tt_ctf_clock_ns (clock, said->begin, &range.begin_ns)) ||
      (has_end && !tt_ctf_clock_ns (clock, said->end, &range.end_ns)))
    return FALSE;
  /* Without a time nothing orders it among other files. */
  if (!has_begin)
    said->instance = TT_CTF_UNSAID;

  TtCtfSource *source = source_of (self, said, path);
  Part *part = g_new0 (Part, 1);
  *part = (Part){ .file = { .path = g_strdup (path), .n_bytes = said->n_bytes, .begin_ns = range.begin_ns },
                  .end_ns = range.end_ns,
                  .heads = g_steal_pointer (&said->heads) };
  g_ptr_array_add (source->files, part);
  source->n_packets += part->heads->len;
  source->n_others += said->n_others;
  if (has_begin && has_end)
    {
      source->range.begin_ns = MIN (source->range.begin_ns, range.begin_ns);
      source->range.end_ns = MAX (source->range.end_ns, range.end_ns);
    }
  return TRUE;
}

static int
by_key (gconstpointer a, gconstpointer b)
{
  return strcmp ((*(const TtCtfSource *const *) a)->key, (*(const TtCtfSource *const *) b)->key);
}

static int
by_begin (gconstpointer a, gconstpointer b)
{
  const TtCtfSourceFile *x = *(const TtCtfSourceFile *const *) a, *y = *(const TtCtfSourceFile *const *) b;

  return x->begin_ns != y->begin_ns ? (x->begin_ns < y->begin_ns ? -1 : 1) : strcmp (x->path, y->path);
}

/* -- parts ----------------------------------------------------------------------------------------------------------- */

static guint
hash_head (gconstpointer data)
{
  const Head *head = data;

  return (guint) ((head->begin * 31 + head->end) * 31 + head->sequence_number) ^ (guint) (head->begin >> 32);
}

static gboolean
equal_heads (gconstpointer a, gconstpointer b)
{
  const Head *x = a, *y = b;

  return x->begin == y->begin && x->end == y->end && x->n_bits == y->n_bits && x->n_bytes == y->n_bytes &&
         x->sequence_number == y->sequence_number && x->discarded == y->discarded;
}

static gboolean
are_apart (const Part *one, const Part *other)
{
  g_autofree char *first = g_path_get_dirname (one->file.path), *second = g_path_get_dirname (other->file.path);

  return strcmp (first, second) != 0;
}

/* Leaves out what is known of the packets that @part begins with; gives how many those are. */
static guint
skip_known (GHashTable *known, Part *part)
{
  guint n = 0;

  while (n < part->heads->len && g_hash_table_contains (known, &g_array_index (part->heads, Head, n)))
    part->file.first_byte += g_array_index (part->heads, Head, n++).n_bytes;
  return n;
}

static void
note_heads (GHashTable *known, const Part *part)
{
  for (guint i = 0; i < part->heads->len; i++)
    g_hash_table_add (known, &g_array_index (part->heads, Head, i));
}

/* A file of another directory that is in the way of those before, as a stream of its own. */
static void
take_out (GPtrArray *sources, TtCtfSource *source, guint i)
{
  Part *part = g_ptr_array_steal_index (source->files, i);
  TtCtfSource *own = g_new0 (TtCtfSource, 1);

  own->type = source->type;
  own->name = g_path_get_basename (part->file.path);
  own->key = g_strdup_printf ("%s | %s", source->key, part->file.path);
  own->files = g_ptr_array_new_with_free_func (free_file);
  own->range = (TtCtfRange){ part->file.begin_ns, part->end_ns };
  g_ptr_array_add (own->files, part);
  g_ptr_array_add (sources, own);
}

/* What is left out by other files is none. */
static void
forget_heads (const TtCtfSource *source)
{
  for (guint i = source->files->len; i-- > 0;)
    {
      Part *part = source->files->pdata[i];
      g_clear_pointer (&part->heads, g_array_unref);
      if (part->file.first_byte > 0 && part->file.first_byte >= part->file.n_bytes)
        g_ptr_array_remove_index (source->files, i);
    }
}

/* Joins the files of one stream, which are in the order of their begins. */
static void
join_parts (GPtrArray *sources, TtCtfSource *source)
{
  g_autoptr (GHashTable) known = g_hash_table_new (hash_head, equal_heads);
  const TtCtfClockClass *clock = source->type->clock;
  gint64 end_ns = G_MININT64, begin_ns;

  for (guint i = 0; i < source->files->len;)
    {
      Part *part = source->files->pdata[i];
      gboolean is_other = i > 0 && are_apart (source->files->pdata[i - 1], part);
      guint n = is_other && part->file.begin_ns < end_ns ? skip_known (known, part) : 0;
      gboolean is_all = n > 0 && n == part->heads->len;
      gboolean is_late = n > 0 && !is_all && clock != NULL &&
                         tt_ctf_clock_ns (clock, g_array_index (part->heads, Head, n).begin, &begin_ns) &&
                         begin_ns >= end_ns;

      if (is_other && part->file.begin_ns < end_ns && !is_all && !is_late)
        {
          part->file.first_byte = 0;
          take_out (sources, source, i);
          continue;
        }
      source->n_repeated += n;
      note_heads (known, part);
      end_ns = MAX (end_ns, part->end_ns);
      i++;
    }
}

GPtrArray *
tt_ctf_sources_find (const TtCtfPlans *plans,
                     char *const *paths,
                     guint n_paths,
                     TtCtfDamagedFunc damaged,
                     gpointer data,
                     GError **error)
{
  g_autoptr (GPtrArray) sources = g_ptr_array_new_with_free_func (free_source);
  g_autoptr (GHashTable) by_text = g_hash_table_new (g_str_hash, g_str_equal);
  Search self = {
    .plans = plans, .quirks = tt_ctf_quirks (tt_ctf_plans_schema (plans)), .sources = sources, .by_key = by_text
  };

  for (guint i = 0; i < n_paths; i++)
    {
      Said said;

      if (!read_heads (&self, paths[i], &said, error))
        {
          g_array_unref (said.heads);
          return NULL;
        }
      if (said.n_bytes > 0 && !add_file (&self, &said, paths[i]))
        {
          said.n_bytes = 0;
          said.fault = "the times of its packets do not fit 64 bits";
        }
      g_clear_pointer (&said.heads, g_array_unref);
      if (said.fault != NULL)
        damaged (paths[i], said.n_bytes, said.fault, data);
    }
  for (guint i = 0, n = sources->len; i < n; i++)
    {
      g_ptr_array_sort (((TtCtfSource *) sources->pdata[i])->files, by_begin);
      join_parts (sources, sources->pdata[i]);
    }
  g_ptr_array_sort (sources, by_key);
  for (guint i = 0; i < sources->len; i++)
    forget_heads (sources->pdata[i]);
  return g_steal_pointer (&sources);
}
