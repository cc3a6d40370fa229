#!/usr/bin/env python3
"""tenon study that is killed, torn and gone on with, by mpirun too, from hundreds of cases: the same bytes at the end.
Where the code is optimised; what is fast enough for sanitizers is in test_study.py."""
import os
import pathlib
import shutil
import signal
import subprocess
import unittest

import test_study
from test_study import MPI, TENON, children

SOME, MORE = 400, 800  # cases


class Killed(test_study.InFolder):
    def test_torn_journal(self):
        """A record that is half there, or changed, is run again."""
        study = self.four_bar(SOME)
        self.done(study, "--out", "whole.h5")
        with subprocess.Popen([TENON, "study", study, "--out", "torn.h5", "--jobs", "1"], cwd=self.folder,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            self.wait_for_journal("torn.journal")
            run.kill()
        self.wait_until_free("torn.journal")
        journal = self.folder / "torn.journal"
        kept = journal.read_bytes()
        for broken in (kept[:-7], kept[:700] + b"x" + kept[701:], kept + b"rubbish"):
            journal.write_bytes(broken)
            self.done(study, "--out", "torn.h5")
            self.assertEqual((self.folder / "torn.h5").read_bytes(), (self.folder / "whole.h5").read_bytes())
        journal.write_bytes(kept)
        with open(self.folder / "four_bar.yaml", "a") as stream:
            stream.write("# changed\n")
        refused = self.tenon("study", study, "--out", "torn.h5")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("--restart", refused.stderr)
        self.done(study, "--out", "torn.h5", "--restart")

    @unittest.skipUnless(shutil.which("mpirun") and pathlib.Path(TENON).with_name("tenon-mpi").exists(), "no Open MPI")
    def test_mpirun(self):
        study = self.four_bar(200)
        self.done(study, "--out", "one.h5")
        whole = (self.folder / "one.h5").read_bytes()
        self.done(study, "--out", "four.h5", prefix=["mpirun", "-n", "4"])
        self.assertEqual((self.folder / "four.h5").read_bytes(), whole)
        study = self.four_bar(MORE)
        with subprocess.Popen(["mpirun", "-n", "4", TENON, "study", study, "--out", "killed.h5"], cwd=self.folder,
                              env={**os.environ, **MPI}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as run:
            self.wait_for_journal("killed.journal")
            ranks = {pathlib.Path(f"/proc/{p}/environ").read_bytes().split(b"OMPI_COMM_WORLD_RANK=")[1][:1]: p
                     for p in children(run.pid)}
            os.kill(ranks[b"2"], signal.SIGKILL)
            told = run.stderr.read()
        self.assertNotEqual(run.returncode, 0)
        self.assertRegex(told, rf"\d+ of {MORE} cases are missing: \d+")
        self.wait_until_free("killed.journal")
        self.assertFalse((self.folder / "killed.h5").exists())
        again = self.done(study, "--out", "killed.h5", prefix=["mpirun", "-n", "2"])
        self.assertIn("cases are there already", again.stderr)
        self.done(study, "--out", "whole.h5")
        self.assertEqual((self.folder / "killed.h5").read_bytes(), (self.folder / "whole.h5").read_bytes())


if __name__ == "__main__":
    unittest.main()
