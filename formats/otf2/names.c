/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/names.h"

#include "formats/otf2/lanes.h"

#include <string.h>

struct _TtOtf2Names
{
  guint32 *regions; /* names by place; TT_NO_ID: not made yet */
};

TtOtf2Names *
tt_otf2_names_new (const TtOtf2Session *session)
{
  TtOtf2Names *self = g_new0 (TtOtf2Names, 1);

  self->regions = g_new0 (guint32, (gsize) tt_otf2_count (session->definitions, TT_OTF2_REGION) + 1);
  return self;
}

void
tt_otf2_names_free (TtOtf2Names *self)
{
  if (self == NULL)
    return;
  g_free (self->regions);
  g_free (self);
}

static char *
make_group (const guint64 *region)
{
  const char *paradigm = tt_otf2_paradigm_text (region[TT_OTF2_REGION_PARADIGM]);
  const char *role = tt_otf2_role_text (region[TT_OTF2_REGION_ROLE]);

  /* MPI's names say it all. */
  if (role == NULL || region[TT_OTF2_REGION_PARADIGM] == TT_OTF2_PARADIGM_MPI)
    return g_strdup (paradigm);
  return paradigm == NULL ? g_strdup (role) : g_strconcat (paradigm, " ", role, NULL);
}

static char *
valid_text (const TtOtf2Definitions *definitions, guint64 id)
{
  const char *text = tt_otf2_text (definitions, id);

  return text == NULL || *text == '\0' ? NULL : g_utf8_make_valid (text, -1);
}

/* "op_cat=Comm\nsub_op=SEND", as tracetool describes the regions that it writes. @text is cut to pieces, which @raw borrows. */
static void
read_description (char *text, TtRawName *raw)
{
  raw->group = NULL;
  while (text != NULL)
    {
      char *next = strchr (text, '\n'), *value = strchr (text, '=');
      if (next != NULL)
        *next++ = '\0';
      if (value != NULL && (next == NULL || value < next))
        {
          *value++ = '\0';
          const char **member = strcmp (text, "op") == 0       ? &raw->op
                                : strcmp (text, "op_cat") == 0 ? &raw->op_cat
                                : strcmp (text, "sub_op") == 0 ? &raw->sub_op
                                : strcmp (text, "suffix") == 0 ? &raw->suffix
                                : strcmp (text, "group") == 0  ? &raw->group
                                                               : NULL;
          if (member != NULL)
            *member = value;
          raw->is_collective |= strcmp (text, "collective") == 0;
        }
      text = next;
    }
}

/* Barriers and collectives of processes are known by their role, whatever they are called. */
static gboolean
is_collective (const guint64 *region)
{
  guint64 role = region[TT_OTF2_REGION_ROLE], paradigm = region[TT_OTF2_REGION_PARADIGM];

  return (paradigm == TT_OTF2_PARADIGM_MPI ||
          (paradigm >= TT_OTF2_PARADIGM_GASPI && paradigm <= TT_OTF2_PARADIGM_SHMEM)) &&
         (role == TT_OTF2_ROLE_BARRIER || (role >= TT_OTF2_ROLE_ONE_TO_ALL && role <= TT_OTF2_ROLE_COLLECTIVE));
}

static guint32
make_name (TtOtf2Session *self, guint64 id)
{
  const TtOtf2Definitions *definitions = self->definitions;
  const guint64 *region = tt_otf2_find (definitions, TT_OTF2_REGION, id);
  TtRawName raw = { .is_collective = region != NULL && !self->is_own && is_collective (region) };

  if (region == NULL)
    {
      g_autofree char *unknown = g_strdup_printf ("region %" G_GUINT64_FORMAT, id);
      raw.raw = id == TT_OTF2_UNDEFINED ? "region" : unknown;
      return tt_sink_name (self->sink, &raw);
    }
  g_autofree char *name = valid_text (definitions, region[TT_OTF2_NAME]);
  g_autofree char *canonical = valid_text (definitions, region[TT_OTF2_REGION_CANONICAL]);
  g_autofree char *file = valid_text (definitions, region[TT_OTF2_REGION_FILE]);
  g_autofree char *group = make_group (region);
  g_autofree char *unknown = g_strdup_printf ("region %" G_GUINT64_FORMAT, id);
  raw.raw = name != NULL ? name : canonical != NULL ? canonical : self->tells_roles ? "" : unknown;
  raw.group = group;
  /* Of a library the file is the library's own name. */
  raw.file = region[TT_OTF2_REGION_BEGIN_LINE] - 1 < G_MAXINT32 ? file : NULL;
  raw.line = raw.file == NULL ? 0 : (gint64) region[TT_OTF2_REGION_BEGIN_LINE];
  g_autofree char *described = self->is_own ? valid_text (definitions, region[TT_OTF2_REGION_DESCRIPTION]) : NULL;
  if (described != NULL)
    read_description (described, &raw);
  return tt_sink_name (self->sink, &raw);
}

guint32
tt_otf2_region_name (TtOtf2Session *self, guint64 id)
{
  guint place = tt_otf2_place (self->definitions, TT_OTF2_REGION, id);

  if (place == G_MAXUINT)
    return make_name (self, id);
  if (self->names->regions[place] == TT_NO_ID)
    self->names->regions[place] = make_name (self, id);
  return self->names->regions[place];
}

typedef struct
{
  guint64 order, region;
} Place;

static gint
compare_places (gconstpointer a, gconstpointer b)
{
  const Place *one = a, *other = b;

  return one->order != other->order ? (one->order < other->order ? -1 : 1)
                                    : (one->region > other->region) - (one->region < other->region);
}

void
tt_otf2_names_make_own (TtOtf2Session *session)
{
  const TtOtf2Definitions *definitions = session->definitions;
  guint n = tt_otf2_count (definitions, TT_OTF2_REGION);
  g_autofree Place *places = g_new0 (Place, (gsize) n + 1);

  for (guint i = 0; i < n; i++)
    {
      const guint64 *region = tt_otf2_row (definitions, TT_OTF2_REGION, i);
      const char *told = tt_otf2_text (definitions, region[TT_OTF2_REGION_DESCRIPTION]);
      const char *order = told == NULL ? NULL : g_strrstr (told, "\norder=");
      places[i].region = region[TT_OTF2_ID];
      if (order != NULL)
        places[i].order = g_ascii_strtoull (order + strlen ("\norder="), NULL, 10);
    }
  qsort (places, n, sizeof *places, compare_places);
  for (guint i = 0; i < n; i++)
    tt_otf2_region_name (session, places[i].region);
}

guint32
tt_otf2_record_name (TtOtf2Session *self, const char *record)
{
  return tt_otf2_own_name (self, "record", record, "RT", NULL);
}

guint32
tt_otf2_own_name (TtOtf2Session *self, const char *group, const char *name, const char *op_cat, const char *sub_op)
{
  const TtRawName raw = { .raw = name, .group = group, .op_cat = op_cat, .sub_op = sub_op };

  return tt_sink_name (self->sink, &raw);
}
