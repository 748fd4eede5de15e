import type { AuditTrail } from '../audit/audit-trail.ts';
import type { Auth } from '../auth/auth.ts';
import type { Clock } from '../base/clock.ts';
import type { Health } from '../base/health.ts';
import type { EngineConfig } from '../config/engine-config.ts';
import type { GatewayProvider } from '../gateway/service/gateway-service.ts';
import type { TaskFiles } from '../distributed/files-port.ts';
import type { DispatchStore } from '../distributed/ports.ts';
import type { HostMonitor } from '../hosts/host-monitor.ts';
import type { HomePaths } from '../config/home.ts';
import type { EditorFiles } from '../library/editor/editor-files.ts';
import type { WorkflowLibrary } from '../library/workflow-library.ts';
import type { ResourceMonitor } from '../monitor/resource-monitor.ts';
import type { LogReader } from '../logs/log-reader.ts';
import type { Queues } from '../queue/queues.ts';
import type { ActiveRuns } from '../run/active-runs.ts';
import type { EventHub } from '../run/record/event-hub.ts';
import type { ApprovalStore } from '../run/approvals/ports.ts';
import type { RunStore } from '../run/ports.ts';
import type { RemoveElsewhere } from '../run/retention/remove-logs.ts';
import type { Reruns } from '../run/reruns/reruns.ts';
import type { RunService } from '../run/run-service.ts';
import type { ScheduleStore } from '../scheduler/ports.ts';
import type { IncomingWebhooks } from '../webhooks/receiving/incoming-webhooks.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { DryRunner, EnqueueRequest, StartRequest } from './engine-host.ts';
import type { ListCache } from './cache/list-cache.ts';
import type { LogMirror } from './following/log-mirror.ts';
import type { RunDetailCache } from './cache/run-detail-cache.ts';
import type { WorkflowCache } from './cache/workflow-cache.ts';
import type { SystemChanges } from './following/system-changes.ts';
import type { RunRef } from '../model/run/run.ts';

/** Dependencies of handlers. */
export interface EngineContext {
  readonly paths: HomePaths;
  readonly config: EngineConfig;
  readonly version: string;
  readonly clock: Clock;
  /** Health of this host. */
  readonly health: Health;
  readonly store: RunStore;
  readonly schedule: ScheduleStore;
  readonly approvals: ApprovalStore;
  readonly hub: EventHub;
  readonly library: WorkflowLibrary;
  readonly editor: EditorFiles;
  readonly active: ActiveRuns;
  readonly watch: HostMonitor;
  readonly runs: RunService;
  readonly reruns: Reruns;
  readonly queues: Queues;
  readonly monitor: ResourceMonitor;
  readonly logs: LogReader;
  readonly storedWorkflows: WorkflowCache;
  readonly pictures: RunDetailCache;
  readonly lists: ListCache;
  readonly changes: SystemChanges;
  readonly audit: AuditTrail;
  /** Incoming webhooks. */
  readonly inbound: IncomingWebhooks;
  /** The database gateway, loaded on first use. */
  readonly gateway: GatewayProvider;
  /** Outgoing webhooks, opened on first use. */
  readonly webhooks: () => Promise<Webhooks>;
  /** Returns a different string whenever incoming or outgoing webhooks have changed. */
  readonly webhookRevision: () => string;
  /** Tasks of workers, opened on first use. */
  readonly tasks: () => Promise<DispatchStore>;
  /** Artifacts of runs, opened on first use. */
  readonly files: () => Promise<TaskFiles>;
  /** Fetches logs of workers that are stored elsewhere. */
  readonly mirror: LogMirror;
  readonly removeElsewhere: RemoveElsewhere | undefined;
  startRun(request: StartRequest): Promise<RunRef>;
  enqueueRun(request: EnqueueRequest): Promise<RunRef>;
  readonly dryRun: DryRunner;
  /** Users, tokens and sessions, opened on first use. */
  readonly auth: () => Promise<Auth>;
}
