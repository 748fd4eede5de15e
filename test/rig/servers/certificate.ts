import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/** A self-signed certificate for `localhost` and 127.0.0.1: it is its own authority. Both in PEM. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Tags of DER (X.690). */
export const tags = {
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
export function encode(tag: number, ...values: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(values);
  const { length } = content;
  // The shortest form, as DER requires.
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

export const sequence = (...values: readonly Uint8Array[]): Buffer => encode(tags.sequence, ...values);
export const object = (hex: string): Buffer => encode(tags.object, Buffer.from(hex, 'hex'));
export const bitString = (content: Uint8Array): Buffer => encode(tags.bitString, Buffer.from([0]), content);

/** Years before 2050 have two digits (RFC 5280, 4.1.2.5), which browsers enforce. */
export const time = (epochMs: number): Buffer =>
  encode(
    tags.time,
    Buffer.from(
      new Date(epochMs)
        .toISOString()
        .slice(2)
        .replaceAll(/[-:T]|\.\d+/g, ''),
    ),
  );

export const ecdsaWithSha256 = sequence(object('2a8648ce3d040302'));
export const commonName = object('550403');
export const alternativeNames = object('551d11');
export const basicConstraints = object('551d13');

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
export function toPem(label: string, der: Buffer): string {
  const lines = der
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n');
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
