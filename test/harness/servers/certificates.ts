import { createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';

/** A self-signed certificate for `localhost` and 127.0.0.1: it is its own authority. Both in PEM. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Tags of DER (X.690). */
const tags = {
  integer: 2,
  bitString: 3,
  octets: 4,
  object: 6,
  text: 12,
  time: 23,
  sequence: 48,
  set: 49,
} as const;

/** One value of DER (X.690): tag, length, content. */
function encode(tag: number, ...values: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(values);
  const { length } = content;
  // The shortest form, as DER requires.
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...values: readonly Uint8Array[]): Buffer => encode(tags.sequence, ...values);
const object = (hex: string): Buffer => encode(tags.object, Buffer.from(hex, 'hex'));
const bitString = (content: Uint8Array): Buffer => encode(tags.bitString, Buffer.from([0]), content);

/** Years before 2050 have two digits (RFC 5280, 4.1.2.5), which browsers enforce. */
const time = (epochMs: number): Buffer =>
  encode(
    tags.time,
    Buffer.from(
      new Date(epochMs)
        .toISOString()
        .slice(2)
        .replaceAll(/[-:T]|\.\d+/g, ''),
    ),
  );

const ecdsaWithSha256 = sequence(object('2a8648ce3d040302'));
const commonName = object('550403');
const alternativeNames = object('551d11');
const basicConstraints = object('551d13');

/**
 * @param validity epoch milliseconds. Default: from yesterday for a year
 * @param name the common name, by which a test distinguishes certificates
 */
export function makeCertificate(
  name = 'localhost',
  validity: { readonly from?: number; readonly until?: number } = {},
): TestCertificate {
  const { from = Date.now() - 86_400_000, until = Date.now() + 365 * 86_400_000 } = validity;
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = sequence(encode(tags.set, sequence(commonName, encode(tags.text, Buffer.from(name)))));
  const names = sequence(encode(0x82, Buffer.from('localhost')), encode(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = sequence(
    sequence(alternativeNames, encode(tags.octets, names)),
    sequence(basicConstraints, encode(tags.octets, sequence(encode(1, Buffer.from([255]))))),
  );
  const signed = sequence(
    encode(0xa0, encode(tags.integer, Buffer.from([2]))),
    encode(tags.integer, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    subject,
    sequence(time(from), time(until)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    encode(0xa3, extensions),
  );
  const signature = createSign('SHA256').update(signed).sign(privateKey);
  const der = sequence(signed, ecdsaWithSha256, bitString(signature));
  return {
    cert: toPem('CERTIFICATE', der),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** The text form of DER (RFC 7468). */
function toPem(label: string, der: Buffer): string {
  const lines = der
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n');
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}

const day = 86_400_000;

/** Subject and validity. Default: from yesterday for a year. */
export interface Issue {
  readonly name: string;
  /** Alternative names in addition to `localhost` and 127.0.0.1. */
  readonly uri?: string;
  /** One more IPv4 address among them. */
  readonly address?: string;
  /** For another machine: neither `localhost` nor 127.0.0.1 are included. */
  readonly isElsewhere?: true;
  readonly from?: number;
  readonly until?: number;
}

/** A certificate, and its serial number for revocation. */
export interface IssuedCertificate extends TestCertificate {
  readonly serial: Buffer;
}

const nameOf = (name: string): Buffer =>
  sequence(encode(tags.set, sequence(commonName, encode(tags.text, Buffer.from(name)))));
const keyUsage = object('551d0f');

/** An authority of an operator of coordinators: it issues certificates and revokes them. */
export class TestAuthority {
  readonly name: string;
  /** Its own certificate in PEM. */
  readonly cert: string;
  readonly #key: KeyObject;

  constructor(name = 'test authority') {
    this.name = name;
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = privateKey;
    // May sign certificates and revocation lists.
    const usage = encode(tags.bitString, Buffer.from([1, 0b110]));
    this.cert = this.#certify(
      { name },
      publicKey,
      [
        sequence(basicConstraints, encode(tags.octets, sequence(encode(1, Buffer.from([255]))))),
        sequence(keyUsage, encode(tags.octets, usage)),
      ],
      newSerial(),
    );
  }

  issue(issue: Issue): IssuedCertificate {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const serial = newSerial();
    const names = sequence(
      encode(0x82, Buffer.from(issue.isElsewhere ? 'elsewhere.example' : 'localhost')),
      ...(issue.isElsewhere ? [] : [encode(0x87, Buffer.from([127, 0, 0, 1]))]),
      ...(issue.address === undefined
        ? []
        : [encode(0x87, Buffer.from(issue.address.split('.').map(Number)))]),
      ...(issue.uri === undefined ? [] : [encode(0x86, Buffer.from(issue.uri))]),
    );
    const extensions = [sequence(alternativeNames, encode(tags.octets, names))];
    return {
      cert: this.#certify(issue, publicKey, extensions, serial),
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      serial,
    };
  }

  /** The certificate revocation list, in PEM. */
  revoke(
    certificates: readonly IssuedCertificate[],
    { from = Date.now() - day, until = Date.now() + 30 * day } = {},
  ): string {
    const entries = certificates.map(({ serial }) => sequence(encode(tags.integer, serial), time(from)));
    const list = sequence(
      encode(tags.integer, Buffer.from([1])),
      ecdsaWithSha256,
      nameOf(this.name),
      time(from),
      time(until),
      ...(entries.length === 0 ? [] : [sequence(...entries)]),
    );
    return toPem('X509 CRL', this.#sign(list));
  }

  #certify(
    { name, from = Date.now() - day, until = Date.now() + 365 * day }: Issue,
    publicKey: KeyObject,
    extensions: readonly Buffer[],
    serial: Buffer,
  ): string {
    const signed = sequence(
      encode(0xa0, encode(tags.integer, Buffer.from([2]))),
      encode(tags.integer, serial),
      ecdsaWithSha256,
      nameOf(this.name),
      sequence(time(from), time(until)),
      nameOf(name),
      publicKey.export({ type: 'spki', format: 'der' }),
      encode(0xa3, sequence(...extensions)),
    );
    return toPem('CERTIFICATE', this.#sign(signed));
  }

  #sign(content: Buffer): Buffer {
    const signature = createSign('SHA256').update(content).sign(this.#key);
    return sequence(content, ecdsaWithSha256, bitString(signature));
  }
}

/** Positive, as required. */
const newSerial = (): Buffer => Buffer.concat([Buffer.from([1]), randomBytes(8)]);
