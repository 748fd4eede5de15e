import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { getErrorMessage } from '../../base/errors.ts';
import type { ComposedMail } from './compose.ts';
import { MailError, type MailServer } from './servers.ts';

/** Milliseconds; a working server responds much sooner. */
const timeouts = {
  connectionTimeout: 20_000,
  dnsTimeout: 10_000,
  greetingTimeout: 20_000,
  socketTimeout: 60_000,
} as const;

/** Response of a server that accepted a mail. */
export interface SmtpResult {
  readonly server: MailServer;
  readonly accepted: readonly string[];
  /** Rejected recipients, each with its response. */
  readonly rejected: readonly { readonly address: string; readonly reply: string }[];
  readonly reply: string;
}

/**
 * Sends a mail through one server. Closes the connection on success and failure. Rejects with a `MailError`.
 * @param signal closes the connection when it is aborted; a string as its reason is the end of the error message
 */
export async function submit(
  mail: ComposedMail,
  server: MailServer,
  signal: AbortSignal,
): Promise<SmtpResult> {
  const connection = new SMTPConnection({
    host: server.host,
    port: server.port,
    secure: server.port === 465,
    requireTLS: server.requireTLS,
    tls: { rejectUnauthorized: !server.skipTLSVerify },
    // The conversation is complete by the time the connection is closed, so a short timeout is sufficient.
    socketCloseTimeout: 1000,
    ...timeouts,
  });
  const session = new Session(connection, server, signal);
  try {
    return await session.submit(mail);
  } finally {
    session.close();
  }
}

/** One connection; all pending steps end when it fails. */
class Session {
  readonly #connection: SMTPConnection;
  readonly #server: MailServer;
  readonly #broken: Promise<never>;
  #failed: (error: SmtpFailure) => void = () => {};
  #closed = false;
  readonly #signal: AbortSignal;
  readonly #abort: () => void;

  constructor(connection: SMTPConnection, server: MailServer, signal: AbortSignal) {
    this.#connection = connection;
    this.#server = server;
    this.#signal = signal;
    this.#broken = new Promise((_, reject) => (this.#failed = reject));
    this.#broken.catch(() => undefined);
    connection.on('error', (error: SmtpFailure) => this.#failed(error));
    connection.on('end', () => {
      this.#failed(Object.assign(new Error('the server closed the connection'), { code: 'ECONNECTION' }));
    });
    this.#abort = () => {
      const { reason } = signal as { reason: unknown };
      const detail =
        typeof reason === 'string'
          ? `the mail server ${server.host}:${server.port} did not accept the email ${reason}`
          : 'stopped before the email was sent';
      this.#failed(new MailError(detail, false));
      this.close();
    };
    signal.addEventListener('abort', this.#abort, { once: true });
  }

  async submit(mail: ComposedMail): Promise<SmtpResult> {
    const { username, password = '' } = this.#server;
    const message = Readable.from([mail.raw]);
    let isSubmitted = false;
    message.once('end', () => (isSubmitted = true));
    try {
      if (this.#signal.aborted) this.#abort();
      await this.#step((done) => this.#connection.connect(done));
      if (username !== undefined)
        await this.#step((done) => this.#connection.login({ user: username, pass: password }, done));
      const envelope = { from: mail.from, to: [...mail.recipients], size: mail.raw.length };
      const info = await this.#step<SMTPConnection.SentMessageInfo>((done) =>
        this.#connection.send(envelope, message, done),
      );
      this.#connection.quit();
      return {
        server: this.#server,
        accepted: info.accepted,
        rejected: (info.rejectedErrors ?? []).map(({ recipient = '', response = '' }) => ({
          address: recipient,
          reply: response,
        })),
        reply: info.response,
      };
    } catch (error) {
      if (error instanceof MailError) throw error;
      throw toMailError(error as SmtpFailure, this.#server, isSubmitted);
    } finally {
      message.destroy();
    }
  }

  /** Runs one call of the connection, which may never call back after the connection has failed. */
  #step<Result>(operation: (done: (error?: Error | null, result?: Result) => void) => void): Promise<Result> {
    const completed = new Promise<Result>((resolve, reject) => {
      operation((error, result) => (error ? reject(error) : resolve(result as Result)));
    });
    return Promise.race([completed, this.#broken]);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#signal.removeEventListener('abort', this.#abort);
    this.#connection.close();
  }
}

/** Error of an SMTP connection. */
interface SmtpFailure extends Error {
  readonly code?: string | undefined;
  /** Response of the server, if any. */
  readonly response?: string | undefined;
  readonly responseCode?: number | undefined;
  /** SMTP stage: `CONN`, `AUTH PLAIN`, `MAIL FROM`, `RCPT TO`, `DATA`, `STARTTLS`. */
  readonly command?: string | undefined;
  readonly rejectedErrors?: readonly RefusedRecipient[] | undefined;
}

interface RefusedRecipient extends SmtpFailure {
  readonly recipient?: string | undefined;
}

/**
 * Explains a failure.
 * @param wasSubmitted the whole message was sent, so the server may have accepted it without a confirmation
 */
function toMailError(failure: SmtpFailure, server: MailServer, wasSubmitted: boolean): MailError {
  const name = `${server.host}:${server.port}`;
  const { responseCode } = failure;
  if (responseCode === undefined && wasSubmitted && failure.command !== 'API')
    return new MailError(
      `The mail server ${name} did not confirm that it accepted the email (${failure.message}). The email may have been delivered and is not sent again.`,
      false,
      { cause: failure },
    );
  const hasResponse = responseCode !== undefined && failure.code !== 'ETLS';
  const temporary = hasResponse ? responseCode < 500 : isConnectionFailure(failure);
  return new MailError(explain(failure, name, server), temporary, { cause: failure });
}

/** Whether another server may succeed. */
const isConnectionFailure = ({ code }: SmtpFailure): boolean => code !== 'EAUTH' && code !== 'EENVELOPE';

function explain(failure: SmtpFailure, name: string, server: MailServer): string {
  const { code, command = '' } = failure;
  const message = getErrorMessage(failure);
  const reply = truncate(failure.response ?? message);
  if (code === 'EDNS') return `Mail server ${name} not found: ${message}. Check smtp.host.`;
  if (isCertificateFault(failure))
    return `Untrusted certificate of the mail server ${name}: ${message}. Use a certificate from a known authority, or set "skipTLSVerify: true" in smtp.`;
  if (code === 'ETLS' || command === 'STARTTLS' || /\bSSL\b|\bTLS\b/.test(message))
    return `TLS connection to the mail server ${name} failed: ${message}. Check smtp.port: port 465 uses implicit TLS, other ports use STARTTLS.${server.requireTLS ? ' Nothing was sent. To allow unencrypted connections, which also send the password unencrypted, set "requireTLS: false" in smtp.' : ''}`;
  if (code === 'ETIMEDOUT') return `The mail server ${name} timed out: ${message}.`;
  if (code === 'EAUTH')
    return failure.response === undefined
      ? `The mail server ${name} does not support login: ${message}. Check smtp.username and smtp.password.`
      : `The mail server ${name} rejected the login of "${server.username ?? ''}": ${reply}. Check smtp.username and smtp.password.`;
  if (command === 'RCPT TO') return `The mail server ${name} rejected ${formatRejection(failure)}.`;
  if (command === 'MAIL FROM')
    return `The mail server ${name} rejected the sender: ${reply}. Check "from", and whether the server requires a login.`;
  if (command === 'DATA') return `The mail server ${name} rejected the email: ${reply}.`;
  if (failure.responseCode !== undefined) return `The mail server ${name} rejected the connection: ${reply}.`;
  return `Cannot connect to the mail server ${name}: ${message}.`;
}

const isCertificateFault = ({ message, code }: SmtpFailure): boolean =>
  /certificate|altname/i.test(message) || /CERT|ALTNAME/.test(code ?? '');

/** Lists the rejected recipients with the response of the server. */
function formatRejection({ rejectedErrors = [], response, message }: SmtpFailure): string {
  if (rejectedErrors.length === 0) return `all recipients: ${truncate(response ?? message)}`;
  const listed = rejectedErrors.slice(0, 10).map((rejection) => {
    const reply = truncate(rejection.response ?? rejection.message);
    const relay = /relay/i.test(reply)
      ? ', so the server does not relay email for this sender or without login'
      : '';
    return `recipient ${rejection.recipient ?? ''}: ${reply}${relay}`;
  });
  const more = rejectedErrors.length > 10 ? `; and ${rejectedErrors.length - 10} more` : '';
  return listed.join('; ') + more;
}

const truncate = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
};
