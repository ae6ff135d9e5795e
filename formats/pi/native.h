/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The native recording of PI and UR calls: one file a thread, "<thread>.ttpi" in the directory of the recording.
 *
 * All integers little-endian, every record begins at a multiple of 8. A file is its header and then records until the
 * end of the file or a record of size 0: a file grows in pieces of zeros that records are then written into, and the
 * size of a record is stored last, so that whatever moment a process dies at, a reader sees whole records only.
 *
 *   header   0 "TTPICALL", 8 u32 version (1), 12 u32 offset of the first record (64), 16 u64 CLOCK_MONOTONIC and
 *            24 u64 CLOCK_REALTIME in ns at the moment that is time 0 of all files of a recording, 32 u32 pid,
 *            36 u32 tid, 40 16 bytes: the kernel's name of the thread when the file was made, 56 u64 0
 *   record   0 u32 size with this head and padding, 4 u16 kind, 6 u16 n
 *   NAME     8 u32 index, 12 u32 function id of the runtime, 16 u8 API (TtPiApi), 17 u8 parameters, 18 u16 length of
 *            the name, of UR 20 u8 and 21 u8 version of the runtime, 22 u16 release (api.h), then a byte a parameter:
 *            its size in packed arguments; then the name. A function is named before its first call; indices count
 *            from 0 in each file, so files need neither each other nor any numbering of ids. A function that the
 *            recorder does not know has no parameters.
 *   BEGIN    8 u32 index of the function, 12 i16 backend (-1: unknown), 14 u16 bytes of packed arguments,
 *            16 u64 instance (the runtime's call number), 24 u64 ns since time 0, then the arguments in order without
 *            gaps (pi.md 4.2; of UR the values, not the pointers to them), padded; then n blocks: what pointers
 *            pointed to before the call
 *   END      8 i32 result, 12 u32 0, 16 u64 instance, 24 u64 ns, then n blocks: what pointers pointed to after it.
 *            Ends the last BEGIN of the same instance. A BEGIN without END: the process died inside the call, or the
 *            call was left by an exception.
 *   LOST     8 u64 calls that could not be written here: made by a signal handler that interrupted the recorder
 *   TIMES    What the recorder itself asked for (`pi record --profile`). n: 0 a command, 1 a queue that the recorder
 *            made take times, written before its call. 8 u64 instance of the call that put the command into its queue,
 *            or that makes the queue; of a command 16 u32 which times there are (bit 0 queued, 1 submitted, 2 start,
 *            3 end), 20 i32 why the others are not there (a result of UR, or TT_PI_TIMES_*), 24 u64[4] the times in
 *            that order, on the clock of the device. It may stand in the file of any thread. n 2, the device's clock was
 *            read: 8 u64 handle of the device, 24 u64[4] what its clock showed, the host's time in the runtime's answer,
 *            ns since time 0 before the question and after the answer.
 *   block    A pointer to an address (of mapped memory) has two: the address, and what is there.
 *            0 u8 parameter, 1 u8 kind (below), 2 u16 0, 4 u32 bytes that follow, 8 u64 bytes there were (larger when
 *            cut), then the bytes, padded
 *
 * Records and blocks of an unknown kind are to be skipped.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TT_PI_NATIVE_SUFFIX ".ttpi"
#define TT_PI_NATIVE_MAGIC "TTPICALL"
#define TT_PI_NATIVE_VERSION 1
#define TT_PI_NATIVE_HEADER 64
#define TT_PI_NATIVE_MAX_ARGS 256 /* bytes of packed arguments */
#define TT_PI_NATIVE_MAX_NAME 255
/* Room for blocks in one record; what would not fit is cut, or stands in a file. */
#define TT_PI_NATIVE_MAX_BLOCKS (512 * 1024)
#define TT_PI_NATIVE_MAX_RECORD (TT_PI_NATIVE_MAX_BLOCKS + 4096)
#define TT_PI_NATIVE_MAX_DEPTH 8 /* calls within calls */

enum
{
  TT_PI_NATIVE_NAME = 1,
  TT_PI_NATIVE_BEGIN,
  TT_PI_NATIVE_END,
  TT_PI_NATIVE_LOST,
  TT_PI_NATIVE_TIMES,
  TT_PI_NATIVE_LAST = TT_PI_NATIVE_TIMES,
};

enum
{
  TT_PI_TIMES_OF_COMMAND,
  TT_PI_TIMES_OF_QUEUE,
  TT_PI_TIMES_OF_CLOCK,
};

/* Why there are no times; results of UR are positive. */
enum
{
  TT_PI_TIMES_NOT_ENDED = -1, /* when the recorder could not keep its event any longer */
  TT_PI_TIMES_NO_QUEUE = -2,  /* its queue takes no times */
};

typedef struct
{
  uint16_t of;       /* TT_PI_TIMES_OF_* */
  uint64_t instance; /* of a clock: handle of the device */
  uint32_t which;    /* bits, as in the record */
  int32_t result;
  uint64_t times[4]; /* queued, submitted, start, end; of a clock as in the record */
} TtPiNativeTimes;

enum
{
  TT_PI_BLOCK_BYTES = 1, /* as they were in memory */
  TT_PI_BLOCK_TEXT,      /* without the NUL */
  TT_PI_BLOCK_FILE,      /* a name in buffers/: that file is a u64 length and the bytes; `bytes there were` is theirs */
  TT_PI_BLOCK_TEXTS,     /* several texts, each ended by NUL */
  TT_PI_BLOCK_IMAGES,    /* u32 each: the numbers of device images, <i>.desc; UINT32_MAX: could not be kept */
  TT_PI_BLOCK_POINTEE,   /* u64 an address that stands in a structure, then the bytes that were there */
  TT_PI_BLOCK_LATE, /* memory that an earlier call asked for, seen when it was there, with a call that waits for it:
                          * u64 that call's instance, u64 its parameter, then the bytes; the block's own is 255 */
  TT_PI_BLOCK_LATE_FILE,   /* the same, and then a name in buffers/ */
  TT_PI_BLOCK_BINARY,      /* u64 the number of a binary in an array of pointers, from 0, then its bytes */
  TT_PI_BLOCK_BINARY_FILE, /* the same, and then a name in buffers/ */
};

#define TT_PI_NATIVE_PAD(n) (((n) + 7u) & ~(size_t) 7u)

/* -- reading --------------------------------------------------------------------------------------- */

typedef struct
{
  uint32_t pid, tid;
  uint64_t zero_monotonic_ns, zero_wall_ns;
  char task[17];
} TtPiNativeHeader;

typedef struct
{
  uint32_t index, id;
  uint8_t api, n_params;
  const uint8_t *sizes;
  uint8_t major, minor; /* of UR; 0: not known */
  uint16_t release;
  const char *name; /* not ended by NUL */
  uint16_t name_len;
} TtPiNativeName;

typedef struct
{
  uint8_t param, kind;
  uint32_t len;
  uint64_t size;
  const uint8_t *bytes;
} TtPiNativeBlock;

/* A record: the members of its kind are set. */
typedef struct
{
  uint16_t kind;
  TtPiNativeName name;
  uint32_t function;          /* BEGIN */
  int16_t backend;            /* BEGIN */
  uint16_t args_size;         /* BEGIN */
  const uint8_t *args;        /* BEGIN */
  int32_t result;             /* END */
  uint64_t instance, time_ns; /* BEGIN, END */
  uint64_t lost;              /* LOST */
  TtPiNativeTimes times;      /* TIMES */
  uint16_t n_blocks;          /* BEGIN, END */
  const uint8_t *blocks;      /* take them with tt_pi_native_block() */
  size_t blocks_len;
} TtPiNativeRecord;

/* NULL: fine; else what is wrong with the header, for people. */
const char *tt_pi_native_header (const uint8_t *bytes, size_t len, TtPiNativeHeader *header);
/* Of the record at @bytes (@len: what is left of the file): its size; 0: no more records. */
uint32_t tt_pi_native_record_size (const uint8_t *bytes, size_t len);
/* NULL: fine; else what is wrong with the record. @len: its size, which is all there. */
const char *tt_pi_native_record (const uint8_t *bytes, size_t len, TtPiNativeRecord *record);
/* Whether the END of a BEGIN may still come after @record, one of the records after it, by how deep calls nest. *@open:
 * 0 before the first. */
bool tt_pi_native_may_end (const TtPiNativeRecord *record, unsigned *open);
/* The next block of @record. false: none is left; tt_pi_native_record() has checked them all. */
bool tt_pi_native_block (TtPiNativeRecord *record, TtPiNativeBlock *block);
/* Of a block of kind LATE or LATE_FILE: the contents as one of kind BYTES or FILE, and who asked for them. false: it is
 * none. */
bool tt_pi_native_late (const TtPiNativeBlock *block, uint64_t *instance, uint64_t *param, TtPiNativeBlock *contents);
/* Whether whole records come after a place where the size of one is 0: a file's unused room is zeros, and what a
 * process left that died as it wrote. @bytes: from that place on. */
bool tt_pi_native_goes_on (const uint8_t *bytes, size_t len);
/* Where the records of a whole file end, in bytes: the rest is space that was never used. */
size_t tt_pi_native_end (const uint8_t *bytes, size_t len);

/* -- writing --------------------------------------------------------------------------------------- */

/* A file that grows by mapped windows, so that what is written is the kernel's at once and survives the process.
 * Nothing is allocated; no descriptor is kept between windows, for programs that close them all. */
typedef struct
{
  const char *path; /* of the caller */
  uint8_t *window;
  size_t window_size, used;
  size_t room;     /* of the window, that the limit of file sizes allows */
  uint64_t offset; /* of the window in the file */
  int error;       /* errno of what went wrong; nothing more is written then */
} TtPiNativeWriter;

/* Bytes that a file of this process may have: SIGXFSZ ends a program that writes more. UINT64_MAX: any number. */
uint64_t tt_pi_native_file_limit (void);
/* Makes the file, which must not be there (EEXIST in `error`), and writes the header. */
bool tt_pi_native_open (TtPiNativeWriter *self, const char *path, const TtPiNativeHeader *header);
/* Zeroed room for a record of at most @size bytes; NULL: see `error`. */
uint8_t *tt_pi_native_reserve (TtPiNativeWriter *self, size_t size);
/* The record in the reserved room is whole: @size bytes with its head, which is written here. */
void tt_pi_native_commit (TtPiNativeWriter *self, uint16_t kind, uint16_t n, size_t size);
/* A whole NAME record. */
void tt_pi_native_write_name (TtPiNativeWriter *self, const TtPiNativeName *name);
void tt_pi_native_write_lost (TtPiNativeWriter *self, uint64_t lost);
void tt_pi_native_write_times (TtPiNativeWriter *self, const TtPiNativeTimes *times);
/* @cut: to the end of what is written. Without it the file keeps its unused room. */
void tt_pi_native_close (TtPiNativeWriter *self, bool cut);

static inline void
tt_pi_put16 (uint8_t *at, uint16_t value)
{
  at[0] = (uint8_t) value;
  at[1] = (uint8_t) (value >> 8);
}

static inline void
tt_pi_put32 (uint8_t *at, uint32_t value)
{
  for (unsigned i = 0; i < 4; i++)
    at[i] = (uint8_t) (value >> (8 * i));
}

static inline void
tt_pi_put64 (uint8_t *at, uint64_t value)
{
  for (unsigned i = 0; i < 8; i++)
    at[i] = (uint8_t) (value >> (8 * i));
}

/* @size bytes, 1 to 8, little-endian. */
static inline uint64_t
tt_pi_get (const uint8_t *at, unsigned size)
{
  uint64_t value = 0;

  for (unsigned i = 0; i < size; i++)
    value |= (uint64_t) at[i] << (8 * i);
  return value;
}
