import { approvalOperations } from './runs/approvals.ts';
import { auditOperations } from './installation/audit.ts';
import { authOperations } from './accounts/auth.ts';
import { calendarOperations } from './schedules/calendars.ts';
import { dagChangeStreams } from './workflows/dag-changes.ts';
import { dagFileOperations } from './workflows/dag-files.ts';
import { dagRunOperations } from './runs/dag-runs.ts';
import { dagSearchOperations } from './workflows/dag-search.ts';
import { dagOperations } from './workflows/dags.ts';
import { draftOperations } from './workflows/drafts.ts';
import { dryOperations } from './runs/dry.ts';
import { eventStreams } from './runs/events.ts';
import { gatewayOperations } from './gateway.ts';
import { artifactOperations } from './runs/artifacts.ts';
import { itemOperations } from './runs/items.ts';
import { layoutOperations } from './workflows/layouts.ts';
import { logOperations, logStreams } from './runs/logs.ts';
import type { InputOf, ItemOf, OutputOf } from './operation.ts';
import { resourceOperations } from './installation/resources.ts';
import { queueOperations } from './queues.ts';
import { quoteOperations } from './quotes.ts';
import { rerunOperations } from './runs/reruns.ts';
import { runStepOperations } from './runs/run-steps.ts';
import { runOperations } from './runs/runs.ts';
import { scheduleOperations } from './schedules/schedules.ts';
import { serviceOperations } from './installation/services.ts';
import { workerOperations } from './installation/workers.ts';
import { subRunOperations } from './runs/sub-runs.ts';
import { systemChangeStreams } from './installation/system-changes.ts';
import { systemOperations } from './installation/system.ts';
import { tokenOperations } from './accounts/tokens.ts';
import { userOperations } from './accounts/users.ts';
import { versionOperations } from './workflows/versions.ts';
import { webhookReceiverOperations } from './webhooks/receivers.ts';
import { webhookOperations } from './webhooks/webhooks.ts';

/** Every operation by name. */
export const operations = {
  ...dagOperations,
  ...dagFileOperations,
  ...dagSearchOperations,
  ...draftOperations,
  ...layoutOperations,
  ...versionOperations,
  ...dagRunOperations,
  ...runOperations,
  ...subRunOperations,
  ...runStepOperations,
  ...approvalOperations,
  ...rerunOperations,
  ...scheduleOperations,
  ...calendarOperations,
  ...queueOperations,
  ...dryOperations,
  ...itemOperations,
  ...artifactOperations,
  ...logOperations,
  ...resourceOperations,
  ...serviceOperations,
  ...workerOperations,
  ...systemOperations,
  ...authOperations,
  ...userOperations,
  ...tokenOperations,
  ...auditOperations,
  ...webhookOperations,
  ...webhookReceiverOperations,
  ...quoteOperations,
  ...gatewayOperations,
};
export type Operations = typeof operations;
export type OperationName = keyof Operations;
export type OperationInput<Name extends OperationName> = InputOf<Operations[Name]>;
export type OperationOutput<Name extends OperationName> = OutputOf<Operations[Name]>;

/** Every stream by name. */
export const streams = { ...eventStreams, ...dagChangeStreams, ...systemChangeStreams, ...logStreams };
export type Streams = typeof streams;
export type StreamName = keyof Streams;
export type StreamInput<Name extends StreamName> = InputOf<Streams[Name]>;
export type StreamItem<Name extends StreamName> = ItemOf<Streams[Name]>;
