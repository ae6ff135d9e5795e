/* SPDX-License-Identifier: Apache-2.0 */
/* libxptifw.so: what a subscriber sees of the XPTI framework. See README.md. */
#include "pi-host.h"

#include <cstdlib>
#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#define EXPORT extern "C" __attribute__ ((visibility ("default")))

typedef void (*Callback) (uint16_t, void *, void *, uint64_t, const void *);
typedef std::unordered_map<int32_t, int32_t> Metadata;

struct Event
{
  EventData data;
  Metadata metadata;
};

static std::mutex lock;
static std::vector<std::string> streams;
static std::map<std::pair<uint8_t, uint16_t>, std::vector<Callback> > callbacks;
static std::vector<void *> subscribers;
static std::deque<std::string> strings;
static std::deque<Event> events;

EXPORT uint8_t
xptiRegisterStream (const char *name)
{
  std::lock_guard<std::mutex> guard (lock);

  for (size_t i = 0; i < streams.size (); i++)
    if (streams[i] == name)
      return (uint8_t) i;
  streams.push_back (name);
  return (uint8_t) (streams.size () - 1);
}

EXPORT int
xptiRegisterCallback (uint8_t stream, uint16_t type, Callback callback)
{
  std::lock_guard<std::mutex> guard (lock);

  callbacks[{ stream, type }].push_back (callback);
  return 0;
}

EXPORT int
xptiNotifySubscribers (uint8_t stream, uint16_t type, void *parent, void *event, uint64_t instance, const void *data)
{
  /* Registered once, before threads are: not locked. */
  auto found = callbacks.find ({ stream, type });

  if (found != callbacks.end ())
    for (Callback callback : found->second)
      callback (type, parent, event, instance, data);
  return 0;
}

EXPORT void
xptiFrameworkInitialize ()
{
  const char *text = getenv ("XPTI_SUBSCRIBERS");
  std::istringstream list (text != nullptr ? text : "");

  for (std::string name; std::getline (list, name, ',');)
    if (void *library = dlopen (name.c_str (), RTLD_LAZY))
      subscribers.push_back (library);
    else
      fprintf (stderr, "framework: %s\n", dlerror ());
}

EXPORT void
xptiInitialize (const char *stream, uint32_t major, uint32_t minor, const char *version)
{
  for (void *library : subscribers)
    if (auto init = (void (*) (unsigned, unsigned, const char *, const char *)) dlsym (library, "xptiTraceInit"))
      init (major, minor, version, stream);
}

EXPORT void
xptiFinalize (const char *stream)
{
  for (void *library : subscribers)
    if (auto finish = (void (*) (const char *)) dlsym (library, "xptiTraceFinish"))
      finish (stream);
}

EXPORT int32_t
xptiRegisterString (const char *text)
{
  std::lock_guard<std::mutex> guard (lock);

  strings.push_back (text);
  return (int32_t) strings.size ();
}

EXPORT const char *
xptiLookupString (int32_t id)
{
  std::lock_guard<std::mutex> guard (lock);

  return id < 1 || (size_t) id > strings.size () ? nullptr : strings[(size_t) id - 1].c_str ();
}

EXPORT EventData *
xptiMakeEvent (uint64_t id, int64_t source, int64_t target)
{
  std::lock_guard<std::mutex> guard (lock);

  events.emplace_back ();
  events.back ().data.unique_id = id;
  events.back ().data.source_id = source;
  events.back ().data.target_id = target;
  return &events.back ().data;
}

EXPORT void
xptiAddMetadata (EventData *event, const char *key, const char *value)
{
  ((Event *) event)->metadata[xptiRegisterString (key)] = xptiRegisterString (value);
}

EXPORT Metadata *
xptiQueryMetadata (EventData *event)
{
  return &((Event *) event)->metadata;
}
