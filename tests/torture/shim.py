"""The library fail.c, and the page by which calls are told to fail."""
import errno, mmap, os, struct, subprocess, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = struct.Struct("=16s48siiQQQQ")  # struct control of fail.c
ALWAYS, NEVER = 0, 2**64 - 1
SHORT = -1

# The families of fail.c, and how each of their calls can fail. A call that was interrupted is to be made again: so never for ever.
FAMILIES = {
    "memory": ["ENOMEM"],
    "read": ["EIO", "EINTR", "SHORT"],
    "write": ["ENOSPC", "EPIPE", "EIO", "EINTR", "SHORT"],
    "open": ["EMFILE", "EACCES", "EIO"],
    "accept": ["EMFILE", "ECONNABORTED", "EINTR"],
    "rename": ["EIO", "EACCES"],
    "sync": ["EIO"],
    "thread": ["EAGAIN"],
    "descriptor": ["EMFILE", "ENOMEM"],
    "wait": ["EINTR", "ENOMEM"],
}


def compiled(folder):
    """The library, made in that folder."""
    library = os.path.join(folder, "fail.so")
    subprocess.run(["cc", "-std=gnu11", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", os.path.join(HERE, "fail.c"), "-o", library], check=True)
    return library


class Faults:
    """A control page, for one program at a time."""

    def __init__(self, library, folder):
        self.library, self.path = library, tempfile.mktemp(dir=folder, prefix="control-")
        with open(self.path, "wb") as file:
            file.write(bytes(mmap.PAGESIZE))
        with open(self.path, "r+b") as file:
            self.page = mmap.mmap(file.fileno(), mmap.PAGESIZE)

    def environment(self, **more):
        return dict(os.environ, LD_PRELOAD=self.library, FAIL_CONTROL=self.path, **more)

    def set(self, family, error="EIO", first=NEVER, count=1, library=""):
        """From now on calls of the family fail: `count` of them (None: all) from number `first` on."""
        number = SHORT if error == "SHORT" else getattr(errno, error)
        self.page[:PAGE.size] = PAGE.pack(b"", b"", 0, 0, NEVER, 0, 0, 0)  # no call is half meant
        self.page[:PAGE.size] = PAGE.pack(family.encode(), library.encode(), number, 0, first, NEVER if count is None else min(NEVER, first + count - 1), 0, 0)

    def clear(self):
        self.page[:PAGE.size] = PAGE.pack(b"", b"", 0, 0, NEVER, 0, 0, 0)

    @property
    def calls(self):
        return PAGE.unpack(self.page[:PAGE.size])[6]

    @property
    def faults(self):
        return PAGE.unpack(self.page[:PAGE.size])[7]
