import { describe, expect, test } from 'vitest';
import { TestEngine } from '../../../harness/engine.ts';

/** A form of `continueOn` for a step that prints `no rows` and exits with 3: its status, and whether the next one starts. */
const rows = [
  { form: 'failed', status: 'failed', continuesOnError: true },
  { form: 'Failed', status: 'failed', continuesOnError: true },
  { form: 'skipped', status: 'failed', continuesOnError: false },
  { form: '{ failure: true }', status: 'failed', continuesOnError: true },
  { form: '{ failure: false }', status: 'failed', continuesOnError: false },
  { form: '{ failure: true, markSuccess: true }', status: 'succeeded', continuesOnError: true },
  { form: '{ exitCode: 3 }', status: 'failed', continuesOnError: true },
  { form: '{ exitCode: [2, 3], markSuccess: true }', status: 'succeeded', continuesOnError: true },
  { form: '{ exitCode: [2, 4], markSuccess: true }', status: 'failed', continuesOnError: false },
  { form: '{ output: no row }', status: 'failed', continuesOnError: true },
  { form: '{ output: [gone, "re:^no .*s$"] }', status: 'failed', continuesOnError: true },
  { form: '{ output: on stderr }', status: 'failed', continuesOnError: false },
] as const;

test('continueOn decides whether a failed step blocks the next', async () => {
  const steps = rows.map(
    ({ form }, index) => `
  - { name: s${index}, command: "echo no rows; echo on stderr >&2; exit 3", continueOn: ${form} }
  - { name: n${index}, command: "true", depends: s${index} }`,
  );
  const view = await new TestEngine().run(`type: graph\nsteps:${steps.join('')}`);
  const statusOf = (name: string) => view.steps.find((step) => step.name === name)!.status;
  expect(
    rows.map(({ form }, index) => ({
      form,
      status: statusOf(`s${index}`),
      continuesOnError: statusOf(`n${index}`) === 'succeeded',
    })),
  ).toEqual(rows);
});

describe('skipped step', () => {
  test.each([
    ['skipped', 'succeeded'],
    ['{ skipped: true }', 'succeeded'],
    ['failed', 'skipped'],
  ])('with continueOn %s leaves the next one %s', async (form, next) => {
    const view = await new TestEngine().run(`
steps:
  - { name: a, command: "true", preconditions: [{ command: "false" }], continueOn: ${form} }
  - { name: b, command: "true" }`);
    expect(view.steps.map(({ status }) => status)).toEqual(['skipped', next]);
  });
});
