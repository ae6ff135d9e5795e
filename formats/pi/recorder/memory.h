/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the program's memory for the recorder: arguments, what they point to, and contents of memory objects, which go
 * to files below buffers/. Addresses that a runtime may not mean as such, and memory of devices, are not trusted: the
 * kernel copies them.
 */
#pragma once

#include "formats/pi/recorder/safe-copy.h"
#include "formats/pi/recorder/thread.h"
#include "formats/pi/rows.h"

/* Pointee of parameter @param of @call, of the shapes TEXT, ITEMS, LIST, MAPPED and ANSWER; false: nothing. */
bool tt_record_extent (const TtRecordCall *call, unsigned param, const uint8_t **bytes, uint64_t *size);
/* Whether parameter @param is memory to record; waits for the command that fills it, and then sets *@waited. */
bool tt_record_wants_memory (const TtRecordCall *call, unsigned param, bool *waited);
/* Length of a text that may be unreadable; false: it is. */
bool tt_record_text_size (const uint8_t *text, uint64_t *size);
/* Value of the parameter @name of @call; 0: it has none. */
uint64_t tt_record_argument (const TtRecordCall *call, const char *name);
/* Copies the values of all parameters from where @pointers point; false: they are not readable. */
bool tt_record_gather (const TtRecordFunction *function, uint8_t *to, const void *pointers);
/* @call for those who ask how much memory it means. */
TtPiGiven tt_record_given (const TtRecordCall *call);
/* Remembers the format of an image that the call has made. */
void tt_record_image_made (const TtRecordCall *call, int32_t result);
/* Keeps the list of device memory after an allocation or a free, so that it is not read. */
void tt_record_usm (const TtRecordCall *call, int32_t result);

/* Whether @address is in memory that a call has allocated on a device. */
bool tt_record_is_device_memory (const void *address);

#define TT_RECORD_FILE_NAME (TT_PI_NATIVE_MAX_NAME + 64)

/* Contents that go to buffers/<thread>_<instance>[_<param>].mem. */
typedef struct
{
  int param; /* -1: the name has none */
  const void *bytes;
  uint64_t size;
} TtRecordContents;

/* Writes @contents and the file's name to @name, of TT_RECORD_FILE_NAME bytes; false: it was not possible. */
bool tt_record_memory_file (const TtRecordThread *thread,
                            const TtRecordCall *call,
                            const TtRecordContents *contents,
                            char *name);

void tt_record_memory_after_fork (void);
