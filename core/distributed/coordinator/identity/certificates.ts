import type { FastifyRequest } from 'fastify';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import type { Clock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import { readWorkerId } from '../routes/read-messages.ts';
import type { Identity, JoiningWorker } from './caller.ts';

/** Authenticated identity of a connection. */
interface VerifiedCertificate {
  readonly id: string;
  /** Expiry of the certificate, epoch milliseconds. */
  readonly validUntil: number;
}

/**
 * Prefix of the worker id in a subject alternative name URI, for certificate authorities that use the common name for
 * something else.
 */
const uriPrefix = 'urn:stepwright:worker:';

/** Reasons for rejected certificates, by OpenSSL error code as Node reports it. */
const reasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired. Renew it',
  CERT_NOT_YET_VALID: 'is not valid yet. Check the clocks of both machines',
  CERT_REVOKED: 'has been revoked. Issue a new certificate',
  UNABLE_TO_GET_CRL: 'cannot be checked: there is no revocation list from its authority (--tls-crl)',
  CRL_HAS_EXPIRED: 'cannot be checked: the revocation list has expired (--tls-crl)',
  CRL_NOT_YET_VALID: 'cannot be checked: the revocation list is not valid yet (--tls-crl)',
  INVALID_PURPOSE: 'is not a client certificate',
};
const untrustedAuthority =
  'was issued by an authority that this coordinator does not trust (--tls-client-ca)';

/** Authenticates workers by client certificate: the common name or a subject alternative name URI is the id. */
export class CertificateIdentity implements Identity {
  readonly #clock: Clock;
  readonly #verified = new WeakMap<object, VerifiedCertificate>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async join(request: FastifyRequest, id: string): Promise<JoiningWorker> {
    return { id: this.#check(request, id), labels: {} };
  }

  async authenticate(request: FastifyRequest, id: string | undefined): Promise<string> {
    return this.#check(request, id);
  }

  #check({ raw: { socket } }: FastifyRequest, id: string | undefined): string {
    const identity = this.#verified.get(socket) ?? verifyCertificate(socket as TLSSocket);
    this.#verified.set(socket, identity);
    if (identity.validUntil <= this.#clock.now()) throw certificateError('has expired. Renew it');
    if (id === undefined || id === identity.id) return identity.id;
    throw new AppError(
      'forbidden',
      `The certificate is for worker ${identity.id}, but the worker uses the id ${id}. Use the same id, or another certificate.`,
    );
  }
}

function verifyCertificate(socket: TLSSocket): VerifiedCertificate {
  const certificate = socket.getPeerCertificate();
  if (certificate === null || Object.keys(certificate).length === 0)
    throw new AppError(
      'unauthorized',
      'This coordinator requires a client certificate. Set --tls-cert and --tls-key on the worker.',
    );
  if (!socket.authorized)
    throw certificateError(reasons[String(socket.authorizationError)] ?? untrustedAuthority);
  return { id: readId(certificate), validUntil: Date.parse(certificate.valid_to) };
}

function readId({ subject, subjectaltname = '' }: PeerCertificate): string {
  const [, uriId] = new RegExp(`(?:^|, )URI:${uriPrefix}([^,]+)`).exec(subjectaltname) ?? [];
  return readWorkerId(uriId ?? subject.CN, 'The common name of the certificate');
}

const certificateError = (reason: string): AppError =>
  new AppError('unauthorized', `The certificate of the worker ${reason}.`);
