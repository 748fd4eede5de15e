import fc from 'fast-check';
import { expect, test } from 'vitest';
import { copyFrames } from '../../../../core/executors/container/copy-frames.ts';

const frame = (stream: number, text: Uint8Array): Buffer => {
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(text.length, 4);
  return Buffer.concat([header, text]);
};

async function collect(pieces: readonly Uint8Array[]) {
  const got = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
  await copyFrames(pieces, {
    write: (name, bytes) => {
      got[name] = Buffer.concat([got[name], bytes]);
      return Promise.resolve();
    },
  });
  return got;
}

test('demultiplexes frames by stream, wherever the chunks are split', async () => {
  const frames = fc.array(fc.tuple(fc.constantFrom(1, 2), fc.uint8Array({ maxLength: 40 })), {
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(frames, fc.integer({ min: 1, max: 17 }), async (written, size) => {
      const bytes = Buffer.concat(written.map(([stream, text]) => frame(stream, text)));
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      const of = (stream: number) =>
        Buffer.concat(written.filter(([each]) => each === stream).map(([, text]) => text));
      expect(await collect(pieces)).toEqual({ stdout: of(1), stderr: of(2) });
    }),
    { seed: 4 },
  );
});

test('requests the next chunk when the log has written the previous one', async () => {
  const asked: number[] = [];
  function* pieces() {
    for (const index of [0, 1, 2]) {
      asked.push(index);
      yield frame(1, Buffer.from('x'));
    }
  }
  let release = (): void => {};
  const copying = copyFrames(pieces(), { write: () => new Promise((resolve) => (release = resolve)) });
  const seen: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(asked.length);
    release();
  }
  await copying;
  expect(seen).toEqual([1, 2, 3]);
});
