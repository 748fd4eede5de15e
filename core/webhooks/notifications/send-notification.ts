import type { Clock } from '../../base/clock.ts';
import { getErrorMessage } from '../../base/errors.ts';
import type { HomeMail, SendHomeMail } from '../../run/home-mail.ts';
import type { ChannelSecretField } from '../../model/notification.ts';
import type { Channel } from '../../store/types/notifications.ts';
import type { Connections } from '../address-check.ts';
import { sendAttempt, type AttemptOutcome } from '../send-attempt.ts';
import { buildChannelRequest, type ChannelSecrets } from './channel-request.ts';
import { checkUrl } from './check-channel.ts';
import type { NotificationContent } from './message.ts';

/**
 * Returns the value of a stored secret. Rejects with a message that names the secret and says what to do.
 * @param user what uses it, for the list of secrets
 */
export type ReadStoredSecret = (name: string, user: string) => Promise<string>;

/** What sending a notification needs. */
export interface NotificationTools {
  readonly clock: Clock;
  readonly connections: Connections;
  readonly sendMail: SendHomeMail;
  readonly readSecret: ReadStoredSecret;
  readonly signal?: AbortSignal;
}

export const readSecrets = ({ secrets }: Pick<Channel, 'secrets'>): ChannelSecrets =>
  JSON.parse(secrets[0]?.value ?? '{}') as ChannelSecrets;

/** Returns the secrets of a channel with the values of stored secrets. Rejects if one cannot be used. */
async function resolveSecrets(
  hook: Channel,
  { readSecret }: Pick<NotificationTools, 'readSecret'>,
): Promise<ChannelSecrets> {
  const names = Object.entries(hook.channel.secrets ?? {}) as [ChannelSecretField, string][];
  const stored = await Promise.all(
    names.map(async ([field, name]) => {
      const value = (await readSecret(name, `channel ${hook.owner}`)).trim();
      if (field === 'url') checkUrl(`Secret "${name}"`, value, hook.options.allowPrivate === true);
      return [field, value] as const;
    }),
  );
  return { ...readSecrets(hook), ...Object.fromEntries(stored) };
}

const maskText = '********';

/** Returns a function that replaces the secrets of a channel in a text. */
function maskFor(secrets: ChannelSecrets): (text: string) => string {
  const path = secrets.url === undefined ? '' : new URL(secrets.url).pathname;
  const values = [...(Object.values(secrets) as string[]), ...(path.length > 1 ? [path] : [])].flatMap(
    (value) => (value === '' ? [] : [value, JSON.stringify(value).slice(1, -1)]),
  );
  return (text) => values.reduce((masked, value) => masked.replaceAll(value, maskText), text);
}

const defaultTimeoutMs = 10_000;
/** Mail servers take longer, for example to check for spam. */
const mailTimeoutMs = 60_000;

/** Sends a notification once. Never rejects: every error is an outcome. The outcome contains no secrets. */
export async function sendNotification(
  hook: Channel,
  content: NotificationContent,
  tools: NotificationTools,
): Promise<AttemptOutcome> {
  if (hook.channel.kind === 'mail') return mail(hook, content, tools);
  let secrets: ChannelSecrets;
  try {
    secrets = await resolveSecrets(hook, tools);
  } catch (error) {
    return { delivered: false, status: getErrorMessage(error), durationMs: 0, timedOut: false };
  }
  const { url, headers, body } = buildChannelRequest(hook.channel, secrets, content);
  const bytes = Buffer.from(body);
  const outcome = await sendAttempt(
    {
      url,
      headers: { ...headers, 'Content-Length': String(bytes.length) },
      body: bytes,
      verifyTls: hook.verifyTls,
      allowPrivate: hook.options.allowPrivate === true,
      timeoutMs: defaultTimeoutMs,
    },
    tools,
  );
  const mask = maskFor(secrets);
  const { response } = outcome;
  return {
    ...outcome,
    status: mask(outcome.status),
    ...(response !== undefined && { response: { ...response, body: mask(response.body) } }),
  };
}

/** Sends an email; the reply of the server is the response. */
async function mail(
  hook: Channel,
  content: NotificationContent,
  { clock, sendMail, signal }: NotificationTools,
): Promise<AttemptOutcome> {
  const started = clock.monotonic();
  const stop = new AbortController();
  const interrupt = (): void => stop.abort('because the engine was stopped');
  const dispose = clock.after(mailTimeoutMs, () => stop.abort(`within ${mailTimeoutMs / 1000} s`));
  signal?.addEventListener('abort', interrupt, { once: true });
  try {
    const { reply, rejected: recipients } = await sendMail(toMail(hook, content), stop.signal);
    const rejected = recipients.map(({ address, reply: why }) => `${address}: ${why.trim()}`);
    return {
      delivered: true,
      status: rejected.length === 0 ? 'OK' : `OK, but rejected: ${rejected.join(', ')}`,
      ...toCode(reply),
      durationMs: clock.monotonic() - started,
      timedOut: false,
      response: { headers: {}, body: reply.trim(), cut: false },
    };
  } catch (error) {
    return {
      delivered: false,
      status: getErrorMessage(error),
      durationMs: clock.monotonic() - started,
      timedOut: false,
    };
  } finally {
    dispose();
    signal?.removeEventListener('abort', interrupt);
  }
}

/** Reads the status code at the start of a reply. */
function toCode(reply: string): { readonly statusCode?: number } {
  const code = /^\d{3}/.exec(reply)?.[0];
  return code === undefined ? {} : { statusCode: Number(code) };
}

function toMail(
  { channel }: Channel,
  { title, text, workflow, runId, at, url, rule }: NotificationContent,
): HomeMail {
  const details = [
    `Workflow: ${workflow}`,
    ...(runId === undefined ? [] : [`Run: ${runId}`]),
    `Time: ${at}`,
    `Rule: ${rule}`,
    ...(url === undefined ? [] : [`Details: ${url}`]),
  ];
  return {
    from: channel.from,
    to: channel.to ?? [],
    subject: `[Stepwright] ${title}`,
    text: `${[...(text === '' ? [title] : [title, '', text]), '', ...details].join('\n')}\n`,
  };
}
