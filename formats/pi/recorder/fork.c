/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "formats/pi/recorder/fork.h"

#include "formats/pi/recorder/function.h"
#include "formats/pi/recorder/graph.h"
#include "formats/pi/recorder/images.h"
#include "formats/pi/recorder/late.h"
#include "formats/pi/recorder/memory.h"
#include "formats/pi/recorder/plugin.h"
#include "formats/pi/recorder/profile.h"
#include "formats/pi/recorder/session.h"
#include "formats/pi/recorder/thread.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

/* What each part forgets in a child: the parent's files, and locks that a thread of the parent may hold. */
static void (*const hooks[]) (void) = {
  tt_record_thread_after_fork, tt_record_session_after_fork, tt_record_function_after_fork,
  tt_record_memory_after_fork, tt_record_plugin_after_fork,  tt_record_images_after_fork,
  tt_record_graph_after_fork,  tt_record_late_after_fork,    tt_record_profile_after_fork,
};

static uint32_t unwatched = 1;
uint32_t *tt_record_fork_mark = &unwatched;

void
tt_record_after_fork (void)
{
  *tt_record_fork_mark = 1;
  for (size_t i = 0; i < sizeof hooks / sizeof hooks[0]; i++)
    hooks[i]();
}

static void
map_fork_mark (void)
{
#ifdef MADV_WIPEONFORK
  size_t size = (size_t) sysconf (_SC_PAGESIZE);
  void *page = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (page == MAP_FAILED)
    return;
  if (madvise (page, size, MADV_WIPEONFORK) != 0)
    {
      munmap (page, size);
      return;
    }
  tt_record_fork_mark = page;
  *tt_record_fork_mark = 1;
#endif
}

void
tt_record_watch_forks (void)
{
  map_fork_mark ();
  pthread_atfork (NULL, NULL, tt_record_after_fork);
}
