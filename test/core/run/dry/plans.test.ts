import { describe, expect, test } from 'vitest';
import { dryRun, findingLines, planOf, dryStepOf } from '../run-harness.ts';

test('groups steps into waves that run in parallel, handlers in order', async () => {
  const view = await dryRun(`
type: graph
maxActiveSteps: 2
timeoutSec: 60
steps:
  - { name: last, command: x, depends: [left, right] }
  - { name: first, command: x }
  - { name: left, command: x, depends: first }
  - { name: far, command: x, depends: left }
  - { name: right, command: x, depends: first }
handlerOn: { exit: bye, failure: oh }`);
  expect(planOf(view).steps.map(({ name, wave }) => `${wave} ${name}`)).toEqual([
    '1 first',
    '2 left',
    '2 right',
    '3 last',
    '3 far',
  ]);
  expect(planOf(view).handlers.map(({ name, handler }) => [name, handler])).toEqual([
    ['onFailure', 'failure'],
    ['onExit', 'exit'],
  ]);
  expect(planOf(view).rules).toEqual(['Timeout: 60 s.', 'At most 2 steps in parallel.']);
});

test('shows conditions as written and expanded, and policies in words', async () => {
  const view = await dryRun(`
params: [{ N: 4 }, { MODE: fast }]
steps:
  - name: a
    command: x
    preconditions: ["test -f \${MODE}", { condition: "\${MODE}", expected: "re:fa.*", negate: true }]
    retryPolicy: { limit: "\${N}", intervalSec: 2, backoff: 2, maxIntervalSec: 30, exitCode: [1, 75] }
    repeatPolicy: { repeat: until, condition: "\${MODE}", expected: slow, intervalSec: 5, limit: 3 }
    timeoutSec: 20
    signalOnStop: SIGINT
    tty: { rows: 50 }
    continueOn: { failure: true, markSuccess: true }
    stdout: out-\${MODE}.log`);
  expect(dryStepOf(view, 'a')).toMatchObject({
    conditions: [
      { kind: 'command', written: 'test -f ${MODE}', negate: false },
      { kind: 'expression', written: '${MODE}', value: { value: 'fast' }, expected: 're:fa.*', negate: true },
    ],
    rules: [
      'Runs in a terminal with 120 columns and 50 rows.',
      'Retried on exit code 1, 75, up to 4 times, every 2 s, with backoff factor 2, at most 30 s.',
      'Repeated until "${MODE}" is "slow", at most 3 times in total, every 5 s.',
      'Timeout: 20 s.',
      'Dependent steps continue if it fails, and the step counts as succeeded.',
      'Stop signal: SIGINT.',
    ],
    stdout: { value: expect.stringMatching(/\/out-fast\.log$/) },
  });
});

describe('sub-workflows', () => {
  test('are resolved with their parameters, to any depth, each once', async () => {
    const view = await dryRun(`
name: top
env: [{ SHARED: s }]
params: [{ REGION: north }]
steps:
  - { name: one, run: middle, params: "R=\${REGION}" }
  - { name: two, run: middle, params: "R=\${REGION}" }
  - { name: three, run: middle, params: "R=south" }
---
name: middle
params: [{ R: x }]
steps: [{ name: in, run: leaf, params: ["\${R}-\${SHARED}"] }]
---
name: leaf
params: none
steps: [{ name: show, command: [show, "\${1}"] }]`);
    expect(view.plans.map(({ name }) => name)).toEqual(['top', 'middle', 'leaf', 'middle', 'leaf']);
    expect(planOf(view).steps.map(({ action }) => action)).toMatchObject([
      { plan: 1 },
      { plan: 1 },
      { plan: 3 },
    ]);
    expect(dryStepOf(view, 'show', 2).action).toMatchObject({ argv: [{}, { value: 'north-s' }] });
    expect(dryStepOf(view, 'show', 4).action).toMatchObject({ argv: [{}, { value: 'south-s' }] });
  });

  test('of items are resolved for each, items with the same parameters once', async () => {
    const view = await dryRun(`
params: [{ LIST: "a b a" }]
steps:
  - { name: each, run: leaf, parallel: "\${LIST}", params: "V=\${ITEM}" }
  - { name: maps, command: [show, "\${ITEM.k}"], parallel: [{ k: 1 }, "\${LIST}"] }
---
name: leaf
params: [{ V: x }]
steps: [{ name: show, command: [show, "\${V}"] }]`);
    expect(dryStepOf(view, 'each').parallel).toEqual({
      maxConcurrent: 10,
      expression: { value: 'a b a' },
      items: [
        { value: 'a', params: [{ name: 'V', value: 'a' }], plan: 1 },
        { value: 'b', params: [{ name: 'V', value: 'b' }], plan: 2 },
      ],
    });
    expect(dryStepOf(view, 'show', 2).action).toMatchObject({ argv: [{}, { value: 'b' }] });
    expect(dryStepOf(view, 'maps').parallel?.items).toEqual([{ value: '{"k":"1"}' }, { value: 'a b a' }]);
    expect(dryStepOf(view, 'maps').unresolved).toEqual(['${ITEM.k}']);
  });

  test('are skipped while a parameter is unknown, and reported when there are none', async () => {
    const view = await dryRun(`
name: top
steps:
  - { name: a, command: x, output: ROWS }
  - { name: b, run: leaf, params: "V=\${ROWS}" }
  - { name: c, run: missing, params: "V=\${ROWS}" }
---
name: leaf
steps: ["true"]`);
    expect(view.plans).toHaveLength(1);
    expect(dryStepOf(view, 'b').action).toEqual({
      kind: 'dag',
      dag: 'leaf',
      params: [{ name: 'V', value: '${ROWS}', unresolved: ['${ROWS}'] }],
    });
    expect(findingLines(view)).toEqual([
      expect.stringMatching(
        /^error top \/ c \/ dag: Cannot load sub-workflow "missing": Workflow "missing" not found in this file or the workflow folder, and there is no file \/.*\/missing\./,
      ),
    ]);
  });

  test('report where their findings belong', async () => {
    const view = await dryRun(`
name: top
steps: [{ name: load, run: child }]
---
name: child
secrets: [{ name: T, provider: env, key: NOT_THERE }]
steps: [{ name: x, command: [x, "\${UNSET}"] }]`);
    expect(view.findings).toMatchObject([
      { severity: 'error', plan: 1, workflow: 'top > load > child', field: 'secrets.T' },
      { severity: 'warning', plan: 1, workflow: 'top > load > child', step: 'x', field: 'argv' },
    ]);
  });

  test('that call themselves are named: an error if endless', async () => {
    const endless = await dryRun(`
name: a
steps: [{ run: b }]
---
name: b
steps: [{ run: a }]`);
    expect(endless.plans.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(findingLines(endless)).toEqual([
      expect.stringContaining(
        'error a > dag_1 > b / dag_1 / dag: The workflow runs itself: a > b > a. Runs fail at 32 nested levels.',
      ),
    ]);
    expect(endless.runnable).toBe(false);
    const counted = await dryRun(`
name: a
params: [{ N: 3 }]
steps: [{ name: again, run: a, params: "N=\${N}1", preconditions: 'test "$N" -lt 999' }]`);
    expect(findingLines(counted)).toEqual([
      expect.stringMatching(/^warning .*runs itself: a > a\. .*unless a condition/),
    ]);
  });

  test('nested too deep are an error', async () => {
    const documents = Array.from({ length: 34 }, (_, index) =>
      index === 33
        ? `name: d33\nsteps: ["true"]`
        : `name: d${index}\nsteps: [{ name: s, run: d${index + 1} }]`,
    );
    const view = await dryRun(documents.join('\n---\n'));
    expect(view.plans).toHaveLength(33);
    expect(findingLines(view)).toEqual([
      expect.stringContaining(
        'error d0 > s > d1 > s > d2 > s > d3 > s > d4 > s > d5 > s > d6 > s > d7 > s > d8 > s > d9 > s > d10 > s > d11 > s > d12 > s > d13 > s > d14 > s > d15 > s > d16 > s > d17 > s > d18 > s > d19 > s > d20 > s > d21 > s > d22 > s > d23 > s > d24 > s > d25 > s > d26 > s > d27 > s > d28 > s > d29 > s > d30 > s > d31 > s > d32 / s / dag: Workflows are nested more than 32 levels deep.',
      ),
    ]);
  });

  test('that call others twice each end in bounded time', async () => {
    const documents = Array.from({ length: 30 }, (_, index) =>
      index === 29
        ? `name: d29\nparams: [{ P: x }]\nsteps: ["true"]`
        : `name: d${index}\nparams: [{ P: x }]\nsteps: [{ name: l, run: d${index + 1}, params: "P=\${P}l" }, { name: r, run: d${index + 1}, params: "P=\${P}r" }]`,
    );
    const view = await dryRun(documents.join('\n---\n'));
    expect(view.plans).toHaveLength(500);
    expect(findingLines(view)).toContainEqual(expect.stringContaining('the limit of 500 plans is reached'));
  });
});
