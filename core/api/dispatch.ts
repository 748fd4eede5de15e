import { runActivity } from '../base/activity.ts';
import type { Dispose } from '../base/clock.ts';
import { toAppError, toErrorBody } from '../base/errors.ts';
import type { StreamObserver } from '../contract/transport/bridge.ts';
import type {
  OperationInput,
  OperationName,
  OperationOutput,
  StreamInput,
  StreamItem,
  StreamName,
} from '../contract/operations.ts';
import { auditHandlers } from './handlers/installation/audit-handlers.ts';
import { authHandlers } from './handlers/accounts/auth-handlers.ts';
import { calendarHandlers } from './handlers/schedules/calendar-handlers.ts';
import { dagFileHandlers } from './handlers/workflows/dag-file-handlers.ts';
import { dagHandlers } from './handlers/workflows/dag-handlers.ts';
import { dagRunHandlers } from './handlers/runs/dag-run-handlers.ts';
import { dagSearchHandlers } from './handlers/workflows/dag-search-handlers.ts';
import { draftHandlers } from './handlers/workflows/draft-handlers.ts';
import { dryHandlers } from './handlers/runs/dry-handlers.ts';
import type { Caller, EngineApi } from './engine-host.ts';
import type { EngineContext } from './engine-context.ts';
import { followDagChanges } from './following/follow-dag-changes.ts';
import { followDagEvents, followEvents, followRunEvents } from './following/follow-events.ts';
import { followSystemChanges } from './following/follow-system-changes.ts';
import { gatewayHandlers } from './handlers/gateway-handlers.ts';
import type { HandlersFor } from './handlers/handlers.ts';
import { approvalHandlers } from './handlers/runs/approval-handlers.ts';
import { artifactHandlers } from './handlers/runs/artifact-handlers.ts';
import { itemHandlers } from './handlers/runs/item-handlers.ts';
import { layoutHandlers } from './handlers/workflows/layout-handlers.ts';
import { logHandlers } from './handlers/runs/log-handlers.ts';
import { followLog, followLogText, followRunLog, searchLog } from './handlers/runs/log-streams.ts';
import { receiverHandlers } from './handlers/webhooks/receiver-handlers.ts';
import { queueHandlers } from './handlers/queues/queue-handlers.ts';
import { quoteHandlers } from './handlers/quote-handlers.ts';
import { resourceHandlers } from './handlers/installation/resource-handlers.ts';
import { rerunHandlers } from './handlers/runs/rerun-handlers.ts';
import { runHandlers } from './handlers/runs/run-handlers.ts';
import { runStepHandlers } from './handlers/runs/run-step-handlers.ts';
import { scheduleHandlers } from './handlers/schedules/schedule-handlers.ts';
import { serviceHandlers } from './handlers/installation/service-handlers.ts';
import { workerHandlers } from './handlers/installation/worker-handlers.ts';
import { subRunHandlers } from './handlers/runs/sub-run-handlers.ts';
import { systemHandlers } from './handlers/installation/system-handlers.ts';
import { tokenHandlers } from './handlers/accounts/token-handlers.ts';
import { userHandlers } from './handlers/accounts/user-handlers.ts';
import { versionHandlers } from './handlers/workflows/version-handlers.ts';
import { webhookExampleHandlers } from './handlers/webhooks/example-handlers.ts';
import { webhookDeliveryHandlers } from './handlers/webhooks/delivery-handlers.ts';
import { webhookHandlers } from './handlers/webhooks/webhook-handlers.ts';

/** The type requires a handler for every operation. */
const handlers: HandlersFor<OperationName> = {
  ...dagHandlers,
  ...dagFileHandlers,
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
  ...queueHandlers,
  ...dryHandlers,
  ...itemHandlers,
  ...artifactHandlers,
  ...logHandlers,
  ...resourceHandlers,
  ...serviceHandlers,
  ...workerHandlers,
  ...systemHandlers,
  ...authHandlers,
  ...userHandlers,
  ...tokenHandlers,
  ...auditHandlers,
  ...webhookHandlers,
  ...webhookDeliveryHandlers,
  ...webhookExampleHandlers,
  ...receiverHandlers,
  ...quoteHandlers,
  ...gatewayHandlers,
};

type Followers = {
  readonly [Name in StreamName]: (
    context: EngineContext,
    input: StreamInput<Name>,
    observer: StreamObserver<StreamItem<Name>>,
  ) => Dispose;
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

/** Runs the operations of one engine, for type-checked callers; transports add `checkInputs`. */
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
    try {
      const follower = followers[name];
      return follower(this.#context, input, observer);
    } catch (error) {
      observer.end(toErrorBody(toAppError(error)));
      return () => {};
    }
  }
}
