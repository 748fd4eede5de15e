import { describe, expect, it } from 'vitest';
import type { ContinueOn } from '../../../core/model/workflow/step.ts';
import {
  judgeFailure,
  judgeSkip,
  matchesAnyLine,
  needsOutput,
  type ContinueVerdict,
  type StepFailure,
} from '../../../core/plan/continue-on.ts';
import { buildContinueOn } from '../../rig/build-step.ts';

interface Case {
  policy: Partial<ContinueOn>;
  failure: StepFailure;
  verdict: ContinueVerdict;
}

const cases: Case[] = [
  { policy: {}, failure: { exitCode: 1 }, verdict: 'stop' },
  { policy: { failure: true }, failure: { exitCode: 1 }, verdict: 'tolerate' },
  { policy: { failure: true }, failure: {}, verdict: 'tolerate' },
  { policy: { failure: true, markSuccess: true }, failure: { exitCode: 1 }, verdict: 'succeed' },
  { policy: { markSuccess: true }, failure: { exitCode: 1 }, verdict: 'stop' },
  { policy: { exitCodes: [3, 4] }, failure: { exitCode: 4 }, verdict: 'tolerate' },
  { policy: { exitCodes: [3, 4] }, failure: { exitCode: 5 }, verdict: 'stop' },
  { policy: { exitCodes: [0] }, failure: {}, verdict: 'stop' },
  { policy: { output: ['x'] }, failure: { exitCode: 1, outputMatches: true }, verdict: 'tolerate' },
  { policy: { output: ['x'] }, failure: { exitCode: 1, outputMatches: false }, verdict: 'stop' },
  { policy: { skipped: true }, failure: { exitCode: 1 }, verdict: 'stop' },
];

describe('judgeFailure', () => {
  it.each(cases)('$policy after $failure: $verdict', ({ policy, failure, verdict }) => {
    expect(judgeFailure(buildContinueOn(policy), failure)).toBe(verdict);
  });
});

it('tolerates a skipped step only when told so', () => {
  expect(judgeSkip(buildContinueOn({ skipped: true, markSuccess: true }))).toBe('tolerate');
  expect(judgeSkip(buildContinueOn({ failure: true }))).toBe('stop');
});

describe('output', () => {
  it('is needed only where nothing else has decided already', () => {
    expect(needsOutput(buildContinueOn({ output: ['x'] }), 1)).toBe(true);
    expect(needsOutput(buildContinueOn({ output: ['x'], exitCodes: [1] }), 1)).toBe(false);
    expect(needsOutput(buildContinueOn({ failure: false }), 1)).toBe(false);
  });

  it.each([
    { output: ['need'], line: 'a needle', matches: true },
    { output: ['re:^n.*e$'], line: 'needle', matches: true },
    { output: ['re:^n.*e$'], line: 'a needle', matches: false },
    { output: ['a.c'], line: 'abc', matches: false },
    { output: ['x', 're:\\d{3}'], line: 'code 404', matches: true },
    { output: ['re:^a\\-done'], line: 'a-done', matches: true },
    { output: [], line: 'anything', matches: false },
  ])('$output on "$line": $matches', async ({ output, line, matches }) => {
    expect(await matchesAnyLine(buildContinueOn({ output }), ['first', line])).toBe(matches);
  });

  it('is not read further than the first match', async () => {
    async function* lines() {
      yield 'match';
      throw new Error('read too far');
    }
    expect(await matchesAnyLine(buildContinueOn({ output: ['match'] }), lines())).toBe(true);
  });
});
