import { STATUS_CODES } from 'node:http';
import { messageOf } from '../../base/errors.ts';

/** Describes an HTTP status: `OK` for every success, otherwise number and name. */
export function describeStatus(statusCode: number): string {
  if (statusCode >= 200 && statusCode < 300) return 'OK';
  const name = STATUS_CODES[statusCode];
  const answer = `${statusCode}${name === undefined ? '' : ` ${name}`}`;
  return statusCode >= 300 && statusCode < 400
    ? `invalid HTTP response: ${answer} (redirects are not followed)`
    : `invalid HTTP response: ${answer}`;
}

/** An attempt that was aborted locally; its message is stored. */
export class AbortedAttempt extends Error {}

/** Descriptions of network errors, by error code. */
const failures: Readonly<Record<string, string>> = {
  ENOTFOUND: 'failed to connect to host: host name not found',
  EAI_AGAIN: 'failed to connect to host: temporary DNS failure',
  ECONNREFUSED: 'failed to connect to network: connection refused',
  ENETUNREACH: 'failed to connect to network: network unreachable',
  EHOSTUNREACH: 'failed to connect to network: host unreachable',
  ECONNRESET: 'connection closed by the receiver before the response was complete',
  EPIPE: 'connection closed by the receiver before the response was complete',
};

const certificateCodes = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT|ERR_SSL)/;

/** Describes why there was no response. */
export function describeFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ERR_REFUSED_ADDRESS' || error instanceof AbortedAttempt) return messageOf(error);
  if (certificateCodes.test(code)) {
    return `peer certificate cannot be authenticated: ${messageOf(error)}`;
  }
  if (code === 'EPROTO' && messageOf(error).includes('wrong version number')) {
    return 'failed to connect: the receiver does not use TLS on this port; the URL may need http://';
  }
  if (code.startsWith('HPE_')) return `invalid HTTP response: ${messageOf(error)}`;
  return failures[code] ?? `failed to connect: ${messageOf(error)}`;
}
