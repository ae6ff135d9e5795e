/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/decode.h"
#include "formats/ctf/frames.h"
#include "formats/ctf/limits.h"
#include "src/base/sandbox.h"
#include "tests/fuzz/ctf-packets.h"
#include "tests/fuzz/memory-file.h"

#include <dlfcn.h>
#include <glib/gstdio.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_BABELTRACE2
#include <babeltrace2/babeltrace.h>
#endif

/*
 * Any pieces of the streams of a small trace (ctf-packets.h) through the decoder of CTF, in this process instead of in
 * one of its own: libbabeltrace2 and what makes frames of its messages. Where the library gives up with abort() or
 * takes memory without end, which an import survives, the input is done; what it had by then stays, so a run ends before
 * that is too much. What holds: frames are whole, their events have classes and streams, and are no
 * more than there are bytes for.
 *
 * Links: tests/fuzz/ctf-packet-mutator.c
 * Links: tests/fuzz/no-comparisons.c
 * Options: -entropic=0 -detect_leaks=0 -runs=20000
 */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

#define MIN_EVENT_BYTES 14u
#define MAX_BLOCKS 3000u
#define MAX_OPEN 64

static const char metadata_of_trace[] =
    "/* CTF 1.8 */\n"
    "typealias integer { size = 8; align = 8; signed = false; } := u8;\n"
    "typealias integer { size = 16; align = 8; signed = false; } := u16;\n"
    "typealias integer { size = 32; align = 8; signed = false; } := u32;\n"
    "typealias integer { size = 64; align = 8; signed = false; } := u64;\n"
    "trace { major = 1; minor = 8; byte_order = le;\n"
    "  packet.header := struct { u32 magic; u32 stream_id; u64 stream_instance_id; }; };\n"
    "clock { name = c; freq = 1000000000; offset_s = 1700000000; };\n"
    "typealias integer { size = 64; align = 8; signed = false; map = clock.c.value; } := stamp;\n";

/* @: the number of the stream. */
static const char metadata_of_stream[] =
    "stream { id = @; event.header := struct { u16 id; stamp timestamp; }; event.context := struct { u32 vtid; };\n"
    "  packet.context := struct { stamp timestamp_begin; stamp timestamp_end; u64 content_size; u64 packet_size;\n"
    "    u32 events_discarded; u32 packet_seq_num; u32 cpu_id; }; };\n"
    "event { name = \"a:begin\"; id = 0; stream_id = @; fields := struct { u64 n; }; };\n"
    "event { name = \"a:end\"; id = 1; stream_id = @; fields := struct { string s; }; };\n"
    "event { name = \"b\"; id = 2; stream_id = @; fields := struct { u8 n; u8 of[n]; string s; }; };\n";

static char *folder;
static char *paths[CTF_N_STREAMS + 1];
static int frames = -1;

/* -- what the decoder has around it in its own process ------------------------------------------------------------ */

gboolean
tt_sandbox_enter (void)
{
  return FALSE;
}

TtCtfLimits
tt_ctf_limits_of (const char *path)
{
  return (TtCtfLimits){ 0 };
}

void
tt_ctf_limits_set (const TtCtfLimits *self)
{
}

/* What it has when it gives up stays. */
const char *__asan_default_options (void);

const char *
__asan_default_options (void)
{
  return "detect_leaks=0";
}

static sigjmp_buf given_up;
static gboolean is_decoding;
static guint n_blocks; /* of this decoding */

/* A limit of memory, too: the library loops on some damage and takes a block each time. */
gpointer
g_malloc0 (gsize n)
{
  if (is_decoding && ++n_blocks > MAX_BLOCKS)
    siglongjmp (given_up, 1);
  gpointer block = n == 0 ? NULL : calloc (1, n);
  if (n > 0 && block == NULL)
    abort ();
  return block;
}

/* Of the library only: our own claims are to be seen. */
void
abort (void)
{
  Dl_info caller;

  if (is_decoding && dladdr (__builtin_return_address (0), &caller) != 0 &&
      strstr (caller.dli_fname, "babeltrace") != NULL)
    siglongjmp (given_up, 1);
  signal (SIGABRT, SIG_DFL);
  raise (SIGABRT);
  _exit (134);
}

/* -- the trace ---------------------------------------------------------------------------------------------------- */

static void
remove_folder (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    g_unlink (paths[i]);
  g_rmdir (folder);
}

static void
prepare (void)
{
  static const char *const names[] = { "stream_0", "stream_1", "metadata" };

  if (folder != NULL)
    return;
  folder = g_dir_make_tmp ("fuzz-ctf-XXXXXX", NULL);
  g_assert (folder != NULL);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    paths[i] = g_build_filename (folder, names[i], NULL);
  g_autoptr (GString) metadata = g_string_new (metadata_of_trace);
  for (guint i = 0; i < CTF_N_STREAMS; i++)
    {
      g_string_append (metadata, metadata_of_stream);
      g_string_replace (metadata, "@", i == 0 ? "0" : "1", 0);
    }
  fuzz_named_file (paths[CTF_N_STREAMS], metadata->str, metadata->len);
  frames = memfd_create ("frames", MFD_CLOEXEC);
  atexit (remove_folder);
#ifdef HAVE_BABELTRACE2
  /* Kept, so that it is not loaded for every input. */
  static const bt_plugin_set *kept;
  bt_plugin_find_all (BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, &kept);
#endif
}

static void
write_streams (const guint8 *bytes, size_t len)
{
  GByteArray *streams[CTF_N_STREAMS] = { g_byte_array_new (), g_byte_array_new () };

  while (len >= CTF_PIECE_HEAD)
    {
      size_t n = MIN ((size_t) (bytes[1] | bytes[2] << 8), len - CTF_PIECE_HEAD);

      g_byte_array_append (streams[bytes[0] % CTF_N_STREAMS], bytes + CTF_PIECE_HEAD, (guint) n);
      bytes += CTF_PIECE_HEAD + n;
      len -= CTF_PIECE_HEAD + n;
    }
  for (guint i = 0; i < CTF_N_STREAMS; i++)
    {
      fuzz_named_file (paths[i], streams[i]->data, streams[i]->len);
      g_byte_array_unref (streams[i]);
    }
}

/* -- the frames --------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint n_classes, n_streams;
  guint64 n_events;
  gboolean has_ended;
} Said;

static void
look_at_frame (Said *said, TtCtfFrameKind kind, TtCtfCursor frame)
{
  g_assert (!said->has_ended);
  switch (kind)
    {
    case TT_CTF_FRAME_FACTS:
      tt_ctf_read_u32 (&frame);
      tt_ctf_read_i64 (&frame);
      said->n_streams = tt_ctf_read_u32 (&frame);
      break;
    case TT_CTF_FRAME_CLASS:
      said->n_classes++;
      break;
    case TT_CTF_FRAME_EVENT:
      g_assert (tt_ctf_read_u32 (&frame) < said->n_classes);
      g_assert ((tt_ctf_read_u32 (&frame) & ~TT_CTF_MOVED) < said->n_streams);
      tt_ctf_read_i64 (&frame);
      said->n_events++;
      break;
    case TT_CTF_FRAME_LOST:
      g_assert (tt_ctf_read_u32 (&frame) < TT_CTF_N_LOSSES && tt_ctf_read_i64 (&frame) >= -1);
      g_assert (tt_ctf_read_u32 (&frame) < MAX (said->n_streams, CTF_N_STREAMS));
      break;
    case TT_CTF_FRAME_END:
    case TT_CTF_FRAME_REFUSED:
      said->has_ended = TRUE;
      break;
    default:
      break;
    }
  g_assert (!frame.has_failed);
}

static void
look_at_frames (size_t input_len)
{
  Said said = { 0 };
  off_t len = lseek (frames, 0, SEEK_END);
  g_autofree guint8 *bytes = g_malloc ((gsize) len + 1);
  gboolean is_read = pread (frames, bytes, (size_t) len, 0) == len;
  const guint8 *at = bytes, *end = bytes + len;

  g_assert (is_read);
  while (at < end)
    {
      guint32 header[2];

      g_assert (end - at >= (gssize) sizeof header);
      memcpy (header, at, sizeof header);
      at += sizeof header;
      g_assert (header[1] < TT_CTF_N_FRAMES && header[0] <= (gsize) (end - at));
      look_at_frame (&said, (TtCtfFrameKind) header[1], (TtCtfCursor){ .at = at, .end = at + header[0] });
      at += header[0];
    }
  g_assert (said.has_ended);
  g_assert (said.n_events <= input_len / MIN_EVENT_BYTES);
}

/* The library has given up: its files are still open. */
static void
forget_decoding (void)
{
  is_decoding = FALSE;
  for (int file = frames + 1; file <= frames + MAX_OPEN; file++)
    close (file);
#ifdef HAVE_BABELTRACE2
  bt_current_thread_clear_error ();
#endif
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  prepare ();
  write_streams (bytes, len);
  int status = ftruncate (frames, 0);
  g_assert (status == 0 && lseek (frames, 0, SEEK_SET) == 0);
  if (sigsetjmp (given_up, 0) != 0)
    {
      forget_decoding ();
      return 0;
    }
  is_decoding = TRUE;
  n_blocks = 0;
  status = tt_ctf_decode (folder, FALSE, frames);
  is_decoding = FALSE;
#ifdef HAVE_BABELTRACE2
  g_assert (status == 0);
  look_at_frames (len);
#endif
  return 0;
}
