import type { Clock } from '../../base/clock.ts';
import type { EncodedBody } from '../message/encode-body.ts';
import { buildHeaders, secretsAt } from './build-request.ts';
import type { Connections } from './connections.ts';
import type { AttemptRecord, Hook, Message, MessageEnd, StoredEvent } from './ports.ts';
import { defaultRetryPolicy, nextWait } from './retry-schedule.ts';
import { sendAttempt, type AttemptOutcome } from './send-attempt.ts';

/** Default timeout of an attempt in seconds. */
const usualTimeoutSec = 10;

/** Statuses by which receivers refuse a signature; during a rotation they may not know the new secret yet. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403]);

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
  readonly end: MessageEnd;
}

/**
 * Sends a message once; during a secret rotation a second time with the old secret if the receiver refuses the new
 * one. Never rejects.
 */
export async function deliverMessage(
  { hook, event, body, message }: { hook: Hook; event: StoredEvent; body: EncodedBody; message: Message },
  tools: DeliveryTools,
): Promise<Delivered> {
  const attempts: AttemptRecord[] = [];
  const secrets: (string | undefined)[] = secretsAt(hook.secrets, tools.clock.now());
  if (secrets.length === 0) secrets.push(undefined);
  for (const [index, secret] of secrets.entries()) {
    const at = tools.clock.now();
    const requestHeaders = buildHeaders(hook, event, body, secret);
    const outcome = await sendAttempt(toRequest(hook, requestHeaders, body), tools);
    attempts.push(toRecord(hook, at, requestHeaders, outcome));
    const isLast = index === secrets.length - 1 || !refusals.has(outcome.statusCode ?? 0);
    if (isLast || tools.signal.aborted)
      return { attempts, outcome, end: endOf(hook, message, outcome, tools) };
  }
  throw new Error('unreachable: the last secret returns');
}

const toRequest = (hook: Hook, headers: Record<string, string>, body: EncodedBody) => ({
  url: hook.url,
  headers,
  body: body.bytes,
  verifyTls: hook.verifyTls,
  allowPrivate: hook.options.allowPrivate === true,
  timeoutMs: (hook.options.timeoutSec ?? usualTimeoutSec) * 1000,
});

const toRecord = (
  { url }: Hook,
  at: number,
  requestHeaders: Readonly<Record<string, string>>,
  { delivered, status, statusCode, durationMs, response }: AttemptOutcome,
): AttemptRecord => ({ at, url, requestHeaders, delivered, status, statusCode, durationMs, response });

function endOf(
  { options }: Hook,
  { attempts }: Message,
  outcome: AttemptOutcome,
  { clock, random }: DeliveryTools,
): MessageEnd {
  if (outcome.delivered) return { state: 'delivered' };
  const { waits, jitter } = defaultRetryPolicy;
  const policy = { waits: options.waits ?? waits, jitter: options.jitter ?? jitter };
  const { statusCode, timedOut, response } = outcome;
  const now = clock.now();
  const made = attempts + 1;
  const wait = nextWait(
    { attempts: made, statusCode, timedOut, retryAfter: response?.headers['retry-after'] },
    policy,
    { now, random: random() },
  );
  if (wait !== undefined) return { state: 'waiting', dueAt: now + wait };
  const many = made === 1 ? 'the only attempt' : `${made} attempts`;
  return { state: 'dead', reason: `Given up after ${many}: ${outcome.status}.` };
}
