"""Calls of the API server without end, from several threads, each of which needs the webhook: server-side dry runs."""
import threading, time

import objects


class Stream:
    """Runs within its `with`. `failures` are the answers (or exceptions) of calls that did not go through."""

    def __init__(self, client, threads=8):
        self.client, self.count, self.failures = client, 0, []
        self.lock = threading.Lock()
        self.ended = threading.Event()
        self.threads = [threading.Thread(target=self.work, args=(number,)) for number in range(threads)]

    def work(self, number):
        obj = objects.make("CSIDriver", f"stream-{number}.example.com")
        while not self.ended.is_set():
            try:
                answer = self.client.create(obj, dry_run=True)
                failure = None if answer.good else str(answer)
            except Exception as error:  # whatever it is, the call was lost
                failure = repr(error)
            with self.lock:
                self.count += 1
                if failure:
                    self.failures.append(f"after {time.monotonic() - self.start:.2f} s: {failure}")

    def wait_for(self, more):
        """Until that many more calls have ended, at most a minute."""
        goal, end = self.count + more, time.monotonic() + 60
        while self.count < goal and time.monotonic() < end:
            time.sleep(0.02)

    def __enter__(self):
        self.start = time.monotonic()
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        for thread in self.threads:
            thread.join()

    def none_lost(self, tap, text):
        tap.ok(self.count and not self.failures, f"{text}: none of the calls was lost", "\n".join([f"{len(self.failures)} of {self.count}"] + self.failures[:20]))
        print(f"# measured: {text}: {self.count} calls, {len(self.failures)} lost", flush=True)
