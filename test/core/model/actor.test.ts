import { expect, test } from 'vitest';
import { formatAnswer } from '../../../core/model/approval.ts';
import { formatActor } from '../../../core/model/run-event.ts';

test('names the actor, or the origin where there is no login', () => {
  expect(formatActor('ann')).toBe('by ann');
  expect(formatActor('http')).toBe('over HTTP');
  expect(formatActor('cli')).toBe('on the command line');
  expect(formatAnswer({ decision: 'rejected', by: 'http', comment: 'Not yet.' })).toBe(
    'rejected over HTTP: Not yet.',
  );
});
