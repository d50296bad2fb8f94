"""The helper and the real agent."""

from __future__ import annotations

import unittest

from agent import Wrapped

DONE, TOTAL = 'takt_progress_done{unit="steps"}', "takt_progress_total"


class Telling(unittest.TestCase):
    def test_progress_is_told(self) -> None:
        w = Wrapped(self, "import takt_training as takt\ntakt.progress(420, 1000)\ninput()\ntakt.progress(3, 7, 'epochs')\ninput()")
        w.shows(DONE, 420)
        w.shows(TOTAL, 1000)
        w.shows('takt_progress_source{source="script"}', 1)
        w.tell()
        w.shows('takt_progress_done{unit="epochs"}', 3)
        w.tell()
        w.exits()

    def test_a_total_may_be_unknown(self) -> None:
        w = Wrapped(self, "import takt_training as takt\ntakt.progress(420, float('inf'))\ninput()")
        w.shows(DONE, 420)
        self.assertNotIn(TOTAL, w.metrics())

    def test_the_last_of_it_is_told_at_the_end(self) -> None:
        script = "import takt_training as takt\nfor i in range(1001): takt.progress(i, 1000)\ntakt.saved()"
        w = Wrapped(self, script, shell='"$@"; echo it has ended; read line')
        w.hears("it has ended")
        self.assertEqual(w.metrics()[DONE], 1000)
        self.assertIn("takt_checkpoint_timestamp_seconds", w.metrics())

    def test_a_checkpoint_is_asked_for(self) -> None:
        w = Wrapped(self, """
import time, takt_training as takt
saves = 0
while saves < 2:
    time.sleep(0.01)
    if takt.save_wanted():
        saves += 1
        print("saves", saves)
        input()
        takt.saved()
print("all saved")
input()
""")
        w.shows("takt_save_possible", 1)
        for n, request in enumerate((1795521600123, 1795521600456), 1):
            w.annotate(save=str(request))
            w.hears(f"saves {n}")
            w.shows("takt_save_answered_request", request)
            self.assertEqual("takt_checkpoint_timestamp_seconds" in w.metrics(), n > 1)
            w.tell()
            w.shows("takt_checkpoint_timestamp_seconds")
        w.hears("all saved")
        w.tell()
        w.exits()

    def test_a_request_is_told_once(self) -> None:
        w = Wrapped(self, """
import time, takt_training as takt
while not takt.save_wanted():
    time.sleep(0.01)
print("again" if takt.save_wanted() else "once")
""")
        w.shows("takt_save_possible", 1)
        w.annotate(save="7")
        w.hears("once")
        w.exits()

    def test_a_pod_that_is_to_end_saves_first(self) -> None:
        w = Wrapped(self, """
import time, takt_training as takt
while not takt.save_wanted():
    time.sleep(0.01)
print("saves")
input()
takt.saved()
while True:
    time.sleep(1000)
""", TAKT_GRACE="1h")
        w.shows("takt_save_possible", 1)
        w.process.terminate()
        w.hears("saves")
        w.tell()
        w.exits(143)

    def test_one_process_of_the_pod_tells(self) -> None:
        script = "import sys, takt_training as takt\n" \
            "if len(sys.argv) > 1: takt.set_reporter(sys.argv[1] == 'yes')\ntakt.progress(7)\ntakt.saved()\n"
        for env, told, args in (
            ({"LOCAL_RANK": "1"}, False, []), ({"LOCAL_RANK": "0"}, True, []), ({}, True, []), ({"RANK": "3"}, True, []),
            ({"OMPI_COMM_WORLD_LOCAL_RANK": "2"}, False, []), ({"LOCAL_RANK": "1"}, True, ["yes"]), ({}, False, ["no"]),
        ):
            with self.subTest(env=env, args=args):
                w = Wrapped(self, script, *args, shell='"$@"; echo it has ended; read line', **env)
                w.hears("it has ended")
                self.assertEqual(DONE in w.metrics(), told)
                self.assertEqual("takt_checkpoint_timestamp_seconds" in w.metrics(), told)

    def test_a_process_that_was_forked_tells_for_itself(self) -> None:
        w = Wrapped(self, """
import os, sys, takt_training as takt
takt.progress(1, 10)
input()
child = os.fork()
if child == 0:
    takt.progress(2, 10)
    sys.exit(3)
print("the child exits with", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
input()
takt.progress(3, 10)
input()
""")
        w.shows(DONE, 1)
        w.tell()
        w.hears("the child exits with 3")
        w.shows(DONE, 2)
        w.tell()
        w.shows(DONE, 3)

    def test_what_makes_no_sense_is_said_and_left_out(self) -> None:
        w = Wrapped(self, """
import takt_training as takt
takt.progress("three", 7)
takt.progress(None)
takt.progress(8, 7)
input()
takt.progress(float("nan"), 7)
input()
takt.progress(3, 7, "Steps!")
input()
takt.progress(3, 7)
input()
""")
        for sentence in ("8 of 7 is more than all", "not the JSON", "small letters"):
            w.hears_from_log(sentence)
            w.tell()
        w.shows(DONE, 3)
        self.assertIn("Progress 'three' of 7 is not told", w.err.text)


if __name__ == "__main__":
    unittest.main()
