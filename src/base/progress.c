/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/progress.h"

#include "src/base/error.h"
#include "src/base/screen.h"
#include "src/base/units.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BAR_CELLS 24
#define FIRST_DRAW_US G_USEC_PER_SEC
#define REDRAW_US (G_USEC_PER_SEC / 10)
#define SAME_SIGNAL_MS 300

struct _TtProgress
{
  char *label, *unit;
  guint64 total, done;
  gint64 start_us, next_draw_us;
  gboolean is_drawn;
};

/* A terminal has room for one at a time: of the thread that drew first. */
static gint is_bar_drawn;

static volatile sig_atomic_t cancel_requested;
static struct timespec cancel_time;

/* Wrappers such as timeout(1) send one to the process and one to its group: that is still the first. */
static void
on_signal (int signal_number)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  if (!cancel_requested)
    {
      cancel_time = now;
      cancel_requested = 1;
    }
  else if (now.tv_sec - cancel_time.tv_sec > 1 ||
           (now.tv_sec - cancel_time.tv_sec) * 1000 + (now.tv_nsec - cancel_time.tv_nsec) / 1000000 >= SAME_SIGNAL_MS)
    {
      signal (signal_number, SIG_DFL);
      raise (signal_number);
    }
}

void
tt_cancel_install (void)
{
  struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART }, before;

  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
  /* Under nohup it stays ignored. */
  if (sigaction (SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
    sigaction (SIGHUP, &action, NULL);
}

gboolean
tt_cancelled (GError **error)
{
  if (!cancel_requested)
    return FALSE;
  g_set_error_literal (error, TT_ERROR, TT_ERROR_CANCELLED, "cancelled; nothing was changed");
  return TRUE;
}

TtProgress *
tt_progress_new (const char *label, guint64 total, const char *unit)
{
  TtProgress *self = g_new0 (TtProgress, 1);

  self->label = g_strdup (label);
  self->unit = g_strdup (unit);
  self->total = total;
  self->start_us = g_get_monotonic_time ();
  /* A pipe or file gets no bar, whatever the time. */
  self->next_draw_us = tt_screen_is (STDERR_FILENO) ? self->start_us + FIRST_DRAW_US : G_MAXINT64;
  return self;
}

static void
amount_text (const TtProgress *self, char text[TT_TIME_TEXT + 16], guint64 amount)
{
  char number[TT_TIME_TEXT];

  if (strcmp (self->unit, "B") == 0)
    g_strlcpy (text, tt_bytes_auto (number, amount), TT_TIME_TEXT + 16);
  else
    g_snprintf (text, TT_TIME_TEXT + 16, "%s %s", tt_count_text (number, amount), self->unit);
}

static void
draw (TtProgress *self, gint64 now_us)
{
  if (!self->is_drawn && !g_atomic_int_compare_and_exchange (&is_bar_drawn, FALSE, TRUE))
    return;
  self->is_drawn = TRUE;
  double seconds = (double) (now_us - self->start_us) / G_USEC_PER_SEC;
  double rate = seconds > 0 ? (double) self->done / seconds : 0;
  char done[TT_TIME_TEXT + 16], per_second[TT_TIME_TEXT + 16];

  amount_text (self, done, self->done);
  amount_text (self, per_second, (guint64) rate);
  if (self->total > 0)
    {
      double part = MIN ((double) self->done / (double) self->total, 1.0);
      char bar[BAR_CELLS + 1];

      for (int i = 0; i < BAR_CELLS; i++)
        bar[i] = i < (int) (part * BAR_CELLS) ? '#' : '.';
      bar[BAR_CELLS] = '\0';
      double left = rate > 0 ? (double) (self->total - MIN (self->done, self->total)) / rate : 0;
      fprintf (stderr, "\r\033[K%s [%s] %3.0f %%  %s  %s/s  %.0f s left", self->label, bar, part * 100, done,
               per_second, left);
    }
  else
    fprintf (stderr, "\r\033[K%s  %s  %s/s", self->label, done, per_second);
  fflush (stderr);
}

void
tt_progress_add (TtProgress *self, guint64 done)
{
  self->done += done;
  if (self->next_draw_us == G_MAXINT64)
    return;

  gint64 now_us = g_get_monotonic_time ();
  if (now_us >= self->next_draw_us)
    {
      draw (self, now_us);
      self->next_draw_us = now_us + REDRAW_US;
    }
}

void
tt_progress_free (TtProgress *self)
{
  if (self == NULL)
    return;
  if (self->is_drawn)
    {
      fputs ("\r\033[K", stderr);
      fflush (stderr);
      g_atomic_int_set (&is_bar_drawn, FALSE);
    }
  g_free (self->label);
  g_free (self->unit);
  g_free (self);
}
