import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { TaskFiles } from '../distributed/files-port.ts';
import type { DatabasePort } from '../executors/database-port.ts';
import type { SubRunPort } from '../executors/executor.ts';
import type { NodeId } from '../model/run/run-event.ts';
import type { OwnHost } from '../hosts/own-host.ts';
import type { PeakUsage, RunRecord, RunRef } from '../model/run/run.ts';
import type { Parameter, Workflow } from '../model/workflow/workflow.ts';
import type { ProcessLauncher } from '../process/launch/launcher.ts';
import type { Keychain } from '../secrets/keychain.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { ApprovalStore } from './approvals/ports.ts';
import type { RunStore } from './ports.ts';
import type { RemoteSteps } from './remote/ports.ts';
import type { Recorder } from './record/recorder.ts';
import type { EarlierRun } from './reruns/earlier-run.ts';
import type { SubRunCaller } from './steps/step-context.ts';
import type { Turnstile } from './turnstile.ts';
import type { Inheritance } from './values/open-scope.ts';

/** What drivers of one host share. */
export interface DriverHost {
  readonly home: string;
  /** Absolute; may be missing. */
  readonly cacheDir: string;
  /** For steps that ask them. */
  readonly databases: DatabasePort;
  /** Where the logs of new runs go whose workflow names no folder; absolute, absent for `logs` in the home. */
  readonly logRoot?: string | undefined;
  readonly store: RunStore;
  readonly approvals: ApprovalStore;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly launcher: ProcessLauncher;
  readonly turnstile: Turnstile;
  readonly telemetry: Telemetry;
  /** Known to others from its first run on. */
  readonly host: Pick<OwnHost, 'owner' | 'keepAlive'>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** As in `SystemFacts`. */
  readonly passed?: ReadonlySet<string> | undefined;
  readonly keychain?: Keychain | undefined;
  /** Where the artifacts of runs are, and the logs of what workers do; opened when they are needed. */
  files(): Promise<TaskFiles>;
  /** Has attempts made by workers. */
  readonly remote: RemoteSteps;
  subRuns(parent: DrivenRun, node: NodeId, inherited: Inheritance, caller: SubRunCaller): SubRunPort;
  /** What this host has seen of the run's processes; undefined when nothing. */
  peakUsage(run: RunRef): PeakUsage | undefined;
  /** The node goes on with none of the runs that it has started. */
  forgetSubRuns(parent: DrivenRun, node: NodeId): void;
}

/** A run and the workflows of its file; the first is its own, the rest may be called by its steps. */
export interface DrivenRun {
  readonly record: RunRecord;
  /** The record's, with the secrets that are not kept. */
  readonly params: readonly Parameter[];
  readonly specFile: string | undefined;
  readonly specText: string;
  /** Text of the base configuration under the workflows, when there is one. */
  readonly baseText: string | undefined;
  readonly workflow: Workflow;
  readonly siblings: readonly Workflow[];
  readonly inherited?: Inheritance;
  readonly earlier?: EarlierRun;
}
