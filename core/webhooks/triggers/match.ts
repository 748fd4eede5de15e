import type { Clock } from '../../base/clock.ts';
import { truncate } from '../../base/text/truncate.ts';
import { messageOf } from '../../base/errors.ts';
import { findMismatch, type MatchPacing } from '../filters/event-filter.ts';
import type { Delivery } from '../receiving/delivery-receiver.ts';
import type { SkippedTrigger, PendingStart } from '../receiving/ports.ts';
import { matchesCondition, expressionText } from './conditions.ts';
import { canonicalEventName, type Listener } from './listeners.ts';

/** Maximum length of a chain of webhook-triggered runs. */
export const maxChainDepth = 3;

/** Returns which triggers a delivery starts, and why the others of its receiver do not start. */
export async function matchListeners(
  listeners: readonly Listener[],
  delivery: Delivery,
  clock: Pick<Clock, 'soon'>,
): Promise<{ readonly starts: readonly PendingStart[]; readonly passedOver: readonly SkippedTrigger[] }> {
  const starts: PendingStart[] = [];
  const passedOver: SkippedTrigger[] = [];
  const pause = (): Promise<void> => new Promise((resolve) => clock.soon(resolve));
  const pace: MatchPacing = { steps: 0, pause };
  for (const listener of listeners) {
    if (!matchesReceiver(listener, delivery.receiver)) continue;
    const { dag, trigger, name } = listener;
    const reason = await findReason(listener, delivery, pace);
    if (reason === undefined) starts.push({ dag, trigger, name, ...(await debounceOf(listener, delivery)) });
    else passedOver.push({ dag, trigger, reason });
  }
  return { starts, passedOver };
}

/** Whether a trigger listens to a receiver. */
export const matchesReceiver = ({ definition }: Listener, { id, name }: Delivery['receiver']): boolean =>
  definition.receiver === undefined || definition.receiver === name || definition.receiver === id;

async function findReason(
  { definition, filter, problem }: Listener,
  delivery: Delivery,
  pace: MatchPacing,
): Promise<string | undefined> {
  if (problem !== undefined) return problem;
  const event = delivery.event === undefined ? undefined : canonicalEventName(delivery.event);
  if (event === undefined && filter.events.length > 0) return 'The request has no event name.';
  if (event === 'ping' && filter.events.length === 0)
    return 'A `ping` only starts workflows that name it in `event`.';
  const mismatch = await findMismatch(filter, event ?? '', delivery.payload, pace);
  if (mismatch !== undefined) return mismatch;
  if (definition.condition !== undefined) {
    try {
      if (!(await matchesCondition(definition.condition, delivery)))
        return `\`if\` is false: ${truncate(definition.condition, 120)}`;
    } catch (error) {
      return `Cannot evaluate \`if\`. ${messageOf(error)}`;
    }
  }
  if (delivery.depth < maxChainDepth) return undefined;
  return `The delivery is part of a chain of ${delivery.depth} webhook-triggered runs. Chains longer than ${maxChainDepth} start no runs.`;
}

/** Returns the debounce key. If it cannot be evaluated, the error message is the key. */
async function debounceOf(
  { definition }: Listener,
  delivery: Delivery,
): Promise<Pick<PendingStart, 'debounce'>> {
  if (definition.debounceSec === undefined) return {};
  const waitMs = definition.debounceSec * 1000;
  if (definition.concurrencyKey === undefined) return { debounce: { key: '', waitMs } };
  const key = await expressionText(definition.concurrencyKey, delivery).catch((error: unknown) =>
    messageOf(error),
  );
  return { debounce: { key: key.slice(0, 1000), waitMs } };
}
