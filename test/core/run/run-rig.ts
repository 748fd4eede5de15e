import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import type { EventView } from '../../../core/contract/logs.ts';
import type { RunRef } from '../../../core/model/run.ts';
import type { ItemOf } from '../../../core/contract/operation.ts';
import { type RunView, TestEngine, testCaller } from '../../rig/test-engine.ts';
import path from 'node:path';
import type { DryFindingView, DryPlanView, DryRunView, DryStepView } from '../../../core/contract/dry.ts';
import { openDryRuns } from '../../../core/open-dry-runs.ts';
import { FakeClock } from '../../rig/fake-clock.ts';
import { makeTemporaryFolder } from '../../rig/temporary-folder.ts';
import type { DryRunRequest } from '../../../core/api/engine-host.ts';
import type { OperationInput, OperationOutput } from '../../../core/contract/operations.ts';

type RunEventView = ItemOf<{ item: typeof EventView }>;

/** Every event of an ended run, in order, as a client that resumes from the beginning gets them. */
export function eventsOf(engine: TestEngine, { name, dagRunId }: RunRef): Promise<RunEventView[]> {
  return new Promise((resolve, reject) => {
    const events: RunEventView[] = [];
    const dispose = engine.host.api.follow(
      'events.follow',
      { name, dagRunId, after: 0 },
      {
        item: (event) => {
          events.push(event);
          // The first ones arrive before `follow` has returned.
          if (event.event.type === 'run.finished') setImmediate(() => (dispose(), resolve(events)));
        },
        end: reject,
      },
      testCaller,
    );
  });
}

/** What an attempt has printed. */
export function printed(
  view: RunView,
  name: string,
  stream: 'stdoutFile' | 'stderrFile' = 'stdoutFile',
): string {
  const step = [...view.steps, ...view.handlers].find((each) => each.name === name);
  const file = step?.attempts.at(-1)?.[stream];
  if (file === undefined) throw new Error(`${name} has no attempt`);
  return readFileSync(file, 'utf8');
}

/** The variables that `print-env.sh` or `env` has printed; values must be single-line. */
export const variablesOf = (view: RunView, name: string): Record<string, string> =>
  Object.fromEntries(
    printed(view, name)
      .split('\n')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

/** A dry run of a text, on a home that does not exist. */
export function dryRun(spec: string, request: Partial<DryRunRequest> = {}): Promise<DryRunView> {
  const home = path.join(makeTemporaryFolder(), 'home');
  return openDryRuns({ home, clock: new FakeClock() })({ source: { spec }, ...request });
}

/** The first plan; every test has one. */
export const planOf = (view: DryRunView): DryPlanView => view.plans[0]!;

export function stepOf(view: DryRunView, name: string, plan = 0): DryStepView {
  const { steps, handlers } = view.plans[plan]!;
  const step = [...steps, ...handlers].find((each) => each.name === name);
  if (step === undefined) throw new Error(`there is no step ${name}`);
  return step;
}

/** Findings on one line each: `error etl > child / step / field: message`. */
export const findingLines = ({ findings }: DryRunView): string[] => findings.map(lineOf);

function lineOf({ severity, workflow, step, field, message }: DryFindingView): string {
  const location = [workflow, step, field].filter((part) => part !== undefined).join(' / ');
  return `${severity} ${location}: ${message}`;
}

/** Everything below a directory, with size and mtime: what a run would change. */
export function snapshot(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.toSorted().map((name) => {
    const { size, mtimeMs } = statSync(path.join(folder, name));
    return `${name} ${size} ${mtimeMs}`;
  });
}

/** What to retry. */
export type RetryOptions = Omit<OperationInput<'runs.retry'>, 'name' | 'dagRunId'>;

/** Retries the run and waits for its new end. */
export async function retry(
  engine: TestEngine,
  { name, dagRunId }: RunRef,
  options: RetryOptions = {},
): Promise<RunView> {
  await engine.host.api.call('runs.retry', { name, dagRunId, ...options }, testCaller);
  return engine.end({ name, dagRunId });
}

/** Fails at `send` until the file `ready` is there; `side` is an independent branch, `report` comes last. */
export const spec = `
name: nightly
type: graph
steps:
  - { name: load, command: 'echo "rows $(ls | wc -l)"', output: ROWS }
  - { name: side, command: 'true' }
  - { name: send, command: 'echo "got $ROWS"; test -e ready', depends: load }
  - { name: report, command: 'echo "after $ROWS"', depends: [send] }
handlerOn:
  exit: { command: 'echo end >> ends' }
`;

/** Runs it once in a separate directory, which `mend` changes so that the next time succeeds. */
export async function runFailing(text = spec) {
  const folder = makeTemporaryFolder();
  const engine = new TestEngine();
  const view = await engine.run(text, { defaultWorkingDir: folder });
  const mend = (): void => writeFileSync(path.join(folder, 'ready'), '');
  return { engine, folder, view, mend };
}

/** Number of attempts of each step. */
export const attemptsOf = (view: RunView) =>
  Object.fromEntries(view.steps.map((step) => [step.name, step.attempts.length]));

type ApprovalView = OperationOutput<'approvals.answer'>;

/** A workflow with an approval step, with these further lines, and a step that reads the answer. */
export const approvalSpec = (...lines: readonly string[]): string => `
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

/** Waits until the step `release` requests approval, in its attempt of this number. */
export async function waitForApproval(engine: TestEngine, run: RunRef, attempt = 1): Promise<ApprovalView> {
  const hasAsked = (view: RunView): boolean => releaseOf(view).approval?.attempt === attempt;
  return releaseOf(await engine.untilRun(run, hasAsked)).approval!;
}

export const releaseOf = (view: RunView) => view.steps.find(({ name }) => name === 'release')!;

/** Answers as a user does. */
export const answer = (
  { host }: TestEngine,
  { id }: ApprovalView,
  input: Omit<OperationInput<'approvals.answer'>, 'id'>,
  name = 'ann',
): Promise<ApprovalView> => host.api.call('approvals.answer', { id, ...input }, { ...testCaller, name });

export const approved = { decision: 'approved', values: { TICKET: 'T-1' } } as const;
export const rejected = { decision: 'rejected', comment: 'not on a Friday' } as const;
