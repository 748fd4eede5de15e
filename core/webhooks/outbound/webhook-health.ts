import { toIso } from '../../base/clock.ts';
import type { Webhook, WebhookHealth } from './ports.ts';
import type { AttemptOutcome } from './send-attempt.ts';

/** A hook is disabled after all its attempts have failed for this long: five days, in milliseconds. */
export const sustainedFailureMs = 5 * 86_400_000;

/** The receiver is permanently gone (RFC 9110, 15.5.11; Standard Webhooks). */
const statusGone = 410;

/** Returns the health of a hook after an attempt; `failingSince` is the previous state. */
export function nextHealth(
  webhook: Pick<Webhook, 'url'>,
  failingSince: number | undefined,
  outcome: Pick<AttemptOutcome, 'delivered' | 'status' | 'statusCode'>,
  now: number,
): WebhookHealth {
  const { delivered, status, statusCode } = outcome;
  const lastResponse = { code: statusCode ?? null, status: delivered ? 'active' : 'failed', message: status };
  if (delivered) return { failingSince: undefined, lastResponse };
  const since = failingSince ?? now;
  if (statusCode === statusGone)
    return {
      failingSince: since,
      lastResponse,
      disabledReason: `The receiver at ${webhook.url} responded with 410 Gone.`,
    };
  if (now - since < sustainedFailureMs) return { failingSince: since, lastResponse };
  return {
    failingSince: since,
    lastResponse,
    disabledReason: `All deliveries since ${toIso(since)} have failed. Last error: ${status}.`,
  };
}
