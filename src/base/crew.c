/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/crew.h"

#include "src/base/error.h"

#include <string.h>

gboolean
tt_crew_show (const TtCrew *self, const char *id, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  g_byte_array_append (bytes, (const guint8 *) id, (guint) strlen (id));
  for (guint rank = 1; rank < self->n; rank++)
    {
      g_autoptr (GByteArray) ready = self->take (rank, error);
      if (ready == NULL || !self->tell (rank, bytes, error))
        return FALSE;
    }
  return TRUE;
}

char *
tt_crew_see (const TtCrew *self)
{
  g_autoptr (GByteArray) ready = g_byte_array_new ();

  self->give (ready);
  g_autoptr (GByteArray) id = self->hear ();
  return id == NULL ? NULL : g_strndup ((const char *) id->data, id->len);
}

gboolean
tt_crew_end (const TtCrew *self, gboolean done, GError *own, GError **error)
{
  g_autoptr (GError) mine = own, other = NULL;

  done &= self->disband (&other);
  if (!done)
    g_propagate_error (error, mine != NULL ? g_steal_pointer (&mine) : g_steal_pointer (&other));
  return done;
}

static gboolean
hear_of_all (const TtCrew *self,
             const GByteArray *own,
             TtCrewAddFunc add,
             gpointer data,
             const GByteArray *told,
             GError **error)
{
  if (!add (0, own, data, error))
    return FALSE;
  for (guint rank = 1; rank < self->n; rank++)
    {
      g_autoptr (GByteArray) said = self->take (rank, error);
      if (said == NULL || !add (rank, said, data, error))
        return FALSE;
    }
  for (guint rank = 1; rank < self->n; rank++)
    if (!self->tell (rank, told, error))
      return FALSE;
  return TRUE;
}

gboolean
tt_crew_meet (const TtCrew *self,
              const GByteArray *own,
              TtCrewAddFunc add,
              gpointer data,
              GByteArray *told,
              GError **error)
{
  if (self->rank == 0)
    return hear_of_all (self, own, add, data, told, error);
  self->give (own);
  g_autoptr (GByteArray) heard = self->hear ();
  if (heard != NULL)
    g_byte_array_append (told, heard->data, heard->len);
  return heard != NULL;
}

gboolean
tt_crew_refuse (guint rank, GError **error)
{
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "rank %u: what it says of its part of the run cannot be right", rank);
  return FALSE;
}

GByteArray **
tt_crew_bytes_new (const TtCrew *self)
{
  GByteArray **bytes = g_new (GByteArray *, self->n);

  for (guint rank = 0; rank < self->n; rank++)
    bytes[rank] = g_byte_array_new ();
  return bytes;
}

void
tt_crew_bytes_free (const TtCrew *self, GByteArray **bytes)
{
  for (guint rank = 0; rank < self->n; rank++)
    g_byte_array_unref (bytes[rank]);
  g_free (bytes);
}
