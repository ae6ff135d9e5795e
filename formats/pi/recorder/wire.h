/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRecordBytes: bytes that grow, with members of protobuf messages; for what is not in the path of every call.
 *
 * A zeroed one is empty. When memory runs out, `failed` is set and further bytes are dropped; the owner frees `bytes`.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
