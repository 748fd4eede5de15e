import { composeMail } from './compose.ts';
import { MailError, type Mail, type MailServer } from './servers.ts';
import { submit, type SmtpResult } from './session.ts';

/** Options for sending a mail. */
export interface Sending {
  /** In order of preference. */
  readonly servers: readonly MailServer[];
  /** Closes the connection when it is aborted. */
  readonly signal: AbortSignal;
  /** Date of the mail, epoch milliseconds. */
  readonly at: number;
  /** Called when one server has failed and the next one is tried. */
  onFailover?(sentence: string): void;
}

/**
 * Sends a mail through the first server that accepts it. The next one is tried if a server is unreachable or rejects
 * the mail temporarily. Rejects with a `MailError` with the error of each server.
 */
export async function sendMail(mail: Mail, sending: Sending): Promise<SmtpResult> {
  const composed = await composeMail(mail, sending.at);
  const failures: MailError[] = [];
  for (const [index, server] of sending.servers.entries()) {
    try {
      return await submit(composed, server, sending.signal);
    } catch (error) {
      const failure = error as MailError;
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

/** Describes which recipients were rejected although others were accepted; undefined if there are none. */
export function formatRejectedRecipients({ accepted, rejected, server }: SmtpResult): string | undefined {
  if (rejected.length === 0) return undefined;
  const listed = rejected.map(({ address, reply }) => `${address} (${reply.replaceAll(/\s+/g, ' ').trim()})`);
  return `The mail server ${server.host}:${server.port} rejected ${listed.join(', ')}. The email was sent to ${accepted.join(', ')}.`;
}
