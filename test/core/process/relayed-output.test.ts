import { Readable, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { StreamRelay } from '../../../core/process/relayed-output.ts';
import { FakeClock } from '../../harness/fakes.ts';
import { until } from '../../harness/resources.ts';

const pieceBytes = 1024;

/** A source of as many chunks as requested, and a target that accepts a chunk on each call of `take`. */
function makeEnds(chunks: number) {
  const seen = { made: 0, taken: 0 };
  const source = new Readable({
    read() {
      this.push(seen.made < chunks ? Buffer.alloc(pieceBytes) : null);
      seen.made += 1;
    },
  });
  let take: (() => void) | undefined;
  const target = new Writable({
    write(_piece, _encoding, done) {
      take = () => {
        take = undefined;
        seen.taken += 1;
        done();
      };
    },
  });
  return { source, target, seen, take: () => take?.() };
}

async function turn(turns: number): Promise<void> {
  for (let count = 0; count < turns; count += 1) await new Promise((resolve) => setImmediate(resolve));
}

it('reads no faster than its target accepts', async () => {
  const { source, target, seen, take } = makeEnds(10_000);
  const relay = new StreamRelay(source, target);
  await turn(50);
  const max = (source.readableHighWaterMark + target.writableHighWaterMark) / pieceBytes + 2;
  expect(seen.made).toBeLessThanOrEqual(max);
  const settled = relay.drain(new FakeClock());
  while (seen.taken < 10_000) {
    take();
    await turn(1);
  }
  await settled;
  await until(() => target.writableFinished);
});

it('is not cut off before a slow target has accepted the rest', async () => {
  const { source, target, seen, take } = makeEnds(200);
  const clock = new FakeClock();
  const settled = new StreamRelay(source, target).drain(clock);
  await turn(5);
  clock.advance(10_000);
  await turn(5);
  expect(source.destroyed).toBe(false);
  while (seen.taken < 200) {
    take();
    await turn(1);
  }
  await settled;
  expect(clock.pending).toBe(0);
});

it('is cut off when nothing more arrives', async () => {
  const source = new Readable({ read() {} });
  const target = new Writable({ write: (_piece, _encoding, done) => done() });
  source.push('last words');
  const clock = new FakeClock();
  const settled = new StreamRelay(source, target).drain(clock);
  clock.advance(499);
  await turn(5);
  expect(source.destroyed).toBe(false);
  clock.advance(1);
  await settled;
  await until(() => target.writableFinished);
});
