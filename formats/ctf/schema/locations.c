/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/schema/locations.h"

#include "formats/ctf/schema/properties.h"
#include "formats/ctf/schema/sections.h"

#include <string.h>

/* Types that are looked at in a search for fields, all together: metadata that ask for more are made to. */
#define MAX_STEPS (1u << 27)

typedef struct
{
  TtCtfSchema *schema;
  TtCtfType *roots[TT_CTF_N_ROOTS];
  TtCtfRoot root;
  GPtrArray *names;  /* of the members that lead to the type at hand */
  GPtrArray *arrays; /* that are being read */
  const char *event; /* the one that is read; NULL: none */
  guint n_steps;
} Walk;

static char *
fail_location (const Walk *self, const TtCtfType *type, const char *why)
{
  const TtCtfLocation *location = type->location;
  g_autoptr (GString) path = g_string_new (NULL);

  for (guint i = 0; i < location->n_names; i++)
    g_string_append_printf (path, "%s%s", i > 0 ? "." : "", location->names[i] == NULL ? "null" : location->names[i]);
  return g_strdup_printf ("%s '%s'%s%s%s", why, path->str, self->event == NULL ? "" : " (event '",
                          self->event == NULL ? "" : self->event, self->event == NULL ? "" : "')");
}

/* -- search --------------------------------------------------------------------------------------------------------- */

/* Adds the integers that @names, from the @i-th on, lead to from @type. FALSE: that takes too long. */
static gboolean
collect (Walk *self, TtCtfType *type, const GPtrArray *names, guint i, GPtrArray *found)
{
  if (++self->n_steps > MAX_STEPS)
    return FALSE;
  for (; type->element != NULL; type = type->element)
    {
      self->n_steps += self->arrays->len;
      if (!g_ptr_array_find (self->arrays, type, NULL))
        return TRUE;
    }
  if (type->kind == TT_CTF_TYPE_INTEGER && i == names->len && type->is_known)
    g_ptr_array_add (found, type);
  for (guint k = 0; k < type->n_fields; k++)
    {
      gboolean is_option = type->kind == TT_CTF_TYPE_VARIANT;

      if (++self->n_steps > MAX_STEPS)
        return FALSE;
      if (!is_option && (i == names->len || strcmp (type->fields[k].name, names->pdata[i]) != 0))
        continue;
      if (!collect (self, type->fields[k].type, names, is_option ? i : i + 1, found))
        return FALSE;
    }
  return TRUE;
}

/* The names that lead there from the top of its part; NULL: it goes out of it. */
static GPtrArray *
absolute_names (const Walk *self, const TtCtfLocation *location)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  /* The last is the name of the member that asks, or is around what asks, in that structure. */
  for (guint i = 0; location->root == TT_CTF_ROOT_AROUND && i + 1 < self->names->len; i++)
    g_ptr_array_add (names, self->names->pdata[i]);
  for (guint i = 0; i < location->n_names; i++)
    if (location->names[i] != NULL)
      g_ptr_array_add (names, (gpointer) location->names[i]);
    else if (names->len == 0)
      return NULL;
    else
      g_ptr_array_set_size (names, (gint) names->len - 1);
  return g_steal_pointer (&names);
}

static char *
find_targets (Walk *self, const TtCtfType *type, GPtrArray *found)
{
  TtCtfRoot root = type->location->root == TT_CTF_ROOT_AROUND ? self->root : type->location->root;
  g_autoptr (GPtrArray) names = absolute_names (self, type->location);

  if (names != NULL && root <= self->root && self->roots[root] != NULL &&
      !collect (self, self->roots[root], names, 0, found))
    return g_strdup ("it takes too long to find all fields that tell lengths");
  return found->len > 0
             ? NULL
             : fail_location (self, type, "no field before is at the location of a length or of what selects:");
}

/* -- what is found -------------------------------------------------------------------------------------------------- */

/* NULL: all of @found are of a sort that may tell @type. */
static char *
check_targets (const Walk *self, const TtCtfType *type, const GPtrArray *found)
{
  const TtCtfType *first = found->pdata[0];

  for (guint i = 0; i < found->len; i++)
    {
      const TtCtfType *target = found->pdata[i];

      if (type->kind == TT_CTF_TYPE_SEQUENCE && (target->is_signed || target->is_bool || target->is_bit_map))
        return fail_location (self, type, "a length is no integer without a sign:");
      if (target->is_bit_map || target->is_signed != first->is_signed || target->is_bool != first->is_bool ||
          (target->is_bool && !type->is_optional && type->kind == TT_CTF_TYPE_VARIANT))
        return fail_location (self, type, "what selects is not always an integer, or not always with a sign:");
    }
  if (type->is_optional && !first->is_bool && type->location->n_ranges == 0)
    return fail_location (self, type, "no ranges of what selects, and it is no boolean:");
  return NULL;
}

static void
make_choices (Walk *self, TtCtfLocation *location, gboolean is_signed)
{
  GArray *ranges = g_array_new (FALSE, FALSE, sizeof (TtCtfSection));

  for (guint i = 0; i < location->n_ranges; i++)
    {
      const TtCtfInterval *range = &location->ranges[i];
      guint64 low, high;

      if (tt_ctf_interval_clip (range, is_signed, &low, &high))
        tt_ctf_sections_append (ranges, low, high, is_signed, range->option);
    }
  location->choices[is_signed].sections = tt_ctf_sections_take (self->schema, ranges, &location->choices[is_signed].n);
}

static void
take_choices (Walk *self, TtCtfType *type, const TtCtfType *target)
{
  static const TtCtfSection is_true = { .low = 1, .high = G_MAXUINT64 };
  const gboolean is_signed = target->is_signed;

  type->has_signed_tag = is_signed;
  if (target->is_bool)
    {
      type->n_choices = 1;
      type->choices = &is_true;
      return;
    }
  if (type->location->choices[is_signed].sections == NULL)
    make_choices (self, type->location, is_signed);
  type->n_choices = type->location->choices[is_signed].n;
  type->choices = type->location->choices[is_signed].sections;
}

static char *
resolve_location (Walk *self, TtCtfType *type)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  char *why = find_targets (self, type, found);
  int store = -1;

  if (why == NULL)
    why = check_targets (self, type, found);
  if (why != NULL)
    return why;
  for (guint i = 0; i < found->len; i++)
    store = MAX (store, ((const TtCtfType *) found->pdata[i])->store);
  if (store < 0)
    store = (int) self->schema->n_stores++;
  for (guint i = 0; i < found->len; i++)
    ((TtCtfType *) found->pdata[i])->store = store;
  type->from = store;
  if (type->kind == TT_CTF_TYPE_VARIANT)
    take_choices (self, type, found->pdata[0]);
  return NULL;
}

/* -- the way through all types -------------------------------------------------------------------------------------- */

static char *
resolve_type (Walk *self, TtCtfType *type)
{
  char *why = type->location == NULL ? NULL : resolve_location (self, type);

  type->is_known = TRUE;
  if (why == NULL && type->element != NULL)
    {
      g_ptr_array_add (self->arrays, type);
      why = resolve_type (self, type->element);
      g_ptr_array_set_size (self->arrays, (gint) self->arrays->len - 1);
    }
  for (guint i = 0; why == NULL && i < type->n_fields; i++)
    {
      /* What a member is in is the structure around it; options and elements are members of none. */
      if (type->kind == TT_CTF_TYPE_STRUCT)
        g_ptr_array_add (self->names, (gpointer) type->fields[i].name);
      why = resolve_type (self, type->fields[i].type);
      if (type->kind == TT_CTF_TYPE_STRUCT)
        g_ptr_array_set_size (self->names, (gint) self->names->len - 1);
    }
  return why;
}

static char *
resolve_root (Walk *self, TtCtfRoot root, TtCtfType *type)
{
  self->roots[root] = type;
  self->root = root;
  return type == NULL ? NULL : resolve_type (self, type);
}

static char *
resolve_stream (Walk *self, TtCtfStreamType *stream)
{
  char *why = resolve_root (self, TT_CTF_ROOT_PACKET_CONTEXT, stream->packet_context);

  if (why == NULL)
    why = resolve_root (self, TT_CTF_ROOT_EVENT_HEADER, stream->event_header);
  if (why == NULL)
    why = resolve_root (self, TT_CTF_ROOT_EVENT_CONTEXT, stream->event_context);
  for (guint i = 0; why == NULL && i < stream->events->len; i++)
    {
      TtCtfEventType *event = stream->events->pdata[i];

      self->event = event->name != NULL ? event->name : "without a name";
      why = resolve_root (self, TT_CTF_ROOT_OWN_CONTEXT, event->context);
      if (why == NULL)
        why = resolve_root (self, TT_CTF_ROOT_PAYLOAD, event->payload);
    }
  self->event = NULL;
  return why;
}

char *
tt_ctf_locations_resolve (TtCtfSchema *self)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new (), arrays = g_ptr_array_new ();
  Walk walk = { .schema = self, .names = names, .arrays = arrays };
  char *why = resolve_root (&walk, TT_CTF_ROOT_PACKET_HEADER, self->packet_header);

  for (guint i = 0; why == NULL && i < self->streams->len; i++)
    why = resolve_stream (&walk, self->streams->pdata[i]);
  return why;
}
