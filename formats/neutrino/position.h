/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What can be told of the instructions at a position, "ld.global:st.global", from its parts.
 */
#pragma once

#include "formats/neutrino/unit.h"

typedef enum
{
  TT_NL_ADDRESSES_64, /* all, or nobody knows */
  TT_NL_ADDRESSES_32, /* all: of memory that is shared by a block */
  TT_NL_ADDRESSES_MIXED,
  TT_NL_ADDRESSES_EITHER, /* a part finds instructions of both */
} TtNlAddresses;

/* On PTX, else on GCN. */
TtNlAddresses tt_nl_position_addresses (const char *position, gboolean is_ptx);
/* FALSE: a probe reads nl.addr where one text cannot read all addresses; the error is in the messages. */
gboolean tt_nl_position_check_addresses (const TtNlUnit *unit, gboolean is_ptx);
