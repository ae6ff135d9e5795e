/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* Compares what a call returns with what was recorded, and learns its handles and addresses. */
#include "src/pi/drive/private.h"

#include <string.h>

/* Answers that differ from run to run. */
static gboolean
is_fickle (const TtDriveCall *call, guint param)
{
  static const char *const functions[] = { "piEventGetProfilingInfo",     "piextGetDeviceFunctionPointer",
                                           "piextPluginGetOpaqueData",    "piGetDeviceAndHostTimer",
                                           "urEventGetProfilingInfo",     "urDeviceGetGlobalTimestamps",
                                           "urProgramGetFunctionPointer", NULL };
  const TtPiParam *given = &call->function->function->params[param];

  if (g_strv_contains (functions, call->function->name) || strcmp (given->type, "native_handle") == 0)
    return TRUE;
  return (strcmp (call->function->name, "piEventGetInfo") == 0 && tt_drive_value (call, 1) == 0x11D3) ||
         (strcmp (call->function->name, "urEventGetInfo") == 0 && tt_drive_value (call, 1) == 3);
}

/* A parameter of a call that has been made. */
typedef struct
{
  TtDriver *driver;
  const TtDriveLane *lane;
  TtDriveCall *call;
  guint param;
} Output;

/* -- handles and addresses --------------------------------------------------------------------------- */

static void
add_handle (TtDriver *self, guint64 recorded, guint64 live)
{
  g_mutex_lock (&self->lock);
  g_hash_table_replace (self->handles, g_memdup2 (&recorded, sizeof recorded), g_memdup2 (&live, sizeof live));
  g_mutex_unlock (&self->lock);
}

static void
add_region (TtDriver *self, guint64 recorded, guint64 live, guint64 size, gboolean is_device)
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

/* -- outputs ------------------------------------------------------------------------------------------ */

static const char *
get_name (const Output *self)
{
  return self->call->function->function->params[self->param].name;
}

/* Of the recorded arguments. */
static guint64
get_size (const Output *self)
{
  return tt_drive_bytes (self->driver, self->call, self->param);
}

static guint
compare_handles (const Output *self, const TtPiNativeBlock *block)
{
  const guint8 *live = self->call->buffers[self->param];
  guint n = 0;

  for (guint at = 0; at + 8 <= block->len; at += 8)
    {
      guint64 then = tt_pi_get (block->bytes + at, 8), now = tt_pi_get (live + at, 8);
      if (then != 0 && now != 0)
        add_handle (self->driver, then, now);
      else if (then != now && n++ == 0)
        tt_drive_report (self->driver, self->lane, self->call,
                         now == 0 ? "%s: no handle was returned" : "%s: a handle was returned, none then",
                         get_name (self));
    }
  return n;
}

static guint
compare_bytes (const Output *self, const guint8 *now, const guint8 *then, gsize len)
{
  gsize n = 0, first = 0;

  for (gsize i = 0; i < len; i++)
    if (now[i] != then[i] && n++ == 0)
      first = i;
  if (n == 0)
    return 0;
  tt_drive_report (self->driver, self->lane, self->call,
                   "%s: byte %" G_GSIZE_FORMAT " is 0x%02x, recorded 0x%02x (%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                   " bytes differ)",
                   get_name (self), first, now[first], then[first], n, len);
  return 1;
}

/* An answer may be shorter than the recorded bytes: only what the plugin wrote is compared. */
static guint
compare_answer (const Output *self, const guint8 *now, const guint8 *then, gsize len)
{
  while (len > 0 && (now[len - 1] ^ then[len - 1]) == 0xff)
    len--;
  if (len > 0)
    return compare_bytes (self, now, then, len);
  tt_drive_report (self->driver, self->lane, self->call, "%s: nothing was written", get_name (self));
  return 1;
}

static guint
compare_memory (const Output *self, const guint8 *now, const TtPiNativeBlock *block)
{
  g_autoptr (GBytes) contents = tt_drive_contents (self->driver, block);
  gsize len = 0;
  const guint8 *then = contents != NULL ? g_bytes_get_data (contents, &len) : NULL;

  if (then == NULL || (block->kind == TT_PI_BLOCK_FILE && len < MIN (block->size, get_size (self))))
    {
      tt_drive_report (self->driver, self->lane, self->call,
                       "%s: %" G_GSIZE_FORMAT " of %" G_GUINT64_FORMAT " recorded bytes are there", get_name (self),
                       len, block->size);
      return 1;
    }
  const TtPiGiven given = tt_drive_given (self->driver, self->call);
  TtPiRows rows;
  g_autofree guint8 *whole = NULL;
  /* Of a rectangle, what lies between its rows is nobody's answer. */
  if (len == get_size (self) && tt_pi_rows_find (&given, (int) self->param, &rows))
    {
      whole = g_memdup2 (now, len);
      tt_pi_rows_copy (&rows, whole, then);
    }
  return compare_bytes (self, now, whole != NULL ? whole : then, (gsize) MIN (len, get_size (self)));
}

/* An address, and the contents there. */
static guint
compare_mapped (const Output *self, const TtPiNativeBlock *block)
{
  guint64 now = tt_pi_get (self->call->buffers[self->param], 8);
  TtPiNativeBlock contents;

  if (now == 0 || block->len < 8)
    {
      tt_drive_report (self->driver, self->lane, self->call,
                       now == 0 ? "%s: no address was returned" : "%s: no address is recorded", get_name (self));
      return 1;
    }
  add_region (self->driver, tt_pi_get (block->bytes, 8), now, get_size (self), FALSE);
  if (!tt_drive_block (&self->call->end, self->param, 1, &contents))
    return 0;
  return compare_memory (self, (const guint8 *) (guintptr) now, &contents);
}

/* The address of new memory. */
static guint
compare_usm (const Output *self, guint64 then, guint64 now)
{
  const TtPiShapes *shapes = &self->call->function->shapes;

  add_region (self->driver, then, now, tt_drive_value (self->call, shapes->usm_size), shapes->usm_is_device);
  if (now != 0)
    return 0;
  tt_drive_report (self->driver, self->lane, self->call, "%s: no memory was returned", get_name (self));
  return 1;
}

static guint
compare_value (const Output *self, const TtPiNativeBlock *block)
{
  const TtDriveCall *call = self->call;
  const guint8 *now = call->buffers[self->param];
  gboolean is_device;
  guint64 live, then = block->len == 8 ? tt_pi_get (block->bytes, 8) : 0;

  if (call->function->shapes.usm_result == (int) self->param)
    return compare_usm (self, then, tt_pi_get (now, 8));
  if (strcmp (call->function->function->params[self->param].type, "native_handle") == 0 && block->len == 8)
    add_handle (self->driver, then, tt_pi_get (now, 8));
  if (is_fickle (call, self->param))
    return 0;
  /* An answer that is a handle or an address. */
  if (then != 0 &&
      (tt_drive_live_handle (self->driver, then, &live) ||
       tt_drive_live_address (self->driver, then, &live, &is_device)) &&
      tt_pi_get (now, 8) == live)
    return 0;
  return strcmp (get_name (self), "param_value") == 0 || strcmp (get_name (self), "pPropValue") == 0
             ? compare_answer (self, now, block->bytes, block->len)
             : compare_bytes (self, now, block->bytes, block->len);
}

/* The address of a text, and the text. */
static guint
compare_text (const Output *self)
{
  const char *now = (const char *) (guintptr) tt_pi_get (self->call->buffers[self->param], 8);
  TtPiNativeBlock then;

  if (!tt_drive_block (&self->call->end, self->param, 1, &then) || then.kind != TT_PI_BLOCK_TEXT ||
      (now != NULL && strlen (now) == then.len && memcmp (now, then.bytes, then.len) == 0))
    return 0;
  tt_drive_report (self->driver, self->lane, self->call, "%s: \"%.200s\", recorded \"%.*s\"", get_name (self),
                   now != NULL ? now : "", (int) MIN (then.len, 200), (const char *) then.bytes);
  return 1;
}

/* What a command that has run since has filled. Of one that gives no event nobody knows. */
static guint
compare_late (const Output *self)
{
  const TtDriveCall *call = self->call;
  const TtPiShapes *shapes = &call->function->shapes;
  const TtPiNativeBlock *late = tt_drive_late_find (self->driver, call, self->param);
  gconstpointer now = (gconstpointer) (guintptr) call->args[self->param];

  if (late == NULL || now == NULL || shapes->event < 0 || call->buffers[shapes->event] == NULL)
    return 0;
  if (shapes->params[self->param].shape == TT_PI_SHAPE_MAPPED)
    now = (gconstpointer) (guintptr) tt_pi_get (now, 8);
  return now == NULL ? 0 : compare_memory (self, now, late);
}

static guint
compare_output (const Output *self)
{
  const TtPiShape *shape = &self->call->function->shapes.params[self->param];
  TtPiNativeBlock block;

  if ((shape->flags & TT_PI_SHAPE_OUT) == 0 || !tt_drive_block (&self->call->end, self->param, 0, &block))
    return 0;
  /* What the buffer has room for: see args.c. */
  if ((shape->flags & TT_PI_SHAPE_MEMORY) == 0)
    block.len = (guint32) MIN (block.len, MAX (get_size (self), 8));
  /* Into memory that was there already. */
  if (self->call->buffers[self->param] == NULL)
    return (shape->flags & TT_PI_SHAPE_MEMORY) != 0
               ? compare_memory (self, (const guint8 *) (guintptr) self->call->args[self->param], &block)
               : 0;
  if (shape->shape == TT_PI_SHAPE_MAPPED)
    return compare_mapped (self, &block);
  if (shape->shape == TT_PI_SHAPE_ANSWER)
    return compare_text (self);
  if ((shape->flags & TT_PI_SHAPE_MEMORY) != 0)
    return compare_memory (self, self->call->buffers[self->param], &block);
  if ((shape->flags & TT_PI_SHAPE_HANDLES) != 0)
    return compare_handles (self, &block);
  return compare_value (self, &block);
}

/* -- calls -------------------------------------------------------------------------------------------- */

static const char *
result_text (const TtDriver *self, gint32 result, char *room, gsize size)
{
  const char *name = tt_pi_result_name (self->is_ur ? TT_PI_API_UR : TT_PI_API_PI, result, self->release);

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
      tt_drive_report (self, lane, call, "it returns %s; the recorded program died in it",
                       result_text (self, result, now, sizeof now));
      return 1;
    }
  if (result != call->end.result)
    {
      tt_drive_report (self, lane, call, "the result is %s, recorded %s", result_text (self, result, now, sizeof now),
                       result_text (self, call->end.result, then, sizeof then));
      n++;
    }
  if (result != 0 || call->end.result != 0)
    return n;
  const TtPiGiven given = tt_drive_given (self, call);
  tt_pi_given_note (&given);
  for (guint i = 0; i < function->n_params; i++)
    {
      const Output output = { self, lane, call, i };
      n += compare_output (&output) + compare_late (&output);
    }
  if (call->function->shapes.usm_free >= 0)
    drop_region (self, tt_drive_value (call, call->function->shapes.usm_free));
  if (strcmp (call->function->name, "piEnqueueMemUnmap") == 0 ||
      strcmp (call->function->name, "urEnqueueMemUnmap") == 0)
    drop_region (self, tt_drive_value (call, 2));
  return n;
}
