import type { Clock } from '../../base/clock.ts';
import type { Channel } from '../../store/types/notifications.ts';
import type {
  AttemptRecord,
  Webhook,
  Message,
  MessageOutcome,
  StoredEvent,
} from '../../store/types/webhooks.ts';
import { type EncodedBody, buildHeaders, secretsAt } from './build-request.ts';
import type { Connections } from '../address-check.ts';
import { sendAttempt, type AttemptOutcome } from '../send-attempt.ts';
import type { NotificationContent } from '../notifications/message.ts';
import { type ReadStoredSecret, sendNotification } from '../notifications/send-notification.ts';
import type { SendHomeMail } from '../../run/home-mail.ts';

/** Retry policy of deliveries. */
export interface RetryPolicy {
  /** Delays before the second attempt, the third, … in seconds; empty for GitHub's behaviour: a single attempt. */
  readonly waits: readonly number[];
  /** Random share of a delay, in both directions, so that retries do not coincide. */
  readonly jitter: number;
}

/** 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h: eight attempts in 28 hours. */
export const defaultRetryPolicy: RetryPolicy = {
  waits: [5, 300, 1800, 7200, 18_000, 36_000, 36_000],
  jitter: 0.2,
};

/** A failed attempt. */
export interface FailedAttempt {
  /** Number of attempts so far, including this one; from 1. */
  readonly attempts: number;
  /** Absent without an HTTP response. */
  readonly statusCode?: number | undefined;
  readonly timedOut?: boolean | undefined;
  /** `Retry-After` header as received. */
  readonly retryAfter?: string | undefined;
}

/** Minimum delay after an overload response. */
const overloadWaitMs = 60_000;
/** Maximum delay that a receiver can request. */
const maxWaitMs = 86_400_000;

/**
 * Returns milliseconds until the next attempt; undefined if there is none. `Retry-After` (RFC 9110, 10.2.3: seconds or
 * a date) can extend a delay, never shorten it. `random` is from 0 to 1, `now` in epoch milliseconds.
 */
export function nextDelayMs(
  failed: FailedAttempt,
  policy: RetryPolicy,
  { now, random }: { readonly now: number; readonly random: number },
): number | undefined {
  const seconds = policy.waits[failed.attempts - 1];
  if (seconds === undefined) return undefined;
  const planned = Math.round(seconds * 1000 * (1 + policy.jitter * (2 * random - 1)));
  const isOverloaded = failed.statusCode === 429 || failed.timedOut === true;
  const min = Math.max(isOverloaded ? overloadWaitMs : 0, readRetryAfter(failed.retryAfter, now));
  return Math.max(planned, Math.min(min, maxWaitMs));
}

/** Returns the milliseconds of a `Retry-After` header; 0 if invalid. */
function readRetryAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}

/** Default timeout of an attempt in seconds. */
const usualTimeoutSec = 10;

/** Statuses by which receivers reject a signature; during a rotation they may not know the new secret yet. */
const errors: ReadonlySet<number> = new Set([400, 401, 403]);

/** Dependencies of deliveries. */
export interface DeliveryTools {
  readonly clock: Clock;
  readonly connections: Connections;
  readonly signal: AbortSignal;
  readonly sendMail: SendHomeMail;
  readonly readSecret: ReadStoredSecret;
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
  if (webhook.channel !== undefined) return deliverNotification(webhook as Channel, event, message, tools);
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
      return { attempts, outcome, end: getEnd(webhook, message, outcome, tools) };
  }
  throw new Error('unreachable: the last secret returns');
}

async function deliverNotification(
  channel: Channel,
  { payload = '{}' }: StoredEvent,
  message: Message,
  tools: DeliveryTools,
): Promise<Delivered> {
  const at = tools.clock.now();
  const outcome = await sendNotification(channel, JSON.parse(payload) as NotificationContent, tools);
  return {
    attempts: [toRecord(channel, at, {}, outcome)],
    outcome,
    end: getEnd(channel, message, outcome, tools),
  };
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

function getEnd(
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
  const many = made === 1 ? '1 attempt' : `${made} attempts`;
  return { state: 'dead', reason: `Delivery failed after ${many}: ${outcome.status}.` };
}
