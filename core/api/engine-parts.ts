import type { Clock } from '../base/clock.ts';
import type { EngineConfig } from '../config/engine-config.ts';
import type { HostWatch } from '../hosts/host-watch.ts';
import type { HomePaths } from '../config/home.ts';
import type { WorkflowLibrary } from '../library/workflow-library.ts';
import type { LogReader } from '../logs/log-reader.ts';
import type { ActiveRuns } from '../run/active-runs.ts';
import type { EventHub } from '../run/record/event-hub.ts';
import type { RunStore } from '../run/ports.ts';
import type { Reruns } from '../run/reruns/reruns.ts';
import type { RunService } from '../run/run-service.ts';
import type { DryRunner, StartRequest } from './engine-host.ts';
import type { StoredWorkflows } from './stored-workflows.ts';
import type { RunRef } from '../model/run.ts';

/** What handlers work with. */
export interface EngineParts {
  readonly paths: HomePaths;
  readonly config: EngineConfig;
  readonly version: string;
  readonly clock: Clock;
  readonly store: RunStore;
  readonly hub: EventHub;
  readonly library: WorkflowLibrary;
  readonly active: ActiveRuns;
  readonly watch: HostWatch;
  readonly runs: RunService;
  readonly reruns: Reruns;
  readonly logs: LogReader;
  readonly storedWorkflows: StoredWorkflows;
  startRun(request: StartRequest): Promise<RunRef>;
  readonly dryRun: DryRunner;
}
