import type { NodeId } from '../../model/run/run-event.ts';
import type { RunDetail, StepRecord } from '../../model/run/run.ts';
import type { Step } from '../../model/workflow/step.ts';
import type { Workflow } from '../../model/workflow/workflow.ts';
import type { ReportedStep, RunReport } from '../../mail/report/run-report.ts';
import type { FinishedRun, RunMailKind } from './choose-mails.ts';

/** Most steps in one mail; when there are more, successful steps are left out first. */
const maxSteps = 300;

/** Everything a report is built from. */
export interface ReportInput {
  readonly workflow: Workflow;
  readonly detail: RunDetail;
  readonly end: FinishedRun;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Builds the report of a run. It may contain secrets, which the run's mask has to hide. */
export function buildRunReport(input: ReportInput, kind: RunMailKind): RunReport {
  const { workflow, detail, end, now } = input;
  const { name } = detail.run;
  const all = [
    ...workflow.steps.map((step) => describeStep(step, findRecord(detail, 'step', step.name), now)),
    ...detail.steps
      .filter(({ node }) => node.section === 'handler')
      .map((record) => describeRecord(record, now)),
  ];
  const unsuccessful = all.filter(({ status }) => status !== 'succeeded');
  const steps = all.length <= maxSteps ? all : unsuccessful.slice(0, maxSteps);
  return {
    ...describeRun(input),
    headline: `${name} ${statusLabel(end.status)}`,
    tone: kind === 'infoMail' ? 'good' : 'bad',
    error: end.error,
    steps,
    notes: steps.length < all.length ? [`${all.length - steps.length} more steps not listed.`] : [],
  };
}

/** Builds the report of one failed step. */
export function buildStepReport(input: ReportInput, node: NodeId): RunReport {
  const record = findRecord(input.detail, node.section, node.name);
  return {
    ...describeRun(input),
    headline: `${node.section === 'step' ? 'Step' : 'Handler'} "${node.name}" of ${input.detail.run.name} failed`,
    tone: 'bad',
    error: record?.error,
    steps: record === undefined ? [] : [describeRecord(record, input.now)],
    notes: [],
  };
}

function describeRun({
  detail: { run },
  end,
  now,
}: ReportInput): Pick<RunReport, 'name' | 'dagRunId' | 'status' | 'startedAt' | 'duration' | 'params'> {
  const startedAt = run.startedAt ?? run.createdAt;
  const { name, dagRunId, params } = run;
  return { name, dagRunId, status: statusLabel(end.status), startedAt, duration: now - startedAt, params };
}

const findRecord = ({ steps }: RunDetail, section: NodeId['section'], name: string): StepRecord | undefined =>
  steps.find(({ node }) => node.section === section && node.name === name);

const describeStep = ({ name }: Step, record: StepRecord | undefined, now: number): ReportedStep =>
  record === undefined ? { name, status: statusLabel('not_started') } : describeRecord(record, now);

function describeRecord(
  { node, status, startedAt, finishedAt, error }: StepRecord,
  now: number,
): ReportedStep {
  return {
    name: node.name,
    status: statusLabel(status),
    duration: startedAt === undefined ? undefined : (finishedAt ?? now) - startedAt,
    error,
  };
}

const statusLabel = (status: string): string => status.replaceAll('_', ' ');
