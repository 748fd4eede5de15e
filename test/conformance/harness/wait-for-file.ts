import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Resolves once the file is there; rejects when the signal says that nobody waits any more. */
export async function waitForFile(file: string, signal: AbortSignal): Promise<void> {
  while (!existsSync(file)) await pause(5, undefined, { signal });
}
