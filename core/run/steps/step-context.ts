import path from 'node:path';
import type { DatabasePort, StepContext, SubRunPort } from '../../executors/executor.ts';
import type { RunResources } from '../../executors/resources.ts';
import type { Step } from '../../model/step.ts';
import type { Workflow } from '../../model/workflow.ts';
import type { NodeId, RunEvent } from '../../model/run-event.ts';
import type { RunTrace, RunRef } from '../../model/run.ts';
import { traceVariables, type TraceContext } from '../../model/trace-context.ts';
import type { Clock } from '../../base/clock.ts';
import type { ProcessLauncher } from '../../process/launcher.ts';
import type { TaskFiles } from '../remote/task-files.ts';
import { attemptTrace, type OtelSettings } from '../telemetry/trace.ts';
import { specialStepVariables, type RunScope } from '../values/run-scope.ts';
import { resolveFolder } from '../values/files.ts';
import { attemptVariable, type RemoteCommandSpec } from './remote-work.ts';
import type { ApprovalRequests } from '../approval-requests.ts';
import type { StartLimiter } from './attempt.ts';
import { type RunInput, type RunHost, findNode } from '../run-input.ts';
import type { OpenedScope } from '../values/open-scope.ts';
import type { NodeTask } from './node-task.ts';

/** Dependencies for running the steps of one run. */
export interface StepRunContext {
  readonly workflow: Pick<Workflow, 'maxCleanUpTimeSec' | 'maxOutputSize' | 'smtp' | 'registryAuths'>;
  readonly scope: RunScope;
  /** Absolute path of the run's directory. */
  readonly runDir: string;
  /** Absolute path; may not exist. A cache for what executors download. */
  readonly cacheDir: string;
  readonly databases: DatabasePort;
  readonly clock: Clock;
  readonly startLimiter: StartLimiter;
  readonly launcher: ProcessLauncher;
  readonly trace: RunTrace;
  /** Aborted with a message as its reason when the run is being stopped; nothing new starts then. */
  readonly stopping: AbortSignal;
  /** Whether the run ends the step early, even if it was started before, on another host. */
  endsEarly(step: Step): boolean;
  /** Opens the artifacts of runs, and the logs of workers. */
  files(): Promise<TaskFiles>;
  /** Makes the attempts that run on workers. */
  readonly remote: RemoteCommandSpec;
  subRuns(node: NodeId, attempt: SubRunCaller): SubRunPort;
  /** Requests for approval by the steps of the run. */
  readonly approvalRequests: ApprovalRequests;
  /** Forgets the runs that the node has started, so that it only starts new ones. */
  forgetSubRuns(node: NodeId): void;
  /** Closed by the run when it has ended. */
  readonly resources: RunResources;
  emit(event: RunEvent): void;
  durable(): Promise<void>;
}

/** The attempt that starts a run. */
export interface SubRunCaller {
  /** Aborted when the attempt ends before the run has started. */
  readonly signal: AbortSignal;
  /** Number of the item of `parallel` that starts the run. */
  readonly item?: number | undefined;
  /**
   * Working directory of the run when its workflow names none. Absolute path; undefined when the caller names none
   * either.
   */
  readonly folder: string | undefined;
  /** The trace context of the attempt or its item. */
  readonly trace: TraceContext;
  /** The attempt had started on another host: it resumes the run that it started there, if any. */
  readonly since?: PriorStart | undefined;
}

/** Identifies a run that an attempt may have started on another host. */
export interface PriorStart {
  /** When the attempt started, in epoch milliseconds. */
  readonly at: number;
  /** The run of an item, when that was recorded. */
  readonly subRun?: RunRef | undefined;
}

/** One attempt, or one of its items, and where its files are. */
export interface AttemptScope {
  readonly attempt: number;
  /** Aborted when the attempt has to end. */
  readonly signal: AbortSignal;
  /** Absolute path of the directory for the logs. */
  readonly path: string;
  readonly item?: { readonly number: number; readonly text: string };
  readonly since?: PriorStart | undefined;
}

/**
 * Resolves everything that an executor receives. Rejects when a value, a directory or a file name cannot be resolved.
 */
export async function buildContext(
  context: StepRunContext,
  { step, node, outputs, extra }: NodeTask,
  { attempt, signal, path: attemptDir, item, since }: AttemptScope,
): Promise<StepContext> {
  const { workflow, clock, launcher, emit } = context;
  const scope = context.scope.until(signal);
  const trace = attemptTrace(context.trace, { node, attempt, item: item?.number });
  const environment = await scope.stepEnvironment(step.env, outputs, {
    ...extra,
    ...traceVariables(trace),
    ...(item === undefined ? {} : { ITEM: item.text }),
    ...specialStepVariables(node, attemptDir, scope.workingDir),
    [attemptVariable]: String(attempt),
  });
  // The directory of a remote step is not created on this machine.
  const isRemote = context.remote.getSelector(step) !== undefined;
  const workingDir = isRemote ? scope.workingDir : await scope.stepFolder(step, environment);
  environment['PWD'] = workingDir;
  const expand = (text: string): Promise<string> => scope.expand(text, environment);
  // An item's output is written to its own files; only the attempt has copies.
  const expandCopy = async (template: string | undefined): Promise<string | undefined> =>
    template === undefined || item !== undefined
      ? undefined
      : resolveFolder(await expand(template), workingDir);
  const shell = await scope.shellFor(step.shell, environment);
  return {
    step: step.shell === undefined ? step : { ...step, shell: [...shell!] },
    env: environment,
    workingDir,
    shell,
    positional: scope.positional,
    attemptDir,
    cacheDir: context.cacheDir,
    databases: context.databases,
    cleanUpMs: workflow.maxCleanUpTimeSec * 1000,
    clock,
    launcher,
    expand,
    relay: scope.relay({ stdout: await expandCopy(step.stdout), stderr: await expandCopy(step.stderr) }),
    // An item's process is found by the tag in its environment; the attempt has room for one pid only.
    onSpawned: (pid, pidStart) =>
      item === undefined && emit({ type: 'step.spawned', node, attempt, pid, pidStart }),
    subRuns: context.subRuns(node, {
      ...{ signal, item: item?.number, trace, since },
      folder: scope.folderForSubRuns(step, workingDir),
    }),
    approvals: context.approvalRequests.forAttempt(node, attempt),
    maskSecrets: (value) => scope.addSecret(value),
    smtp: workflow.smtp ?? [],
    registryAuths: workflow.registryAuths,
    resources: context.resources,
  };
}

/** Returns the directory of an item, under the directory of its attempt. */
export const itemDir = (attemptDir: string, item: number): string =>
  path.posix.join(attemptDir, `item-${item}`);

/** Properties of a run's driver that its steps need. */
interface StepContextInput {
  readonly host: RunHost;
  readonly run: RunInput;
  /** Absolute. */
  readonly runDir: string;
  readonly trace: RunTrace;
  readonly telemetry: { readonly settings: OtelSettings | undefined };
  readonly remote: RemoteCommandSpec;
  readonly resources: RunResources;
  readonly approvalRequests: ApprovalRequests;
  emit(event: RunEvent): void;
  durable(): Promise<void>;
}

/** Opens the resources of the steps or handlers of a run. */
export function openStepContext(
  { host, run, telemetry, ...remaining }: StepContextInput,
  { scope, inheritance }: OpenedScope,
  ending: Pick<StepRunContext, 'stopping' | 'endsEarly'>,
): StepRunContext {
  const { cacheDir, databases, clock, startLimiter, launcher, files } = host;
  return {
    ...remaining,
    workflow: run.workflow,
    ...ending,
    scope: scope.until(ending.stopping),
    cacheDir,
    databases,
    clock,
    startLimiter,
    launcher,
    files,
    subRuns: (node, caller) => {
      const workerSelector = remaining.remote.inheritedSelector(findNode(run.workflow, node));
      const { trace, item } = caller;
      const handedOn = { ...inheritance, workerSelector, trace, telemetry: telemetry.settings };
      return announceSubRuns(host.subRuns(run, node, handedOn, caller), (started) =>
        remaining.emit({ type: 'step.sub_run', node, ...started, item }),
      );
    },
    forgetSubRuns: (node) => host.forgetSubRuns(run, node),
  };
}

/** Returns the same port, which also reports each run that a step starts, so that the step can find it. */
const announceSubRuns = (port: SubRunPort, notify: (started: RunRef) => void): SubRunPort => ({
  async start(dag, params) {
    const subRun = await port.start(dag, params);
    const { name, dagRunId } = subRun.ref;
    notify({ name, dagRunId });
    return subRun;
  },
});
