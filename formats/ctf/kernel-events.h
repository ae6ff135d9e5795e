/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of a kernel trace that are about processors and devices rather than threads, bound to what they mean (of
 * LTTng-modules: irq.h, block.h, lttng-statedump.h; of perf: Linux, include/trace/events).
 */
#pragma once

#include "formats/ctf/event.h"

typedef enum
{
  TT_CTF_NOT_OF_DEVICES,
  TT_CTF_INTERRUPT,      /* of a device */
  TT_CTF_SOFT_INTERRUPT, /* what is put off until one is over */
  TT_CTF_REQUEST_BEGIN,  /* a block device is asked */
  TT_CTF_REQUEST_END,    /* and has done all of it, or a part */
  TT_CTF_REQUEST_BACK,   /* it is to be asked again */
  TT_CTF_BLOCK_DEVICE,   /* how it is called */
} TtCtfKernelKind;

typedef struct
{
  TtCtfKernelKind kind;
  gboolean is_begin;                /* of an interrupt */
  const TtCtfMember *number, *name; /* of an interrupt */
  const TtCtfMember *device, *sector, *n_sectors, *flags, *error, *device_name;
} TtCtfKernelBinding;

/* What LTTng calls an event of the kernel's that perf calls "sched:sched_switch" (`perf data convert --to-ctf`): without its subsystem. */
const char *tt_ctf_kernel_event (const char *name);

/* @has_cpu: the events tell their processor, without which interrupts have no place. */
void tt_ctf_kernel_bind (TtCtfKernelBinding *self, const TtCtfClass *klass, gboolean has_cpu);
