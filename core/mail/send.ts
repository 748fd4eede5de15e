import { composeMail } from './compose.ts';
import { MailError, type Mail } from './mail.ts';
import type { MailServer } from './servers.ts';
import { handIn, type Acceptance } from './session.ts';

/** How a mail is sent. */
export interface Sending {
  /** Tried in this order. */
  readonly servers: readonly MailServer[];
  /** Closes the connection when it is aborted. */
  readonly signal: AbortSignal;
  /** What the mail is dated, epoch milliseconds. */
  readonly at: number;
  /** Told when one server has failed and the next is tried. */
  onFailover?(sentence: string): void;
}

/**
 * Sends a mail by the first server that takes it: the next one is tried when one cannot be reached or refuses for the
 * time being. Rejects with `MailError` that says what each of them had against it.
 */
export async function sendMail(mail: Mail, sending: Sending): Promise<Acceptance> {
  const composed = await composeMail(mail, sending.at);
  const failures: MailError[] = [];
  for (const [index, server] of sending.servers.entries()) {
    try {
      return await handIn(composed, server, sending.signal);
    } catch (thrown) {
      const failure = thrown as MailError;
      failures.push(failure);
      const next = sending.servers[index + 1];
      if (!failure.temporary || next === undefined || sending.signal.aborted) break;
      sending.onFailover?.(`${failure.message} Trying the next server: ${next.host}:${next.port}.`);
    }
  }
  const last = failures.at(-1)!;
  if (failures.length === 1) throw last;
  const sentences = [...new Set(failures.map(({ message }) => message))];
  throw new MailError(sentences.join(' '), last.temporary, { cause: last });
}

/** Who did not get a mail that others got; undefined when all did. */
export function describeRefusals({ accepted, refused, server }: Acceptance): string | undefined {
  if (refused.length === 0) return undefined;
  const named = refused.map(({ address, reply }) => `${address} (${reply.replaceAll(/\s+/g, ' ').trim()})`);
  return `The mail server ${server.host}:${server.port} rejected ${named.join(', ')}. The mail was sent to ${accepted.join(', ')}.`;
}
