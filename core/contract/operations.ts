import { auditOperations } from './audit.ts';
import { authOperations } from './auth.ts';
import { calendarOperations } from './calendars.ts';
import { dagChangeStreams } from './dag-changes.ts';
import { dagFileOperations } from './dag-files.ts';
import { dagRunOperations } from './dag-runs.ts';
import { dagSearchOperations } from './dag-search.ts';
import { dagOperations } from './dags.ts';
import { draftOperations } from './drafts.ts';
import { dryOperations } from './dry.ts';
import { eventStreams } from './events.ts';
import { gatewayOperations } from './gateway.ts';
import { artifactOperations } from './artifacts.ts';
import { itemOperations } from './items.ts';
import { layoutOperations } from './layouts.ts';
import { logOperations, logStreams } from './logs.ts';
import type { InputOf, ItemOf, OutputOf } from './operation.ts';
import { resourceOperations } from './resources.ts';
import { queueOperations } from './queues.ts';
import { quoteOperations } from './quotes.ts';
import { rerunOperations } from './reruns.ts';
import { runStepOperations } from './run-steps.ts';
import { runOperations } from './runs.ts';
import { scheduleOperations } from './schedules.ts';
import { serviceOperations } from './services.ts';
import { workerOperations } from './workers.ts';
import { subRunOperations } from './sub-runs.ts';
import { systemChangeStreams } from './system-changes.ts';
import { systemOperations } from './system.ts';
import { tokenOperations } from './tokens.ts';
import { userOperations } from './users.ts';
import { versionOperations } from './versions.ts';
import { webhookReceiverOperations } from './webhooks/receivers.ts';
import { webhookOperations } from './webhooks/hooks.ts';

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
