/* SPDX-License-Identifier: Apache-2.0 */
/*
 * KinetoNames: standard names of a PyTorch trace, as far as they depend on the spans that contain a span.
 *
 * The name rules say what is Comm, RT, MEM, SYNC, I/O or UPDATE_ by itself. What they leave open (operators,
 * annotations, Python functions on the host) is FW, BW, UPDATE_ or I/O by what autograd says of it or of the
 * innermost span that contains it, else COMP.
 */
#pragma once

#include "formats/kineto/kineto.h"

/* What a span means for the spans inside it. */
typedef enum
{
  KINETO_IN_NOTHING,
  KINETO_IN_FORWARD,
  KINETO_IN_BACKWARD,
  KINETO_IN_UPDATE,
  KINETO_IN_LOADING, /* I/O */
  KINETO_IN_RESET,   /* Optimizer.zero_grad: sequence numbers there mean nothing */
  KINETO_N_CONTEXTS,
} KinetoContext;

/* What a name says by itself, a bit set. */
typedef enum
{
  KINETO_NAME_IS_OPEN = 1 << 0, /* no rule names it */
  KINETO_NAME_IS_UPDATE = 1 << 1,
  KINETO_NAME_IS_LOADING = 1 << 2,
  KINETO_NAME_IS_COMM = 1 << 3,
  KINETO_NAME_IS_LAUNCH = 1 << 4,
  KINETO_NAME_IS_ENGINE = 1 << 5,
  KINETO_NAME_IS_RESET = 1 << 6,
  KINETO_NAME_IS_STEP = 1 << 7,
  KINETO_NAME_IS_OPTIMIZER = 1 << 8,
  KINETO_NAME_IS_PARAMS = 1 << 9,  /* record_param_comms */
  KINETO_NAME_IS_MARK = 1 << 10,   /* its role is that of a mark */
  KINETO_NAME_IS_CHOSEN = 1 << 11, /* TtImportOptions.is_step takes it */
  KINETO_NAME_IS_JOINT = 1 << 12,  /* a collective, which ranks call together */
  KINETO_NAME_HAS_MARK = KINETO_NAME_IS_MARK | KINETO_NAME_IS_JOINT,
  KINETO_NAME_IS_ANNOTATION = KINETO_NAME_IS_RESET | KINETO_NAME_IS_STEP | KINETO_NAME_IS_OPTIMIZER,
} KinetoTraits;

typedef struct _KinetoNames KinetoNames;

/* @options: borrowed. */
KinetoNames *tt_kineto_names_new (TtSink *sink, const TtImportOptions *options);
void tt_kineto_names_free (KinetoNames *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KinetoNames, tt_kineto_names_free)

/* The name of a Python function, "torch/nn/modules/module.py(1501): _call_impl", with its file and line. */
guint32 tt_kineto_python_name (TtTraceEventImport *import, const TtTraceEvent *event);
guint32 tt_kineto_names_traits (KinetoNames *self, guint32 name);
/* What spans of the name do with a device; see roles.h. */
TtActivityRole tt_kineto_names_role (KinetoNames *self, guint32 name, gboolean *blocks);
/* @name, which is open, inside @context. */
guint32 tt_kineto_names_within (KinetoNames *self, guint32 name, KinetoContext context);
/* @name with a sub_op from the arguments of an event. @sub_op: stays where it is; NULL: that of the rules. */
guint32 tt_kineto_names_refine (KinetoNames *self,
                                guint32 name,
                                const char *sub_op,
                                gboolean is_collective,
                                guint64 communicator);
/* N of the name "ProfilerStep#N", or TT_NO_STEP. */
gint32 tt_kineto_names_step (KinetoNames *self, guint32 name);

/* What a host span of @kind inside a span of @parent is, and means for the spans inside it. @begins_link, @ends_link: a
 * forward-backward flow begins or ends at it.
 * *is_renamed: its open
 * name is that within the returned context. */
KinetoContext tt_kineto_context (KinetoKind kind,
                                 KinetoAutograd autograd,
                                 guint32 traits,
                                 KinetoContext parent,
                                 gboolean begins_link,
                                 gboolean ends_link,
                                 gboolean *is_renamed);
