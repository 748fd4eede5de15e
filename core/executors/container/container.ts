import type { JsonObject } from '../../base/json.ts';
import { containerTable, type ContainerConfig } from '../../model/executors/container.ts';
import type { ExecutorAction } from '../../model/workflow/step.ts';
import { evaluateConfig } from '../evaluate-config.ts';
import type { ActionExecutor, ExecutorResult, StepContext, StepTask } from '../executor.ts';
import { planCommand, type ContainerCommand } from './command/plan-command.ts';
import { runExec } from './command/run-exec.ts';
import { openContainerEngine } from './engine/open-engine.ts';
import { runContainer } from './run-container.ts';
import { findRunning } from './service/find-running.ts';
import { openService } from './service/service.ts';
import { shareService } from './service/share-service.ts';
import { evaluateSpec, type EvaluatedSpec } from './settings/evaluate-spec.ts';
import { readPullPolicy } from '../../spec/container/pull-policy.ts';
import { readRawOptions } from './settings/raw-options.ts';

/** Runs a command in a container: a new one, the run's shared one, or an existing one. */
export const containerExecutor: ActionExecutor = {
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
