import { describe, expect, it } from 'vitest';
import type { ContinueOn } from '../../../../core/model/step.ts';
import {
  evaluateFailure,
  evaluateSkip,
  needsOutput,
  type ContinueDecision,
  type StepFailure,
} from '../../../../core/spec/plan/policies.ts';
import { buildContinueOn } from '../../../harness/samples.ts';

interface Case {
  policy: Partial<ContinueOn>;
  failure: StepFailure;
  verdict: ContinueDecision;
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
    expect(evaluateFailure(buildContinueOn(policy), failure)).toBe(verdict);
  });
});

it('tolerates a skipped step only when configured', () => {
  expect(evaluateSkip(buildContinueOn({ skipped: true, markSuccess: true }))).toBe('tolerate');
  expect(evaluateSkip(buildContinueOn({ failure: true }))).toBe('stop');
});

describe('output', () => {
  it('is required only when nothing else decides', () => {
    expect(needsOutput(buildContinueOn({ output: ['x'] }), 1)).toBe(true);
    expect(needsOutput(buildContinueOn({ output: ['x'], exitCodes: [1] }), 1)).toBe(false);
    expect(needsOutput(buildContinueOn({ failure: false }), 1)).toBe(false);
  });
});
