import { expect, test } from 'vitest';
import { SharedPolls } from '../../../../core/run/logs/log-followers.ts';
import { FakeClock } from '../../../harness/fakes.ts';

function setUp() {
  const clock = new FakeClock();
  const polls: string[] = [];
  const shared = new SharedPolls(clock, 100, async (file, complete) => {
    polls.push(`${file} ${complete}`);
    return { size: polls.length, totalLines: 1, complete };
  });
  return { clock, polls, shared };
}

test('200 followers of one log share its polls', async () => {
  const { clock, polls, shared } = setUp();
  for (let round = 1; round <= 3; round += 1) {
    const seen = await Promise.all(Array.from({ length: 200 }, () => shared.poll('a', false)));
    expect(new Set(seen.map(({ size }) => size))).toEqual(new Set([round]));
    clock.advance(100);
  }
  expect(polls).toHaveLength(3);
});

test('a follower that knows that the log is complete does not get an older state', async () => {
  const { polls, shared } = setUp();
  await shared.poll('a', false);
  expect(await shared.poll('a', true)).toMatchObject({ complete: true });
  await shared.poll('b', false);
  expect(polls).toEqual(['a false', 'a true', 'b false']);
  shared.forget('a');
  await shared.poll('a', true);
  expect(polls).toHaveLength(4);
});
