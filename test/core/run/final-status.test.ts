import { describe, expect, test } from 'vitest';
import { statusesOf, TestEngine } from '../../harness/engine.ts';

/** Behavior of Dagu: situation → result. */
const rows: readonly {
  readonly situation: string;
  readonly spec: string;
  readonly status: string;
  readonly steps: Record<string, string>;
  readonly cause?: string;
}[] = [
  {
    situation: 'every step succeeds',
    spec: 'steps: ["true", "true"]',
    status: 'succeeded',
    steps: { cmd_1: 'succeeded', cmd_2: 'succeeded' },
  },
  {
    situation: 'a step fails: dependents are aborted, independent branches continue',
    spec: `
type: graph
steps:
  - { name: bad, command: exit 3 }
  - { name: after bad, command: "true", depends: bad }
  - { name: free, command: "true" }
  - { name: after free, command: "true", depends: free }`,
    status: 'failed',
    cause: 'steps',
    steps: { bad: 'failed', 'after bad': 'aborted', free: 'succeeded', 'after free': 'succeeded' },
  },
  {
    situation: 'a step is skipped: its dependents too, and the run succeeds',
    spec: `
steps:
  - { name: a, command: "true", preconditions: [{ condition: "no", expected: "yes" }] }
  - { name: b, command: "true" }`,
    status: 'succeeded',
    steps: { a: 'skipped', b: 'skipped' },
  },
  {
    situation: 'a skipped step with continueOn.skipped does not stop its dependents',
    spec: `
steps:
  - { name: a, command: "true", preconditions: [{ command: "false" }], continueOn: skipped }
  - { name: b, command: "true" }`,
    status: 'succeeded',
    steps: { a: 'skipped', b: 'succeeded' },
  },
  {
    situation: 'a tolerated failure and a success',
    spec: `
steps:
  - { name: a, command: exit 1, continueOn: failed }
  - { name: b, command: "true" }`,
    status: 'partially_succeeded',
    cause: 'steps',
    steps: { a: 'failed', b: 'succeeded' },
  },
  {
    situation: 'a tolerated failure of the only step',
    spec: 'steps: [{ name: a, command: exit 1, continueOn: failed }]',
    status: 'failed',
    cause: 'steps',
    steps: { a: 'failed' },
  },
  {
    situation: 'a failure tolerated by exit code and marked as success',
    spec: 'steps: [{ name: a, command: exit 7, continueOn: { exitCode: [7], markSuccess: true } }]',
    status: 'succeeded',
    steps: { a: 'succeeded' },
  },
  {
    situation: 'a failure tolerated by a line of its output',
    spec: `
steps:
  - { name: a, command: "echo nothing to do; exit 1", continueOn: { output: "re:^nothing" } }
  - { name: b, command: "true" }`,
    status: 'partially_succeeded',
    cause: 'steps',
    steps: { a: 'failed', b: 'succeeded' },
  },
  {
    situation: 'an unmet precondition of the run: nothing starts, abort and exit handlers run, init does not',
    spec: `
preconditions: [{ command: "false" }]
steps: [{ name: a, command: "true" }]
handlerOn: { init: "true", success: "true", failure: "true", abort: "true", exit: "true" }`,
    status: 'aborted',
    cause: 'preconditions',
    steps: { onAbort: 'succeeded', onExit: 'succeeded' },
  },
  {
    situation: 'a negated precondition of the run',
    spec: 'preconditions: [{ command: "false", negate: true }]\nsteps: ["true"]',
    status: 'succeeded',
    steps: { cmd_1: 'succeeded' },
  },
  {
    situation: 'the init handler fails: no step runs',
    spec: `
steps: [{ name: a, command: "true" }]
handlerOn: { init: exit 1, failure: "true", abort: "true", exit: "true" }`,
    status: 'aborted',
    cause: 'init',
    steps: { onInit: 'failed', onAbort: 'succeeded', onExit: 'succeeded' },
  },
  {
    situation: 'a success handler fails: the run does, too',
    spec: 'steps: ["true"]\nhandlerOn: { success: exit 1, exit: "true" }',
    status: 'failed',
    cause: 'handler',
    steps: { cmd_1: 'succeeded', onSuccess: 'failed', onExit: 'succeeded' },
  },
  {
    situation: 'a handler whose own precondition is unmet is skipped without effect',
    spec: `
steps: ["true"]
handlerOn: { exit: { command: "true", preconditions: [{ command: "false" }] } }`,
    status: 'succeeded',
    steps: { cmd_1: 'succeeded', onExit: 'skipped' },
  },
  {
    situation: 'a step that ends by a signal has failed',
    spec: 'steps: [{ name: a, command: "kill -KILL $$" }]',
    status: 'failed',
    cause: 'steps',
    steps: { a: 'failed' },
  },
];

describe('final status', () => {
  test.each(rows)('$situation', async ({ spec, status, steps, cause }) => {
    const view = await new TestEngine().run(spec);
    expect({ status: view.status, cause: view.cause, steps: statusesOf(view) }).toEqual({
      status,
      cause,
      steps,
    });
    expect(view.error === undefined).toBe(status === 'succeeded');
  });

  test('handlers of a partial success are those of a success, with the status in their environment', async () => {
    const view = await new TestEngine().run(`
steps:
  - { command: exit 1, continueOn: failed }
  - "true"
handlerOn:
  success: { command: echo $DAG_RUN_STATUS, output: SEEN }
  exit: { command: echo $DAG_RUN_STATUS, output: SEEN_AT_EXIT }`);
    const outputs = Object.fromEntries(view.handlers.map(({ output }) => [output?.name, output?.value]));
    expect(outputs).toEqual({ SEEN: 'partially_succeeded', SEEN_AT_EXIT: 'partially_succeeded' });
  });
});
