/** Phase in which an exchange failed. */
export interface ErrorContext {
  /** Follows "while" in the message. */
  readonly phase: string;
  /** Host and port. */
  readonly server: string;
}

/** Explains why an exchange failed, as a user-facing message. */
export function explainError(cause: unknown, circumstances: ErrorContext): string {
  if (cause instanceof HttpFailure) return cause.message;
  const error = firstError(cause);
  const code = error.code ?? '';
  const explain = explanations.find(({ codes }) => codes.test(code))?.explain;
  return explain?.(error, circumstances) ?? `${error.message || code}, while ${circumstances.phase}`;
}

interface SystemError extends Error {
  readonly code?: string;
  readonly hostname?: string;
  readonly address?: string;
  readonly port?: number;
}

/** Returns the first error if several addresses were tried, because the others are equivalent. */
function firstError(error: unknown): SystemError {
  if (error instanceof AggregateError && error.errors.length > 0) return firstError(error.errors[0]);
  return error instanceof Error ? error : new Error(String(error));
}

const trust =
  'Add the CA certificate to the file in NODE_EXTRA_CA_CERTS in the environment of the engine, or set config.skipTLSVerify on a trusted network';

const explanations: readonly {
  readonly codes: RegExp;
  explain(error: SystemError, circumstances: ErrorContext): string;
}[] = [
  {
    codes: /^ECONNREFUSED$/,
    explain: ({ address, port }, { phase }) =>
      `connection refused by ${address}:${port} (while ${phase}). Check ${
        phase.includes('proxy')
          ? 'that the proxy is running, and HTTP_PROXY and HTTPS_PROXY'
          : 'that the server is running, and the host and port'
      }`,
  },
  {
    codes: /^(?:ENOTFOUND|EAI_NODATA|EAI_NONAME)$/,
    explain: ({ hostname }, { phase }) =>
      `host name "${hostname}" not found in DNS (while ${phase}). Check the spelling and the DNS servers of this machine`,
  },
  {
    codes: /^EAI_AGAIN$/,
    explain: ({ hostname }) =>
      `DNS lookup of "${hostname}" failed: no DNS server responded. Check the network and try again`,
  },
  {
    codes: /^(?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN)$/,
    explain: ({ code }, { server, phase }) =>
      `cannot reach ${server} (${code}, while ${phase}). Check the network and firewalls, or set a proxy with HTTP_PROXY and HTTPS_PROXY in "env"`,
  },
  {
    codes: /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/,
    explain: (_, { server }) => `the certificate of ${server} is self-signed. ${trust}`,
  },
  {
    codes: /^UNABLE_TO_/,
    explain: ({ code }, { server }) =>
      `the certificate of ${server} was issued by an unknown authority (${code}). ${trust}`,
  },
  {
    codes: /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/,
    explain: ({ code }, { server }) =>
      `the certificate of ${server} ${code === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet'}. Check the clock of this machine, and renew the certificate`,
  },
  {
    codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    explain: ({ message }, { server }) =>
      `the certificate is not valid for ${server} (${message}). Use the host name in the certificate`,
  },
  {
    codes: /^(?:EPROTO|ERR_SSL_)/,
    explain: ({ message, code }, { server }) =>
      `TLS handshake with ${server} failed (${shortenTls(message) || code}). If the server uses plain HTTP, use http:// instead of https://`,
  },
  {
    codes: /^HPE_HEADER_OVERFLOW$/,
    explain: (_, { server }) => `the response headers of ${server} exceed 16 KiB`,
  },
  {
    codes: /^HPE_/,
    explain: ({ message }, { server }) =>
      `invalid HTTP response from ${server} (${message}). Check the port, and whether the URL needs https://`,
  },
  {
    codes: /^(?:ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/,
    explain: (_, { phase, server }) => `the connection to ${server} was closed while ${phase}`,
  },
  {
    codes: /^(?:Z_|ERR__ERROR_FORMAT|ERR_BROTLI|ERR_PADDING|ERR_BUFFER)/,
    explain: ({ message, code }) =>
      `the response body does not match its Content-Encoding (${message || code}). Add the header "Accept-Encoding: identity"`,
  },
];

/** Extracts OpenSSL's reason from a message with addresses and source files. */
const shortenTls = (message: string): string =>
  /:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1] ?? message.split('\n')[0]!;

/** A failed request or response with a user-facing message. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
}
