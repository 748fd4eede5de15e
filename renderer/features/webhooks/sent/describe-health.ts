import type { HookView } from '../../../../core/contract/webhooks/webhook-views.ts';
import type { OutcomeTone } from '../exchange/outcome.tsx';
import { describeAnswer } from './deliveries/describe-answer.ts';

/** Describes the health of a webhook in a few words. */
export function describeHealth(webhook: HookView): { readonly tone: OutcomeTone; readonly children: string } {
  const { active, disabledReason, lastResponse } = webhook;
  if (disabledReason !== undefined) return { tone: 'bad', children: 'Disabled after failures' };
  if (!active) return { tone: 'quiet', children: 'Disabled' };
  if (lastResponse.status === 'unused') return { tone: 'quiet', children: 'No deliveries yet' };
  if (lastResponse.status === 'active')
    return { tone: 'good', children: `Last response ${lastResponse.code}` };
  return {
    tone: 'bad',
    children: describeAnswer({ delivered: false, status: lastResponse.message ?? lastResponse.status }),
  };
}
