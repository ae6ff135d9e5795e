/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/shards/told-plan.h"

#include "src/base/error.h"
#include "src/base/look.h"
#include "src/base/packed.h"
#include "src/base/unpacked.h"
#include "src/base/version.h"

#include <glib/gstdio.h>

#define MAX_INPUTS G_MAXINT32

/* Of a path, in the order of the plan. */
typedef struct
{
  gint64 size, date; /* both -1: it was not there */
} Fact;

static Fact
fact_of (const char *path)
{
  GStatBuf status;

  if (tt_look_stat (path, &status) != 0)
    return (Fact){ -1, -1 };
  return (Fact){ (gint64) status.st_size, (gint64) status.st_mtime };
}

/* -- telling ------------------------------------------------------------------------------------------------------ */

static gboolean
are_unpacked (const GPtrArray *paths)
{
  for (guint i = 0; i < paths->len; i++)
    if (tt_unpacked_archive (paths->pdata[i]) != (const char *) paths->pdata[i])
      return TRUE;
  return FALSE;
}

static void
pack_input (GByteArray *bytes, const TtPlannedInput *input)
{
  const TtInputSet *set = input->set;

  tt_pack_text (bytes, input->format->name);
  tt_pack_text (bytes, set->root);
  tt_pack_signed (bytes, set->last_rank);
  tt_pack_number (bytes, set->joined->len);
  for (guint i = 0; i < set->joined->len; i++)
    tt_pack_text (bytes, set->joined->pdata[i]);
  tt_pack_number (bytes, set->paths->len);
  for (guint i = 0; i < set->paths->len; i++)
    {
      const Fact fact = fact_of (set->paths->pdata[i]);
      tt_pack_text (bytes, set->paths->pdata[i]);
      tt_pack_signed (bytes, fact.size);
      tt_pack_signed (bytes, fact.date);
    }
}

GByteArray *
tt_told_plan_pack (const GPtrArray *plan, const GArray *order, const char *words)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  tt_pack_text (bytes, tt_version_build);
  tt_pack_text (bytes, words);
  tt_pack_number (bytes, plan->len);
  for (guint i = 0; i < plan->len; i++)
    {
      const TtPlannedInput *input = plan->pdata[i];
      if (are_unpacked (input->set->paths) || are_unpacked (input->set->joined))
        return NULL;
      pack_input (bytes, input);
    }
  tt_pack_number (bytes, order->len);
  for (guint i = 0; i < order->len; i++)
    tt_pack_number (bytes, g_array_index (order, guint32, i));
  return g_steal_pointer (&bytes);
}

/* -- hearing ------------------------------------------------------------------------------------------------------ */

void
tt_told_plan_free (TtToldPlan *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->plan);
  g_array_unref (self->order);
  g_array_unref (self->facts);
  g_array_unref (self->first_facts);
  g_free (self);
}

static void
unpack_paths (TtUnpack *from, GPtrArray *paths, GArray *facts)
{
  const guint64 n = tt_unpack_below (from, MAX_INPUTS);

  for (guint64 i = 0; i < n && !from->is_bad; i++)
    {
      const char *path = tt_unpack_text (from);
      from->is_bad |= path == NULL;
      if (path != NULL)
        g_ptr_array_add (paths, g_strdup (path));
      if (facts == NULL)
        continue;
      Fact fact;
      fact.size = tt_unpack_signed (from);
      fact.date = tt_unpack_signed (from);
      g_array_append_val (facts, fact);
    }
}

static gboolean
unpack_input (TtToldPlan *self, TtUnpack *from, GError **error)
{
  const char *name = tt_unpack_text (from);
  const TtFormat *format = name == NULL ? NULL : tt_format_by_name (name, error);

  if (format == NULL)
    return FALSE;
  TtInputSet *set = tt_input_set_new ();
  g_ptr_array_add (self->plan, tt_planned_input_new (format, set));
  set->root = g_strdup (tt_unpack_text (from));
  set->last_rank = tt_unpack_signed (from);
  unpack_paths (from, set->joined, NULL);
  g_array_append_val (self->first_facts, self->facts->len);
  unpack_paths (from, set->paths, self->facts);
  return !from->is_bad && set->paths->len > 0;
}

static gboolean
unpack_order (TtToldPlan *self, TtUnpack *from)
{
  const guint64 n = tt_unpack_below (from, self->plan->len);

  for (guint64 i = 0; i < n && !from->is_bad; i++)
    {
      const guint32 input = (guint32) tt_unpack_below (from, self->plan->len - 1);
      g_array_append_val (self->order, input);
    }
  return !from->is_bad && from->at == from->end;
}

static gboolean
fail (GError **error, const char *why)
{
  g_clear_error (error);
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "rank 0 tells a plan that %s", why);
  return FALSE;
}

static gboolean
unpack (TtToldPlan *self, TtUnpack *from, const char *words, GError **error)
{
  if (g_strcmp0 (tt_unpack_text (from), tt_version_build) != 0)
    return fail (error, "another build of tracetool made");
  if (g_strcmp0 (tt_unpack_text (from), words) != 0)
    return fail (error, "has other options than this rank (of a configuration file, perhaps)");
  const guint64 n = tt_unpack_below (from, MAX_INPUTS);
  for (guint64 i = 0; i < n; i++)
    if (!unpack_input (self, from, error))
      return fail (error, "cannot be read");
  return (n > 0 && unpack_order (self, from)) || fail (error, "cannot be read");
}

TtToldPlan *
tt_told_plan_new (const GByteArray *bytes, const char *words, GError **error)
{
  g_autoptr (TtToldPlan) self = g_new0 (TtToldPlan, 1);
  TtUnpack from = tt_unpack_all (bytes);

  self->plan = tt_format_plan_new ();
  self->order = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->facts = g_array_new (FALSE, FALSE, sizeof (Fact));
  self->first_facts = g_array_new (FALSE, FALSE, sizeof (guint));
  return unpack (self, &from, words, error) ? g_steal_pointer (&self) : NULL;
}

gboolean
tt_told_plan_check (const TtToldPlan *self, guint i, GError **error)
{
  const GPtrArray *paths = ((const TtPlannedInput *) self->plan->pdata[i])->set->paths;
  const guint at = g_array_index (self->first_facts, guint, i);

  for (guint k = 0; k < paths->len; k++)
    {
      const Fact told = g_array_index (self->facts, Fact, at + k), is = fact_of (paths->pdata[k]);
      if (told.size == is.size && told.date == is.date)
        continue;
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "it does not see the files that rank 0 sees: '%s' %s",
                   (const char *) paths->pdata[k],
                   is.size < 0 ? "is not there" : "has another size or date, as far as it sees");
      return FALSE;
    }
  return TRUE;
}
