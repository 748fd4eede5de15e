import { messageOf } from '../base/errors.ts';
import { MailError } from './mail.ts';
import type { MailServer } from './servers.ts';

/** Error of an SMTP connection. */
export interface SmtpFailure extends Error {
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
export function describeFailure(failure: SmtpFailure, server: MailServer, wasSubmitted: boolean): MailError {
  const name = `${server.host}:${server.port}`;
  const { responseCode } = failure;
  if (responseCode === undefined && wasSubmitted && failure.command !== 'API')
    return new MailError(
      `The mail server ${name} did not confirm that it accepted the mail (${failure.message}). The mail may have been delivered and is not sent again.`,
      false,
      { cause: failure },
    );
  const hasResponse = responseCode !== undefined && failure.code !== 'ETLS';
  const temporary = hasResponse ? responseCode < 500 : isOfConnection(failure);
  return new MailError(explain(failure, name, server), temporary, { cause: failure });
}

/** Whether another server may succeed. */
const isOfConnection = ({ code }: SmtpFailure): boolean => code !== 'EAUTH' && code !== 'EENVELOPE';

function explain(failure: SmtpFailure, name: string, server: MailServer): string {
  const { code, command = '' } = failure;
  const message = messageOf(failure);
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
  if (command === 'RCPT TO') return `The mail server ${name} rejected ${describeRefused(failure)}.`;
  if (command === 'MAIL FROM')
    return `The mail server ${name} rejected the sender: ${reply}. Check "from", and whether the server requires a login.`;
  if (command === 'DATA') return `The mail server ${name} rejected the mail: ${reply}.`;
  if (failure.responseCode !== undefined) return `The mail server ${name} rejected the connection: ${reply}.`;
  return `Cannot connect to the mail server ${name}: ${message}.`;
}

const isCertificateFault = ({ message, code }: SmtpFailure): boolean =>
  /certificate|altname/i.test(message) || /CERT|ALTNAME/.test(code ?? '');

/** Lists the rejected recipients with the response of the server. */
function describeRefused({ rejectedErrors = [], response, message }: SmtpFailure): string {
  if (rejectedErrors.length === 0) return `all recipients: ${truncate(response ?? message)}`;
  const listed = rejectedErrors.slice(0, 10).map((rejection) => {
    const reply = truncate(rejection.response ?? rejection.message);
    const relay = /relay/i.test(reply)
      ? ', so the server does not relay mail for this sender or without login'
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
