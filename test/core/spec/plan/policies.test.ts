import { describe, expect, it } from 'vitest';
import { decideFinalStatus, type NodeOutcome } from '../../../../core/spec/plan/policies.ts';

const node = (text: string): NodeOutcome => {
  const [status = '', tolerated] = text.split(' ');
  return { status: status as NodeOutcome['status'], tolerated: tolerated === 'tolerated' };
};

const rows: { situation: string; nodes: string[]; flags?: string[]; status: string }[] = [
  { situation: 'everything succeeded', nodes: ['succeeded', 'succeeded'], status: 'succeeded' },
  { situation: 'no steps', nodes: [], status: 'succeeded' },
  { situation: 'a step failed', nodes: ['succeeded', 'failed', 'aborted'], status: 'failed' },
  {
    situation: 'a branch failed, another succeeded',
    nodes: ['failed', 'aborted', 'succeeded'],
    status: 'failed',
  },
  { situation: 'all were skipped', nodes: ['skipped', 'skipped'], status: 'succeeded' },
  { situation: 'some were skipped', nodes: ['succeeded', 'skipped'], status: 'succeeded' },
  {
    situation: 'a tolerated failure and a success',
    nodes: ['failed tolerated', 'succeeded'],
    status: 'partially_succeeded',
  },
  { situation: 'a tolerated failure of the only step', nodes: ['failed tolerated'], status: 'failed' },
  { situation: 'all failures tolerated', nodes: ['failed tolerated', 'failed tolerated'], status: 'failed' },
  {
    situation: 'a tolerated failure, the rest skipped',
    nodes: ['failed tolerated', 'skipped'],
    status: 'failed',
  },
  { situation: 'a failure marked as success', nodes: ['succeeded tolerated'], status: 'succeeded' },
  {
    situation: 'a tolerated and another failure',
    nodes: ['failed tolerated', 'succeeded', 'failed'],
    status: 'failed',
  },
  {
    situation: 'a sub-run succeeded partially',
    nodes: ['partially_succeeded'],
    status: 'partially_succeeded',
  },
  { situation: 'partial success, and a failure', nodes: ['partially_succeeded', 'failed'], status: 'failed' },
  { situation: 'a step is running', nodes: ['succeeded', 'running'], status: 'running' },
  { situation: 'a step has not started', nodes: ['failed', 'not_started'], status: 'running' },
  {
    situation: 'stopped before all steps ended',
    nodes: ['succeeded', 'aborted', 'not_started'],
    flags: ['cancelled'],
    status: 'aborted',
  },
  {
    situation: 'stopped after all steps ended',
    nodes: ['succeeded', 'skipped'],
    flags: ['cancelled'],
    status: 'succeeded',
  },
  {
    situation: 'stopped after a failure',
    nodes: ['failed', 'not_started'],
    flags: ['cancelled'],
    status: 'aborted',
  },
  {
    situation: 'workflow precondition unmet',
    nodes: ['not_started', 'not_started'],
    flags: ['cancelled'],
    status: 'aborted',
  },
  { situation: 'cancelled without steps', nodes: [], flags: ['cancelled'], status: 'aborted' },
  { situation: 'timed out', nodes: ['succeeded', 'aborted', 'aborted'], flags: ['error'], status: 'failed' },
  {
    situation: 'timed out, all tolerated',
    nodes: ['succeeded', 'failed tolerated'],
    flags: ['error'],
    status: 'failed',
  },
  { situation: 'a handler failed', nodes: ['succeeded'], flags: ['handlerFailed'], status: 'failed' },
  {
    situation: 'a handler failed after partial success',
    nodes: ['succeeded', 'failed tolerated'],
    flags: ['handlerFailed'],
    status: 'failed',
  },
  {
    situation: 'the exit handler of a stopped run failed',
    nodes: ['aborted'],
    flags: ['cancelled', 'handlerFailed'],
    status: 'aborted',
  },
];

describe('decideFinalStatus', () => {
  it.each(rows)('$situation: $status', ({ nodes, flags = [], status }) => {
    const outcome = {
      nodes: nodes.map(node),
      cancelled: flags.includes('cancelled'),
      error: flags.includes('error'),
      handlerFailed: flags.includes('handlerFailed'),
    };
    expect(decideFinalStatus(outcome)).toBe(status);
  });
});
