import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { TaskFiles } from '../distributed/files-port.ts';
import type { DatabasePort } from '../executors/database-port.ts';
import type { SubRunPort } from '../executors/executor.ts';
import type { NodeId } from '../model/run/run-event.ts';
import type { HostHeartbeat } from '../hosts/host-heartbeat.ts';
import type { PeakUsage, RunRecord, RunRef } from '../model/run/run.ts';
import type { Parameter, Workflow } from '../model/workflow/workflow.ts';
import type { ProcessLauncher } from '../process/launch/launcher.ts';
import type { Keychain } from '../secrets/keychain.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { ApprovalStore } from './approvals/ports.ts';
import type { RunStore } from './ports.ts';
import type { RemoteSteps } from './remote/ports.ts';
import type { Recorder } from './record/recorder.ts';
import type { PreviousRun } from './reruns/previous-run.ts';
import type { SubRunCaller } from './steps/step-context.ts';
import type { StartLimiter } from './start-limiter.ts';
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
  readonly keychain?: Keychain | undefined;
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
