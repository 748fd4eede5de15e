import type { Clock } from '../../base/clock.ts';
import { fail, type Result } from '../../base/result.ts';
import { MAX_EXPANDED_CHARACTERS } from '../../spec/limits.ts';
import type { LaunchFailure, LaunchRequest } from './launcher.ts';

/**
 * An attempt belongs to the engine that creates its stdout file: two engines that both believe they drive a run never
 * both start its command, and an engine that takes over knows that without the file nothing was started.
 */
export interface StartLock {
  /** Whether the file exists and is ours. */
  isPassed: boolean;
}

/** Returns the fence of an attempt to start; a part of a running attempt has passed it already. */
export const lockOf = ({ isPart }: Pick<LaunchRequest, 'isPart'>): StartLock => ({
  isPassed: isPart === true,
});

/** Why a process start failed, and whether it may succeed a moment later. */
export interface StartFailure {
  readonly failure: LaunchFailure;
  readonly mayPass: boolean;
}

/**
 * Checks the size of the input. Input that every system rejects is not tried, because the arguments are copied several
 * times on their way to the process. Checking their lengths is cheap.
 */
function checkSize({ argv, env }: Pick<LaunchRequest, 'argv' | 'env'>): LaunchFailure | undefined {
  let characters = 0;
  for (const text of argv) characters += text.length;
  for (const [name, value] of Object.entries(env)) characters += name.length + value.length;
  if (characters <= MAX_EXPANDED_CHARACTERS) return undefined;
  const message = `the arguments and variables of the process have ${characters} characters (the limit is ${MAX_EXPANDED_CHARACTERS}): put the data into a file and pass its name`;
  return { reason: 'too_big', message };
}

/** Delays between tries when the system has no free process or file: doubling from the first, ten tries. */
const firstWaitMs = 10;
const tries = 10;

/** Tries until a process has been started, cannot be started, or the start is cancelled. */
export async function tryToStart<Started>(
  request: Pick<LaunchRequest, 'isCancelled' | 'argv' | 'env'>,
  clock: Clock,
  tryOnce: () => Promise<Result<Started, StartFailure>>,
): Promise<Result<Started, LaunchFailure>> {
  const tooLarge = checkSize(request);
  if (tooLarge !== undefined) return fail(tooLarge);
  for (let remaining = tries - 1, waitMs = firstWaitMs; ; remaining -= 1, waitMs *= 2) {
    const result = await tryOnce();
    if (result.ok) return result;
    const { failure, mayPass } = result.error;
    if (!mayPass || remaining === 0) return fail(failure);
    await new Promise<void>((resolve) => clock.after(waitMs, resolve));
    if (request.isCancelled())
      return fail({ reason: 'cancelled', message: 'stopped before the process started' });
  }
}
