#include "config.h"

#include "src/pi/drive/private.h"

#include <string.h>

/* Answers that are never twice the same. */
static gboolean
is_fickle (const TtDriveCall *call, guint param)
{
  static const char *const functions[] = { "piEventGetProfilingInfo", "piextGetDeviceFunctionPointer",
                                           "piextPluginGetOpaqueData", NULL };
  const TtPiParam *given = &call->function->function->params[param];

  if (g_strv_contains (functions, call->function->name) || strcmp (given->type, "native_handle") == 0)
    return TRUE;
  return strcmp (call->function->name, "piEventGetInfo") == 0 && tt_drive_value (call, 1) == 0x11D3;
}

static void
take_handle (TtDriver *self, guint64 recorded, guint64 live)
{
  g_mutex_lock (&self->lock);
  g_hash_table_replace (self->handles, g_memdup2 (&recorded, sizeof recorded), g_memdup2 (&live, sizeof live));
  g_mutex_unlock (&self->lock);
}

static void
take_region (TtDriver *self, guint64 recorded, guint64 live, guint64 size, gboolean is_device)
{
  TtDriveRegion region = { recorded, live, size, is_device };

  g_mutex_lock (&self->lock);
  g_array_append_val (self->regions, region);
  g_mutex_unlock (&self->lock);
}

static void
drop_region (TtDriver *self, guint64 recorded)
{
  g_mutex_lock (&self->lock);
  for (guint i = self->regions->len; i > 0; i--)
    if (g_array_index (self->regions, TtDriveRegion, i - 1).recorded == recorded)
      {
        g_array_remove_index (self->regions, i - 1);
        break;
      }
  g_mutex_unlock (&self->lock);
}

static const char *
name_of (const TtDriveCall *call, guint param)
{
  return call->function->function->params[param].name;
}

static guint
compare_handles (TtDriver *self, const TtDriveLane *lane, TtDriveCall *call, guint param, const TtPiNativeBlock *block)
{
  const guint8 *live = call->buffers[param];
  guint n = 0;

  for (guint at = 0; at + 8 <= block->len; at += 8)
    {
      guint64 then = tt_pi_get (block->bytes + at, 8), now = tt_pi_get (live + at, 8);
      if (then != 0 && now != 0)
        take_handle (self, then, now);
      else if (then != now && n++ == 0)
        tt_drive_tell (self, lane, call,
                       now == 0 ? "%s: no handle was returned" : "%s: a handle was returned, none then",
                       name_of (call, param));
    }
  return n;
}

/* @may_have_slack: what was recorded may be longer than what was answered: only what the plugin wrote counts. */
static guint
compare_bytes (TtDriver *self,
               const TtDriveLane *lane,
               const TtDriveCall *call,
               guint param,
               const guint8 *now,
               const guint8 *then,
               gsize len,
               gboolean may_have_slack)
{
  gsize n = 0, first = 0;

  while (may_have_slack && len > 0 && (now[len - 1] ^ then[len - 1]) == 0xff)
    len--;
  for (gsize i = 0; i < len; i++)
    if (now[i] != then[i] && n++ == 0)
      first = i;
  if (may_have_slack && len == 0)
    {
      tt_drive_tell (self, lane, call, "%s: nothing was written", name_of (call, param));
      return 1;
    }
  if (n == 0)
    return 0;
  tt_drive_tell (self, lane, call,
                 "%s: byte %" G_GSIZE_FORMAT " is 0x%02x, recorded 0x%02x (%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                 " bytes differ)",
                 name_of (call, param), first, now[first], then[first], n, len);
  return 1;
}

static guint
compare_memory (TtDriver *self,
                const TtDriveLane *lane,
                const TtDriveCall *call,
                guint param,
                const guint8 *now,
                const TtPiNativeBlock *block)
{
  g_autoptr (GBytes) contents = tt_drive_contents (self, block);
  gsize len = 0;
  const guint8 *then = contents != NULL ? g_bytes_get_data (contents, &len) : NULL;
  guint64 size = tt_pi_shapes_bytes (call->function->function, &call->function->shapes, call->begin.args, (int) param);

  return then == NULL ? 0 : compare_bytes (self, lane, call, param, now, then, (gsize) MIN (len, size), FALSE);
}

/* An address, and what is there. */
static guint
compare_mapped (TtDriver *self,
                const TtDriveLane *lane,
                const TtDriveCall *call,
                guint param,
                const TtPiNativeBlock *block)
{
  guint64 now = tt_pi_get (call->buffers[param], 8), then = tt_pi_get (block->bytes, 8);
  guint64 size = tt_pi_shapes_bytes (call->function->function, &call->function->shapes, call->begin.args, (int) param);
  TtPiNativeBlock contents;

  if (now == 0)
    {
      tt_drive_tell (self, lane, call, "%s: no address was returned", name_of (call, param));
      return 1;
    }
  take_region (self, then, now, size, FALSE);
  if (!tt_drive_block (&call->end, param, 1, &contents))
    return 0;
  return compare_memory (self, lane, call, param, (const guint8 *) (guintptr) now, &contents);
}

static guint
compare_value (TtDriver *self,
               const TtDriveLane *lane,
               const TtDriveCall *call,
               guint param,
               const TtPiNativeBlock *block)
{
  const guint8 *now = call->buffers[param];
  gboolean is_answer = strcmp (name_of (call, param), "param_value") == 0, is_device;
  guint64 live, then = block->len == 8 ? tt_pi_get (block->bytes, 8) : 0;

  if (call->function->shapes.usm_result == (int) param)
    {
      take_region (self, then, tt_pi_get (now, 8), tt_drive_value (call, call->function->shapes.usm_size),
                   call->function->shapes.usm_is_device);
      if (tt_pi_get (now, 8) != 0)
        return 0;
      tt_drive_tell (self, lane, call, "%s: no memory was returned", name_of (call, param));
      return 1;
    }
  if (strcmp (call->function->function->params[param].type, "native_handle") == 0 && block->len == 8)
    take_handle (self, then, tt_pi_get (now, 8));
  if (is_fickle (call, param))
    return 0;
  /* An answer that is a handle or an address. */
  if (then != 0 &&
      (tt_drive_live_handle (self, then, &live) || tt_drive_live_address (self, then, &live, &is_device)) &&
      tt_pi_get (now, 8) == live)
    return 0;
  return compare_bytes (self, lane, call, param, now, block->bytes, block->len, is_answer);
}

static guint
compare_param (TtDriver *self, const TtDriveLane *lane, TtDriveCall *call, guint param)
{
  const TtPiShape *shape = &call->function->shapes.params[param];
  TtPiNativeBlock block;

  if ((shape->flags & TT_PI_SHAPE_OUT) == 0 || !tt_drive_block (&call->end, param, 0, &block))
    return 0;
  /* Into memory that was there already. */
  if (call->buffers[param] == NULL)
    return (shape->flags & TT_PI_SHAPE_MEMORY) != 0
               ? compare_memory (self, lane, call, param, (const guint8 *) (guintptr) call->args[param], &block)
               : 0;
  if (shape->shape == TT_PI_SHAPE_MAPPED)
    return compare_mapped (self, lane, call, param, &block);
  if ((shape->flags & TT_PI_SHAPE_MEMORY) != 0)
    return compare_memory (self, lane, call, param, call->buffers[param], &block);
  if ((shape->flags & TT_PI_SHAPE_HANDLES) != 0)
    return compare_handles (self, lane, call, param, &block);
  return compare_value (self, lane, call, param, &block);
}

static const char *
result_text (gint32 result, char *room, gsize size)
{
  const char *name = tt_pi_result_name (TT_PI_API_PI, result);

  if (name != NULL)
    g_snprintf (room, size, "%s (%d)", name, result);
  else
    g_snprintf (room, size, "%d", result);
  return room;
}

guint
tt_drive_compare (TtDriver *self, const TtDriveLane *lane, TtDriveCall *call, gint32 result)
{
  const TtPiFunction *function = call->function->function;
  char now[64], then[64];
  guint n = 0;

  if (!call->has_end)
    {
      tt_drive_tell (self, lane, call, "it comes back with %s; the recorded program died in it",
                     result_text (result, now, sizeof now));
      return 1;
    }
  if (result != call->end.result)
    {
      tt_drive_tell (self, lane, call, "the result is %s, recorded %s", result_text (result, now, sizeof now),
                     result_text (call->end.result, then, sizeof then));
      n++;
    }
  if (result != 0 || call->end.result != 0)
    return n;
  for (guint i = 0; i < function->n_params; i++)
    n += compare_param (self, lane, call, i);
  if (call->function->shapes.usm_free >= 0)
    drop_region (self, tt_drive_value (call, call->function->shapes.usm_free));
  if (strcmp (call->function->name, "piEnqueueMemUnmap") == 0)
    drop_region (self, tt_drive_value (call, 2));
  return n;
}
