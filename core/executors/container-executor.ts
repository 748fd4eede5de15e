import type Docker from 'dockerode';
import type { JsonObject } from '../base/json.ts';
import { containerTable, type ContainerConfig } from '../model/executor-tables.ts';
import type { ExecutorAction, ContainerSpec } from '../model/step.ts';
import { readPullPolicy } from '../spec/container.ts';
import { evaluateConfig } from './evaluate-config.ts';
import type { ActionExecutor, ExecutorResult, StepContext, StepTask } from './executor.ts';
import { planCommand, type ContainerCommand } from './container/plan-command.ts';
import { runExec } from './container/run-exec.ts';
import { openContainerEngine, type ContainerEngine } from './container/engine.ts';
import { runContainer } from './container/run-container.ts';
import { openService, type Service, type ServiceContext } from './container/service.ts';
import { evaluateSpec, type EvaluatedSpec, readRawOptions } from './container/settings.ts';
import { engineFailure, isMissing } from './container/explain-error.ts';
import { readExitError } from './container/run-created-container.ts';

/** Runs a command in a container: a new one, the run's shared one, or an existing one. */
export const executor: ActionExecutor = {
  async run(context, action, task) {
    const config = await evaluateConfig(containerTable, action.config as JsonObject, context.expand);
    const command = await planCommand(context, action);
    const attempt = { context, action, task, config, command };
    if (action.container?.isShared === true) return runShared(attempt);
    const spec = await mergeSpec(attempt);
    if (spec.image === undefined) return runInExisting(attempt, spec);
    return needsService(action)
      ? runInService(attempt, { ...spec, image: spec.image })
      : runInNew(attempt, spec);
  },
};

interface Attempt {
  readonly context: StepContext;
  readonly action: ExecutorAction;
  readonly task: StepTask;
  readonly config: ContainerConfig;
  readonly command: ContainerCommand;
}

/** Returns the field `container`, or else the settings in `config`. */
async function mergeSpec({ context, action, config }: Attempt): Promise<EvaluatedSpec> {
  const empty = { env: [], volumes: [], ports: [] };
  const spec = await evaluateSpec(action.container?.spec ?? empty, context);
  const { create } = readRawOptions(config);
  return {
    ...spec,
    image: spec.image ?? (config.image?.trim() || undefined),
    name: spec.name ?? (config.containerName?.trim() || undefined),
    pull: config.pull === undefined ? spec.pull : readPullPolicy(config.pull),
    platform: spec.platform ?? (config.platform || undefined),
    raw: { ...spec.raw, ...create, HostConfig: { ...spec.raw?.HostConfig, ...create.HostConfig } },
  };
}

/** Runs a new container. The image's own entry point receives the command. */
function runInNew(
  { context, task, action, config, command }: Attempt,
  spec: EvaluatedSpec,
): Promise<ExecutorResult> {
  const keeps =
    action.container?.spec.keepContainer ?? !(config.autoRemove ?? readRawOptions(config).autoRemove ?? true);
  return runContainer(context, task, {
    ...spec,
    image: spec.image!,
    args: command.argv,
    env: { ...spec.env, ...command.env },
    script: command.script,
    keeps,
  });
}

/** Whether the container must be started and ready before the step's command runs in it. */
const needsService = ({ container }: ExecutorAction): boolean =>
  container !== undefined &&
  [container.spec.startup, container.spec.waitFor, container.spec.logPattern].some(
    (field) => field !== undefined,
  );

async function runInService(
  { context, task, action, command }: Attempt,
  spec: EvaluatedSpec & { readonly image: string },
): Promise<ExecutorResult> {
  const engine = await openContainerEngine(context);
  const service = await openService(engine, spec, action.container!.spec, { ...context, task });
  try {
    return await runExec(withProgram(command), { ...service, context, task });
  } finally {
    await service.close();
  }
}

async function runShared(attempt: Attempt): Promise<ExecutorResult> {
  const { context, task, action, command } = attempt;
  const { spec } = action.container!;
  if (spec.image === undefined) return runInExisting(attempt, await evaluateSpec(spec, context));
  const service = await shareService(spec, { ...context, task });
  return runExec(withProgram(command), { ...service, context, task });
}

async function runInExisting(
  { context, task, config, command }: Attempt,
  { name, user, workingDir, env }: EvaluatedSpec,
): Promise<ExecutorResult> {
  const engine = await openContainerEngine(context);
  const container = await findRunning(engine, name ?? '');
  const request = { ...withProgram(command), user, workingDir, env: { ...env, ...command.env } };
  return runExec({ ...request, raw: readRawOptions(config).exec }, { engine, container, context, task });
}

function withProgram(command: ContainerCommand): ContainerCommand & { readonly argv: readonly string[] } {
  const { argv = [] } = command;
  if (argv.length === 0)
    throw new Error('The step has nothing to run in the container. Add "command" or "script".');
  return { ...command, argv };
}

/** Returns the running container with this name. Rejects if it does not exist or is not running. */
async function findRunning(
  { docker, name: engine }: ContainerEngine,
  name: string,
): Promise<Docker.Container> {
  if (name === '')
    throw new Error(
      'No container specified: both the image and the container name are empty. Set one of them.',
    );
  const container = docker.getContainer(name);
  let isRunning: boolean;
  try {
    isRunning = (await container.inspect()).State.Running;
  } catch (error) {
    if (!isMissing(error)) throw engineFailure(`Cannot inspect the container "${name}"`, error);
    throw new Error(
      `Container "${name}" not found on the container engine ${engine}. Start it first, or set an image.`,
      { cause: error },
    );
  }
  if (!isRunning) throw new Error(`Container "${name}" is not running. Start it first.`);
  return container;
}

/** Key of the workflow's container in the resources of the run. */
const key = 'container of the workflow';

/**
 * Returns the container that the steps of a run share: created for the first step that needs it, deleted at the end of
 * the run. Rejects if it cannot be created, and if it has ended in the meantime, because the changes of earlier steps
 * would be lost.
 */
async function shareService(spec: ContainerSpec, context: ServiceContext): Promise<Service> {
  const engine = await openContainerEngine(context);
  const service = await getUnlessAborted(context, async () => {
    const { image, ...evaluated } = await evaluateSpec(spec, context);
    if (image === undefined) throw new Error('The image of the workflow container is empty.');
    const opened = await openService(engine, { ...evaluated, image }, spec, context);
    return { value: opened, close: () => opened.close() };
  });
  const ended = await readExitError(service.container, context);
  if (ended !== undefined) throw ended;
  return service;
}

/** The step that opened the shared container may have been stopped meanwhile. */
async function getUnlessAborted(
  { resources, task }: ServiceContext,
  open: () => Promise<{ value: Service; close(): Promise<void> }>,
): Promise<Service> {
  let isOpener = false;
  const openHere = (): ReturnType<typeof open> => {
    isOpener = true;
    return open();
  };
  for (;;) {
    try {
      return await resources.get(key, openHere);
    } catch (error) {
      if (isOpener || task.signal.aborted) throw error;
    }
  }
}
