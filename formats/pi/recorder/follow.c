/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/recorder/follow.h"

#include "formats/pi/recorder/memory.h"
#include "formats/pi/recorder/session.h"

#include <string.h>

/* Of one call: a chain that leads into itself ends. */
#define MAX_STRUCTS 512
#define MAX_DEPTH 6

typedef struct
{
  const TtRecordCall *call;
  unsigned release, left;
  TtRecordTake take;
  void *data;
} Walk;

static uint64_t
member_value (const TtPiMember *member, const uint8_t *bytes)
{
  return member->param.size <= 8 ? tt_pi_get (bytes + member->offset, member->param.size) : 0;
}

static const TtPiMember *
member_named (const TtPiStruct *type, const char *name)
{
  for (unsigned i = 0; i < type->n_members; i++)
    if (strcmp (type->members[i].param.name, name) == 0)
      return &type->members[i];
  return NULL;
}

/* How many items, or bytes, the pointer @member of a structure points to. Where nothing in it says so, the member
 * `size` of the structure around it, or the argument `size` of the call. */
static uint64_t
member_count (const Walk *walk, const TtPiStruct *type, const TtPiMember *member, const uint8_t *bytes, uint64_t size)
{
  if (member->param.count >= 0)
    return member_value (&type->members[member->param.count], bytes);
  if (member->param.role != TT_PI_ROLE_IN_BYTES)
    return 1;
  return strcmp (member->param.name, "pHost") == 0 ? tt_record_argument (walk->call, "size") : size;
}

static bool
is_contents (const TtPiMember *member)
{
  return strcmp (member->param.name, "pHost") == 0;
}

static void follow (Walk *walk, const TtPiStruct *type, const uint8_t *bytes, uint64_t size, unsigned depth);

static void
follow_chain (Walk *walk, uint64_t address, unsigned depth)
{
  uint32_t stype;

  if (!tt_record_copy (&stype, (const void *) (uintptr_t) address, sizeof stype))
    return;
  const TtPiStruct *next = tt_pi_struct_by_type (stype, walk->release);
  const uint8_t *bytes = next == NULL ? NULL : walk->take (walk->data, address, next->size);
  if (bytes != NULL)
    follow (walk, next, bytes, 0, depth + 1);
}

static void
follow_text (Walk *walk, uint64_t address)
{
  uint64_t size;

  if (tt_record_text_size ((const uint8_t *) (uintptr_t) address, &size))
    walk->take (walk->data, address, size + 1);
}

/* @around: the member `size` of the structure around a union. */
static void
follow_pointer (Walk *walk,
                const TtPiStruct *type,
                const TtPiMember *member,
                const uint8_t *bytes,
                uint64_t around,
                unsigned depth)
{
  uint64_t address = member_value (member, bytes);

  if (address == 0)
    return;
  if (member->param.role == TT_PI_ROLE_NEXT)
    {
      follow_chain (walk, address, depth);
      return;
    }
  if (member->param.kind == TT_PI_KIND_STRING)
    {
      follow_text (walk, address);
      return;
    }
  uint64_t n = member_count (walk, type, member, bytes, around);
  const TtPiStruct *of = tt_pi_struct (member->param.type, walk->release);
  uint64_t size = of != NULL ? of->size : tt_pi_type_size (&member->param);
  if (n == 0 || size == 0 || n > TT_PI_NATIVE_MAX_BLOCKS / size || (is_contents (member) && tt_recorder.skip_memory))
    return;
  const uint8_t *there = walk->take (walk->data, address, n * size);
  for (uint64_t i = 0; there != NULL && of != NULL && i < n; i++)
    follow (walk, of, there + i * size, 0, depth + 1);
}

static bool
is_followed (const TtPiMember *member)
{
  return member->param.role == TT_PI_ROLE_NEXT || member->param.role == TT_PI_ROLE_IN_VALUE ||
         member->param.role == TT_PI_ROLE_IN_ARRAY || member->param.role == TT_PI_ROLE_IN_BYTES ||
         member->param.kind == TT_PI_KIND_STRING || is_contents (member);
}

/* The member of a union that counts, by the enum before it. */
static void
follow_union (Walk *walk, const TtPiStruct *type, unsigned at, const uint8_t *bytes, unsigned depth)
{
  const TtPiMember *place = &type->members[at], *size = member_named (type, "size");
  const TtPiStruct *inner = tt_pi_struct (place->param.type, walk->release);
  const TtPiMember *tag = member_named (type, "type"), *chosen = NULL;

  if (inner == NULL)
    return;
  if (!inner->is_union)
    {
      follow (walk, inner, bytes + place->offset, 0, depth + 1);
      return;
    }
  if (tag != NULL)
    chosen = tt_pi_union_member (inner, tag->param.type, member_value (tag, bytes), walk->release);
  /* The pointer of an argument goes to a device: what is there is not read. */
  if (chosen != NULL && is_followed (chosen) && strcmp (chosen->param.name, "pointer") != 0)
    follow_pointer (walk, inner, chosen, bytes + place->offset, size != NULL ? member_value (size, bytes) : 0, depth);
}

static void
follow (Walk *walk, const TtPiStruct *type, const uint8_t *bytes, uint64_t size, unsigned depth)
{
  if (walk->left == 0 || depth > MAX_DEPTH)
    return;
  walk->left--;
  for (unsigned i = 0; i < type->n_members; i++)
    {
      const TtPiMember *member = &type->members[i];
      if (member->param.kind == TT_PI_KIND_STRUCT)
        follow_union (walk, type, i, bytes, depth);
      else if (is_followed (member))
        follow_pointer (walk, type, member, bytes, size, depth);
    }
}

void
tt_record_follow (const TtRecordCall *call,
                  unsigned param,
                  const uint8_t *bytes,
                  uint64_t n,
                  TtRecordTake take,
                  void *data)
{
  Walk walk = { call, call->function->release, MAX_STRUCTS, take, data };
  const TtPiStruct *type = tt_pi_struct (call->function->function->params[param].type, walk.release);

  for (uint64_t i = 0; type != NULL && i < n; i++)
    follow (&walk, type, bytes + i * type->size, 0, 0);
}
