/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that records an event with every type of field that LTTng-UST has, with values from end to end of each.
 *
 *   gcc -O1 -I. -DLTTNG_UST_TRACEPOINT_CREATE_PROBES -DLTTNG_UST_TRACEPOINT_DEFINE -o fields fields.c -llttng-ust -ldl
 *   lttng create fields --output=DIR
 *   lttng enable-channel -u all --subbuf-size=4096 --num-subbuf=8 --buffers-uid
 *   lttng enable-event -u -c all 'fields:*'
 *   lttng add-context -u -c all -t vpid -t vtid -t procname -t cpu_id && lttng start
 *   ./fields && lttng destroy
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER fields
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "fields.c"

#if !defined(FIELDS_C) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define FIELDS_C
#include <lttng/tracepoint.h>
#include <stdint.h>

LTTNG_UST_TRACEPOINT_ENUM (fields, sorts,
                           LTTNG_UST_TP_ENUM_VALUES (lttng_ust_field_enum_value ("ZERO", 0)
                                                     lttng_ust_field_enum_range ("FEW", 1, 9)
                                                     lttng_ust_field_enum_value ("MINUS", -3)))

LTTNG_UST_TRACEPOINT_EVENT (
    fields, numbers, LTTNG_UST_TP_ARGS (int64_t, n),
    LTTNG_UST_TP_FIELDS (
        lttng_ust_field_integer (int8_t, i8, (int8_t) n) lttng_ust_field_integer (uint8_t, u8, (uint8_t) n)
        lttng_ust_field_integer (int16_t, i16, (int16_t) n) lttng_ust_field_integer (uint16_t, u16, (uint16_t) n)
        lttng_ust_field_integer (int32_t, i32, (int32_t) n) lttng_ust_field_integer (uint32_t, u32, (uint32_t) n)
        lttng_ust_field_integer (int64_t, i64, n) lttng_ust_field_integer (uint64_t, u64, (uint64_t) n)
        lttng_ust_field_integer_hex (uint32_t, h32, (uint32_t) n)
        lttng_ust_field_integer_hex (int64_t, h64, n)
        lttng_ust_field_integer_network (uint16_t, n16, (uint16_t) n)
        lttng_ust_field_integer_network (uint32_t, n32, (uint32_t) n)
        lttng_ust_field_float (float, f, (float) n / 3)
        lttng_ust_field_float (double, d, (double) n / 7)
        lttng_ust_field_enum (fields, sorts, int, sort, (int) (n % 12))))

LTTNG_UST_TRACEPOINT_EVENT (
    fields, texts, LTTNG_UST_TP_ARGS (const char *, text, uint32_t, n, const int32_t *, of),
    LTTNG_UST_TP_FIELDS (lttng_ust_field_string (text, text)
                         lttng_ust_field_array_text (char, fixed, text, 8)
                         lttng_ust_field_sequence_text (char, part, text, uint16_t, n % 8)
                         lttng_ust_field_array (int32_t, four, of, 4)
                         lttng_ust_field_sequence (int32_t, some, of, uint8_t, n % 5)
                         lttng_ust_field_sequence_hex (uint16_t, words, (const uint16_t *) of, uint32_t, n % 9)
                         lttng_ust_field_array_network (uint16_t, net, (const uint16_t *) of, 2)
                         lttng_ust_field_string (empty, "")))

LTTNG_UST_TRACEPOINT_EVENT (fields, nothing, LTTNG_UST_TP_ARGS (int, n), LTTNG_UST_TP_FIELDS ())
#endif

#include <lttng/tracepoint-event.h>

#ifndef FIELDS_MAIN
#define FIELDS_MAIN
int
main (void)
{
  static const char *const texts[] = { "plain text", "caf\303\251 \"quoted\"\n", "bad \377 bytes", "\tx\\y and more" };
  int32_t of[8] = { 0, -1, 2147483647, -2147483647 - 1, 77, 256, 65536, -70000 };

  for (int64_t i = 0; i < 300; i++)
    {
      int64_t value = i % 3 == 0 ? i - 150 : (int64_t) ((uint64_t) i * 0x9e3779b97f4a7c15u);

      lttng_ust_tracepoint (fields, numbers, value);
      lttng_ust_tracepoint (fields, texts, texts[i % 4], (uint32_t) i, of + i % 4);
      if (i % 16 == 0)
        lttng_ust_tracepoint (fields, nothing, (int) i);
    }
  return 0;
}
#endif
