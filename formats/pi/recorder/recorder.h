/*
 * Inside of the recorder, libtracetool-pi-record.so: a subscriber of the XPTI framework (pi.md 14) that runs inside
 * foreign programs. Plain C11, without GLib.
 *
 * It obeys DPCPP_TRACE_DATA_PATH (the directory, made before), DPCPP_TRACE_SKIP_MEM_OBJECTS=1 and
 * TRACETOOL_PI_FORMAT (native, g3, doc). The first process that makes a call owns the directory, by making "buffers"
 * in it; any other, a forked child among them, gets "process-PID" there, a recording of its own.
 *
 * A thread writes its own file and shares nothing on the way of a call. Memory is allocated for a thread's first call
 * and for the first call of a function, not after. A signal handler that makes calls while it interrupts the recorder
 * in the same thread is not recorded but counted. Threads that still run when the process exits keep their files: what
 * they have written counts, what they write after is in the file too.
 */
#pragma once

#include "formats/pi/native.h"
#include "formats/pi/shape.h"

#include <pthread.h>
#include <signal.h>
#include <sys/types.h>

typedef enum
{
  TT_RECORD_NATIVE,
  TT_RECORD_G3,
  TT_RECORD_DOC,
} TtRecordFormat;

/* What the framework hands over of a call; its layout is that of the framework. */
typedef struct
{
  uint32_t function_id;
  const char *function_name;
  void *args_data;
  void *ret_data;
  void *user_data;
} TtRecordPayload;

_Static_assert(offsetof (TtRecordPayload, function_name) == 8, "layout of function_with_args");
_Static_assert(offsetof (TtRecordPayload, args_data) == 16, "layout of function_with_args");
_Static_assert(offsetof (TtRecordPayload, ret_data) == 24, "layout of function_with_args");
_Static_assert(offsetof (TtRecordPayload, user_data) == 32 && sizeof (TtRecordPayload) == 40,
               "layout of function_with_args");

/* One function of the runtime, as it names it. Made at its first call, kept for ever. */
typedef struct
{
  char name[TT_PI_NATIVE_MAX_NAME + 1];
  const char *runtime_name; /* the runtime's own, compared first */
  uint32_t id, index;
  TtPiApi api;
  const TtPiFunction *function; /* NULL: unknown */
  TtPiShapes shapes;
  bool is_select;   /* piextDeviceSelectBinary */
  bool is_doubtful; /* runtimes disagree about the parameters: what is taken for a pointer may be none */
} TtRecordFunction;

/* A call that has begun. */
typedef struct
{
  const TtRecordFunction *function;
  uint64_t instance, start_ns;
  void *plugin;
  int backend;
  uint16_t args_size;
  uint8_t args[TT_PI_NATIVE_MAX_ARGS];
} TtRecordCall;

#define TT_RECORD_MAX_FUNCTIONS 1024

typedef struct TtRecordThread TtRecordThread;
struct TtRecordThread
{
  TtPiNativeWriter writer; /* native */
  int fd;                  /* the others; -1: none */
  uint64_t device, inode;  /* of the file of `fd`: the program may have closed it, and opened another there */
  char *path;
  char name[TT_PI_NATIVE_MAX_NAME + 1];
  volatile sig_atomic_t busy;
  uint64_t lost, lost_written;
  unsigned depth;
  TtRecordCall calls[TT_PI_NATIVE_MAX_DEPTH];
  uint8_t named[TT_RECORD_MAX_FUNCTIONS / 8]; /* bits: functions whose NAME is in the file */
  uint8_t *scratch;                           /* a record of the other formats */
  size_t scratch_size;
};

typedef struct
{
  bool is_on;
  TtRecordFormat format;
  bool skip_memory;
  uint64_t zero_monotonic_ns, zero_wall_ns;
  char base[4096]; /* of this process; empty until its first call */
} TtRecorder;

extern TtRecorder tt_recorder;

uint64_t tt_record_now (void); /* ns since time 0 */
/* Once a process, on stderr. */
void tt_record_complain (const char *what, const char *path, int error);
/* Opens a file of the recording, below the directory of this process; -1 with errno. */
int tt_record_open (const char *name, int flags);
/* The state of the calling thread, made when need be; NULL: nothing is recorded. */
TtRecordThread *tt_record_thread (void);
void tt_record_thread_end (TtRecordThread *self);
/* The descriptor of the other formats, opened again where the program has closed it; -1 with errno. */
int tt_record_thread_fd (TtRecordThread *self);
/* A function of the dispatcher; NULL: it has none of that name. */
void *tt_record_framework (const char *name);
/* The directory of this process; claims it at the first call. false: there is none. */
bool tt_record_claim (void);
/* In the child: the parent's files and whoever held a lock are forgotten. */
void tt_record_after_fork (void);
/* Notices children of which pthread_atfork() is not told: _Fork(), clone(). */
void tt_record_watch_forks (void);
void tt_record_call_after_fork (void);
void tt_record_memory_after_fork (void);
void tt_record_plugin_after_fork (void);
void tt_record_images_after_fork (void);
void tt_record_graph_after_fork (void);

const TtRecordFunction *tt_record_function (TtPiApi api, uint32_t id, const char *name);

void tt_record_begin (TtPiApi api, uint64_t instance, const TtRecordPayload *payload);
void tt_record_end (TtPiApi api, uint64_t instance, const TtRecordPayload *payload);

/* The formats. */
void tt_record_native_begin (TtRecordThread *thread, TtRecordCall *call);
void tt_record_native_end (TtRecordThread *thread, const TtRecordCall *call, int32_t result, uint64_t end_ns);
void tt_record_old_end (TtRecordThread *thread, const TtRecordCall *call, int32_t result, uint64_t end_ns);

/* What is behind parameter @param of @call, of the shapes TEXT, ITEMS, LIST and MAPPED: false: nothing. */
bool tt_record_extent (const TtRecordCall *call, unsigned param, const uint8_t **bytes, uint64_t *size);
/* Whether parameter @param is memory to be kept; waits for the command that fills it, @waited says so. */
bool tt_record_wants_memory (const TtRecordCall *call, unsigned param, bool *waited);
/* Copies memory that may not be the host's to read; false: it is not. */
bool tt_record_copy (void *to, const void *from, size_t len);
/* Copies what a parameter of @call points to; false: it points nowhere. */
bool tt_record_read (const TtRecordCall *call, void *to, const void *from, size_t len);
/* Copies the values of all parameters from where @pointers say they are; false: they are not there. */
bool tt_record_gather (const TtRecordFunction *function, uint8_t *to, const void *pointers);
/* Notes allocations and frees, so that memory of devices is not read. */
void tt_record_usm (const TtRecordCall *call, int32_t result);
bool tt_record_is_device_memory (const void *address);
/* Writes buffers/<thread>_<instance>[_<param>].mem; false: could not. */
bool tt_record_memory_file (TtRecordThread *thread,
                            const TtRecordCall *call,
                            int param,
                            const void *bytes,
                            uint64_t size,
                            char *name,
                            size_t name_size);

/* Backend of a plugin, noted in the file "plugins" when it is first seen; -1: unknown. */
int tt_record_backend (void *plugin);
/* Waits for @event through the plugin's own table; false: the table is not understood. */
bool tt_record_wait (const TtRecordCall *call, void *event);

/* Device images: writes those not seen yet; gives the numbers of all. */
void tt_record_images (void *const *images, uint32_t n, uint32_t *numbers);

/* The task graph of stream `sycl`: nodes and edges are written as they come, times when the program ends. */
void tt_record_graph (uint16_t type, const void *event);
void tt_record_graph_finish (void);

/* A growing text of bytes, for what is not on the way of every call. */
typedef struct
{
  uint8_t *bytes;
  size_t len, size;
  bool failed;
} TtRecordBytes;

void tt_record_put (TtRecordBytes *self, const void *bytes, size_t len);
void tt_record_put_varint (TtRecordBytes *self, uint64_t value);
/* Protobuf members; a default value is left out unless @always. */
void tt_record_put_number (TtRecordBytes *self, unsigned field, uint64_t value, bool always);
void tt_record_put_bytes (TtRecordBytes *self, unsigned field, const void *bytes, size_t len, bool always);
bool tt_record_write_all (int fd, const void *bytes, size_t len);
