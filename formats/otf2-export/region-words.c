/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2-export/region-words.h"

#include <string.h>

/* OTF2 3.0.2, OTF2_GeneralDefinitions.h. */
enum
{
  PARADIGM_USER = 1,
  PARADIGM_COMPILER = 2,
  PARADIGM_OPENMP = 3,
  PARADIGM_MPI = 4,
  PARADIGM_CUDA = 5,
  PARADIGM_PTHREAD = 7,
  PARADIGM_HIP = 23,
};

typedef struct
{
  const char *sub_op;
  guint8 operation; /* of a collective; 0xff: none */
  guint8 role;
} Kind;

/* Roles of regions: barrier 15, one to all 23, all to one 24, all to all 25, file I/O 27, point to point 28, data transfer 30. */
static const Kind kinds[] = {
  { "SEND", 0xff, 28 }, { "RECV", 0xff, 28 },    { "SENDRECV", 0xff, 28 }, { "BCAST", 1, 23 },
  { "GATHER", 2, 24 },  { "SCATTER", 4, 23 },    { "ALLGATHER", 6, 25 },   { "ALLTOALL", 8, 25 },
  { "REDUCE", 12, 24 }, { "ALLREDUCE", 11, 25 }, { "SCAN", 14, 25 },
};

static const Kind *
find_kind (const TtStoredName *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds) && name->sub_op != NULL; i++)
    if (strcmp (name->sub_op, kinds[i].sub_op) == 0)
      return &kinds[i];
  return NULL;
}

static gboolean
is_barrier (const TtStoredName *name)
{
  return name->op_name != NULL && strstr (name->op_name, "arrier") != NULL;
}

guint8
tt_otf2_export_operation (const TtStoredName *name)
{
  const Kind *kind = find_kind (name);

  if (kind != NULL && kind->operation != 0xff)
    return kind->operation;
  /* What creates communicators and the like has no kind of its own. */
  return is_barrier (name) ? 0 : TT_OTF2_CREATE_HANDLE;
}

gboolean
tt_otf2_export_is_nonblocking (const TtStoredName *name)
{
  static const char *const calls[] = { "MPI_Iall",  "MPI_Ibarrier", "MPI_Ibcast",   "MPI_Iexscan",  "MPI_Igather",
                                       "MPI_Iscan", "MPI_Ireduce",  "MPI_Iscatter", "MPI_Ineighbor" };

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    if (name->raw != NULL && g_str_has_prefix (name->raw, calls[i]))
      return TRUE;
  return FALSE;
}

guint8
tt_otf2_export_role (const TtStoredName *name)
{
  const Kind *kind = find_kind (name);

  if (kind != NULL)
    return kind->role;
  if (g_strcmp0 (name->op_cat, "SYNC") == 0 && is_barrier (name))
    return 15;
  return g_strcmp0 (name->op_cat, "I/O") == 0 ? 27 : g_strcmp0 (name->op_cat, "MEM") == 0 ? 30 : 1;
}

guint8
tt_otf2_export_paradigm (const TtStoredName *name)
{
  static const struct
  {
    const char *prefix;
    guint8 paradigm;
  } prefixes[] = { { "MPI", PARADIGM_MPI },     { "pthread_", PARADIGM_PTHREAD }, { "!$omp", PARADIGM_OPENMP },
                   { "omp_", PARADIGM_OPENMP }, { "cuda", PARADIGM_CUDA },        { "hip", PARADIGM_HIP } };
  const char *raw = name->raw == NULL ? "" : name->raw;

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (raw, prefixes[i].prefix))
      return prefixes[i].paradigm;
  if (name->group != NULL && (strstr (name->group, "OpenMP") != NULL || strstr (name->group, "OPENMP") != NULL))
    return PARADIGM_OPENMP;
  return g_strcmp0 (name->op_cat, "COMP") == 0 ? PARADIGM_COMPILER : PARADIGM_USER;
}

char *
tt_otf2_export_describe (const TtStoredName *name, guint32 order)
{
  g_autofree char *place = g_strdup_printf ("%u", order);
  const char *const values[][2] = { { "op", g_strcmp0 (name->op_name, name->raw) == 0 ? NULL : name->op_name },
                                    { "op_cat", name->op_cat },
                                    { "sub_op", name->sub_op },
                                    { "suffix", name->suffix },
                                    { "group", name->group },
                                    { "collective", name->is_collective ? "yes" : NULL },
                                    { "order", place } };
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      /* The end of a line is that of a value; in names all control characters are alike. */
      g_autofree char *value = values[i][1] == NULL ? NULL : g_strdelimit (g_strdup (values[i][1]), "\n", '\r');
      if (value != NULL)
        g_string_append_printf (text, "%s%s=%s", text->len > 0 ? "\n" : "", values[i][0], value);
    }
  return g_strdup (text->str);
}
