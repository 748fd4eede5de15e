import type { FastifyRequest } from 'fastify';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import type { Clock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import { readWorkerId } from '../routes/read-messages.ts';
import type { Identity, Joiner } from './caller.ts';

/** What a connection has proved. */
interface Proof {
  readonly id: string;
  /** End of the certificate, epoch milliseconds. */
  readonly validUntil: number;
}

/** Before the id in a URI among the alternative names, for authorities that put other things into the common name. */
const uriPrefix = 'urn:stepwright:worker:';

/** Why a certificate was not taken, by the codes of OpenSSL as Node tells them. */
const reasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired; renew it',
  CERT_NOT_YET_VALID: 'is not valid yet; look at the clocks of both machines',
  CERT_REVOKED: 'was revoked; have a new one made',
  UNABLE_TO_GET_CRL:
    'cannot be judged: the list of revoked certificates has none from its authority (--tls-crl)',
  CRL_HAS_EXPIRED: 'cannot be judged: the list of revoked certificates has expired; renew it (--tls-crl)',
  CRL_NOT_YET_VALID: 'cannot be judged: the list of revoked certificates is not valid yet (--tls-crl)',
  INVALID_PURPOSE: 'is not one for clients',
};
const wrongAuthority =
  'was not made by an authority that this coordinator takes certificates from (--tls-client-ca)';

/** Workers prove who they are by certificates: the common name, or a URI of the alternative names, is the id. */
export class CertificateIdentity implements Identity {
  readonly #clock: Clock;
  readonly #proofs = new WeakMap<object, Proof>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async join(request: FastifyRequest, id: string): Promise<Joiner> {
    return { id: this.#check(request, id), labels: {} };
  }

  async recognize(request: FastifyRequest, id: string | undefined): Promise<string> {
    return this.#check(request, id);
  }

  #check({ raw: { socket } }: FastifyRequest, id: string | undefined): string {
    const proof = this.#proofs.get(socket) ?? prove(socket as TLSSocket);
    this.#proofs.set(socket, proof);
    if (proof.validUntil <= this.#clock.now()) throw refuse('has expired; renew it');
    if (id === undefined || id === proof.id) return proof.id;
    throw new AppError(
      'forbidden',
      `The certificate is that of the worker ${proof.id}, but the worker says that it is ${id}. Give it that id, or a certificate of its own.`,
    );
  }
}

function prove(socket: TLSSocket): Proof {
  const certificate = socket.getPeerCertificate();
  if (certificate === null || Object.keys(certificate).length === 0)
    throw new AppError(
      'unauthorized',
      'The worker has shown no certificate, which this coordinator asks for: give it one (--tls-cert, --tls-key).',
    );
  if (!socket.authorized) throw refuse(reasons[String(socket.authorizationError)] ?? wrongAuthority);
  return { id: readId(certificate), validUntil: Date.parse(certificate.valid_to) };
}

function readId({ subject, subjectaltname = '' }: PeerCertificate): string {
  const [, named] = new RegExp(`(?:^|, )URI:${uriPrefix}([^,]+)`).exec(subjectaltname) ?? [];
  return readWorkerId(named ?? subject.CN, 'The common name of the certificate');
}

const refuse = (reason: string): AppError =>
  new AppError('unauthorized', `The certificate of the worker ${reason}.`);
