/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/replayer/structs.h"

#include "formats/pi/replayer/regions.h"
#include "formats/pi/structs.h"

#include <stdio.h>
#include <string.h>

#define MAX_DEPTH 8
#define MAX_STRUCTS 4096

typedef struct
{
  const TtReplayCall *call;
  unsigned param, release;
  unsigned left; /* structures to compare */
  char *text;
  size_t size;
} Walk;

static bool differ (Walk *walk, const TtPiStruct *type, const uint8_t *then, const uint8_t *now, unsigned depth);

static bool
say (const Walk *walk, const char *member, const char *what)
{
  snprintf (walk->text, walk->size, "one with another '%s'%s", member, what);
  return true;
}

static bool
same_word (uint64_t then, uint64_t now)
{
  return now == then || now == tt_replay_live_address (then);
}

/* Values for kernels may be addresses of memory that is elsewhere now, and have room between their members. The first
 * byte of the first word that differs; @len: none. */
static size_t
find_difference (const uint8_t *then, const uint8_t *now, size_t len)
{
  size_t at = 0;

  for (; at + 8 <= len; at += 8)
    {
      uint64_t was = tt_pi_get (then + at, 8), is = tt_pi_get (now + at, 8);
      if (!same_word (was, is) && !tt_replay_is_left_over (was, is))
        return at;
    }
  while (at < len && then[at] == now[at])
    at++;
  return at;
}

static bool
bytes_differ (const Walk *walk, const char *member, const uint8_t *then, const uint8_t *now, size_t len)
{
  size_t at = find_difference (then, now, len);
  unsigned n = len - at < 8 ? (unsigned) (len - at) : 8;

  if (at == len)
    return false;
  snprintf (walk->text, walk->size, "one with another '%s': at byte %zu is 0x%llx, not 0x%llx", member, at,
            (unsigned long long) tt_pi_get (now + at, n), (unsigned long long) tt_pi_get (then + at, n));
  return true;
}

static bool
same_text (const uint8_t *then, size_t len, const uint8_t *now)
{
  return strnlen ((const char *) now, len) == strnlen ((const char *) then, len) &&
         memcmp (then, now, strnlen ((const char *) then, len)) == 0;
}

static bool
pointer_differs (Walk *walk, const TtPiMember *member, uint64_t then, uint64_t now, unsigned depth)
{
  const uint8_t *bytes, *there = (const uint8_t *) (uintptr_t) now;
  const char *name = member->param.name;
  size_t len;

  if ((then == 0) != (now == 0))
    return say (walk, name, now == 0 ? ": there is none" : ": there was none");
  if (now == 0 || !tt_pi_member_is_followed (member) ||
      !tt_pi_pointee_find (&walk->call->begin, walk->param, then, &bytes, &len))
    return false;
  if (member->param.kind == TT_PI_KIND_STRING)
    return !same_text (bytes, len, there) && say (walk, name, "");
  if (member->param.role == TT_PI_ROLE_NEXT && len >= 4 && memcmp (bytes, there, 4) != 0)
    return say (walk, name, ": of another type");
  const TtPiStruct *type = tt_pi_pointee_type (member, bytes, len, walk->release);
  if (type == NULL || type->size == 0)
    return bytes_differ (walk, name, bytes, there, len);
  for (size_t at = 0; at + type->size <= len; at += type->size)
    if (differ (walk, type, bytes + at, there + at, depth + 1))
      return true;
  return false;
}

static bool
member_differs (Walk *walk,
                const TtPiMember *member,
                const uint8_t *then,
                const uint8_t *now,
                unsigned depth,
                bool is_device)
{
  uint64_t was, is;

  then += member->offset;
  now += member->offset;
  if (member->param.size > 8 || member->param.kind == TT_PI_KIND_FUNCTION)
    return false;
  was = tt_pi_get (then, member->param.size);
  is = tt_pi_get (now, member->param.size);
  if (is_device)
    return !same_word (was, is) && say (walk, member->param.name, "");
  if (member->param.kind == TT_PI_KIND_POINTER || member->param.kind == TT_PI_KIND_STRING)
    return pointer_differs (walk, member, was, is, depth);
  return was != is && member->param.kind != TT_PI_KIND_NATIVE && say (walk, member->param.name, "");
}

/* A structure within a structure, or of a union the member that counts. */
static bool
inner_differs (Walk *walk,
               const TtPiStruct *type,
               const TtPiMember *place,
               const uint8_t *then,
               const uint8_t *now,
               unsigned depth)
{
  const TtPiInner inner = tt_pi_inner (type, place, then, walk->release);

  then += place->offset;
  now += place->offset;
  if (inner.type == NULL)
    return false;
  if (inner.member == NULL)
    return differ (walk, inner.type, then, now, depth + 1);
  return member_differs (walk, inner.member, then, now, depth, tt_pi_member_is_of_device (inner.member));
}

static bool
differ (Walk *walk, const TtPiStruct *type, const uint8_t *then, const uint8_t *now, unsigned depth)
{
  if (walk->left == 0 || depth > MAX_DEPTH)
    return false;
  walk->left--;
  /* Numbers first: they say what pointers point to, and how much. */
  for (unsigned pass = 0; pass < 2; pass++)
    for (unsigned i = 0; i < type->n_members; i++)
      {
        const TtPiMember *member = &type->members[i];
        bool is_number = member->param.kind != TT_PI_KIND_POINTER && member->param.kind != TT_PI_KIND_STRING &&
                         member->param.kind != TT_PI_KIND_STRUCT;
        if (is_number != (pass == 0))
          continue;
        if (member->param.kind == TT_PI_KIND_STRUCT ? inner_differs (walk, type, member, then, now, depth)
                                                    : member_differs (walk, member, then, now, depth, false))
          return true;
      }
  return false;
}

bool
tt_replay_has_structs (const TtReplayCall *call, unsigned param)
{
  const TtPiFunction *function = call->function->function;

  return function->api == TT_PI_API_UR && tt_pi_struct (function->params[param].type, call->function->release) != NULL;
}

bool
tt_replay_structs_differ (const TtReplayCall *call,
                          unsigned param,
                          const TtPiNativeBlock *block,
                          char *text,
                          size_t size)
{
  const uint8_t *now = (const uint8_t *) (uintptr_t) tt_pi_shapes_value (
      call->function->function, &call->function->shapes, call->packed, (int) param);
  Walk walk = { call, param, call->function->release, MAX_STRUCTS, text, size };
  const TtPiStruct *type = tt_pi_struct (call->function->function->params[param].type, walk.release);

  uint64_t len = tt_pi_shapes_bytes (call->function->function, &call->function->shapes, call->packed, (int) param);

  if (block->kind != TT_PI_BLOCK_BYTES || type->size == 0)
    return false;
  for (size_t at = 0; at + type->size <= block->len && at + type->size <= len; at += type->size)
    if (differ (&walk, type, block->bytes + at, now + at, 0))
      return true;
  return false;
}
