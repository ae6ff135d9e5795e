/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/fuzz/sqlite-memory.h"

#include <glib.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "src/base/sanitizers.h"
#include "tests/fuzz/unseen.h"

#if TT_HAS_FEATURE(address_sanitizer)
#include <sanitizer/asan_interface.h>
#define UNCHECKED __attribute__ ((no_sanitize ("address")))
#define IS_CHECKED 1
#else
#define UNCHECKED
#define IS_CHECKED 0
#endif

#define GRAIN ((gsize) 8) /* bytes that have one of the shadow */
#define POISONED 0xf7     /* by the program, in a report of AddressSanitizer */

/* Before each block, poisoned. */
typedef struct _Head Head;
struct _Head
{
  guint32 n;    /* bytes that were asked for */
  guint32 bits; /* of the size of the block */
  Head *next;   /* while it is free */
};

#define SLAB_BYTES ((gsize) 1 << 20)
#define MIN_BITS 5u
#define MAX_BITS 18u /* what a connection keeps for small blocks has 17 */

/* In the order in which they were freed: what has just been freed is used again last where that is a fault to be found,
 * else first. */
static struct
{
  Head *first, *last;
} unused[MAX_BITS + 1];
static guint8 *slab;
static gsize slab_left;

typedef guint64 __attribute__ ((aligned (1), may_alias)) EightBytes;

FUZZ_UNSEEN_BEGIN

/* @n bytes at @at, a multiple of GRAIN, may be used, or not. What AddressSanitizer's own functions do, but they look at
 * what lies around as well. */
static UNCHECKED void
set_shadow (gconstpointer at, gsize n, gboolean is_usable)
{
#if IS_CHECKED
  static gsize scale, offset;
  gsize whole = is_usable ? n / GRAIN : (n + GRAIN - 1) / GRAIN, i = 0;
  guint8 value = is_usable ? 0 : POISONED;

  if (offset == 0)
    __asan_get_shadow_mapping (&scale, &offset);
  /* Volatile, so that it does not become a memset() that AddressSanitizer looks at. */
  volatile guint8 *shadow = (guint8 *) ((GPOINTER_TO_SIZE (at) >> scale) + offset);
  for (; i + 8 <= whole; i += 8)
    *(volatile EightBytes *) (shadow + i) = value * G_GUINT64_CONSTANT (0x0101010101010101);
  for (; i < whole; i++)
    shadow[i] = value;
  if (is_usable && n % GRAIN != 0)
    shadow[whole] = (guint8) (n % GRAIN);
#endif
}

static UNCHECKED guint
class_of (gsize n)
{
  return n <= (gsize) 1 << MIN_BITS ? MIN_BITS : g_bit_storage (n - 1);
}

static UNCHECKED Head *
take_new (guint bits)
{
  gsize n = sizeof (Head) + ((gsize) 1 << bits);

  if (slab_left < n)
    {
      /* Not of the heap: only a use is a fault, not what is kept. */
      slab = mmap (NULL, SLAB_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (slab == MAP_FAILED)
        abort ();
      slab_left = SLAB_BYTES;
      set_shadow (slab, SLAB_BYTES, FALSE);
    }
  Head *head = (Head *) (gpointer) slab;
  slab += n;
  slab_left -= n;
  head->bits = bits;
  return head;
}

static UNCHECKED Head *
take_large (gsize n)
{
  Head *head = g_try_malloc (sizeof *head + n);

  if (head == NULL)
    return NULL;
  head->bits = MAX_BITS + 1;
  set_shadow (head, sizeof *head, FALSE);
  return head;
}

static UNCHECKED Head *
take_unused (guint bits)
{
  Head *head = unused[bits].first;

  if (head == NULL || head == unused[bits].last)
    return NULL;
  unused[bits].first = head->next;
  return head;
}

static UNCHECKED void *
allocate (int n)
{
  guint bits = class_of ((gsize) n);
  Head *head = bits > MAX_BITS ? take_large ((gsize) n) : take_unused (bits);

  if (head == NULL && bits <= MAX_BITS)
    head = take_new (bits);
  if (head == NULL)
    return NULL;
  head->n = (guint32) n;
  if (bits <= MAX_BITS)
    set_shadow (head + 1, (gsize) n, TRUE);
  return head + 1;
}

static UNCHECKED void
release (void *block)
{
  Head *head = (Head *) block - 1;
  guint bits = head->bits;

  if (bits > MAX_BITS)
    {
      set_shadow (head, sizeof *head, TRUE);
      g_free (head);
      return;
    }
  set_shadow (block, head->n, FALSE);
  if (!IS_CHECKED && unused[bits].first != NULL)
    {
      head->next = unused[bits].first;
      unused[bits].first = head;
      return;
    }
  head->next = NULL;
  if (unused[bits].first == NULL)
    unused[bits].first = head;
  else
    unused[bits].last->next = head;
  unused[bits].last = head;
}

static UNCHECKED int
size_of (void *block)
{
  return block == NULL ? 0 : (int) ((Head *) block - 1)->n;
}

static void *
reallocate (void *block, int n)
{
  void *other = allocate (n);

  if (other == NULL)
    return NULL;
  memcpy (other, block, (gsize) MIN (n, size_of (block)));
  release (block);
  return other;
}

static int
round_up (int n)
{
  return (n + 7) & ~7;
}

static int
start (void *data)
{
  return SQLITE_OK;
}

static void
stop (void *data)
{
}

void
fuzz_sqlite_memory_use (void)
{
  static const sqlite3_mem_methods methods = {
    .xMalloc = allocate,
    .xFree = release,
    .xRealloc = reallocate,
    .xSize = size_of,
    .xRoundup = round_up,
    .xInit = start,
    .xShutdown = stop,
  };
  int status = sqlite3_config (SQLITE_CONFIG_MALLOC, &methods);

  g_assert (status == SQLITE_OK);
  sqlite3_config (SQLITE_CONFIG_MEMSTATUS, 0);
}

FUZZ_UNSEEN_END
