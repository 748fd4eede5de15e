import { expect, test } from 'vitest';
import { SharedPolls } from '../../../../core/run/logs/log-followers.ts';
import { FakeClock } from '../../../harness/fakes.ts';

function setUp() {
  const clock = new FakeClock();
  const looks: string[] = [];
  const shared = new SharedPolls(clock, 100, async (file, complete) => {
    looks.push(`${file} ${complete}`);
    return { size: looks.length, totalLines: 1, complete };
  });
  return { clock, looks, shared };
}

test('200 followers of one log share its polls', async () => {
  const { clock, looks, shared } = setUp();
  for (let round = 1; round <= 3; round += 1) {
    const seen = await Promise.all(Array.from({ length: 200 }, () => shared.look('a', false)));
    expect(new Set(seen.map(({ size }) => size))).toEqual(new Set([round]));
    clock.advance(100);
  }
  expect(looks).toHaveLength(3);
});

test('a follower that knows that the log is complete does not get an older state', async () => {
  const { looks, shared } = setUp();
  await shared.look('a', false);
  expect(await shared.look('a', true)).toMatchObject({ complete: true });
  await shared.look('b', false);
  expect(looks).toEqual(['a false', 'a true', 'b false']);
  shared.forget('a');
  await shared.look('a', true);
  expect(looks).toHaveLength(4);
});
