"""Limits the space of the journal: a small separate file system, or a limit on the size of files."""
import os
import resource
import subprocess


class SmallFileSystem:
    """A separate tmpfs that shrinks to the size of its contents. Root only."""

    how = "a small file system"

    def __init__(self, folder, mebibytes):
        self.folder, self.mebibytes = folder, mebibytes
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m,mode=0700", "torture", folder], check=True)

    @staticmethod
    def possible():
        return os.geteuid() == 0

    def resize(self, size):
        return subprocess.run(["mount", "-o", f"remount,size={size}", self.folder], check=False,
                              stderr=subprocess.DEVNULL).returncode == 0

    def take(self, _pid):
        while True:
            now = os.statvfs(self.folder)
            # It cannot be smaller than its contents, which grow.
            if self.resize((now.f_blocks - now.f_bfree) * now.f_frsize):
                return

    def give_back(self, _pid):
        self.resize(f"{self.mebibytes}m")

    def close(self):
        subprocess.run(["umount", "-l", self.folder], check=False)


class FileSizeLimit:
    """No file of the hub may grow, nor be written beyond its first page. A restarted hub has no such limit."""

    how = "a limit on the size of files"

    def __init__(self, folder, _mebibytes):
        self.folder = folder

    def take(self, pid):
        hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)[1]
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (4096, hard))

    def give_back(self, pid):
        hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)[1]
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))

    def close(self):
        pass


def make_room(kind, folder, mebibytes):
    """`kind` is tmpfs, limit, or empty: the first one that is available."""
    if kind == "tmpfs" or (not kind and SmallFileSystem.possible()):
        try:
            return SmallFileSystem(folder, mebibytes)
        except (OSError, subprocess.CalledProcessError):
            if kind:
                raise
    return FileSizeLimit(folder, mebibytes)
