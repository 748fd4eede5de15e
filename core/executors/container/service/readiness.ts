import type Docker from 'dockerode';
import type { ContainerInspectInfo } from 'dockerode';
import type { Clock } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import type { Pattern } from '../../../base/text/pattern.ts';
import type { ContainerSpec } from '../../../model/executors/container-shape.ts';
import type { StepContext, StepTask } from '../../executor.ts';
import { describeExit } from '../../failure-text.ts';
import { copyFrames } from '../engine/copy-frames.ts';
import { engineFailure } from '../engine/explain-error.ts';
import { matchLines } from '../../../threads/patterns/match-lines.ts';
import { describeLog } from '../managed/describe-ended.ts';

/** Milliseconds between two checks of the container. */
const pollIntervalMs = 100;
/** Milliseconds after which a container that is not ready counts as failed. */
const timeoutMs = 5 * 60_000;
/** Maximum length of log text that a pattern can match, in UTF-16 code units. */
const maxLookedAt = 64 * 1024;

/** When a container is ready for commands. */
export interface Readiness extends Pick<ContainerSpec, 'waitFor'> {
  /** Must also match in the container's log. */
  readonly logPattern: Pattern | undefined;
}

type ReadinessContext = Pick<StepContext, 'clock' | 'relay'> & { readonly task: StepTask };

/**
 * Waits until a container is running or healthy and its log matches the pattern. A container without a health check is
 * ready when it is running. Rejects with the last log lines if the container ends, becomes unhealthy or is not ready
 * in time.
 */
export async function waitUntilReady(
  container: Docker.Container,
  { waitFor = 'running', logPattern }: Readiness,
  { clock, relay, task }: ReadinessContext,
): Promise<void> {
  const log = new WatchedLog(container, logPattern, clock);
  const until = clock.monotonic() + timeoutMs;
  try {
    for (;;) {
      if (task.signal.aborted) throw new Error('stopped while waiting for the container');
      const { State } = await inspect(container);
      const problem = findErrorMessage(State, waitFor, clock.monotonic() > until);
      if (problem !== undefined) throw new Error(problem + (await describeLog(container, relay)));
      if (log.fault !== undefined) throw log.fault;
      if (hasReachedState(State, waitFor) && log.hasMatched) return;
      await pause(clock, task.signal);
    }
  } finally {
    log.close();
  }
}

function findErrorMessage(
  { Running, Restarting, ExitCode, Health }: ContainerInspectInfo['State'],
  waitFor: NonNullable<ContainerSpec['waitFor']>,
  isLate: boolean,
): string | undefined {
  if (!Running && !Restarting && ExitCode !== undefined)
    return `The container exited before it was ready, with ${describeExit({ exitCode: ExitCode }, false)}`;
  if (waitFor === 'healthy' && Health?.Status === 'unhealthy')
    return 'The health check of the container failed';
  return isLate ? `The container was not ready within ${timeoutMs / 60_000} minutes` : undefined;
}

function hasReachedState({ Running, Health }: ContainerInspectInfo['State'], waitFor: string): boolean {
  const hasCheck = Health !== undefined && (Health.Status ?? '') !== '' && Health.Status !== 'none';
  return Running && (waitFor === 'running' || !hasCheck || Health.Status === 'healthy');
}

async function inspect(container: Docker.Container): Promise<ContainerInspectInfo> {
  try {
    return await container.inspect();
  } catch (error) {
    throw engineFailure('Cannot inspect the container', error);
  }
}

function pause(clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      dispose();
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const dispose = clock.after(pollIntervalMs, wake);
    signal.addEventListener('abort', wake, { once: true });
  });
}

/** Searches for a pattern in the whole log of a container. */
class WatchedLog {
  hasMatched: boolean;
  /** Reason why matching the pattern failed. */
  fault: Error | undefined;
  readonly #clock: Clock;
  #stream: { destroy?(): unknown } | undefined;
  #isClosed = false;

  constructor(container: Docker.Container, pattern: Pattern | undefined, clock: Clock) {
    this.#clock = clock;
    this.hasMatched = pattern === undefined;
    // If the log cannot be read, the state of the container shows the cause.
    if (pattern !== undefined) this.#watch(container, pattern).catch(() => {});
  }

  close(): void {
    this.#isClosed = true;
    this.#stream?.destroy?.();
  }

  async #watch(container: Docker.Container, pattern: Pattern): Promise<void> {
    const stream = await container.logs({ follow: true, stdout: true, stderr: true });
    this.#stream = stream as { destroy?(): unknown };
    if (this.#isClosed) return this.close();
    let text = '';
    await copyFrames(stream as AsyncIterable<Buffer>, {
      write: async (_, bytes) => {
        if (this.hasMatched || this.fault !== undefined) return;
        text = (text + Buffer.from(bytes).toString('utf8')).slice(-maxLookedAt);
        await this.#match(pattern, text);
      },
    });
  }

  async #match(pattern: Pattern, text: string): Promise<void> {
    try {
      this.hasMatched = (await matchLines(pattern, { lines: [text], limit: 1 }, this.#clock)).length > 0;
    } catch (error) {
      this.fault = new Error(`logPattern: ${messageOf(error)}`, { cause: error });
    }
  }
}
