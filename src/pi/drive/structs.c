/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* Makes the structures of UR that a recorded call was given again, with what they pointed to. */
#include "formats/pi/structs.h"
#include "src/pi/drive/private.h"

#include <string.h>

#define MAX_DEPTH 8
#define MAX_STRUCTS 4096 /* of one parameter: each may point to all others */

typedef struct
{
  TtDriver *driver;
  TtDriveCall *call;
  guint param, release;
  guint left; /* structures to make */
} Walk;

static void patch (Walk *walk, const TtPiStruct *type, guint8 *bytes, guint depth);

/* An address that was recorded, as it is now; what is in no memory of ours stands for nothing. */
static void
patch_address (Walk *walk, guint8 *at)
{
  guint64 live = 0;
  gboolean is_device;

  if (tt_pi_get (at, 8) != 0 && !tt_drive_live_address (walk->driver, tt_pi_get (at, 8), &live, &is_device))
    walk->call->problem = "it uses memory that no recorded call returned";
  tt_pi_put64 (at, live);
}

static void
patch_pointer (Walk *walk, const TtPiMember *member, guint8 *at, guint depth)
{
  const guint8 *bytes;
  guint64 was = tt_pi_get (at, 8);
  gsize len;

  if (was == 0)
    return;
  if (!tt_pi_pointee_find (&walk->call->begin, walk->param, was, &bytes, &len) || depth > MAX_DEPTH)
    {
      patch_address (walk, at);
      return;
    }
  guint8 *copy = tt_drive_own_memory (walk->call, len + 1);
  memcpy (copy, bytes, len);
  tt_pi_put64 (at, (guint64) (guintptr) copy);
  const TtPiStruct *type = tt_pi_pointee_type (member, bytes, len, walk->release);
  if (type == NULL || type->size == 0)
    tt_drive_translate (walk->driver, walk->call, copy, len, FALSE);
  else
    for (gsize i = 0; i + type->size <= len; i += type->size)
      patch (walk, type, copy + i, depth + 1);
}

static void
patch_member (Walk *walk, const TtPiMember *member, guint8 *at, guint depth)
{
  if (member->param.kind == TT_PI_KIND_HANDLE)
    tt_drive_translate (walk->driver, walk->call, at, 8, TRUE);
  else if (member->param.kind == TT_PI_KIND_POINTER || member->param.kind == TT_PI_KIND_STRING)
    patch_pointer (walk, member, at, depth);
  else if (member->param.kind == TT_PI_KIND_FUNCTION && tt_pi_get (at, 8) != 0)
    walk->call->problem = "a function of the program stands in its input";
}

static void
patch_inner (Walk *walk, const TtPiStruct *type, const TtPiMember *place, guint8 *bytes, guint depth)
{
  const TtPiInner inner = tt_pi_inner (type, place, bytes, walk->release);
  guint8 *at = bytes + place->offset;

  if (inner.type == NULL)
    return;
  if (inner.member == NULL)
    patch (walk, inner.type, at, depth + 1);
  else if (tt_pi_member_is_of_device (inner.member))
    patch_address (walk, at);
  else
    patch_member (walk, inner.member, at, depth);
}

static void
patch (Walk *walk, const TtPiStruct *type, guint8 *bytes, guint depth)
{
  if (walk->left == 0)
    {
      walk->call->problem = "it has too many structures";
      return;
    }
  walk->left--;
  for (guint i = 0; i < type->n_members && depth <= MAX_DEPTH; i++)
    {
      const TtPiMember *member = &type->members[i];
      if (member->param.kind == TT_PI_KIND_STRUCT)
        patch_inner (walk, type, member, bytes, depth);
      else
        patch_member (walk, member, bytes + member->offset, depth);
    }
}

gboolean
tt_drive_structs (TtDriver *self, TtDriveCall *call, guint param, guint8 *bytes, gsize len)
{
  const TtDriveFunction *function = call->function;
  Walk walk = { self, call, param, function->release, MAX_STRUCTS };
  const TtPiStruct *type = function->function->api == TT_PI_API_UR
                               ? tt_pi_struct (function->function->params[param].type, function->release)
                               : NULL;

  if (type == NULL || type->size == 0)
    return FALSE;
  for (gsize at = 0; at + type->size <= len; at += type->size)
    patch (&walk, type, bytes + at, 0);
  return TRUE;
}
