/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/recorder/follow.h"

#include "formats/pi/recorder/memory.h"
#include "formats/pi/recorder/session.h"
#include "formats/pi/structs.h"

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

/* How many items, or bytes, the pointer @member of a structure points to. Where nothing in it says so, the member
 * `size` of the structure around it, or the argument `size` of the call. */
static uint64_t
member_count (const Walk *walk, const TtPiStruct *type, const TtPiMember *member, const uint8_t *bytes, uint64_t size)
{
  if (member->param.count >= 0)
    return tt_pi_member_value (&type->members[member->param.count], bytes);
  if (member->param.role != TT_PI_ROLE_IN_BYTES)
    return 1;
  return tt_pi_member_is_contents (member) ? tt_record_argument (walk->call, "size") : size;
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
  uint64_t address = tt_pi_member_value (member, bytes);

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
  if (n == 0 || size == 0 || n > TT_PI_NATIVE_MAX_BLOCKS / size ||
      (tt_pi_member_is_contents (member) && tt_recorder.skip_memory))
    return;
  const uint8_t *there = walk->take (walk->data, address, n * size);
  for (uint64_t i = 0; there != NULL && of != NULL && i < n; i++)
    follow (walk, of, there + i * size, 0, depth + 1);
}

/* A structure, or of a union the member that counts. */
static void
follow_inner (Walk *walk, const TtPiStruct *type, const TtPiMember *place, const uint8_t *bytes, unsigned depth)
{
  const TtPiInner inner = tt_pi_inner (type, place, bytes, walk->release);
  const TtPiMember *size = tt_pi_member_named (type, "size");

  if (inner.type == NULL)
    return;
  if (inner.member == NULL)
    follow (walk, inner.type, bytes + place->offset, 0, depth + 1);
  else if (tt_pi_member_is_followed (inner.member) && !tt_pi_member_is_of_device (inner.member))
    follow_pointer (walk, inner.type, inner.member, bytes + place->offset,
                    size != NULL ? tt_pi_member_value (size, bytes) : 0, depth);
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
        follow_inner (walk, type, member, bytes, depth);
      else if (tt_pi_member_is_followed (member))
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
