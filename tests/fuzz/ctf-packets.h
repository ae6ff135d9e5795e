/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inputs of fuzz-ctf-packets: pieces of streams of the trace that it describes, one after another, each after the number
 * of its stream (a byte) and its length (2 bytes, little-endian; no more than there is). A sound one is a packet: header,
 * context, events, all little-endian, as the metadata of the target says.
 */
#pragma once

#include <glib.h>

#define CTF_N_STREAMS 2u
#define CTF_PIECE_HEAD 3u
#define CTF_MAGIC 0xc1fc1fc1u

/* Places of the fields in a packet. */
enum
{
  CTF_AT_MAGIC = 0,      /* 4 */
  CTF_AT_STREAM = 4,     /* 4: the class of the stream, 0 or 1 */
  CTF_AT_INSTANCE = 8,   /* 8 */
  CTF_AT_BEGIN = 16,     /* 8 */
  CTF_AT_END = 24,       /* 8 */
  CTF_AT_CONTENT = 32,   /* 8: bits */
  CTF_AT_SIZE = 40,      /* 8: bits */
  CTF_AT_DISCARDED = 48, /* 4 */
  CTF_AT_SEQUENCE = 52,  /* 4 */
  CTF_AT_CPU = 56,       /* 4 */
  CTF_AT_EVENTS = 60,
};

/* An event: id (2), timestamp (8), thread (4), then its fields. */
#define CTF_EVENT_HEAD 14u
