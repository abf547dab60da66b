"""The generated files are up to date: deploy/generate.py would write the same."""
import importlib.util
import sys
import unittest

import places


class Generated(unittest.TestCase):
    def test_files_are_up_to_date(self):
        spec = importlib.util.spec_from_file_location("generate", places.ROOT / "deploy/generate.py")
        generate = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(generate)
        for path, text in generate.outputs().items():
            self.assertEqual(path.read_text() if path.exists() else None, text, f"{path}: run deploy/generate.py")


unittest.main(argv=sys.argv[:1], verbosity=2)
