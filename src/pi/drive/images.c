/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* Device images of the recording in the structures that a plugin expects (version 2, as the recorder reads). */
#include "src/pi/drive/private.h"

#include "formats/pi/side/side.h"

/* The runtime's structures, version 2: as in the recorder. */
typedef struct
{
  gpointer address;
  const char *name;
  guint64 size;
  gint32 flags, reserved;
} Entry;

typedef struct
{
  const char *name;
  gconstpointer value;
  guint32 type;
  guint64 size;
} Property;

typedef struct
{
  const char *name;
  const Property *begin, *end;
} PropertySet;

typedef struct
{
  guint16 version;
  guint8 kind, format;
  const char *target, *compile_options, *link_options, *manifest_begin, *manifest_end;
  const guint8 *begin, *end;
  const Entry *entries_begin, *entries_end;
  const PropertySet *sets_begin, *sets_end;
} Image;

G_STATIC_ASSERT (sizeof (Image) == 96 && sizeof (Entry) == 32 && sizeof (Property) == 32 && sizeof (PropertySet) == 24);

#define TYPE_UINT32 1
#define LARGEST_IMAGE ((gsize) 1 << 31)
#define MAX_IMAGES 100000u

static void
set_property (Property *to, const TtPiProperty *from)
{
  gsize len = 0;
  const guint8 *bytes = from->data != NULL ? g_bytes_get_data (from->data, &len) : NULL;

  *to = (Property){ .name = from->name, .type = from->type, .value = bytes, .size = len };
  /* Of a number the value stands in the place of the size. */
  if (from->type == TYPE_UINT32)
    to->size = len == 4 ? tt_pi_get (bytes, 4) : from->size;
}

static void
set_sets (Image *image, const GPtrArray *sets)
{
  PropertySet *to = g_new0 (PropertySet, sets->len + 1);

  for (guint i = 0; i < sets->len; i++)
    {
      const TtPiPropertySet *set = sets->pdata[i];
      Property *properties = g_new0 (Property, set->properties->len + 1);
      for (guint k = 0; k < set->properties->len; k++)
        set_property (&properties[k], set->properties->pdata[k]);
      to[i] = (PropertySet){ set->name, properties, properties + set->properties->len };
    }
  image->sets_begin = to;
  image->sets_end = to + sets->len;
}

/* Lives as long as the process that drives: the plugin may keep what it gets. */
static Image *
make_image (TtDriver *self, const TtPiImage *from)
{
  Image *image = g_new0 (Image, 1);
  GBytes *contents =
      from->image != NULL ? tt_pi_trace_side_file (self->job->trace, from->image, LARGEST_IMAGE, NULL) : NULL;
  Entry *entries = g_new0 (Entry, from->entries->len + 1);
  gsize len = 0;

  *image = (Image){
    .version = (guint16) from->version,
    .kind = (guint8) from->kind,
    .format = (guint8) from->format,
    .target = from->target,
    .compile_options = from->compile_options,
    .link_options = from->link_options,
  };
  if (contents != NULL)
    {
      image->begin = g_bytes_get_data (contents, &len);
      image->end = image->begin + len;
    }
  for (guint i = 0; i < from->entries->len; i++)
    {
      const TtPiEntry *entry = from->entries->pdata[i];
      entries[i] = (Entry){ .name = entry->name, .size = entry->size, .flags = entry->flags };
    }
  image->entries_begin = entries;
  image->entries_end = entries + from->entries->len;
  set_sets (image, from->property_sets);
  return image;
}

void
tt_drive_images_load (TtDriver *self)
{
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *images = tt_pi_images_read (self->job->trace, warnings);

  for (guint i = 0; images != NULL && i < images->len; i++)
    {
      const TtPiImage *image = images->pdata[i];
      if (image->index < MAX_IMAGES)
        self->n_images = MAX (self->n_images, image->index + 1);
    }
  self->images = g_new0 (gpointer, self->n_images + 1);
  for (guint i = 0; images != NULL && i < images->len; i++)
    {
      const TtPiImage *image = images->pdata[i];
      if (image->index < MAX_IMAGES)
        self->images[image->index] = make_image (self, image);
    }
}
