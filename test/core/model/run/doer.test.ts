import { expect, test } from 'vitest';
import { describeAnswer } from '../../../../core/model/run/approval.ts';
import { describeDoer } from '../../../../core/model/run/doer.ts';

test('who has done something is named, or the way that was taken where nobody logs in', () => {
  expect(describeDoer('ann')).toBe('by ann');
  expect(describeDoer('http')).toBe('over HTTP');
  expect(describeDoer('cli')).toBe('on the command line');
  expect(describeAnswer({ decision: 'rejected', by: 'http', comment: 'Not yet.' })).toBe(
    'rejected over HTTP: Not yet.',
  );
});
