import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { DatabasePort, SubRunPort } from '../executors/executor.ts';
import type { NodeId } from '../model/run-event.ts';
import type { PeakUsage, RunRecord, RunRef } from '../model/run.ts';
import type { Parameter, Workflow } from '../model/workflow.ts';
import { formatNoWorker, type WorkerSelector } from '../model/workflow-rules.ts';
import type { ProcessLauncher } from '../process/launcher.ts';
import type { SecretSources } from '../process/secrets/provider.ts';
import type { ApprovalStore, RunStore } from '../store/types/runs.ts';
import { AppError } from '../base/errors.ts';
import { mask } from '../process/secrets/mask-scanner.ts';
import { Masker } from '../process/secrets/masker.ts';
import type { Step } from '../model/step.ts';
import type { TaskFiles } from './remote/task-files.ts';
import type { HostHeartbeat } from './hosts.ts';
import type { Telemetry } from './telemetry/telemetry.ts';
import type { RemoteSteps } from './remote/remote-task.ts';
import type { Recorder } from './recorder.ts';
import type { PreviousRun } from './recovery/previous-run.ts';
import type { SubRunCaller } from './steps/step-context.ts';
import type { StartLimiter } from './steps/attempt.ts';
import type { Inheritance } from './values/open-scope.ts';

/** Dependencies that the drivers of one host share. */
export interface RunHost {
  readonly home: string;
  /** Absolute path; may not exist. */
  readonly cacheDir: string;
  /** For steps that use databases. */
  readonly databases: DatabasePort;
  /**
   * Where the logs of new runs go when their workflow names no directory. Absolute path; default: `logs` in the home.
   */
  readonly logRoot?: string | undefined;
  readonly store: RunStore;
  readonly approvals: ApprovalStore;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly launcher: ProcessLauncher;
  readonly startLimiter: StartLimiter;
  readonly telemetry: Telemetry;
  /** Registered in the database with its first run. */
  readonly host: Pick<HostHeartbeat, 'owner' | 'keepAlive'>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** As in `SystemContext`. */
  readonly passed?: ReadonlySet<string> | undefined;
  readonly secretSources?: SecretSources | undefined;
  /** Opens the artifacts of runs and the logs of workers when they are first needed. */
  files(): Promise<TaskFiles>;
  /** Runs attempts on workers. */
  readonly remote: RemoteSteps;
  subRuns(parent: RunInput, node: NodeId, inherited: Inheritance, caller: SubRunCaller): SubRunPort;
  /** Returns the peak usage that this host has measured for the run's processes, if any. */
  peakUsage(run: RunRef): PeakUsage | undefined;
  /** Forgets the runs that the node has started, so that it does not resume any of them. */
  forgetSubRuns(parent: RunInput, node: NodeId): void;
}

/** A run and the workflows of its file. The first workflow is the run's own; its steps may call the others. */
export interface RunInput {
  readonly record: RunRecord;
  /** The parameters of the record, including secrets, which are not stored. */
  readonly params: readonly Parameter[];
  readonly specFile: string | undefined;
  readonly specText: string;
  /** Source of the base configuration that the workflows inherit from, if there is one. */
  readonly baseText: string | undefined;
  readonly workflow: Workflow;
  readonly siblings: readonly Workflow[];
  readonly inherited?: Inheritance;
  readonly previousRun?: PreviousRun;
}

/** Returns a sub-run's parameters for storage: without the secrets of the run that starts it. */
export function maskParams(
  params: readonly Parameter[],
  inherited: Inheritance | undefined,
): readonly Parameter[] {
  const masker = new Masker(inherited?.masked ?? []);
  return masker.isEmpty ? params : params.map(({ name, value }) => ({ name, value: masker.mask(value) }));
}

/**
 * Rejects a rerun with parameters that contain a secret, which was not stored.
 * @throws `bad_request` naming the run that has it
 */
export function assertNoMaskedParams({ name, dagRunId, params, parent }: RunRecord): void {
  const hidden = params.find(({ value }) => value.includes(mask));
  if (parent === undefined || hidden === undefined) return;
  throw new AppError(
    'bad_request',
    `Parameter ${hidden.name} of run ${dagRunId} of ${name} came from a secret, which is not stored. ` +
      `Retry the parent run instead: ${parent.dagRunId} of ${parent.name}.`,
  );
}

/** Other processes that make attempts of steps with a worker selector. */
export interface Workers {
  /** Whether workers were ever set up in the home. */
  isSetUp(): Promise<boolean>;
}

/** Returns why no step with this selector can run in an installation without workers, and the solution. */
export const formatMissingWorker = (selector: WorkerSelector): string =>
  `${formatNoWorker(selector)}: no workers have been set up in this home. Start "engine coordinator" and "engine worker", or remove workerSelector.`;

/** Returns the step or handler of a run's node; undefined when the workflow has none with this name. */
export function findNode(
  { steps, handlers }: Pick<Workflow, 'steps' | 'handlers'>,
  { section, name }: NodeId,
): Step | undefined {
  const nodes = section === 'step' ? steps : Object.values(handlers);
  return nodes.find((step) => step.name === name);
}
