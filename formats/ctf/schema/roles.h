/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Roles of fields in CTF 2: what their integers say of packets and events.
 */
#pragma once

#include "formats/ctf/schema/properties.h"

/* The roles that @object asks for, as bits of a type's `roles`. */
gboolean tt_ctf_roles_read (TtCtfFragments *self, const TtCtfJson *object, TtCtfType *type);
/* Gives meanings to the types of a part @root, by their roles. @stream: NULL of the packet's header. @value: where faults
 * are told. */
gboolean tt_ctf_roles_apply (TtCtfFragments *self,
                             const TtCtfJson *value,
                             TtCtfType *type,
                             TtCtfRoot root,
                             TtCtfStreamType *stream);
