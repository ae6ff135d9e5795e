/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/reader.h"

#include "formats/ctf/merge.h"
#include "formats/ctf/metadata.h"
#include "formats/ctf/schema/read.h"
#include "src/base/error.h"

#include <string.h>

#define NS_PER_S G_GINT64_CONSTANT (1000000000)

typedef struct
{
  const char *path; /* above all that is read */
  const TtCtfHandler *handler;
  gpointer data;
  guint n_damaged;  /* files of which nothing can be read */
  char *first_name; /* of those */
  const char *first_why;
} Reader;

/* What a file below the reader's path is called. */
static char *
name_of (const Reader *self, const char *path)
{
  const char *rest = g_str_has_prefix (path, self->path) ? path + strlen (self->path) : NULL;

  return rest != NULL && *rest == G_DIR_SEPARATOR ? g_strdup (rest + 1) : g_path_get_basename (path);
}

static void
tell_break (const Reader *self, const char *stream, TtCtfBreak how, const char *why)
{
  if (self->handler->broken != NULL)
    self->handler->broken (stream, how, why, self->data);
}

static void
on_damaged (const char *path, guint64 n_bytes, const char *why, gpointer data)
{
  Reader *self = data;
  g_autofree char *name = name_of (self, path);

  tell_break (self, name, n_bytes > 0 ? TT_CTF_BREAK_LATER : TT_CTF_BREAK_AT_BEGIN, why);
  if (n_bytes > 0)
    return;
  if (self->n_damaged++ == 0)
    {
      self->first_name = g_steal_pointer (&name);
      self->first_why = why;
    }
}

/* Streams with a clock beside others without: those of the first are read. */
static void
drop_other_clocks (const Reader *self, GPtrArray *sources)
{
  gboolean has_clock = ((const TtCtfSource *) sources->pdata[0])->type->clock != NULL;

  for (guint i = sources->len; i-- > 1;)
    {
      const TtCtfSource *source = sources->pdata[i];

      if ((source->type->clock != NULL) == has_clock)
        continue;
      tell_break (self, source->name, TT_CTF_BREAK_NO_CLOCK,
                  has_clock ? "its events have no times, those of the streams before do"
                            : "its events have times, those of the streams before have none");
      g_ptr_array_remove_index (sources, i);
    }
}

/* LTTng's "kernel_release", perf's "release": 5.10.0-30-amd64. */
static guint
find_linux_version (const TtCtfSchema *schema)
{
  const char *text = g_hash_table_lookup (schema->texts, "kernel_release");
  char *end;

  if (text == NULL)
    text = g_hash_table_lookup (schema->texts, "release");
  if (text == NULL || !g_ascii_isdigit (*text))
    return 0;
  guint64 major = g_ascii_strtoull (text, &end, 10);
  if (*end != '.' || !g_ascii_isdigit (end[1]))
    return 0;
  guint64 minor = g_ascii_strtoull (end + 1, NULL, 10);
  return major > G_MAXINT16 || minor > G_MAXINT16 ? 0 : TT_CTF_LINUX (major, minor);
}

/* LTTng writes when the session was made, in whole seconds: 20260127T195312+0000. Nothing in it is older, nor than its clock. */
static gint64
find_earliest (const TtCtfSchema *schema, const TtCtfClockClass *clock)
{
  const char *text = g_hash_table_lookup (schema->texts, "trace_creation_datetime");
  gint64 zero_ns, made_ns;

  if (clock == NULL || !tt_ctf_clock_ns (clock, 0, &zero_ns))
    return TT_CTF_ALWAYS;
  g_autoptr (GDateTime) made = text == NULL || !clock->is_epoch ? NULL : g_date_time_new_from_iso8601 (text, NULL);
  if (made == NULL || __builtin_mul_overflow (g_date_time_to_unix (made) - 1, NS_PER_S, &made_ns))
    return zero_ns;
  return MAX (zero_ns, made_ns);
}

/* Whether the handler wants to go on. */
static gboolean
tell_facts (const Reader *self, const TtCtfSchema *schema, const GPtrArray *sources)
{
  const TtCtfClockClass *clock = ((const TtCtfSource *) sources->pdata[0])->type->clock;
  const char *hostname = g_hash_table_lookup (schema->texts, "hostname");
  g_autofree char *valid = hostname == NULL || *hostname == '\0' ? NULL : g_utf8_make_valid (hostname, -1);
  const gint64 *pid = g_hash_table_lookup (schema->numbers, "vpid");
  TtCtfFacts facts = { .hostname = valid,
                       .pid = pid != NULL && *pid > 0 ? *pid : -1,
                       .procname = g_hash_table_lookup (schema->texts, "procname"),
                       .linux_version = find_linux_version (schema),
                       .earliest_ns = find_earliest (schema, clock),
                       .uuid = schema->uuid,
                       .clock = clock == NULL     ? TT_CTF_NO_CLOCK
                                : clock->is_epoch ? TT_CTF_CLOCK_EPOCH
                                                  : TT_CTF_CLOCK_RELATIVE };

  for (guint i = 0; i < sources->len; i++)
    {
      const TtCtfSource *source = sources->pdata[i];

      facts.n_repeated += source->n_repeated;
      facts.n_packets += source->n_packets;
      facts.n_others += source->n_others;
      if (source->n_others > 0 && facts.other == NULL)
        facts.other = source->name;
    }
  /* There may be none that fits 64 bits. */
  if (clock != NULL && !tt_ctf_clock_ns (clock, 0, &facts.clock_offset_ns))
    facts.clock_offset_ns = 0;
  return self->handler->begin (&facts, self->data);
}

static gboolean
read_streams (Reader *self, const TtCtfSchema *schema, GPtrArray *files, GError **error)
{
  g_autoptr (TtCtfPlans) plans = tt_ctf_plans_new (schema);
  g_autoptr (GPtrArray) sources =
      tt_ctf_sources_find (plans, (char *const *) files->pdata, files->len, on_damaged, self, error);

  if (sources == NULL)
    return FALSE;
  if (sources->len == 0 && self->n_damaged > 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: no stream can be read: '%s' is damaged: %s", self->path,
                   self->first_name, self->first_why);
      return FALSE;
    }
  if (sources->len == 0)
    return TRUE;
  drop_other_clocks (self, sources);
  if (!tell_facts (self, schema, sources) || self->handler->event == NULL)
    return TRUE;
  return tt_ctf_merge (plans, sources, self->handler, self->data, error);
}

/* What the reader has of the directories of a trace. */
typedef struct
{
  char *text, *path; /* the metadata, and where they are; of several the longest: they only grow */
  GPtrArray *files, *damaged;
} Found;

static void
found_clear (Found *self)
{
  g_free (self->text);
  g_free (self->path);
  g_ptr_array_unref (self->files);
  g_ptr_array_unref (self->damaged);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Found, found_clear)

static gboolean
find_part (Reader *self, const char *part, Found *found, GError **error)
{
  gboolean is_cut;
  g_autofree char *text = tt_ctf_metadata_read (part, &is_cut, error);
  g_autoptr (GPtrArray) files = text == NULL ? NULL : tt_ctf_trace_files (part, text, found->damaged, error);

  if (files == NULL)
    return FALSE;
  if (is_cut)
    {
      g_autofree char *name = name_of (self, files->pdata[0]);
      tell_break (self, name, TT_CTF_BREAK_LATER, "cut within its last packet");
    }
  for (guint i = 1; i < files->len; i++)
    g_ptr_array_add (found->files, g_strdup (files->pdata[i]));
  if (found->text != NULL && strlen (found->text) >= strlen (text))
    return TRUE;
  g_free (found->text);
  g_free (found->path);
  found->text = g_steal_pointer (&text);
  found->path = g_strdup (part);
  return TRUE;
}

gboolean
tt_ctf_read_parts (const char *const *parts,
                   const char *root,
                   const TtCtfHandler *handler,
                   gpointer data,
                   GError **error)
{
  Reader self = { .path = root, .handler = handler, .data = data };
  g_auto (Found)
      found = { .files = g_ptr_array_new_with_free_func (g_free), .damaged = g_ptr_array_new_with_free_func (g_free) };
  g_autoptr (TtCtfSchema) schema = NULL;

  for (guint i = 0; parts[i] != NULL; i++)
    if (!find_part (&self, parts[i], &found, error))
      return FALSE;
  schema = tt_ctf_schema_read (found.path, found.text, error);
  if (schema == NULL)
    return FALSE;
  for (guint i = 0; i < found.damaged->len; i++)
    {
      g_autofree char *name = name_of (&self, found.damaged->pdata[i]);
      tell_break (&self, name, TT_CTF_BREAK_AT_BEGIN, "it does not begin with the magic number of a CTF packet");
    }
  gboolean is_read = read_streams (&self, schema, found.files, error);
  g_free (self.first_name);
  return is_read;
}

gboolean
tt_ctf_read (const char *path, const TtCtfHandler *handler, gpointer data, GError **error)
{
  const char *const parts[] = { path, NULL };

  return tt_ctf_read_parts (parts, path, handler, data, error);
}

gboolean
tt_ctf_read_facts (const char *path, const TtCtfHandler *handler, gpointer data, GError **error)
{
  const TtCtfHandler facts = { .begin = handler->begin };

  return tt_ctf_read (path, &facts, data, error);
}
