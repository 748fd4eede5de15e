import type { RemoteTask } from '../../distributed/remote-task.ts';
import { traceVariables } from '../../model/workflow/trace-context.ts';
import { attemptTrace } from '../../telemetry/trace.ts';
import type { RunRef } from '../../model/run/run.ts';
import type { NodeTask } from '../steps/node-task.ts';
import type { AttemptScope, StepRunContext } from '../steps/step-context.ts';

/** Identifies an execution, together with the run's id and, on workers, the fence. */
export const attemptVariable = 'ENGINE_STEP_ATTEMPT';

/**
 * Resolves everything that a worker receives for an attempt or one of its items. Creates no directory: the worker
 * creates the step's. Rejects when a value cannot be resolved.
 */
export async function buildRemoteTask(
  context: Pick<StepRunContext, 'scope' | 'workflow' | 'trace'>,
  run: RunRef,
  { step, node, outputs, extra }: NodeTask,
  { attempt, signal, item }: Pick<AttemptScope, 'attempt' | 'signal' | 'item'>,
): Promise<RemoteTask> {
  const { workflow } = context;
  const scope = context.scope.until(signal);
  const stepFields = {
    ...extra,
    ...traceVariables(attemptTrace(context.trace, { node, attempt, item: item?.number })),
    ...(item === undefined ? {} : { ITEM: item.text }),
    DAG_RUN_STEP_NAME: node.name,
    [attemptVariable]: String(attempt),
  };
  const env = scope.remoteEnvironment(outputs, stepFields);
  // The worker expands the entries of the step. Here they are only needed if something may refer to them.
  const references = /[$`]/.test([step.dir ?? '', ...(step.shell ?? [])].join(' '))
    ? await scope.stepEnvironment(step.env, outputs, stepFields)
    : env;
  const shell = await scope.shellFor(step.shell, references);
  const workingDir = await scope.remoteFolder(step, references);
  return {
    run: { name: run.name, dagRunId: run.dagRunId },
    node,
    attempt,
    ...(item === undefined ? {} : { item: item.number }),
    step: shell === undefined || step.shell === undefined ? step : { ...step, shell: [...shell] },
    env,
    positional: scope.positional,
    ...(shell === undefined ? {} : { shell }),
    ...(workingDir === undefined ? {} : { workingDir }),
    cleanUpMs: workflow.maxCleanUpTimeSec * 1000,
    maxOutputSize: workflow.maxOutputSize,
    masked: [...scope.masked],
    smtp: workflow.smtp ?? [],
    registryAuths: workflow.registryAuths,
    properties: scope.properties,
    inputFiles: step.inputFiles ?? [],
    outputFiles: step.outputFiles ?? [],
    onPartition: step.onPartition ?? 'continue',
  };
}
