import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';

/** A mail received by a server. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The authenticated user, and the method. */
  readonly user: string | undefined;
  readonly method: string | undefined;
  /** The connection was encrypted. */
  readonly secure: boolean;
  /** Headers and parts, as received. */
  readonly raw: string;
}

/** Options of a test server. */
export interface MailServerChoice extends Pick<
  SMTPServerOptions,
  'secure' | 'authMethods' | 'size' | 'onConnect' | 'onMailFrom' | 'key' | 'cert'
> {
  /** By default no login is required. */
  readonly login?: { readonly user: string; readonly password: string };
  /** STARTTLS is offered; the certificate is self-signed. */
  readonly startTls?: boolean;
  /** Default: any port on loopback. */
  readonly place?: { readonly host: string; readonly port: number };
  /** Response to a recipient: undefined accepts it, otherwise an error with `responseCode`. */
  refuse?(address: string): Error | undefined;
  /** Response to a whole mail. */
  refuseMail?(): Error | undefined;
}

export interface MailServer {
  readonly port: number;
  /** In the order received. */
  readonly mails: readonly ReceivedMail[];
  /** Open connections. */
  connections(): number;
}

/** An error response of a server. */
export const reply = (responseCode: number, text: string): Error =>
  Object.assign(new Error(text), { responseCode });

/** Starts a real mail server on loopback; it stops when the test ends. */
export async function startMailServer(choice: MailServerChoice = {}): Promise<MailServer> {
  const { login, startTls = false, refuse, refuseMail, place, ...options } = choice;
  const mails: ReceivedMail[] = [];
  const methods = new Map<string, string>();
  const server = new SMTPServer({
    ...options,
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disabledCommands: [...(startTls ? [] : ['STARTTLS']), ...(login === undefined ? ['AUTH'] : [])],
    disableReverseLookup: true,
    closeTimeout: 1,
    onAuth: ({ method, username, password }, session, done) => {
      methods.set(session.id, method);
      if (username === login?.user && password === login?.password) done(null, { user: username });
      else done(reply(535, 'Authentication credentials invalid'));
    },
    onRcptTo: ({ address }, _session, done) => done(refuse?.(address)),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const error = refuseMail?.();
        if (error !== undefined) return done(error);
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          user: session.user as string | undefined,
          method: methods.get(session.id),
          secure: session.secure,
          raw: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
  });
  // Some tests are about clients that disconnect.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(place?.port ?? 0, place?.host ?? '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)));
  const { port } = server.server.address() as AddressInfo;
  return { port, mails, connections: () => server.connections.size };
}

/** A header of a mail, unfolded and decoded; undefined if missing. */
export function getHeader({ raw }: ReceivedMail, name: string): string | undefined {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ');
  const headerValue = new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1];
  return headerValue
    ?.replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?(.*?)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString()
        : decodeQuoted(text.replaceAll('_', ' ')),
    );
}

/** The decoded text of the first part whose headers contain `mark`, such as `text/html` or a file name. */
export function getPart({ raw }: ReceivedMail, mark: string): string {
  const boundaries = [...raw.matchAll(/boundary="?([^"\r\n;]+)"?/g)].map(([, boundary]) => `--${boundary}`);
  const pieces = boundaries.reduce((all, boundary) => all.flatMap((piece) => piece.split(boundary)), [raw]);
  for (const piece of pieces) {
    const at = piece.indexOf('\r\n\r\n');
    const head = piece.slice(0, at);
    if (at < 0 || !head.includes(mark)) continue;
    const body = piece.slice(at + 4);
    if (/encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString();
    return (/encoding: quoted-printable/i.test(head) ? decodeQuoted(body) : body).replaceAll('\r\n', '\n');
  }
  throw new Error(`the mail has no part with ${mark}:\n${raw.slice(0, 2000)}`);
}

const decodeQuoted = (text: string): string =>
  Buffer.from(
    text
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString();
