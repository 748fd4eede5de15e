import { createHash } from 'node:crypto';
import type Docker from 'dockerode';
import type { ContainerCreateOptions } from 'dockerode';
import type { ContainerSpec } from '../../../model/executors/container-shape.ts';
import type { StepContext, StepTask } from '../../executor.ts';
import { engineFailure, isMissing } from '../engine/explain-error.ts';
import { labels } from '../engine/labels.ts';
import type { ContainerEngine } from '../engine/open-engine.ts';
import { ensureImage } from '../images/ensure-image.ts';
import { createContainer } from '../managed/create-container.ts';
import { toCreateOptions } from '../managed/create-options.ts';
import type { EvaluatedSpec } from '../settings/evaluate-spec.ts';
import { waitUntilReady } from './readiness.ts';

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
