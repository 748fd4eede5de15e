import { runActivity } from '../base/activity.ts';
import type { Dispose } from '../base/clock.ts';
import type { StreamObserver } from '../contract/transport.ts';
import type {
  OperationInput,
  OperationName,
  OperationOutput,
  StreamInput,
  StreamItem,
  StreamName,
} from '../contract/operations.ts';
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
import type { Caller, EngineApi } from './engine-api.ts';
import type { EngineContext } from './engine-context.ts';
import { followDagChanges, followDagEvents, followEvents, followRunEvents } from './follow-events.ts';
import { followSystemChanges } from './follow-system-changes.ts';
import { expectationHandlers, pingHandlers } from './handlers/ping-handlers.ts';
import { gatewayHandlers } from './handlers/gateway-handlers.ts';
import { gatewayTableHandlers } from './handlers/gateway-table-handlers.ts';
import type { HandlersFor } from './handlers/handlers.ts';
import { startStream } from './lazy-dispatch.ts';
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

/** The type requires a handler for every operation. */
const handlers: HandlersFor<OperationName> = {
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
const followers: Followers = {
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

/** Runs the operations of one engine, for callers that `createApi` has checked. */
export class Dispatch implements EngineApi {
  readonly #context: EngineContext;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  async call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    caller: Caller,
  ): Promise<OperationOutput<Name>> {
    const handler = handlers[name];
    const respond = async (): Promise<OperationOutput<Name>> => handler(input, this.#context, caller);
    return runActivity({ kind: 'request', operation: name }, respond);
  }

  follow<Name extends StreamName>(
    name: Name,
    input: StreamInput<Name>,
    observer: StreamObserver<StreamItem<Name>>,
    _caller: Caller,
  ): Dispose {
    const follower = followers[name];
    return startStream(() => follower(this.#context, input, observer), observer);
  }
}
