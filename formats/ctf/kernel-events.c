/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/kernel-events.h"

static const struct
{
  const char *event, *number; /* number: the member that says which interrupt */
  TtCtfKernelKind kind;
  gboolean is_begin;
} events[] = {
  { "irq_handler_entry", "irq", TT_CTF_INTERRUPT, TRUE },
  { "irq_handler_exit", "irq", TT_CTF_INTERRUPT, FALSE },
  { "irq_softirq_entry", "vec", TT_CTF_SOFT_INTERRUPT, TRUE },
  { "irq_softirq_exit", "vec", TT_CTF_SOFT_INTERRUPT, FALSE },
  { "softirq_entry", "vec", TT_CTF_SOFT_INTERRUPT, TRUE },
  { "softirq_exit", "vec", TT_CTF_SOFT_INTERRUPT, FALSE },
  { "block_rq_issue", NULL, TT_CTF_REQUEST_BEGIN, FALSE },
  { "block_rq_complete", NULL, TT_CTF_REQUEST_END, FALSE },
  { "block_rq_requeue", NULL, TT_CTF_REQUEST_BACK, FALSE },
  { "lttng_statedump_block_device", NULL, TT_CTF_BLOCK_DEVICE, FALSE },
};

const char *
tt_ctf_kernel_event (const char *name)
{
  static const char *const subsystems[] = { "sched:", "irq:", "block:" };

  for (guint i = 0; i < G_N_ELEMENTS (subsystems); i++)
    if (g_str_has_prefix (name, subsystems[i]))
      return name + strlen (subsystems[i]);
  return name;
}

static const TtCtfMember *
payload (const TtCtfClass *klass, const char *name)
{
  return tt_ctf_scope_member (klass, TT_CTF_PAYLOAD, name);
}

static void
bind_request (TtCtfKernelBinding *self, const TtCtfClass *klass)
{
  self->device = payload (klass, "dev");
  self->sector = payload (klass, "sector");
  self->n_sectors = payload (klass, "nr_sector");
  self->flags = payload (klass, "rwbs");
  self->error = payload (klass, "error");
  if (self->error == NULL)
    self->error = payload (klass, "errors");
  self->device_name = payload (klass, "diskname");
  if (self->device == NULL || (self->kind != TT_CTF_BLOCK_DEVICE && self->sector == NULL))
    self->kind = TT_CTF_NOT_OF_DEVICES;
}

void
tt_ctf_kernel_bind (TtCtfKernelBinding *self, const TtCtfClass *klass, gboolean has_cpu)
{
  const char *name = tt_ctf_kernel_event (klass->name);

  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    {
      if (strcmp (name, events[i].event) != 0)
        continue;
      self->kind = events[i].kind;
      self->is_begin = events[i].is_begin;
      if (events[i].number == NULL)
        {
          bind_request (self, klass);
          return;
        }
      self->number = payload (klass, events[i].number);
      self->name = payload (klass, "name");
      if (self->number == NULL || !has_cpu)
        self->kind = TT_CTF_NOT_OF_DEVICES;
      return;
    }
}
