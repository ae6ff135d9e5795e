/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/names.h"

#include "formats/otf2/lanes.h"

#include <string.h>

typedef struct
{
  guint32 name; /* TT_NO_ID: not made yet */
  gboolean may_be_collective;
} Region;

typedef struct
{
  guint64 region, comm;
} CollectiveKey;

struct _TtOtf2Names
{
  Region *regions; /* by place */
  Region undefined;
  GHashTable *collectives; /* CollectiveKey * -> name */
};

static guint
hash_key (gconstpointer data)
{
  const CollectiveKey *key = data;

  return (guint) (key->region * 31 + key->comm * 0x9e3779b1u);
}

static gboolean
are_keys_equal (gconstpointer a, gconstpointer b)
{
  const CollectiveKey *one = a, *other = b;

  return one->region == other->region && one->comm == other->comm;
}

TtOtf2Names *
tt_otf2_names_new (const TtOtf2Session *session)
{
  TtOtf2Names *self = g_new0 (TtOtf2Names, 1);

  self->regions = g_new0 (Region, (gsize) tt_otf2_count (session->definitions, TT_OTF2_REGION) + 1);
  self->collectives = g_hash_table_new_full (hash_key, are_keys_equal, g_free, NULL);
  return self;
}

void
tt_otf2_names_free (TtOtf2Names *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->collectives);
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

/* @comm: TT_OTF2_UNDEFINED: none. */
static guint32
make_name (TtOtf2Session *self, guint64 id, guint64 comm)
{
  const TtOtf2Definitions *definitions = self->definitions;
  const guint64 *region = tt_otf2_find (definitions, TT_OTF2_REGION, id);
  gint64 number = comm == TT_OTF2_UNDEFINED ? 0 : tt_otf2_comm_number (self, comm);
  gboolean has_comm = number > 0 && number < G_MAXINT32;
  TtRawName raw = { .is_collective = has_comm, .communicator = has_comm ? (guint32) number : 0 };

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
  raw.raw = name != NULL ? name : canonical != NULL ? canonical : unknown;
  raw.group = group;
  /* Of a library the file is the library's own name. */
  raw.file = region[TT_OTF2_REGION_BEGIN_LINE] - 1 < G_MAXINT32 ? file : NULL;
  raw.line = raw.file == NULL ? 0 : (gint64) region[TT_OTF2_REGION_BEGIN_LINE];
  g_autofree char *described = self->is_own ? valid_text (definitions, region[TT_OTF2_REGION_DESCRIPTION]) : NULL;
  if (described != NULL)
    read_description (described, &raw);
  return tt_sink_name (self->sink, &raw);
}

static Region *
find_region (TtOtf2Session *self, guint64 id)
{
  guint place = tt_otf2_place (self->definitions, TT_OTF2_REGION, id);
  Region *region = place == G_MAXUINT ? &self->names->undefined : &self->names->regions[place];

  if (region->name == TT_NO_ID || place == G_MAXUINT)
    {
      region->name = make_name (self, id, TT_OTF2_UNDEFINED);
      region->may_be_collective = tt_names_is_collective (self->sink->names, region->name);
    }
  return region;
}

guint32
tt_otf2_region_name (TtOtf2Session *self, guint64 id)
{
  return find_region (self, id)->name;
}

gboolean
tt_otf2_may_be_collective (TtOtf2Session *self, guint64 id)
{
  return find_region (self, id)->may_be_collective;
}

guint32
tt_otf2_collective_name (TtOtf2Session *self, guint64 id, guint64 comm)
{
  const CollectiveKey key = { id, comm };
  gpointer found = g_hash_table_lookup (self->names->collectives, &key);

  if (found == NULL)
    {
      found = GUINT_TO_POINTER (make_name (self, id, comm));
      g_hash_table_insert (self->names->collectives, g_memdup2 (&key, sizeof key), found);
    }
  return GPOINTER_TO_UINT (found);
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
