/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* Makes the structures of UR that a recorded call was given again, with what they pointed to. */
#include "src/pi/drive/private.h"

#include <string.h>

#define MAX_DEPTH 8

typedef struct
{
  TtDriver *driver;
  TtDriveCall *call;
  guint param, release;
} Walk;

static void patch (const Walk *walk, const TtPiStruct *type, guint8 *bytes, guint depth);

static gboolean
find_pointee (const Walk *walk, guint64 address, const guint8 **bytes, gsize *len)
{
  TtPiNativeRecord rest = walk->call->begin;
  TtPiNativeBlock block;

  while (tt_pi_native_block (&rest, &block))
    if (block.param == walk->param && block.kind == TT_PI_BLOCK_POINTEE && block.len >= 8 &&
        tt_pi_get (block.bytes, 8) == address)
      {
        *bytes = block.bytes + 8;
        *len = block.len - 8;
        return TRUE;
      }
  return FALSE;
}

/* An address that was recorded, as it is now; what is in no memory of ours stands for nothing. */
static void
patch_address (const Walk *walk, guint8 *at)
{
  guint64 live = 0;
  gboolean is_device;

  if (tt_pi_get (at, 8) != 0 && !tt_drive_live_address (walk->driver, tt_pi_get (at, 8), &live, &is_device))
    walk->call->problem = "it uses memory that no recorded call returned";
  tt_pi_put64 (at, live);
}

static void
patch_pointer (const Walk *walk, const TtPiMember *member, guint8 *at, guint depth)
{
  const guint8 *bytes;
  guint64 was = tt_pi_get (at, 8);
  gsize len;

  if (was == 0)
    return;
  if (!find_pointee (walk, was, &bytes, &len) || depth > MAX_DEPTH)
    {
      patch_address (walk, at);
      return;
    }
  guint8 *copy = tt_drive_own_memory (walk->call, len + 1);
  memcpy (copy, bytes, len);
  tt_pi_put64 (at, (guint64) (guintptr) copy);
  const TtPiStruct *type = member->param.role != TT_PI_ROLE_NEXT ? tt_pi_struct (member->param.type, walk->release)
                           : len >= 4 ? tt_pi_struct_by_type ((guint32) tt_pi_get (bytes, 4), walk->release)
                                      : NULL;
  if (type == NULL || type->size == 0)
    tt_drive_translate (walk->driver, walk->call, copy, len, FALSE);
  else
    for (gsize i = 0; i + type->size <= len; i += type->size)
      patch (walk, type, copy + i, depth + 1);
}

static void
patch_member (const Walk *walk, const TtPiMember *member, guint8 *at, guint depth)
{
  if (member->param.kind == TT_PI_KIND_HANDLE)
    tt_drive_translate (walk->driver, walk->call, at, 8, TRUE);
  else if (member->param.kind == TT_PI_KIND_POINTER || member->param.kind == TT_PI_KIND_STRING)
    patch_pointer (walk, member, at, depth);
  else if (member->param.kind == TT_PI_KIND_FUNCTION && tt_pi_get (at, 8) != 0)
    walk->call->problem = "a function of the program stands in its input";
}

static const TtPiMember *
tag_of (const TtPiStruct *type)
{
  for (guint i = 0; i < type->n_members; i++)
    if (strcmp (type->members[i].param.name, "type") == 0)
      return &type->members[i];
  return NULL;
}

static void
patch_inner (const Walk *walk, const TtPiStruct *type, const TtPiMember *place, guint8 *bytes, guint depth)
{
  const TtPiStruct *inner = tt_pi_struct (place->param.type, walk->release);
  const TtPiMember *tag = tag_of (type), *chosen = NULL;
  guint8 *at = bytes + place->offset;

  if (inner == NULL)
    return;
  if (!inner->is_union)
    {
      patch (walk, inner, at, depth + 1);
      return;
    }
  if (tag != NULL)
    chosen =
        tt_pi_union_member (inner, tag->param.type, tt_pi_get (bytes + tag->offset, tag->param.size), walk->release);
  if (chosen == NULL)
    return;
  if (chosen->param.kind == TT_PI_KIND_STRUCT)
    {
      const TtPiStruct *of = tt_pi_struct (chosen->param.type, walk->release);
      if (of != NULL)
        patch (walk, of, at, depth + 1);
    }
  else if (strcmp (chosen->param.name, "pointer") == 0)
    patch_address (walk, at);
  else
    patch_member (walk, chosen, at, depth);
}

static void
patch (const Walk *walk, const TtPiStruct *type, guint8 *bytes, guint depth)
{
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
  const Walk walk = { self, call, param, function->release };
  const TtPiStruct *type = function->function->api == TT_PI_API_UR
                               ? tt_pi_struct (function->function->params[param].type, function->release)
                               : NULL;

  if (type == NULL || type->size == 0)
    return FALSE;
  for (gsize at = 0; at + type->size <= len; at += type->size)
    patch (&walk, type, bytes + at, 0);
  return TRUE;
}
