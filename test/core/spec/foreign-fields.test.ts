import { describe, expect, it } from 'vitest';
import { authoredKeys } from '../../../core/spec/authored-keys.ts';
import { suggestField } from '../../../core/spec/foreign-fields.ts';
import { diagnose, diagnoseStep } from '../../harness/workflow-texts.ts';

describe('a field of another workflow language', () => {
  it.each([
    ['needs: build', 'depends: [build]'],
    ['if: always()', 'preconditions:'],
    ['when: manual', 'preconditions:'],
    ['retry: 3', 'retryPolicy: { limit: 3, intervalSec: 10 }'],
    ['foreach: [1]', 'parallel: [a, b]'],
    ['timeout-minutes: 5', 'timeoutSec: 600'],
    ['trigger_rule: all_done', 'continueOn: { failure: true }'],
    ['uses: actions/checkout@v4', 'type: gha'],
  ])('has a hint in a step: %s', (field, remedy) => {
    const [message] = diagnoseStep('command: a', field);
    expect(message).toContain(`Unknown field "${field.split(':')[0]}". Use `);
    expect(message).toContain(remedy);
    expect(message).not.toContain('Known fields');
  });

  it.each([
    ['jobs: {}', 'steps:'],
    ['cron: 0 6 * * *', 'schedule:'],
    ['default_args: {}', 'base configuration'],
    ['inputs: []', 'params:'],
  ])('has a hint in a workflow: %s', (field, remedy) => {
    expect(diagnose(`${field}\nsteps: [a]\n`)[0]).toContain(remedy);
  });

  it('has hints with existing fields', () => {
    const words = ['needs', 'if', 'retry', 'foreach', 'cron', 'image', 'strategy', 'until', 'timeoutminutes'];
    const known = new Set<string>([...authoredKeys.workflow, ...authoredKeys.step]);
    for (const word of words)
      for (const kind of ['workflow', 'step'] as const)
        for (const [, field] of (suggestField(word, kind) ?? '').matchAll(/"([a-zA-Z]+):/g))
          expect(known).toContain(field);
  });
});

describe('older spelling', () => {
  it('is warned of once in a workflow, not at each step', () => {
    expect(diagnose('steps:\n  - call: a\n  - call: b\n')).toEqual([
      '2:5: warning: "call" is an alternative spelling of "run". Use "run". (steps[0].call)',
    ]);
  });

  it('is used in the message', () => {
    expect(diagnoseStep('call: a', 'command: b').at(-1)).toContain(
      'A step can only have one action, but has "command" and "call". Keep one of them.',
    );
  });
});

describe('value with a typo', () => {
  it.each([
    ['repeatPolicy: { repeat: whilst, condition: x }', 'must be one of: while, until. Did you mean "while"?'],
    ['type: paralel', 'Did you mean "parallel"?'],
    [
      'type: foo',
      'Valid types: command, shell, dag, subworkflow, parallel, approval, archive, container, gha, http, jq, mail, sql, ssh.',
    ],
    [
      'timeoutSec: 10m',
      '"timeoutSec" must be a number such as 30, but is the string "10m". Use seconds: 600.',
    ],
    [
      'timeoutSec: 1h30m',
      '"timeoutSec" must be a number such as 30, but is the string "1h30m". Use seconds: 5400.',
    ],
  ])('has a hint: %s', (field, words) => {
    expect(diagnoseStep('command: a', field)[0]).toContain(words);
  });

  it('is only too long when it is only too long', () => {
    expect(diagnose(`name: ${'a'.repeat(48)}\nsteps: [a]\n`)).toEqual([
      '1:7: "name" has 48 characters (the limit is 40). Shorten it. (name)',
    ]);
  });
});

describe('name of a sub-workflow', () => {
  it('causes a warning when it is a command', () => {
    expect(diagnoseStep('run: npm test')).toEqual([
      '2:10: warning: "npm test" is not a workflow name. To run a command, use "command: npm test". (steps[0].run)',
    ]);
    for (const run of ['child', '"${W} x"', 'my flows/child.yaml'])
      expect(diagnoseStep(`run: ${run}`)).toEqual([]);
  });
});
