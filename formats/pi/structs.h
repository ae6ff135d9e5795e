/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Structures of UR with what they point to: what the recorder follows, what a recording then has, and which member of a
 * union counts. Plain C11, for what runs inside foreign programs, too. Nothing here reads memory of the program.
 */
#pragma once

#include "formats/pi/api.h"
#include "formats/pi/native.h"

/* NULL: @type has no member of that name. */
const TtPiMember *tt_pi_member_named (const TtPiStruct *type, const char *name);
/* The number at @member of the structure @bytes; 0 of one that is larger than a number. */
uint64_t tt_pi_member_value (const TtPiMember *member, const uint8_t *bytes);
/* Whether @member points to the contents of a buffer. */
bool tt_pi_member_is_contents (const TtPiMember *member);
/* Whether what @member points to is recorded. */
bool tt_pi_member_is_followed (const TtPiMember *member);
/* Whether @member of a union is a pointer of the device, which the host must not follow. */
bool tt_pi_member_is_of_device (const TtPiMember *member);

/* What stands in a structure in the place of a member of kind STRUCT. */
typedef struct
{
  const TtPiStruct *type;   /* NULL: nobody knows */
  const TtPiMember *member; /* the one that counts, if @type is a union; NULL: @type is a structure */
} TtPiInner;

TtPiInner tt_pi_inner (const TtPiStruct *type, const TtPiMember *place, const uint8_t *bytes, unsigned release);

/* What @member points to, where there are @len @bytes. NULL: no structure that is known. */
const TtPiStruct *tt_pi_pointee_type (const TtPiMember *member, const uint8_t *bytes, size_t len, unsigned release);
/* What was recorded at an address that stands in a structure of parameter @param. */
bool tt_pi_pointee_find (const TtPiNativeRecord *begin,
                         unsigned param,
                         uint64_t address,
                         const uint8_t **bytes,
                         size_t *len);
