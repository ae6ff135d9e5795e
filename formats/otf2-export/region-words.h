/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a name is in OTF2: role and paradigm of its region, and the operation of a collective, by its standard name.
 */
#pragma once

#include "src/store/store.h"

guint8 tt_otf2_export_role (const TtStoredName *name);
guint8 tt_otf2_export_paradigm (const TtStoredName *name);
guint8 tt_otf2_export_operation (const TtStoredName *name);
/* Whether calls of a collective only start it. */
gboolean tt_otf2_export_is_nonblocking (const TtStoredName *name);
/* The operation of what is none of OTF2's: it creates a communicator, or the like. */
#define TT_OTF2_CREATE_HANDLE 17u
/* What the format has no place for, in lines KEY=VALUE: formats/otf2/names.c reads them. @order: names that are alike are told apart
 * in this order. Free it. */
char *tt_otf2_export_describe (const TtStoredName *name, guint32 order);
