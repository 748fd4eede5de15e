import { wait } from '../../base/wait.ts';
import { createHash } from 'node:crypto';
import type Docker from 'dockerode';
import type { ContainerCreateOptions, ContainerInspectInfo } from 'dockerode';
import type { ContainerSpec } from '../../model/step.ts';
import type { Clock } from '../../base/clock.ts';
import { getErrorMessage } from '../../base/errors.ts';
import type { Pattern } from '../../base/pattern.ts';
import { matchLines } from '../../process/threads/match-lines.ts';
import type { StepContext, StepTask } from '../executor.ts';
import { formatExit } from '../step-output.ts';
import { engineFailure, isMissing } from './explain-error.ts';
import { labels } from './managed-containers.ts';
import type { ContainerEngine } from './engine.ts';
import { ensureImage } from './images.ts';
import { createContainer, toCreateOptions } from './run-container.ts';
import type { EvaluatedSpec } from './settings.ts';
import { copyFrames } from './copy-frames.ts';
import { readLogTail } from './run-created-container.ts';

/** A container that keeps running while commands run in it. */
export interface Service {
  readonly engine: ContainerEngine;
  readonly container: Docker.Container;
  /** Ends and deletes the container, unless `keepContainer` is set. Never rejects. */
  close(): Promise<void>;
}

/** Dependencies of a service. */
export type ServiceContext = StepContext & { readonly task: StepTask };

/** A shell that waits, ends at once on a signal, and reaps orphaned processes. */
const waitingProgram = 'trap "exit 0" TERM INT; while :; do sleep 3600 & wait; done';

/**
 * Creates and starts a container and waits until it is ready. On failure, deletes the container and rejects with the
 * cause.
 * @param plain the settings without references
 */
export async function openService(
  engine: ContainerEngine,
  spec: EvaluatedSpec & { readonly image: string },
  plain: Pick<ContainerSpec, 'startup' | 'waitFor' | 'keepContainer'>,
  context: ServiceContext,
): Promise<Service> {
  const keeps = plain.keepContainer === true;
  await ensureImage(engine, spec, context);
  const options = toServiceOptions(spec, plain);
  const container =
    (keeps ? await findReusable(engine, options) : undefined) ??
    (await createContainer(engine, options, context, { keeps }));
  const service: Service = {
    engine,
    container,
    close: () => (keeps ? Promise.resolve() : endService(engine, container, plain, context)),
  };
  try {
    await start(container, plain);
    await waitUntilReady(container, { ...plain, logPattern: spec.logPattern }, context);
    return service;
  } catch (error) {
    // A container that never became ready is of no use.
    await engine.managed.remove(container.id).catch(() => {});
    throw error;
  }
}

function toServiceOptions(
  spec: EvaluatedSpec & { readonly image: string },
  { startup = 'keepalive', keepContainer }: Pick<ContainerSpec, 'startup' | 'keepContainer'>,
): ContainerCreateOptions {
  const program =
    startup === 'keepalive'
      ? { entrypoint: ['sh', '-c', waitingProgram], args: [] }
      : startup === 'command'
        ? { args: spec.command ?? [] }
        : {};
  const options = toCreateOptions({ ...spec, ...program });
  if (keepContainer !== true) return options;
  const settings = createHash('sha256').update(JSON.stringify(options)).digest('hex');
  return { ...options, Labels: { ...options.Labels, [labels.settings]: settings } };
}

/** Finds a container that an earlier run has not deleted, with the same settings. */
async function findReusable(
  { docker }: ContainerEngine,
  { name, Labels }: ContainerCreateOptions,
): Promise<Docker.Container | undefined> {
  if (name === undefined) return undefined;
  try {
    const container = docker.getContainer(name);
    const { Config } = await container.inspect();
    return Config.Labels[labels.settings] === Labels?.[labels.settings] ? container : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw engineFailure(`Cannot inspect the container "${name}"`, error);
  }
}

async function start(
  container: Docker.Container,
  { startup }: Pick<ContainerSpec, 'startup'>,
): Promise<void> {
  try {
    await container.start();
  } catch (error) {
    // 304: the container is already running.
    if ((error as { statusCode?: number }).statusCode === 304) return;
    const hint =
      (startup ?? 'keepalive') === 'keepalive'
        ? '. The image requires "sh" and "sleep" to wait for steps; for an image without them, set "startup" to "entrypoint" or "command"'
        : '';
    throw new Error(`${engineFailure('Cannot start the container', error).message}${hint}`, {
      cause: error,
    });
  }
}

/** Stops the container first if it runs a program of its own; a container that only waits can be killed. */
async function endService(
  engine: ContainerEngine,
  container: Docker.Container,
  { startup = 'keepalive' }: Pick<ContainerSpec, 'startup'>,
  { cleanUpMs }: Pick<StepContext, 'cleanUpMs'>,
): Promise<void> {
  try {
    if (startup !== 'keepalive') await container.stop({ t: Math.ceil(cleanUpMs / 1000) }).catch(() => {});
    await engine.managed.remove(container.id);
  } catch {
    // The next engine process finds it by its label.
  }
}

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
async function waitUntilReady(
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
      if (problem !== undefined) throw new Error(problem + (await readLogTail(container, relay)));
      if (log.fault !== undefined) throw log.fault;
      if (hasReachedState(State, waitFor) && log.hasMatched) return;
      await wait(clock, pollIntervalMs, task.signal);
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
    return `The container exited before it was ready, with ${formatExit({ exitCode: ExitCode }, false)}`;
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
    // If the log cannot be read, the state of the container has the cause.
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
      this.fault = new Error(`logPattern: ${getErrorMessage(error)}`, { cause: error });
    }
  }
}
