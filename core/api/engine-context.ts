import type { AuditLog } from './audit/audit-log.ts';
import type { Auth } from './auth/auth.ts';
import type { Clock } from '../base/clock.ts';
import type { Health } from '../base/health.ts';
import type { EngineConfig } from '../home/config/engine-config.ts';
import type { LazyGateway } from '../gateway/service/gateway-service.ts';
import type { TaskFiles } from '../run/remote/task-files.ts';
import type { DispatchStore } from '../store/types/dispatch.ts';
import type { HostMonitor } from '../run/hosts.ts';
import type { InstallationSettings } from '../home/config/installation-settings.ts';
import type { HomePaths } from '../home/config/home.ts';
import type { EditorFiles } from '../home/library/editor-files.ts';
import type { WorkflowLibrary } from '../home/library/workflow-library.ts';
import type { ResourceMonitor } from '../process/monitor/resource-monitor.ts';
import type { LogReader } from '../run/logs/log-reader.ts';
import type { Queues } from '../run/queue/queues.ts';
import type { ActiveRuns } from '../run/active-runs.ts';
import type { EventHub } from '../run/event-hub.ts';
import type { ApprovalStore, RunStore } from '../store/types/runs.ts';
import type { RemoveRemoteData } from '../store/run-logs.ts';
import type { Reruns } from '../run/recovery/reruns.ts';
import type { TestMail, TestMailResult } from '../run/home-mail.ts';
import type { RunService } from '../run/run-service.ts';
import type { ExpectationStore } from '../store/types/expectations.ts';
import type { PingStore } from '../store/types/pings.ts';
import type { LazySecrets } from '../store/secrets/lazy-secrets.ts';
import type { ScheduleStore } from '../store/types/schedules.ts';
import type { LazyInbound } from '../webhooks/lazy-inbound.ts';
import type { Notifications } from '../webhooks/notifications/notifications.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { DryRunner, EnqueueRequest, StartRequest } from './engine-api.ts';
import type { ListCache, RunDetailCache, WorkflowCache } from './caches.ts';
import type { LogMirror } from './log-mirror.ts';
import type { SystemChanges } from './system-changes.ts';
import type { RunRef } from '../model/run.ts';

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
  readonly expectations: ExpectationStore;
  readonly pings: PingStore;
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
  readonly audit: AuditLog;
  /** Stored secrets, opened on first use. */
  readonly secrets: LazySecrets;
  /** Incoming webhooks. */
  readonly inbound: LazyInbound;
  /** The database gateway, loaded on first use. */
  readonly gateway: LazyGateway;
  /** Notification channels and rules, opened on first use. */
  readonly notifications: () => Promise<Notifications>;
  /** Outgoing webhooks, opened on first use. */
  readonly webhooks: () => Promise<Webhooks>;
  /** Resolves with a different string whenever incoming or outgoing webhooks have changed. */
  readonly webhookRevision: () => Promise<string>;
  /** Tasks of workers, opened on first use. */
  readonly tasks: () => Promise<DispatchStore>;
  /** Artifacts of runs, opened on first use. */
  readonly files: () => Promise<TaskFiles>;
  /** Fetches logs of workers that are stored elsewhere. */
  readonly mirror: LogMirror;
  readonly removeRemoteData: RemoveRemoteData | undefined;
  startRun(request: StartRequest): Promise<RunRef>;
  enqueueRun(request: EnqueueRequest): Promise<RunRef>;
  readonly dryRun: DryRunner;
  readonly settings: InstallationSettings;
  sendTestMail(mail: TestMail): Promise<TestMailResult>;
  /** Serves the schedules and queues of the home in this process. */
  readonly startScheduling: () => Promise<void>;
  /** Users, tokens and sessions, opened on first use. */
  readonly auth: () => Promise<Auth>;
}
