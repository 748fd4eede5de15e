import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';

/** Bytes that went by, counted and hashed. */
export interface Measured {
  readonly stream: Transform;
  /** To be asked when the stream has ended. */
  result(): { readonly bytes: number; readonly sha256: string };
}

/** Hands on what it is given, and knows in the end how much it was. */
export function measure(): Measured {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { stream, result: () => ({ bytes, sha256: hash.digest('hex') }) };
}
