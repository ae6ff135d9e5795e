/* SPDX-License-Identifier: Apache-2.0 */
// Reads a TAU trace from C++ and prints how long each state lasts in all, and how often it is entered:
//
//   tau-profile RUN.trc RUN.edf
//
// c++ tau-profile.cpp $(pkg-config --cflags --libs tracetool-tau)
#include <TAU_tf.h>

#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace
{

struct State
{
  std::string name;
  double microseconds = 0;
  unsigned long calls = 0;
};

struct Profile
{
  std::map<unsigned, State> states;
  std::map<std::pair<unsigned, unsigned>, std::vector<double>> open; // of each thread: when states were entered
};

int
define_state (void *data, unsigned state, const char *name, unsigned)
{
  static_cast<Profile *> (data)->states[state].name = name;
  return 0;
}

int
enter (void *data, double time, unsigned node, unsigned thread, unsigned)
{
  static_cast<Profile *> (data)->open[{ node, thread }].push_back (time);
  return 0;
}

int
leave (void *data, double time, unsigned node, unsigned thread, unsigned state)
{
  auto &profile = *static_cast<Profile *> (data);
  auto &open = profile.open[{ node, thread }];

  if (open.empty ())
    return 0;
  profile.states[state].microseconds += time - open.back ();
  profile.states[state].calls++;
  open.pop_back ();
  return 0;
}

} // namespace

int
main (int argc, char **argv)
{
  if (argc != 3)
    {
      std::fprintf (stderr, "usage: tau-profile RUN.trc RUN.edf\n");
      return 2;
    }
  Ttf_FileHandleT file = Ttf_OpenFileForInput (argv[1], argv[2]);
  if (file == nullptr)
    return 1;

  Profile profile;
  Ttf_CallbacksT callbacks = {};
  callbacks.UserData = &profile;
  callbacks.DefState = define_state;
  callbacks.EnterState = enter;
  callbacks.LeaveState = leave;

  int n;
  while ((n = Ttf_ReadNumEvents (file, callbacks, 1 << 20)) > 0)
    ;
  Ttf_CloseFile (file);

  for (const auto &entry : profile.states)
    std::printf ("%12.0f us %8lu calls  %s\n", entry.second.microseconds, entry.second.calls, entry.second.name.c_str ());
  return n < 0;
}
