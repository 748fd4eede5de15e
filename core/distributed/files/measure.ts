import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';

/** Number and hash of bytes in a stream. */
export interface HashingStream {
  readonly stream: Transform;
  /** Call this after the stream has ended. */
  result(): { readonly bytes: number; readonly sha256: string };
}

/** Returns a pass-through stream that counts and hashes its bytes. */
export function createHashingStream(): HashingStream {
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
