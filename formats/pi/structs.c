/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/structs.h"

#include <string.h>

const TtPiMember *
tt_pi_member_named (const TtPiStruct *type, const char *name)
{
  for (unsigned i = 0; i < type->n_members; i++)
    if (strcmp (type->members[i].param.name, name) == 0)
      return &type->members[i];
  return NULL;
}

uint64_t
tt_pi_member_value (const TtPiMember *member, const uint8_t *bytes)
{
  return member->param.size <= 8 ? tt_pi_get (bytes + member->offset, member->param.size) : 0;
}

bool
tt_pi_member_is_contents (const TtPiMember *member)
{
  return strcmp (member->param.name, "pHost") == 0;
}

bool
tt_pi_member_is_followed (const TtPiMember *member)
{
  return member->param.role == TT_PI_ROLE_NEXT || member->param.role == TT_PI_ROLE_IN_VALUE ||
         member->param.role == TT_PI_ROLE_IN_ARRAY || member->param.role == TT_PI_ROLE_IN_BYTES ||
         member->param.kind == TT_PI_KIND_STRING || tt_pi_member_is_contents (member);
}

bool
tt_pi_member_is_of_device (const TtPiMember *member)
{
  return strcmp (member->param.name, "pointer") == 0;
}

TtPiInner
tt_pi_inner (const TtPiStruct *type, const TtPiMember *place, const uint8_t *bytes, unsigned release)
{
  static const char *const tags[] = { "type", "id" };
  TtPiInner inner = { tt_pi_struct (place->param.type, release), NULL };

  if (inner.type == NULL || !inner.type->is_union)
    return inner;
  for (unsigned i = 0; i < sizeof tags / sizeof tags[0] && inner.member == NULL; i++)
    {
      const TtPiMember *tag = tt_pi_member_named (type, tags[i]);
      if (tag != NULL)
        inner.member = tt_pi_union_member (inner.type, tag->param.type, tt_pi_member_value (tag, bytes), release);
    }
  if (inner.member == NULL)
    return (TtPiInner){ NULL, NULL };
  if (inner.member->param.kind == TT_PI_KIND_STRUCT)
    return (TtPiInner){ tt_pi_struct (inner.member->param.type, release), NULL };
  return inner;
}

const TtPiStruct *
tt_pi_pointee_type (const TtPiMember *member, const uint8_t *bytes, size_t len, unsigned release)
{
  if (member->param.role != TT_PI_ROLE_NEXT)
    return tt_pi_struct (member->param.type, release);
  return len >= 4 ? tt_pi_struct_by_type ((uint32_t) tt_pi_get (bytes, 4), release) : NULL;
}

bool
tt_pi_pointee_find (const TtPiNativeRecord *begin, unsigned param, uint64_t address, const uint8_t **bytes, size_t *len)
{
  TtPiNativeRecord rest = *begin;
  TtPiNativeBlock block;

  while (tt_pi_native_block (&rest, &block))
    if (block.param == param && block.kind == TT_PI_BLOCK_POINTEE && block.len >= 8 &&
        tt_pi_get (block.bytes, 8) == address)
      {
        *bytes = block.bytes + 8;
        *len = block.len - 8;
        return true;
      }
  return false;
}
