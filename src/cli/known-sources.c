/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/known-sources.h"

#include "src/base/error.h"
#include "src/base/input.h"
#include "src/base/look.h"

#include <string.h>
#include <sys/stat.h>

typedef enum
{
  SOURCE_IS_NEW,
  SOURCE_IS_KNOWN, /* another run has it */
  SOURCE_FAILED,
} Verdict;

/* -- messages ------------------------------------------------------------------------------------ */

/* "with the options '--rank 1' then and none now", where they differ. Free it. */
static char *
describe_options (const TtKnownSources *self, const TtKnownSource *known)
{
  const char *now = self->options != NULL ? self->options : "";

  if (known->options == NULL || strcmp (known->options, now) == 0)
    return g_strdup ("");
  return g_strdup_printf (" (options then: %s; now: %s)", *known->options != '\0' ? known->options : "none",
                          *now != '\0' ? now : "none");
}

/* @n, @n_all: traces that are known, of how many. */
static gboolean
refuse_known (const TtKnownSources *self, const char *path, const TtKnownSource *known, guint n, guint n_all,
              GError **error)
{
  gboolean is_stdin = g_str_equal (path, "-");
  g_autofree char *options = describe_options (self, known);
  g_autofree char *name = is_stdin ? g_strdup ("standard input") : g_strdup_printf ("'%s'", path);
  g_autofree char *as = g_strcmp0 (path, known->path) == 0 ? g_strdup ("") : g_strdup_printf (" as '%s'", known->path);
  g_autofree char *several = n_all == 1 ? g_strdup ("") : g_strdup_printf ("%u of %u traces are known: ", n, n_all);

  g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
               "%s%s is already in '%s': run %u of %s has it%s%s; '--run %u' reads it, 'import%s --again' %s%s",
               several, name, self->db_path, known->run, known->imported_at, as, options, known->run,
               self->add ? " --add" : "",
               self->add ? "adds it to the latest run, too" : "makes a new run of it",
               known->is_of_latest && !self->add && !is_stdin ? ", 'import --add --replace' reads it anew into that run" : "");
  return FALSE;
}

/* -- one file, one set --------------------------------------------------------------------------- */

static char *
hash_file (const char *path, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);

  return input == NULL ? NULL : tt_input_hash (input, error);
}

/* What is called @path, of these bytes. @known: where another run has it. */
static Verdict
check_source (TtKnownSources *self, const char *path, guint64 bytes, const char *hash, TtKnownSource *known,
              GError **error)
{
  guint32 source = TT_NO_ID;

  if (!tt_store_import_has_source (self->import, bytes, hash, &source))
    {
      if (!self->again && !tt_store_import_find_other (self->import, bytes, hash, known, error))
        return SOURCE_FAILED;
      return known->run != 0 ? SOURCE_IS_KNOWN : SOURCE_IS_NEW;
    }
  if (!self->replace)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
                   "'%s' is already in this run; '--replace' reads it again in place of what is there", path);
      return SOURCE_FAILED;
    }
  /* A file with several clocks is several sources. */
  while (tt_store_import_has_source (self->import, bytes, hash, &source))
    if (!tt_store_import_remove_source (self->import, source, error))
      return SOURCE_FAILED;
  return SOURCE_IS_NEW;
}

static Verdict
check_file (TtKnownSources *self, const char *path, TtKnownSource *known, GError **error)
{
  struct stat facts;

  if (g_str_equal (path, "-") || tt_look_stat (path, &facts) != 0)
    return SOURCE_IS_NEW;
  if (!tt_store_import_has_size (self->import, (guint64) facts.st_size))
    return SOURCE_IS_NEW;

  g_autofree char *hash = hash_file (path, error);
  return hash == NULL ? SOURCE_FAILED : check_source (self, path, (guint64) facts.st_size, hash, known, error);
}

/* *@path: of the file that is known. */
static Verdict
check_set (TtKnownSources *self, const TtPlannedInput *input, const char **path, TtKnownSource *known, GError **error)
{
  const TtInputSet *set = input->set;
  guint64 bytes = 0;
  Verdict verdict = SOURCE_IS_NEW;

  if (input->format->fingerprint != NULL)
    {
      g_autofree char *hash = NULL;
      *path = set->root != NULL ? set->root : set->paths->pdata[0];
      if (!input->format->fingerprint (set, &bytes, NULL, error))
        return SOURCE_FAILED;
      if (!tt_store_import_has_size (self->import, bytes))
        return SOURCE_IS_NEW;
      return input->format->fingerprint (set, &bytes, &hash, error)
                 ? check_source (self, *path, bytes, hash, known, error)
                 : SOURCE_FAILED;
    }
  for (guint i = 0; i < set->paths->len && verdict == SOURCE_IS_NEW; i++)
    {
      *path = set->paths->pdata[i];
      verdict = check_file (self, *path, known, error);
    }
  return verdict;
}

/* -- copies on one command line ------------------------------------------------------------------ */

/* Sizes and first bytes of the files of @set: what differs in these is not the same input. Free it;
 * NULL: cannot tell. */
static char *
sketch_set (const TtInputSet *set)
{
  g_autoptr (GString) sketch = g_string_new (NULL);

  for (guint i = 0; i < set->paths->len; i++)
    {
      guint8 head[TT_PROBE_BYTES];
      struct stat facts;
      const char *path = g_ptr_array_index (set->paths, i);

      if (g_str_equal (path, "-") || tt_look_stat (path, &facts) != 0)
        return NULL;
      gssize len = tt_input_peek (path, head, sizeof head, NULL, NULL);
      if (len < 0)
        return NULL;
      g_autofree char *digest = g_compute_checksum_for_data (G_CHECKSUM_MD5, head, (gsize) len);
      g_string_append_printf (sketch, "%" G_GINT64_FORMAT " %s\n", (gint64) facts.st_size, digest);
    }
  return g_string_free (g_steal_pointer (&sketch), FALSE);
}

/* -1: error. */
static int
sets_are_equal (const TtInputSet *a, const TtInputSet *b, GError **error)
{
  for (guint i = 0; i < a->paths->len; i++)
    {
      g_autofree char *hash_a = hash_file (g_ptr_array_index (a->paths, i), error);
      g_autofree char *hash_b = hash_a == NULL ? NULL : hash_file (g_ptr_array_index (b->paths, i), error);
      if (hash_b == NULL)
        return -1;
      if (!g_str_equal (hash_a, hash_b))
        return 0;
    }
  return 1;
}

/* Copies of one trace on one command line would count everything twice. With --replace the last stays. */
gboolean
tt_known_sources_check_copies (TtKnownSources *self, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = self->plan->len; i-- > 0;)
    {
      const TtPlannedInput *input = g_ptr_array_index (self->plan, i);
      char *sketch = sketch_set (input->set);
      const TtInputSet *other = sketch == NULL ? NULL : g_hash_table_lookup (seen, sketch);
      int equal = other == NULL ? 0 : sets_are_equal (input->set, other, error);

      if (sketch != NULL)
        g_hash_table_replace (seen, sketch, input->set);
      if (equal < 0)
        return FALSE;
      if (equal == 0)
        continue;
      if (!self->replace)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
                       "'%s' and '%s' have the same contents; %s",
                       (const char *) g_ptr_array_index (input->set->paths, 0),
                       (const char *) g_ptr_array_index (other->paths, 0),
                       self->is_of_shards ? "give one of them" : "'--replace' reads only the last of them");
          return FALSE;
        }
      g_hash_table_remove_all (seen);
      g_ptr_array_remove_index (self->plan, i);
      i = self->plan->len;
    }
  return TRUE;
}

/* -- all ------------------------------------------------------------------------------------------ */

gboolean
tt_known_sources_check (TtKnownSources *self, GError **error)
{
  g_auto (TtKnownSource) first = { 0 };
  const char *first_path = NULL;
  guint n_known = 0;

  for (guint i = 0; i < self->plan->len; i++)
    {
      g_auto (TtKnownSource) known = { 0 };
      const char *path = NULL;
      Verdict verdict = check_set (self, g_ptr_array_index (self->plan, i), &path, &known, error);

      if (verdict == SOURCE_FAILED)
        return FALSE;
      if (verdict == SOURCE_IS_KNOWN && n_known++ == 0)
        {
          first = known;
          known = (TtKnownSource){ 0 };
          first_path = path;
        }
    }
  return n_known == 0 || refuse_known (self, first_path, &first, n_known, self->plan->len, error);
}

gboolean
tt_known_sources_check_stdin (TtKnownSources *self, GError **error)
{
  g_auto (TtKnownSource) known = { 0 };

  if (!tt_store_import_find_stdin (self->import, self->again, &known, error))
    return FALSE;
  if (known.run == 0)
    return TRUE;
  if (!known.is_of_import)
    return refuse_known (self, "-", &known, 1, 1, error);
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
               "standard input has the same contents as '%s', which is in this run; to read that again, give the file "
               "with '--add --replace'",
               known.path);
  return FALSE;
}
