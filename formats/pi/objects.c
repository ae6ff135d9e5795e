/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/objects.h"

#define MAX_OBJECTS (1u << 20)
#define MAX_PENDING (1u << 16)

static guint
hash_object (gconstpointer data)
{
  const TtPiObject *object = data;

  return tt_pi_object_hash (object->type, object->value);
}

static gboolean
equal_objects (gconstpointer a, gconstpointer b)
{
  const TtPiObject *x = a, *y = b;

  return x->value == y->value && x->type == y->type;
}

static void
object_free (gpointer data)
{
  TtPiObject *object = data;

  g_free (object->handle.label);
  g_free (object);
}

/* -- types ------------------------------------------------------------------------------------------- */

/* Equal texts of the tables are mostly one string. */
guint
tt_pi_objects_find_type (const TtPiObjects *self, const char *name)
{
  for (guint i = 0; i < self->n_types; i++)
    if (self->types[i].name == name)
      return i;
  for (guint i = 0; i < self->n_types; i++)
    if (g_str_equal (self->types[i].name, name))
      return i;
  return TT_PI_MAX_TYPES;
}

static void
add_types (TtPiObjects *self)
{
  static const char *const staying[] = { "platform", "device", "adapter", NULL };

  for (guint i = 0; i < tt_pi_n_functions; i++)
    for (guint p = 0; p < tt_pi_functions[i].n_params && self->n_types < TT_PI_MAX_TYPES; p++)
      {
        const TtPiParam *param = &tt_pi_functions[i].params[p];

        if (param->kind != TT_PI_KIND_HANDLE || tt_pi_objects_find_type (self, param->type) != TT_PI_MAX_TYPES)
          continue;
        TtPiObjectType *type = &self->types[self->n_types++];
        type->name = param->type;
        type->stays = g_strv_contains (staying, param->type);
      }
}

/* The oldest; there is one. */
static TtPiPending *
pop_pending (TtPiObjectType *type)
{
  TtPiPending *pending = &type->pending[type->first_pending];

  type->first_pending = (type->first_pending + 1) & (type->pending_room - 1);
  type->n_pending--;
  return pending;
}

void
tt_pi_objects_init (TtPiObjects *self)
{
  *self = (TtPiObjects){ 0 };
  add_types (self);
  self->all = g_hash_table_new_full (hash_object, equal_objects, object_free, NULL);
}

void
tt_pi_objects_clear (TtPiObjects *self)
{
  for (guint i = 0; i < self->n_types; i++)
    {
      TtPiObjectType *type = &self->types[i];

      while (type->n_pending > 0)
        g_free (pop_pending (type)->label);
      g_clear_pointer (&type->pending, g_free);
    }
  g_clear_pointer (&self->all, g_hash_table_unref);
}

/* -- objects ------------------------------------------------------------------------------------------- */

guint64
tt_pi_object_id (guint type, guint64 number)
{
  return number * TT_PI_MAX_TYPES + type;
}

TtPiObject *
tt_pi_objects_look_up (const TtPiObjects *self, guint type, guint64 value)
{
  const TtPiObject key = { .type = type, .value = value };

  return g_hash_table_lookup (self->all, &key);
}

TtPiObject *
tt_pi_objects_add (TtPiObjects *self, guint type, guint64 value)
{
  if (g_hash_table_size (self->all) >= MAX_OBJECTS)
    return NULL;

  TtPiObject *object = g_new0 (TtPiObject, 1);
  object->type = type;
  object->value = value;
  object->n_references = 1;
  object->handle.type = self->types[type].name;
  object->handle.created_by = object->handle.touched_by = TT_PI_NO_CALL;
  g_hash_table_add (self->all, object);
  return object;
}

void
tt_pi_objects_remove (TtPiObjects *self, TtPiObject *object)
{
  TtPiObject **recent = &self->recent[hash_object (object) % TT_PI_N_RECENT];

  if (*recent == object)
    *recent = NULL;
  g_hash_table_remove (self->all, object);
}

void
tt_pi_objects_number (TtPiObjects *self, TtPiObject *object)
{
  object->handle.number = ++self->types[object->type].n_numbered;
  object->handle.id = tt_pi_object_id (object->type, object->handle.number);
}

/* -- objects without a handle ---------------------------------------------------------------------------- */

static void
grow_pending (TtPiObjectType *type)
{
  guint room = MAX (2 * type->pending_room, 16);
  TtPiPending *larger = g_new (TtPiPending, room);

  for (guint i = 0; i < type->n_pending; i++)
    larger[i] = type->pending[(type->first_pending + i) & (type->pending_room - 1)];
  g_free (type->pending);
  type->pending = larger;
  type->pending_room = room;
  type->first_pending = 0;
}

TtPiPending *
tt_pi_objects_last_pending (TtPiObjects *self, guint type)
{
  TtPiObjectType *of = &self->types[type];

  return &of->pending[(of->first_pending + of->n_pending - 1) & (of->pending_room - 1)];
}

TtPiPending *
tt_pi_objects_add_pending (TtPiObjects *self, guint type, guint64 created_by)
{
  TtPiObjectType *of = &self->types[type];

  if (of->n_pending == MAX_PENDING)
    g_free (pop_pending (of)->label);
  if (of->n_pending == of->pending_room)
    grow_pending (of);
  of->n_pending++;
  TtPiPending *pending = tt_pi_objects_last_pending (self, type);
  *pending = (TtPiPending){ .number = ++of->n_numbered, .created_by = created_by };
  return pending;
}

gboolean
tt_pi_objects_take_pending (TtPiObjects *self, TtPiObject *object)
{
  TtPiObjectType *type = &self->types[object->type];

  if (type->n_pending == 0)
    return FALSE;
  const TtPiPending *pending = pop_pending (type);
  object->handle.number = pending->number;
  object->handle.id = tt_pi_object_id (object->type, pending->number);
  object->handle.created_by = pending->created_by;
  object->handle.label = pending->label;
  object->handle.is_inferred = TRUE;
  return TRUE;
}
