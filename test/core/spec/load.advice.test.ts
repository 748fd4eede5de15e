import { expect, test } from 'vitest';
import { loadSpec } from '../../../core/spec/load.ts';

const load = (fields: string) =>
  loadSpec({ file: 'a.yaml', text: `${fields}\n` }).diagnostics.map(
    ({ severity, message }) => `${severity}: ${message}`,
  );

test.each(['timeout', 'maxActiveRuns'])('%s does not advise quotes, which would not help', (field) => {
  const [told] = load(`${field}: true\nsteps: [echo a]`);
  expect(told).toContain(`error: "${field}" must be`);
  expect(told).not.toContain('quotes');
});

test.each([
  [
    '{ markSuccess: true }',
    ['warning: "markSuccess" has no effect on its own. Add "failure: true", "exitCode" or "output".'],
  ],
  ['{ markSuccess: true, failure: true }', []],
  ['{ markSuccess: true, exitCode: 3 }', []],
])('continueOn: %s reports %j', (continueOn, told) => {
  expect(load(`steps: [{ command: exit 3, continueOn: ${continueOn} }]`)).toEqual(told);
});
