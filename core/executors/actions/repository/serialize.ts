const busy = new Map<string, Promise<unknown>>();

/**
 * Runs one task at a time per key within this process. Rejects with the signal's reason if it is aborted before the
 * task starts.
 */
export async function serialize<Value>(
  key: string,
  signal: AbortSignal,
  work: () => Promise<Value>,
): Promise<Value> {
  for (;;) {
    const before = busy.get(key);
    if (before === undefined) break;
    await waitFor(before, signal);
  }
  signal.throwIfAborted();
  const next = work();
  const settled = next.catch(() => {}).then(() => void busy.delete(key));
  busy.set(key, settled);
  return next;
}

async function waitFor(before: Promise<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let stop: () => void = () => {};
  const aborted = new Promise<void>((resolve) => (stop = resolve));
  signal.addEventListener('abort', stop, { once: true });
  await Promise.race([before, aborted]);
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
}
