import type { EventView } from '../../core/contract/logs.ts';
import type { OperationOutput } from '../../core/contract/operations.ts';
import type {
  ApprovalView,
  RunDetailView,
  RunSummaryView,
  StepRunView,
} from '../../core/contract/run-views.ts';
import type { RunEvent } from '../../core/model/run-event.ts';
import type { Step } from '../../core/model/step.ts';
import type { Workflow } from '../../core/model/workflow.ts';

const noContinue = { failure: false, skipped: false, exitCodes: [], output: [], markSuccess: false };

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
export const makeStepSpec = (name: string, depends: string[] = [], more: Partial<Step> = {}): Step => ({
  name,
  action: { kind: 'command', command: `echo ${name}` },
  depends,
  env: [],
  continueOn: noContinue,
  preconditions: [],
  at: { line: 1, column: 1 },
  ...more,
});

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
