/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/kernels/names.h"

#include <string.h>

typedef struct
{
  TtKernelNames *names;
  GHashTable *first_of_group; /* direction or operation -> name */
  gboolean by_operation;
} Classifier;

/* -- copies ----------------------------------------------------------------------------------------------------- */

static const char *
place_of (char letter)
{
  return letter == 'H' ? "Host" : letter == 'D' ? "Device" : letter == 'A' ? "Array" : letter == 'P' ? "Peer" : NULL;
}

/* The places of "HtoD" as a word in @raw. */
static gboolean
find_places (const char *raw, const char **from, const char **to)
{
  for (const char *at = raw; at != NULL && (at = strstr (at, "to")) != NULL; at += 2)
    {
      gboolean is_word = at > raw && (at == raw + 1 || !g_ascii_isalnum (at[-2])) && !g_ascii_isalnum (at[2] ? at[3] : 0);

      *from = is_word ? place_of (at[-1]) : NULL;
      *to = is_word ? place_of (at[2]) : NULL;
      if (*from != NULL && *to != NULL)
        return TRUE;
    }
  return FALSE;
}

char *
tt_copy_operation (const TtStoredName *name)
{
  static const struct
  {
    const char *sub_op, *text;
  } directions[] = {
    { "H2D", "Host-to-Device" }, { "D2H", "Device-to-Host" }, { "D2D", "Device-to-Device" },
    { "H2H", "Host-to-Host" },   { "P2P", "Peer-to-Peer" },
  };
  const char *from, *to, *raw = name->raw != NULL ? name->raw : "";

  if (g_strcmp0 (name->sub_op, "SET") == 0)
    return g_strdup ("[CUDA memset]");
  if (find_places (raw, &from, &to))
    return g_strdup_printf ("[CUDA memcpy %s%s-to-%s]", strstr (raw, "(Unified)") != NULL ? "Unified " : "", from, to);
  for (guint i = 0; i < G_N_ELEMENTS (directions); i++)
    if (g_strcmp0 (name->sub_op, directions[i].sub_op) == 0)
      return g_strdup_printf ("[CUDA memcpy %s]", directions[i].text);
  return g_strdup (name->sub_op != NULL ? name->sub_op : "other");
}

/* -- lists -------------------------------------------------------------------------------------------------------- */

static gboolean
is_runtime_group (const char *group)
{
  return g_str_has_suffix (group, "_runtime") || g_str_has_suffix (group, "_driver") || g_str_has_prefix (group, "HIP_") ||
         g_str_has_prefix (group, "HSA_");
}

/* Of which nsys has other reports. */
static gboolean
is_beside_runtime (const char *group, const char *raw)
{
  static const char *const others[] = { "osrt", "ucx", "overhead", "cublas", "cudnn", "OpenMP", "OpenACC", NULL };

  return g_strv_contains (others, group) || g_str_has_prefix (raw, "MPI_") || g_str_has_prefix (raw, "PMPI_");
}

static gboolean
is_range_group (const char *group)
{
  return g_str_equal (group, "nvtx") || g_str_has_prefix (group, "nvtx ") || g_str_equal (group, "user_annotation") ||
         g_str_has_prefix (group, "MARKER_CORE_");
}

/* nsys', PInsight's and TAU's. */
static gboolean
is_openmp_group (const char *group)
{
  g_autofree char *lower = g_ascii_strdown (group, -1);

  return strstr (lower, "openmp") != NULL || g_str_has_prefix (lower, "ompt");
}

static guint8
lists_of (const TtStoredName *name)
{
  const char *group = name->group != NULL ? name->group : "", *raw = name->raw != NULL ? name->raw : "";
  gboolean is_call = g_strcmp0 (name->op_cat, "RT") == 0 || is_runtime_group (group);
  guint lists = 0;

  if (is_call)
    lists |= TT_KERNEL_CALLS | (is_beside_runtime (group, raw) ? 0 : TT_KERNEL_API);
  if (is_range_group (group))
    lists |= TT_KERNEL_RANGES;
  else if (g_str_has_prefix (raw, "MPI_") || g_str_has_prefix (raw, "PMPI_"))
    lists |= TT_KERNEL_MPI;
  else if (g_str_equal (group, "osrt"))
    lists |= TT_KERNEL_OS;
  else if (is_openmp_group (group))
    lists |= TT_KERNEL_OPENMP;
  return (guint8) lists;
}

/* What it has in common with names that count as the same; NULL: it stands for itself. */
static char *
group_of (const Classifier *self, const TtStoredName *name, gboolean is_copy)
{
  if (is_copy)
    return self->by_operation ? tt_copy_operation (name) : g_strdup (name->sub_op != NULL ? name->sub_op : "");
  if (name->raw == NULL || (name->communicator == 0 && (self->names->lists[name->id] & TT_KERNEL_RANGES) == 0))
    return NULL;
  /* One function in several communicators; one range in the forward and the backward pass. */
  return g_strdup_printf ("%s\x1f%s", name->group != NULL ? name->group : "", name->raw);
}

static gboolean
classify_name (const TtStoredName *name, gpointer data)
{
  Classifier *self = data;
  TtKernelNames *names = self->names;

  names->lists[name->id] = lists_of (name);
  if ((names->lists[name->id] & TT_KERNEL_CALLS) != 0 || g_strcmp0 (name->op_cat, "SYNC") == 0)
    names->kinds[name->id] = TT_KERNEL_NAME_NO_LAUNCH;
  names->groups[name->id] = name->id;
  names->is_copy[name->id] = g_strcmp0 (name->op_cat, "MEM") == 0;
  g_autofree char *group = group_of (self, name, names->is_copy[name->id]);
  if (group == NULL)
    return TRUE;
  guint32 first = GPOINTER_TO_UINT (g_hash_table_lookup (self->first_of_group, group));
  if (first == 0)
    g_hash_table_insert (self->first_of_group, g_steal_pointer (&group), GUINT_TO_POINTER (name->id));
  else
    names->groups[name->id] = first;
  return TRUE;
}

gboolean
tt_kernel_names_load (TtKernelNames *self, TtStore *store, gboolean by_operation, GError **error)
{
  g_autoptr (GHashTable) groups = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Classifier classifier = { self, groups, by_operation };

  self->n = tt_store_max_name (store) + 1;
  self->kinds = g_new0 (guint8, self->n);
  self->lists = g_new0 (guint8, self->n);
  self->is_copy = g_new0 (guint8, self->n);
  self->groups = g_new0 (guint32, self->n);
  return tt_store_each_name (store, classify_name, &classifier, error);
}

void
tt_kernel_names_clear (TtKernelNames *self)
{
  g_free (self->kinds);
  g_free (self->lists);
  g_free (self->is_copy);
  g_free (self->groups);
  *self = (TtKernelNames){ 0 };
}
