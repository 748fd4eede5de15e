import type { Clock } from '../../base/clock.ts';
import { clip } from '../../base/text/clip.ts';
import { messageOf } from '../../base/errors.ts';
import { findMisfit, type Pace } from '../filters/event-filter.ts';
import type { Delivery } from '../inbound/intake.ts';
import type { PassedOver, WantedStart } from '../inbound/ports.ts';
import { conditionHolds, expressionText } from './conditions.ts';
import { ownName, type Listener } from './listeners.ts';

/** Maximum length of a chain of webhook-triggered runs. */
export const deepestChain = 3;

/** Returns which triggers a delivery starts, and why the others of its receiver do not start. */
export async function matchListeners(
  listeners: readonly Listener[],
  delivery: Delivery,
  clock: Pick<Clock, 'soon'>,
): Promise<{ readonly starts: readonly WantedStart[]; readonly passedOver: readonly PassedOver[] }> {
  const starts: WantedStart[] = [];
  const passedOver: PassedOver[] = [];
  const pause = (): Promise<void> => new Promise((resolve) => clock.soon(resolve));
  const pace: Pace = { steps: 0, pause };
  for (const listener of listeners) {
    if (!listensTo(listener, delivery.receiver)) continue;
    const { dag, trigger, name } = listener;
    const reason = await findReason(listener, delivery, pace);
    if (reason === undefined) starts.push({ dag, trigger, name, ...(await debounceOf(listener, delivery)) });
    else passedOver.push({ dag, trigger, reason });
  }
  return { starts, passedOver };
}

/** Whether a trigger listens to a receiver. */
export const listensTo = ({ wish }: Listener, { id, name }: Delivery['receiver']): boolean =>
  wish.receiver === undefined || wish.receiver === name || wish.receiver === id;

async function findReason(
  { wish, filter, fault }: Listener,
  delivery: Delivery,
  pace: Pace,
): Promise<string | undefined> {
  if (fault !== undefined) return fault;
  const event = delivery.event === undefined ? undefined : ownName(delivery.event);
  if (event === undefined && filter.events.length > 0) return 'The request has no event name.';
  if (event === 'ping' && filter.events.length === 0)
    return 'A `ping` only starts workflows that name it in `event`.';
  const misfit = await findMisfit(filter, event ?? '', delivery.payload, pace);
  if (misfit !== undefined) return misfit;
  if (wish.condition !== undefined) {
    try {
      if (!(await conditionHolds(wish.condition, delivery)))
        return `\`if\` is false: ${clip(wish.condition, 120)}`;
    } catch (thrown) {
      return `Cannot evaluate \`if\`. ${messageOf(thrown)}`;
    }
  }
  if (delivery.depth < deepestChain) return undefined;
  return `The delivery is part of a chain of ${delivery.depth} webhook-triggered runs. Chains longer than ${deepestChain} start no runs.`;
}

/** Returns the debounce key. If it cannot be evaluated, the error message is the key. */
async function debounceOf({ wish }: Listener, delivery: Delivery): Promise<Pick<WantedStart, 'debounce'>> {
  if (wish.debounceSec === undefined) return {};
  const waitMs = wish.debounceSec * 1000;
  if (wish.concurrencyKey === undefined) return { debounce: { key: '', waitMs } };
  const key = await expressionText(wish.concurrencyKey, delivery).catch((thrown: unknown) =>
    messageOf(thrown),
  );
  return { debounce: { key: key.slice(0, 1000), waitMs } };
}
