import type { IncomingMessage } from 'node:http';
import { STATUS_CODES } from 'node:http';

/** Maximum length of a body in an error message, in UTF-16 code units. */
const excerptLength = 500;

/** Formats the status line and header fields as received, followed by an empty line. */
export function formatHead({ httpVersion, statusCode, statusMessage, headers }: IncomingMessage): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? ''].flat().map((each) => `${name}: ${each}`),
  );
  return [`HTTP/${httpVersion} ${statusCode} ${statusMessage}`.trimEnd(), ...lines, '', ''].join('\n');
}

/** Formats the response for `json: true`. A JSON body is inserted unchanged, so that numbers keep all digits. */
export function formatJson(
  response: IncomingMessage,
  body: string | undefined,
  saved?: { file: string; bytes: number },
): string {
  const { statusCode, headers } = response;
  const type = headers['content-type'] ?? '';
  const head = JSON.stringify({ status_code: statusCode, headers }).slice(0, -1);
  const shown = body === undefined ? 'null' : isJson(type, body) ? body.trim() : JSON.stringify(body);
  const tail = saved === undefined ? '' : `,${JSON.stringify(saved).slice(1, -1)}`;
  return `${head},"body":${shown}${tail}}\n`;
}

function isJson(contentType: string, body: string): boolean {
  if (!/[/+]json\b/i.test(contentType) && !/^\s*[[{]/.test(body)) return false;
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

/** Whether the status code means success (RFC 9110, 15.3). */
export const isSuccess = ({ statusCode = 0 }: IncomingMessage): boolean =>
  statusCode >= 200 && statusCode <= 299;

/**
 * Explains why a response counts as failed.
 * @param body the part of the body that was read
 */
export function describeFailedAnswer(
  { statusCode = 0, statusMessage, headers }: IncomingMessage,
  body: string,
): string {
  const words = statusMessage || STATUS_CODES[statusCode] || '';
  const statusLine = `the server responded with ${`${statusCode} ${words}`.trimEnd()}`;
  if (headers.location !== undefined && statusCode >= 300 && statusCode <= 399)
    return `${statusLine} and a redirect to ${headers.location}, but config.maxRedirects is 0`;
  const excerpt = makeExcerpt(body);
  return excerpt === '' ? `${statusLine} without a body` : `${statusLine}: ${excerpt}`;
}

/** Returns the start of a string on one line, without control characters. */
function makeExcerpt(text: string): string {
  const line = text
    .slice(0, 4 * excerptLength)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length > excerptLength ? `${line.slice(0, excerptLength)}…` : line;
}
