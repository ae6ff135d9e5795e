/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that the replayer gives to the program in place of recorded memory: USM and mapped buffers. Real pages, so
 * that the program can write there; only touched ones cost memory.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Address of @size new bytes for memory recorded at @recorded; 0: out of memory. */
uint64_t tt_replay_region_new (uint64_t recorded, uint64_t size);
/* Frees the region at the address that tt_replay_region_new() gave; other addresses are ignored. */
void tt_replay_region_free (uint64_t live);
/* Of memory that the program allocated: no other has its addresses. false: @recorded is in none. */
bool tt_replay_region_usm (uint64_t recorded, uint64_t *live);
/* Says that the region at @live is such memory. */
void tt_replay_region_is_usm (uint64_t live);
/* Whether @live is in memory that was given to the program. */
bool tt_replay_region_has (uint64_t live);
/* Whether a word of a value differs only in what nobody set, room between members: its upper half is that of an address
 * that was there before, or it is an address of the program's own, which is another one in each run. */
bool tt_replay_is_left_over (uint64_t then, uint64_t now);
/* The present address of recorded memory; @recorded itself where it is in no region. */
uint64_t tt_replay_live_address (uint64_t recorded);
