import { isIPv4 } from 'node:net';
import type { Smtp } from '../../model/settings.ts';
import { readMailPort } from '../../model/workflow-rules.ts';

/** Default port for mail submission with STARTTLS (RFC 6409). */
const defaultPort = 587;

/** A mail server with its values expanded. */
export interface MailServer {
  readonly host: string;
  /** On port 465, the connection uses TLS from the start; on other ports, STARTTLS if the server offers it. */
  readonly port: number;
  /** No login if absent. */
  readonly username?: string;
  readonly password?: string;
  /** Accepts any certificate. */
  readonly skipTLSVerify: boolean;
  /** Never sends anything unencrypted. */
  readonly requireTLS: boolean;
}

/**
 * Expands the values of `smtp` of a workflow. Rejects with a `MailError` if there is no server or no port, and with
 * errors of `expand`.
 */
export async function resolveServers(
  smtp: readonly Smtp[] | undefined,
  expand: (text: string) => Promise<string>,
): Promise<MailServer[]> {
  if (smtp === undefined || smtp.length === 0)
    throw new MailError(
      'The workflow has no mail server. Add one, such as "smtp: {host: smtp.example.com, port: 587}", to the workflow or base.yaml.',
      false,
    );
  const servers: MailServer[] = [];
  for (const [index, server] of smtp.entries()) {
    const field = smtp.length === 1 ? 'smtp' : `smtp[${index}]`;
    const read = async (text: string | undefined): Promise<string> =>
      text === undefined ? '' : (await expand(text)).trim();
    const host = await read(server.host);
    if (host === '')
      throw new MailError(`${field}.host is empty. Set the host name of the mail server.`, false);
    const username = await read(server.username);
    servers.push({
      host,
      port: readPort(await read(server.port), field),
      ...(username === '' ? {} : { username, password: await expand(server.password ?? '') }),
      skipTLSVerify: server.skipTLSVerify ?? false,
      // Never send a password unencrypted, except to this machine.
      requireTLS: server.requireTLS ?? (username !== '' && !isLoopback(host)),
    });
  }
  return servers;
}

const isLoopback = (host: string): boolean =>
  /^(.+\.)?localhost\.?$/i.test(host) || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

function readPort(text: string, field: string): number {
  if (text === '') return defaultPort;
  const port = readMailPort(text);
  if (port !== undefined) return port;
  throw new MailError(`${field}.port must be a number from 1 to 65535 (got "${text.slice(0, 40)}").`, false);
}

/** A file attached to a mail. */
export interface Attachment {
  readonly name: string;
  readonly content: Uint8Array;
}

/** A mail as its author wrote it. Addresses may have names, and a string may contain several, separated by commas. */
export interface Mail {
  /** Where its addresses are configured, such as `infoMail`. Default: the configuration of a step. */
  readonly configField?: string | undefined;
  readonly from: string;
  readonly to: readonly string[];
  readonly cc?: readonly string[] | undefined;
  readonly bcc?: readonly string[] | undefined;
  readonly replyTo?: string | undefined;
  readonly subject: string;
  readonly text: string;
  /** HTML version of the text. */
  readonly html?: string | undefined;
  readonly attachments?: readonly Attachment[] | undefined;
}

/** A mail that was not or not certainly delivered, with a user-facing message. */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** The server was unreachable or rejected the mail temporarily, so that a retry or another server may succeed. */
  readonly temporary: boolean;

  constructor(message: string, temporary: boolean, options?: ErrorOptions) {
    super(message, options);
    this.temporary = temporary;
  }
}
