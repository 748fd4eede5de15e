import type { Dispose } from '../base/clock.ts';
import type { OperationName, StreamInput, StreamItem, StreamName } from '../contract/operations.ts';
import type { StreamObserver } from '../contract/transport.ts';
import type { EngineContext } from './engine-context.ts';
import {
  auditHandlers,
  quoteHandlers,
  resourceHandlers,
  serviceHandlers,
  systemHandlers,
} from './handlers/system-handlers.ts';
import { authHandlers, tokenHandlers, userHandlers } from './handlers/account-handlers.ts';
import { statisticsHandlers } from './handlers/statistics-handlers.ts';
import { calendarHandlers, scheduleHandlers } from './handlers/schedule-handlers.ts';
import { configHandlers, secretHandlers } from './handlers/config-handlers.ts';
import { dagActionHandlers } from './handlers/dag-action-handlers.ts';
import {
  dagFileHandlers,
  versionHandlers,
  draftHandlers,
  layoutHandlers,
} from './handlers/dag-file-handlers.ts';
import { dagHandlers, dagSearchHandlers } from './handlers/dag-handlers.ts';
import {
  dagRunHandlers,
  itemHandlers,
  runStepHandlers,
  subRunHandlers,
  approvalHandlers,
} from './handlers/run-step-handlers.ts';
import { dryHandlers, rerunHandlers, runHandlers } from './handlers/run-handlers.ts';
import { followDagChanges, followDagEvents, followEvents, followRunEvents } from './follow-events.ts';
import { followSystemChanges } from './follow-system-changes.ts';
import { expectationHandlers, pingHandlers } from './handlers/ping-handlers.ts';
import { gatewayHandlers } from './handlers/gateway-handlers.ts';
import { gatewayTableHandlers } from './handlers/gateway-table-handlers.ts';
import type { HandlersFor } from './handlers/handlers.ts';
import { artifactHandlers } from './handlers/artifact-handlers.ts';
import { logHandlers } from './handlers/log-handlers.ts';
import { followLog, followLogText, followRunLog, searchLog } from './handlers/log-streams.ts';
import { receiverHandlers } from './handlers/receiver-handlers.ts';
import { notificationHandlers } from './handlers/notification-handlers.ts';
import { queueHandlers } from './handlers/queue-handlers.ts';
import { workerHandlers } from './handlers/worker-handlers.ts';
import {
  webhookExampleHandlers,
  webhookDeliveryHandlers,
  webhookHandlers,
} from './handlers/webhook-handlers.ts';

/** The handler of each operation. */
export const handlers: HandlersFor<OperationName> = {
  ...dagHandlers,
  ...dagFileHandlers,
  ...dagActionHandlers,
  ...dagSearchHandlers,
  ...draftHandlers,
  ...layoutHandlers,
  ...versionHandlers,
  ...dagRunHandlers,
  ...runHandlers,
  ...subRunHandlers,
  ...runStepHandlers,
  ...approvalHandlers,
  ...rerunHandlers,
  ...scheduleHandlers,
  ...calendarHandlers,
  ...statisticsHandlers,
  ...queueHandlers,
  ...dryHandlers,
  ...itemHandlers,
  ...artifactHandlers,
  ...logHandlers,
  ...resourceHandlers,
  ...serviceHandlers,
  ...workerHandlers,
  ...systemHandlers,
  ...configHandlers,
  ...secretHandlers,
  ...authHandlers,
  ...userHandlers,
  ...tokenHandlers,
  ...auditHandlers,
  ...webhookHandlers,
  ...webhookDeliveryHandlers,
  ...webhookExampleHandlers,
  ...receiverHandlers,
  ...pingHandlers,
  ...expectationHandlers,
  ...notificationHandlers,
  ...quoteHandlers,
  ...gatewayHandlers,
  ...gatewayTableHandlers,
};

type Followers = {
  readonly [Name in StreamName]: (
    context: EngineContext,
    input: StreamInput<Name>,
    observer: StreamObserver<StreamItem<Name>>,
  ) => Dispose | Promise<Dispose>;
};

/** The handler of each stream. */
export const followers: Followers = {
  'events.follow': followEvents,
  'events.followDag': followDagEvents,
  'events.followRun': followRunEvents,
  'dags.changes': followDagChanges,
  'system.changes': followSystemChanges,
  'logs.follow': followLog,
  'logs.followText': followLogText,
  'logs.search': searchLog,
  'logs.followRun': followRunLog,
};
