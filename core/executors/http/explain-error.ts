import { HttpFailure } from './http-failure.ts';

/** What was going on when an exchange failed. */
export interface Circumstances {
  /** After "while". */
  readonly phase: string;
  /** Host and port. */
  readonly server: string;
}

/** Why an exchange failed, in a sentence for people. */
export function explainError(thrown: unknown, circumstances: Circumstances): string {
  if (thrown instanceof HttpFailure) return thrown.message;
  const error = firstOf(thrown);
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

/** Where several addresses were tried, the first says what the others say. */
function firstOf(thrown: unknown): SystemError {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return firstOf(thrown.errors[0]);
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

const trust =
  'Add the authority that signed it to the file named by NODE_EXTRA_CA_CERTS in the environment of the engine, or, where nobody can be in the way, set config.skipTLSVerify';

const explanations: readonly {
  readonly codes: RegExp;
  explain(error: SystemError, circumstances: Circumstances): string;
}[] = [
  {
    codes: /^ECONNREFUSED$/,
    explain: ({ address, port }, { phase }) =>
      `connection refused: nothing listens at ${address}:${port} (while ${phase}). See whether ${
        phase.includes('proxy')
          ? 'the proxy runs, and that HTTP_PROXY and HTTPS_PROXY name it'
          : 'the server runs, and that host and port are right'
      }`,
  },
  {
    codes: /^(?:ENOTFOUND|EAI_NODATA|EAI_NONAME)$/,
    explain: ({ hostname }, { phase }) =>
      `the host name "${hostname}" is not known to DNS (while ${phase}). Check its spelling, and that this machine's name servers know it`,
  },
  {
    codes: /^EAI_AGAIN$/,
    explain: ({ hostname }) =>
      `the host name "${hostname}" could not be looked up, since no name server answered. Check the network of this machine, and try again`,
  },
  {
    codes: /^(?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN)$/,
    explain: ({ code }, { server, phase }) =>
      `${server} cannot be reached (${code}, while ${phase}). Check the network and firewalls, or declare a proxy with HTTP_PROXY and HTTPS_PROXY in "env"`,
  },
  {
    codes: /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/,
    explain: (_, { server }) =>
      `the certificate of ${server} is self-signed, so that nothing vouches for it. ${trust}`,
  },
  {
    codes: /^UNABLE_TO_/,
    explain: ({ code }, { server }) =>
      `the certificate of ${server} is signed by an authority that is not known here (${code}). ${trust}`,
  },
  {
    codes: /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/,
    explain: ({ code }, { server }) =>
      `the certificate of ${server} ${code === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet'}. Check this machine's clock, and have the certificate renewed`,
  },
  {
    codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    explain: ({ message }, { server }) =>
      `the certificate is not one for ${server} (${message}). Use the name that it is for`,
  },
  {
    codes: /^(?:EPROTO|ERR_SSL_)/,
    explain: ({ message, code }, { server }) =>
      `${server} does not set up TLS as expected (${shortenTls(message) || code}). When it speaks plain HTTP, write http:// instead of https://`,
  },
  {
    codes: /^HPE_HEADER_OVERFLOW$/,
    explain: (_, { server }) => `the header of the answer of ${server} is larger than 16 KiB`,
  },
  {
    codes: /^HPE_/,
    explain: ({ message }, { server }) =>
      `${server} does not answer in HTTP (${message}). Check the port, and whether it must be https://`,
  },
  {
    codes: /^(?:ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/,
    explain: (_, { phase, server }) =>
      `the connection was closed from ${server} or on the way there while ${phase}`,
  },
  {
    codes: /^(?:Z_|ERR__ERROR_FORMAT|ERR_BROTLI|ERR_PADDING|ERR_BUFFER)/,
    explain: ({ message, code }) =>
      `the body is not compressed as its Content-Encoding says (${message || code}). With the header "Accept-Encoding: identity" it comes plain`,
  },
];

/** OpenSSL's reason, out of a line with addresses and source files. */
const shortenTls = (message: string): string =>
  /:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1] ?? message.split('\n')[0]!;
