import { pluralize } from '../../../../core/base/text/pluralize.ts';
import type { ReceivedDeliveryView } from '../../../../core/contract/webhooks/receivers.ts';
import type { OutcomeTone } from '../exchange/outcome.tsx';

/** Describes the result of a request in a few words. */
export function deliveryOutcome(delivery: ReceivedDeliveryView): {
  readonly tone: OutcomeTone;
  readonly children: string;
} {
  const { status, reason, runs, decisions } = delivery;
  if (status === 'refused') return { tone: 'bad', children: reason ?? 'Rejected' };
  if (status === 'duplicate') return { tone: 'quiet', children: 'Duplicate' };
  if (runs.length > 0) return { tone: 'good', children: `Started ${pluralize(runs.length, 'run')}` };
  if (decisions.some(({ outcome }) => outcome === 'pending'))
    return { tone: 'quiet', children: 'Starting a run' };
  if (decisions.length === 0) return { tone: 'quiet', children: 'No workflow uses this receiver' };
  return { tone: 'quiet', children: 'No runs started' };
}
