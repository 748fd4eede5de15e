import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { TestEngine, testCaller } from '../../../harness/engine.ts';
import { until, makeTemporaryFolder } from '../../../harness/resources.ts';
import { existsSync } from 'node:fs';

/** A condition of a step, and why it is not met; met when there is no reason. */
const rows: readonly { readonly condition: string; readonly reason?: RegExp }[] = [
  { condition: '{ command: "true" }' },
  { condition: '{ command: "test $WHO = ann" }' },
  { condition: '{ command: "echo gone >&2; exit 2" }', reason: /not met: exit code 2: gone$/ },
  {
    condition: '{ command: no-such-program-here }',
    reason: /cannot run the precondition "no-such-program-here": exit code 127:.*not found/,
  },
  {
    condition: '{ command: "if true" }',
    reason: /cannot run the precondition "if true": exit code 2: .*yntax error/,
  },
  {
    condition: '{ command: "echo syntax error >&2; exit 2" }',
    reason: /was not met: exit code 2: syntax error$/,
  },
  { condition: '{ command: "false", negate: true }' },
  { condition: '{ command: no-such-program-here, negate: true }' },
  { condition: '{ command: "true", negate: true }', reason: /precondition "true" succeeded, but is negated/ },
  { condition: '{ condition: "${WHO}", expected: ann }' },
  {
    condition: '{ condition: "${WHO}", expected: an }',
    reason: /precondition "\$\{WHO\}" was "ann", expected "an"$/,
  },
  { condition: '{ condition: "${WHO}", expected: bob, negate: true }' },
  {
    condition: '{ condition: "${WHO}", expected: ann, negate: true }',
    reason: /precondition "\$\{WHO\}" was "ann", expected anything but "ann"$/,
  },
  { condition: '{ condition: "`printf \'one\\\\ntwo\\\\n\'`", expected: two }' },
  { condition: '{ condition: "`echo 2026-01-02`", expected: "re:^20[0-9]{2}-" }' },
  { condition: String.raw`{ condition: "größe", expected: 're:^\p{L}+$' }` },
  { condition: `{ condition: "${'a'.repeat(48)}!", expected: 're:^(a+)+$', negate: true }` },
  { condition: String.raw`{ condition: "7", expected: 're:\A[[:digit:]]\z' }` },
  {
    condition: '{ condition: "`echo x`", expected: "re:^[0-9]+$" }',
    reason: /precondition "`echo x`" was "x", expected "re:\^\[0-9\]\+\$"/,
  },
  {
    condition: '{ condition: "`exit 9`", expected: x }',
    reason: /cannot evaluate the precondition: Command `exit 9` failed: exit code 9/,
  },
  {
    condition: '{ condition: "`exit 9`", expected: x, negate: true }',
    reason: /cannot evaluate the precondition: Command `exit 9` failed: exit code 9/,
  },
];

describe('conditions', () => {
  test('of steps skip those that do not meet them, with a reason', async () => {
    const steps = rows.map(
      ({ condition }, index) => `  - { name: s${index}, command: "true", preconditions: [${condition}] }`,
    );
    const view = await new TestEngine().run(`type: graph\nsteps:\n${steps.join('\n')}`, {
      params: 'WHO=ann',
    });
    expect(view.steps.map(({ status, error }) => ({ status, error }))).toEqual(
      rows.map(({ reason }) =>
        reason === undefined
          ? { status: 'succeeded', error: undefined }
          : { status: 'skipped', error: expect.stringMatching(reason) },
      ),
    );
    expect(view.status).toBe('succeeded');
  });

  test('must all be met, and are checked in order', async () => {
    const folder = makeTemporaryFolder();
    const view = await new TestEngine().run(
      `
steps:
  - name: a
    command: "true"
    preconditions: [{ command: touch first }, { command: "false" }, { command: touch third }]`,
      { defaultWorkingDir: folder },
    );
    expect(view.steps[0]!.status).toBe('skipped');
    expect([existsSync(path.join(folder, 'first')), existsSync(path.join(folder, 'third'))]).toEqual([
      true,
      false,
    ]);
  });

  test('see the step’s own variables, directory and earlier outputs', async () => {
    const folder = makeTemporaryFolder();
    const view = await new TestEngine().run(
      `
steps:
  - { command: echo ready, output: STATE }
  - name: a
    command: "true"
    dir: sub
    env: { COLOUR: blue }
    preconditions:
      - { condition: "\${STATE} \${COLOUR}", expected: ready blue }
      - { command: 'test "$PWD" = "${folder}/sub"' }`,
      { defaultWorkingDir: folder },
    );
    expect(view.steps[1]).toMatchObject({ status: 'succeeded' });
  });

  test('of the run, when not met, are reported with the reason', async () => {
    const engine = new TestEngine();
    const unmet = await engine.run('preconditions: [{ command: exit 4 }]\nsteps: ["true"]');
    expect(unmet).toMatchObject({
      status: 'aborted',
      cause: 'preconditions',
      error: 'precondition "exit 4" was not met: exit code 4',
      steps: [{ status: 'not_started' }],
    });
  });

  test('being checked when the run is stopped leave their step aborted, not skipped', async () => {
    const folder = makeTemporaryFolder();
    const engine = new TestEngine();
    const run = await engine.start(
      `steps: [{ name: a, command: "true", preconditions: [{ command: touch begun; sleep 1000 }] }]`,
      { defaultWorkingDir: folder },
    );
    await until(() => existsSync(path.join(folder, 'begun')));
    await engine.host.api.call('runs.stop', run, testCaller);
    const view = await engine.end(run);
    expect(view.status).toBe('aborted');
    expect(view.steps[0]).toMatchObject({
      status: 'aborted',
      attempts: [],
      error: 'the run was stopped before the step started',
    });
  });
});
