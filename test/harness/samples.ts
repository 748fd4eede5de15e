import type { ContinueOn, RetryPolicy, Step } from '../../core/model/step.ts';
import type { EventView } from '../../core/contract/logs.ts';
import type { OperationOutput } from '../../core/contract/operations.ts';
import type {
  ApprovalView,
  RunDetailView,
  RunSummaryView,
  StepRunView,
} from '../../core/contract/run-views.ts';
import type { RunEvent } from '../../core/model/run-event.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import type { DryPlanView, DryRunView, DryStepView } from '../../core/contract/dry.ts';

/** A `continueOn` that tolerates nothing by default. */
export const buildContinueOn = (overrides: Partial<ContinueOn> = {}): ContinueOn => ({
  failure: false,
  skipped: false,
  exitCodes: [],
  output: [],
  markSuccess: false,
  ...overrides,
});

/** A retry policy; by default one immediate retry after any failure. */
export const buildRetry = (overrides: Partial<RetryPolicy> = {}): RetryPolicy => ({
  limit: 1,
  intervalSec: 0,
  exitCodes: [],
  backoff: 1,
  ...overrides,
});

/** A step that by default runs `true` and depends on nothing. */
export const buildStep = (name: string, overrides: Partial<Step> = {}): Step => ({
  name,
  action: { kind: 'command', command: 'true' },
  depends: [],
  env: [],
  continueOn: buildContinueOn(),
  preconditions: [],
  at: { line: 1, column: 1 },
  ...overrides,
});

/** Information about an installation. */
export const systemInfo = (
  more: Partial<OperationOutput<'system.info'>> = {},
): OperationOutput<'system.info'> => ({
  version: '1',
  home: '/h',
  dagsDir: '/h/dags',
  platform: 'linux',
  activeRuns: 0,
  ui: { maxDashboardPageLimit: 100, dags: { sortField: 'name', sortOrder: 'asc' } },
  ...more,
});

/** A step as returned by the loader. */
export const makeStepSpec = (name: string, depends: string[] = [], more: Partial<Step> = {}): Step =>
  buildStep(name, { action: { kind: 'command', command: `echo ${name}` }, depends, ...more });

/** A workflow as the engine shows it. */
export const makeWorkflowSpec = (steps: Step[], more: Partial<Workflow> = {}): Workflow => ({
  name: 'etl',
  type: 'graph',
  tags: [],
  steps,
  handlers: {},
  env: [],
  params: [],
  preconditions: [],
  maxActiveRuns: 1,
  maxActiveSteps: 0,
  maxCleanUpTimeSec: 5,
  maxOutputSize: 1_048_576,
  schedule: { start: [], stop: [], restart: [] },
  ...more,
});

/** A step of a run that has not started. */
export const makeStepRunView = (name: string, more: Partial<StepRunView> = {}): StepRunView => ({
  name,
  section: 'step',
  status: 'not_started',
  attempts: [],
  subRuns: [],
  ...more,
});

/** The open approval of the run's step `release`. */
export const makeApprovalView = (more: Partial<ApprovalView> = {}): ApprovalView => ({
  id: 'q1',
  name: 'etl',
  dagRunId: 'run-1',
  step: 'release',
  section: 'step',
  attempt: 1,
  question: 'Release 2.4 to production?',
  inputs: [],
  required: [],
  askedAt: '2026-01-01T00:00:10.000Z',
  ...more,
});

/** A row of the history. */
export const makeRunSummaryView = (more: Partial<RunSummaryView> = {}): RunSummaryView => ({
  name: 'etl',
  dagRunId: 'run-1',
  status: 'not_started',
  trigger: 'manual',
  params: [],
  createdAt: '2026-01-01T00:00:00.000Z',
  ...more,
});

/** A run with the two steps `fetch` and `build`, with an exit handler, that has not started. */
export function makeRunView(more: Partial<RunDetailView> = {}): RunDetailView {
  const workflow = makeWorkflowSpec([makeStepSpec('fetch'), makeStepSpec('build', ['fetch'])], {
    handlers: { exit: makeStepSpec('onExit') },
  });
  return {
    ...makeRunSummaryView(),
    workflow,
    spec: '',
    steps: [makeStepRunView('fetch'), makeStepRunView('build')],
    handlers: [makeStepRunView('onExit', { section: 'handler' })],
    outputs: {},
    recoveries: [],
    lastEventId: 0,
    ...more,
  };
}

/** An event of that run; its time is its id in seconds after the run was created. */
export const makeEventView = (id: number, event: RunEvent, more: Partial<EventView> = {}): EventView => ({
  id,
  name: 'etl',
  dagRunId: 'run-1',
  at: new Date(Date.parse('2026-01-01T00:00:00.000Z') + id * 1000).toISOString(),
  event,
  ...more,
});

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

/** A pattern that takes time in proportion to its whole size for each character of {@link slowLine}. */
export const slowPattern = '[ab]*a[ab]{900}c$';

/** A line of 10,000 characters, each of which leads to another set of 900 states in {@link slowPattern}. */
export const slowLine = `c${buildNoise(9_999)}`;

function buildNoise(length: number): string {
  let state = 12_345;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % 65_536 < 32_768 ? 'a' : 'b';
  }).join('');
}
