import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { ComposedMail } from './compose.ts';
import { describeFailure, type SmtpFailure } from './describe-failure.ts';
import { MailError } from './mail.ts';
import type { MailServer } from './servers.ts';

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
  readonly refused: readonly { readonly address: string; readonly reply: string }[];
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
          ? `the mail server ${server.host}:${server.port} did not accept the mail ${reason}`
          : 'stopped before the mail was sent';
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
        refused: (info.rejectedErrors ?? []).map(({ recipient = '', response = '' }) => ({
          address: recipient,
          reply: response,
        })),
        reply: info.response,
      };
    } catch (error) {
      if (error instanceof MailError) throw error;
      throw describeFailure(error as SmtpFailure, this.#server, isSubmitted);
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
