import type { OperationInput, OperationOutput } from '../../../../core/contract/operations.ts';
import type { RunRef } from '../../../../core/model/run/run.ts';
import { testCaller, type RunView, type TestEngine } from '../../../rig/test-engine.ts';

export type ApprovalView = OperationOutput<'approvals.answer'>;

/** A workflow of a step that asks, with these further lines, and one that reads the answer. */
export const askingSpec = (...lines: readonly string[]): string => `
name: asks
maxActiveRuns: -1
params: VERSION=1.4
steps:
  - name: release
    type: approval
    config:
      question: Release \${VERSION}?
      details: All tests passed
      inputs: [TICKET, REASON]
      required: [TICKET]
    output: DECISION
    ${lines.join('\n    ')}
  - name: tell
    command: echo "\${DECISION.approved} \${DECISION.by} \${DECISION.inputs.TICKET} [\${DECISION.inputs.REASON}]"
    output: TOLD
`;

/** Waits until the step `release` asks, in its attempt of this number. */
export async function untilAsked(engine: TestEngine, run: RunRef, attempt = 1): Promise<ApprovalView> {
  const hasAsked = (view: RunView): boolean => releaseOf(view).approval?.attempt === attempt;
  return releaseOf(await engine.untilRun(run, hasAsked)).approval!;
}

export const releaseOf = (view: RunView) => view.steps.find(({ name }) => name === 'release')!;

/** Answers as a person does. */
export const answer = (
  { host }: TestEngine,
  { id }: ApprovalView,
  given: Omit<OperationInput<'approvals.answer'>, 'id'>,
  name = 'ann',
): Promise<ApprovalView> => host.api.call('approvals.answer', { id, ...given }, { ...testCaller, name });

export const approved = { decision: 'approved', values: { TICKET: 'T-1' } } as const;
export const rejected = { decision: 'rejected', comment: 'not on a Friday' } as const;
