import type { Clock } from '../../base/clock.ts';
import type { EncodedBody } from '../message/encode-body.ts';
import { buildHeaders, secretsAt } from './build-request.ts';
import type { Connections } from './connections.ts';
import type { AttemptRecord, Webhook, Message, MessageOutcome, StoredEvent } from './ports.ts';
import { defaultRetryPolicy, nextDelayMs } from './retry-schedule.ts';
import { sendAttempt, type AttemptOutcome } from './send-attempt.ts';

/** Default timeout of an attempt in seconds. */
const usualTimeoutSec = 10;

/** Statuses by which receivers reject a signature; during a rotation they may not know the new secret yet. */
const errors: ReadonlySet<number> = new Set([400, 401, 403]);

/** Dependencies of deliveries. */
export interface DeliveryTools {
  readonly clock: Clock;
  readonly connections: Connections;
  readonly signal: AbortSignal;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** Outcome of a delivery. */
export interface Delivered {
  readonly attempts: readonly AttemptRecord[];
  readonly outcome: AttemptOutcome;
  readonly end: MessageOutcome;
}

/**
 * Sends a message once; during a secret rotation a second time with the old secret if the receiver rejects the new
 * one. Never rejects.
 */
export async function deliverMessage(
  {
    hook: webhook,
    event,
    body,
    message,
  }: { hook: Webhook; event: StoredEvent; body: EncodedBody; message: Message },
  tools: DeliveryTools,
): Promise<Delivered> {
  const attempts: AttemptRecord[] = [];
  const secrets: (string | undefined)[] = secretsAt(webhook.secrets, tools.clock.now());
  if (secrets.length === 0) secrets.push(undefined);
  for (const [index, secret] of secrets.entries()) {
    const at = tools.clock.now();
    const requestHeaders = buildHeaders(webhook, event, body, secret);
    const outcome = await sendAttempt(toRequest(webhook, requestHeaders, body), tools);
    attempts.push(toRecord(webhook, at, requestHeaders, outcome));
    const isLast = index === secrets.length - 1 || !errors.has(outcome.statusCode ?? 0);
    if (isLast || tools.signal.aborted)
      return { attempts, outcome, end: endOf(webhook, message, outcome, tools) };
  }
  throw new Error('unreachable: the last secret returns');
}

const toRequest = (webhook: Webhook, headers: Record<string, string>, body: EncodedBody) => ({
  url: webhook.url,
  headers,
  body: body.bytes,
  verifyTls: webhook.verifyTls,
  allowPrivate: webhook.options.allowPrivate === true,
  timeoutMs: (webhook.options.timeoutSec ?? usualTimeoutSec) * 1000,
});

const toRecord = (
  { url }: Webhook,
  at: number,
  requestHeaders: Readonly<Record<string, string>>,
  { delivered, status, statusCode, durationMs, response }: AttemptOutcome,
): AttemptRecord => ({ at, url, requestHeaders, delivered, status, statusCode, durationMs, response });

function endOf(
  { options }: Webhook,
  { attempts }: Message,
  outcome: AttemptOutcome,
  { clock, random }: DeliveryTools,
): MessageOutcome {
  if (outcome.delivered) return { state: 'delivered' };
  const { waits, jitter } = defaultRetryPolicy;
  const policy = { waits: options.waits ?? waits, jitter: options.jitter ?? jitter };
  const { statusCode, timedOut, response } = outcome;
  const now = clock.now();
  const made = attempts + 1;
  const wait = nextDelayMs(
    { attempts: made, statusCode, timedOut, retryAfter: response?.headers['retry-after'] },
    policy,
    { now, random: random() },
  );
  if (wait !== undefined) return { state: 'waiting', dueAt: now + wait };
  const many = made === 1 ? 'the only attempt' : `${made} attempts`;
  return { state: 'dead', reason: `Given up after ${many}: ${outcome.status}.` };
}
