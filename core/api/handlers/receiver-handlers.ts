import { toIso } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ReceivedDeliveryView, ReceiverView } from '../../contract/receivers.ts';
import type { ReceiverMethod } from '../../model/webhook.ts';
import type { ReceivedDelivery, Receiver } from '../../store/types/receivers.ts';
import type { EngineContext } from '../engine-context.ts';
import type { HandlersFor } from './handlers.ts';

const defaultPageSize = 50;
const defaultOverlapSec = 86_400;
const dayMs = 86_400_000;
/** Maximum number of bytes of a body that are shown. */
const shownBytes = 1024 * 1024;

type ReceiverOperation =
  | 'receivers.list'
  | 'receivers.create'
  | 'receivers.get'
  | 'receivers.update'
  | 'receivers.delete'
  | 'receivers.rotate'
  | 'receivers.sendSample'
  | 'receivers.deliveries'
  | 'receivers.delivery'
  | 'receivers.replay';

/** Operations on webhook receivers and their deliveries. */
export const receiverHandlers: HandlersFor<ReceiverOperation> = {
  'receivers.list': async (_, context) => ({
    receivers: await Promise.all(
      (await context.inbound.receivers.list()).map((receiver) => toView(receiver, context)),
    ),
  }),
  'receivers.create': async ({ name, scheme, secrets, ...settings }, context) =>
    toView(await context.inbound.receivers.create({ name, scheme, secrets, ...toChange(settings) }), context),
  'receivers.get': async ({ receiverId }, context) =>
    toView(await context.inbound.receivers.get(receiverId), context),
  'receivers.update': async ({ receiverId, name, ...settings }, context) =>
    toView(await context.inbound.receivers.update(receiverId, { name, ...toChange(settings) }), context),
  'receivers.delete': async ({ receiverId }, context) =>
    toView(await context.inbound.remove(receiverId), context),
  'receivers.rotate': async ({ receiverId, secret, overlapSec = defaultOverlapSec }, context) =>
    toView(await context.inbound.receivers.rotate(receiverId, secret, overlapSec * 1000), context),
  'receivers.sendSample': async ({ receiverId, event, payload }, context) => {
    const { receivers, store } = context.inbound;
    const receiver = await receivers.get(receiverId);
    const server = context.inbound.serverUrl();
    if (server === undefined) {
      throw new AppError('conflict', 'No server of this home is running, so the sample has no receiver.', {
        details: { hint: 'Start one with "engine server" or "engine start-all".' },
      });
    }
    const { buildSample, sendSample } = await import('../../webhooks/receiving/sample.ts');
    const sample = buildSample(receiver, { event, payload: payload as JsonObject }, context.clock.now());
    const url = `${server}/webhooks/${receiver.id}${sample.query}`;
    const answer = await sendSample(url, sample, context.clock);
    const key = findDeliveryKey(answer.body);
    const delivery = key === undefined ? undefined : await store.findReceived(key);
    return { url, event: sample.event, ...answer, delivery: delivery && toDeliveryView(delivery) };
  },
  'receivers.deliveries': async ({ receiverId, limit = defaultPageSize, cursor, ...filter }, context) => {
    const { receivers, store } = context.inbound;
    const beforeKey = cursor === undefined ? undefined : Number(cursor);
    const records = await store.listReceived({
      receiverKey: (await receivers.get(receiverId)).key,
      limit,
      beforeKey,
      ...filter,
    });
    const last = records.at(-1);
    return {
      deliveries: records.map(toDeliveryView),
      nextCursor: last === undefined || records.length < limit ? undefined : String(last.key),
    };
  },
  'receivers.delivery': async ({ receiverId, id }, context) => {
    const { delivery } = await findDelivery(context, receiverId, id);
    const body = await context.inbound.store.readBody(delivery.key);
    return {
      ...toDeliveryView(delivery),
      headers: { ...delivery.headers },
      body: body?.toString('utf8', 0, shownBytes),
      isCut: body !== undefined && (body.length < delivery.bytes || body.length > shownBytes),
    };
  },
  'receivers.replay': async ({ receiverId, id }, context) => {
    const { receiver, delivery } = await findDelivery(context, receiverId, id);
    const intake = await context.inbound.intake();
    const { key } = await intake.replay(receiver, delivery);
    return toDeliveryView((await context.inbound.store.findReceived(key))!);
  },
};

/** Returns the ID of the delivery in the response of a receiver. */
function findDeliveryKey(body: string): number | undefined {
  try {
    const { id } = JSON.parse(body) as { readonly id?: unknown };
    return typeof id === 'string' ? Number(id) : undefined;
  } catch {
    return undefined;
  }
}

/** Converts fields of the contract to those of the engine. */
const toChange = ({
  dedupeSec,
  keepDays,
  ...rest
}: {
  readonly dedupeSec?: number | undefined;
  readonly keepDays?: number | undefined;
  readonly methods?: readonly ReceiverMethod[] | undefined;
  readonly allowSha1?: boolean | undefined;
  readonly maxBodyBytes?: number | undefined;
  readonly active?: boolean | undefined;
}) => ({
  ...rest,
  dedupeMs: dedupeSec === undefined ? undefined : dedupeSec * 1000,
  keepMs: keepDays === undefined ? undefined : keepDays * dayMs,
});

/** @throws `not_found` */
async function findDelivery(
  { inbound: { receivers, store } }: EngineContext,
  receiverId: string,
  id: string,
): Promise<{ readonly receiver: Receiver; readonly delivery: ReceivedDelivery }> {
  const receiver = await receivers.get(receiverId);
  const delivery = await store.findReceived(Number(id));
  if (delivery?.receiverKey === receiver.key) return { receiver, delivery };
  throw new AppError(
    'not_found',
    `Receiver ${receiver.name} has no delivery ${id}. It may have been deleted.`,
  );
}

async function toView(receiver: Receiver, { inbound, clock }: EngineContext): Promise<ReceiverView> {
  const now = clock.now();
  const path = `/webhooks/${receiver.id}`;
  return {
    id: receiver.id,
    name: receiver.name,
    url: inbound.baseUrl() + path,
    path,
    isServed: inbound.serverUrl() !== undefined,
    scheme: receiver.scheme,
    secrets: receiver.secrets
      .filter(({ until }) => until === undefined || until > now)
      .map(({ until }) => (until === undefined ? {} : { until: toIso(until) })),
    methods: [...receiver.methods],
    allowSha1: receiver.allowSha1,
    maxBodyBytes: receiver.maxBodyBytes,
    dedupeSec: Math.round(receiver.dedupeMs / 1000),
    keepDays: Math.ceil(receiver.keepMs / dayMs),
    active: receiver.active,
    workflows: await inbound.listListeners(receiver),
    createdAt: toIso(receiver.createdAt),
    updatedAt: toIso(receiver.updatedAt),
  };
}

function toDeliveryView(delivery: ReceivedDelivery): ReceivedDeliveryView {
  const { starts, passedOver, duplicateOf, replayOf } = delivery;
  return {
    id: String(delivery.key),
    receivedAt: toIso(delivery.at),
    method: delivery.method,
    status: delivery.state,
    verified: delivery.verified,
    proof: delivery.proof,
    reason: delivery.reason,
    event: delivery.event,
    action: delivery.action,
    deliveryId: delivery.deliveryId,
    hookId: delivery.hookId,
    duplicateOf: duplicateOf === undefined ? undefined : String(duplicateOf),
    replayOf: replayOf === undefined ? undefined : String(replayOf),
    contentType: delivery.contentType,
    bytes: delivery.bytes,
    address: delivery.address,
    runs: starts
      .filter(({ outcome }) => outcome === 'started' || outcome === 'pending')
      .map(({ run }) => run),
    decisions: [
      ...starts.map(({ dag, trigger, outcome, reason, run, dueAt }) => ({
        workflow: dag,
        trigger,
        outcome,
        reason,
        ...(outcome === 'started' || outcome === 'pending' ? { run } : {}),
        ...(outcome === 'pending' && dueAt !== undefined ? { dueAt: toIso(dueAt) } : {}),
      })),
      ...passedOver.map(({ dag, trigger, reason }) => ({
        workflow: dag,
        trigger,
        outcome: 'passed_over' as const,
        reason,
      })),
    ],
  };
}
