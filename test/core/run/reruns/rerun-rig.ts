import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { OperationInput } from '../../../../core/contract/operations.ts';
import type { RunRef } from '../../../../core/model/run/run.ts';
import { makeTemporaryFolder } from '../../../rig/temporary-folder.ts';
import { TestEngine, testCaller, type RunView } from '../../../rig/test-engine.ts';

/** What is to begin anew. */
export type Wish = Omit<OperationInput<'runs.retry'>, 'name' | 'dagRunId'>;

/** Lets the run go on and waits for its new end. */
export async function retry(
  engine: TestEngine,
  { name, dagRunId }: RunRef,
  wish: Wish = {},
): Promise<RunView> {
  await engine.host.api.call('runs.retry', { name, dagRunId, ...wish }, testCaller);
  return engine.end({ name, dagRunId });
}

/** Fails at `send` until the file `ready` is there; `side` is a branch of its own, `report` comes last. */
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

/** Runs it once in a folder of its own, which `mend` changes so that the next time succeeds. */
export async function runFailing(text = spec) {
  const folder = makeTemporaryFolder();
  const engine = new TestEngine();
  const view = await engine.run(text, { defaultWorkingDir: folder });
  const mend = (): void => writeFileSync(path.join(folder, 'ready'), '');
  return { engine, folder, view, mend };
}

/** How many attempts each step has had. */
export const attemptsOf = (view: RunView) =>
  Object.fromEntries(view.steps.map((step) => [step.name, step.attempts.length]));
