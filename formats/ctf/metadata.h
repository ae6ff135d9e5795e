/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The metadata of a CTF trace: text in TSDL (CTF 1.8) or fragments of JSON (CTF 2), plain or in packets, and the files
 * that are its streams.
 */
#pragma once

#include <glib.h>

#define TT_CTF_METADATA "metadata"

typedef enum
{
  TT_CTF_NO_HEAD,
  TT_CTF_TEXT_HEAD,   /* "/" "* CTF 1.8", or a fragment */
  TT_CTF_PACKET_HEAD, /* metadata in packets */
  TT_CTF_STREAM_HEAD, /* a packet of a stream */
} TtCtfHead;

/* What a file that begins with @head is. */
TtCtfHead tt_ctf_head (const guint8 *head, gsize len);

/* The text; NULL with @error. The text of a file that is cut ends with its last whole packet, and sets *is_cut. Free
 * it.
 */
char *tt_ctf_metadata_read (const char *path, gboolean *is_cut, GError **error);
/* The same of the bytes of a file that is called @path. */
char *tt_ctf_metadata_text (const char *path, const guint8 *bytes, gsize len, gboolean *is_cut, GError **error);

/* Whether a file of that name is the metadata of its directory: plain, .gz or .zst. */
gboolean tt_ctf_is_metadata_name (const char *name);

/* Whether the directory @path holds a trace itself. */
gboolean tt_ctf_is_trace (const char *path);

/* Files of the trace directory @path in order, the metadata first, then the streams: what begins with the magic
 * number of a packet, or any file where the metadata's @text (NULL: not known) asks for none. Of a file that is there compressed, too, one is taken. Other files are left
 * out, and those that are called like streams go to @damaged, which may be NULL. NULL with @error: something may not
 * be read. */
GPtrArray *tt_ctf_trace_files (const char *path, const char *text, GPtrArray *damaged, GError **error);
