"""What came, in the order in which it came, and waiting for it."""

import asyncio


class Tape:
    """A callback that keeps what it is called with."""

    def __init__(self):
        self.items = []
        self._came = asyncio.Event()

    def __call__(self, *values):
        self.items.append(values[0] if len(values) == 1 else values)
        self._came.set()

    async def until(self, condition, seconds=10.0):
        """Waits until the condition holds for the items; what it gave."""
        async with asyncio.timeout(seconds) as limit:
            while not (found := condition(self.items)):
                self._came.clear()
                try:
                    await self._came.wait()
                except asyncio.CancelledError:
                    if limit.expired():
                        raise AssertionError(f"after {seconds} s there was only {self.items}") from None
                    raise
        return found

    async def count(self, number, seconds=10.0):
        """Waits for so many items; all of them, which are no more."""
        await self.until(lambda items: len(items) >= number, seconds)
        assert len(self.items) == number, self.items
        return self.items


async def holds(condition, seconds=10.0):
    """Waits until something that announces nothing holds; what it gave."""
    async with asyncio.timeout(seconds):
        while not (found := condition()):
            await asyncio.sleep(0.01)
    return found
