# SPDX-License-Identifier: Apache-2.0
# CTF.
libtracetool_a_SOURCES += \
	%D%/binding.c %D%/binding.h \
	%D%/bits.c %D%/bits.h \
	%D%/closing.c %D%/closing.h \
	%D%/coverage.c %D%/coverage.h \
	%D%/devices.c %D%/devices.h \
	%D%/event.h \
	%D%/evidence.c %D%/evidence.h \
	%D%/facts.c %D%/facts.h \
	%D%/feed.c %D%/feed.h \
	%D%/fields.c \
	%D%/fingerprint.c %D%/fingerprint.h \
	%D%/format.c \
	%D%/header.c %D%/header.h \
	%D%/import.c %D%/import.h \
	%D%/kinship.c %D%/kinship.h \
	%D%/labels.c %D%/labels.h \
	%D%/layout.c %D%/layout.h \
	%D%/losses.c %D%/losses.h \
	%D%/merge.c %D%/merge.h \
	%D%/messages.c %D%/messages.h \
	%D%/metadata.c %D%/metadata.h \
	%D%/parts.c %D%/parts.h \
	%D%/packet.c %D%/packet.h \
	%D%/plan.c %D%/plan.h \
	%D%/plan-run.c %D%/plan-steps.h \
	%D%/plans.c %D%/plans.h \
	%D%/process.c %D%/process.h \
	%D%/range.c %D%/range.h \
	%D%/reader.c %D%/reader.h \
	%D%/regions.c %D%/regions.h \
	%D%/rules.c %D%/rules.h \
	%D%/schema/blocks.c %D%/schema/blocks.h \
	%D%/schema/compound.c \
	%D%/schema/field-classes.c %D%/schema/field-classes.h \
	%D%/schema/fragments.c %D%/schema/fragments.h \
	%D%/schema/json.c %D%/schema/json.h \
	%D%/schema/label-table.c %D%/schema/label-table.h \
	%D%/schema/lexer.c %D%/schema/lexer.h \
	%D%/schema/locations.c %D%/schema/locations.h \
	%D%/schema/number-classes.c %D%/schema/number-classes.h \
	%D%/schema/numbers.c \
	%D%/schema/parser.c %D%/schema/parser.h \
	%D%/schema/properties.c %D%/schema/properties.h \
	%D%/schema/read.c %D%/schema/read.h \
	%D%/schema/references.c %D%/schema/references.h \
	%D%/schema/resolve.c %D%/schema/resolve.h \
	%D%/schema/roles.c %D%/schema/roles.h \
	%D%/schema/schema.c %D%/schema/schema.h \
	%D%/schema/sections.c %D%/schema/sections.h \
	%D%/schema/tsdl.c %D%/schema/tsdl.h \
	%D%/session.h \
	%D%/sizes.c %D%/sizes.h \
	%D%/source.c %D%/source.h \
	%D%/spans.c %D%/spans.h \
	%D%/states.c %D%/states.h \
	%D%/binaries.c %D%/binaries.h \
	%D%/interrupts.c %D%/interrupts.h \
	%D%/kernel-events.c %D%/kernel-events.h \
	%D%/requests.c %D%/requests.h \
	%D%/teams.c %D%/teams.h \
	%D%/text.c %D%/text.h \
	%D%/units.c %D%/units.h \
	%D%/values.c %D%/values.h \
	%D%/window.c %D%/window.h
