import {
  approvalOperations,
  dagRunOperations,
  artifactOperations,
  itemOperations,
  runStepOperations,
  subRunOperations,
} from './run-steps.ts';
import {
  auditOperations,
  resourceOperations,
  serviceOperations,
  systemChangeStreams,
  systemOperations,
} from './system.ts';
import { authOperations, tokenOperations, userOperations } from './accounts.ts';
import { calendarOperations, scheduleOperations } from './schedules.ts';
import { configOperations, secretOperations } from './config.ts';
import { dagActionOperations } from './dag-actions.ts';
import { dagChangeStreams, dagFileOperations, layoutOperations, versionOperations } from './dag-files.ts';
import { dagSearchOperations, dagOperations } from './dags.ts';
import { draftOperations } from './drafts.ts';
import { dryOperations } from './dry.ts';
import { expectationOperations, pingOperations } from './pings.ts';
import { eventStreams, logOperations, logStreams } from './logs.ts';
import { gatewayOperations } from './gateway.ts';
import { gatewayTableOperations } from './gateway-tables.ts';
import type { InputOf, ItemOf, OutputOf } from './operation.ts';
import { queueOperations } from './queues.ts';
import { quoteOperations } from './quotes.ts';
import { rerunOperations, runOperations } from './runs.ts';
import { statisticsOperations } from './statistics.ts';
import { workerOperations } from './workers.ts';
import { webhookReceiverOperations } from './receivers.ts';
import { webhookOperations } from './webhooks.ts';
import { notificationOperations } from './notifications.ts';

/** Every operation by name. */
export const operations = {
  ...dagOperations,
  ...dagFileOperations,
  ...dagActionOperations,
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
  ...statisticsOperations,
  ...queueOperations,
  ...dryOperations,
  ...itemOperations,
  ...artifactOperations,
  ...logOperations,
  ...resourceOperations,
  ...serviceOperations,
  ...workerOperations,
  ...systemOperations,
  ...configOperations,
  ...secretOperations,
  ...authOperations,
  ...userOperations,
  ...tokenOperations,
  ...auditOperations,
  ...webhookOperations,
  ...notificationOperations,
  ...webhookReceiverOperations,
  ...pingOperations,
  ...expectationOperations,
  ...quoteOperations,
  ...gatewayOperations,
  ...gatewayTableOperations,
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
