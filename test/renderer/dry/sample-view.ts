import type { DryPlanView, DryRunView, DryStepView } from '../../../core/contract/dry.ts';

const day = { value: '`date`', unresolved: ['`date`'] };

export const sampleStep = (more: Partial<DryStepView>): DryStepView => ({
  name: 'step',
  depends: [],
  action: { kind: 'argv', argv: [{ value: 'true' }] },
  variables: [],
  dir: { value: '/srv', exists: true },
  env: [],
  conditions: [],
  rules: [],
  unresolved: [],
  ...more,
});

const samplePlan = (more: Partial<DryPlanView>): DryPlanView => ({
  name: 'etl',
  params: [],
  env: [],
  workingDir: { value: '/srv', exists: true },
  logDir: { value: '/logs/etl', exists: false },
  secrets: [],
  conditions: [],
  rules: [],
  steps: [],
  handlers: [],
  ...more,
});

/** All parts of a dry-run report. */
export const sampleView: DryRunView = {
  name: 'etl',
  runnable: false,
  ranSubstitutions: false,
  plans: [
    samplePlan({
      params: [
        { name: 'DAY', ...day },
        { name: 'REGION', value: 'north' },
      ],
      env: [{ name: 'NONE', value: '' }],
      secrets: [
        { name: 'TOKEN', provider: 'env', key: 'KEY', found: true },
        { name: 'LOST', provider: 'env', key: 'NOT_THERE', found: false },
      ],
      steps: [
        sampleStep({
          name: 'extract',
          wave: 1,
          action: { kind: 'command', text: 'get "$REGION"', shell: [{ value: 'sh' }] },
          variables: [{ name: 'REGION', value: 'north' }],
          output: 'ROWS',
          rules: ['Ended after 60 s.'],
        }),
        sampleStep({
          name: 'check',
          wave: 2,
          depends: ['extract'],
          action: { kind: 'argv', argv: [{ value: 'test' }, { value: '${ROWS}', unresolved: ['${ROWS}'] }] },
          conditions: [
            {
              kind: 'expression',
              written: '${REGION}',
              value: { value: 'north' },
              expected: 'south',
              negate: true,
            },
          ],
          unresolved: ['${ROWS}'],
        }),
        sampleStep({
          name: 'load',
          wave: 2,
          depends: ['extract'],
          action: { kind: 'dag', dag: 'child', params: [] },
          parallel: {
            maxConcurrent: 2,
            items: [
              { value: 'a', params: [{ name: 'V', value: 'a' }], plan: 1 },
              { value: 'b', params: [{ name: 'V', value: 'b' }], plan: 1 },
            ],
          },
        }),
      ],
      handlers: [sampleStep({ name: 'onExit', handler: 'exit' })],
    }),
    samplePlan({
      name: 'child',
      params: [{ name: 'V', value: 'a' }],
      steps: [sampleStep({ name: 'inner', wave: 1 })],
    }),
  ],
  findings: [
    {
      severity: 'error',
      message: 'secret LOST has no value',
      plan: 0,
      workflow: 'etl',
      field: 'secrets.LOST',
    },
    { severity: 'info', message: 'to know', plan: 1, workflow: 'etl > load > child', step: 'inner' },
  ],
};
