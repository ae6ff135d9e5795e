/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/same-names.h"

#include "src/base/sorter.h"

#include <xxhash.h>

#define SORTER_MEMORY ((gsize) 8 << 20)

/* As the sorter has them: by hash, of one hash in the order of the file. */
typedef struct
{
  guint64 hash, place;
} Row;

struct _TtTauSameNames
{
  TtSorter *rows;
  guint64 seed; /* so that nobody can make names whose hashes meet */
};

TtTauSameNames *
tt_tau_same_names_new (void)
{
  TtTauSameNames *self = g_new0 (TtTauSameNames, 1);

  self->rows = tt_sorter_new (sizeof (Row), SORTER_MEMORY);
  self->seed = (guint64) g_random_int () << 32 | g_random_int ();
  return self;
}

void
tt_tau_same_names_free (TtTauSameNames *self)
{
  if (self == NULL)
    return;
  tt_sorter_free (self->rows);
  g_free (self);
}

void
tt_tau_same_names_add (TtTauSameNames *self, const char *name, gsize len, guint64 place)
{
  *(Row *) tt_sorter_add (self->rows) = (Row){ XXH3_64bits_withSeed (name, len, self->seed), place };
}

/* The different names of one hash; there is hardly ever more than one. */
typedef struct
{
  GPtrArray *names; /* of char * */
  TtTauNameAt name_at;
  gpointer data;
} Group;

/* Whether a row before has its name. */
static gboolean
take_row (Group *self, guint64 place)
{
  const char *name = self->name_at (place, self->data);

  if (g_ptr_array_find_with_equal_func (self->names, name, g_str_equal, NULL))
    return TRUE;
  g_ptr_array_add (self->names, g_strdup (name));
  return FALSE;
}

gboolean
tt_tau_same_names_count (TtTauSameNames *self,
                         TtTauNameAt name_at,
                         gpointer data,
                         guint64 *n,
                         guint64 *first,
                         GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  Group group = { names, name_at, data };
  GError *failure = NULL;
  const Row *row;
  Row before = { 0 };

  *n = 0;
  *first = G_MAXUINT64;
  if (!tt_sorter_finish (self->rows, error))
    return FALSE;
  for (gboolean has_before = FALSE; (row = tt_sorter_next (self->rows, &failure)) != NULL; has_before = TRUE)
    {
      const Row this = *row;

      if (!has_before || this.hash != before.hash)
        g_ptr_array_set_size (names, 0);
      else
        {
          if (names->len == 0)
            take_row (&group, before.place);
          if (take_row (&group, this.place))
            {
              ++*n;
              *first = MIN (*first, this.place);
            }
        }
      before = this;
    }
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}
