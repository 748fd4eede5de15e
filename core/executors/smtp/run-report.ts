import { toIso } from '../../base/clock.ts';
import { formatDuration } from '../../base/text.ts';

/** A step in a report. */
export interface ReportedStep {
  readonly name: string;
  /** Display text. */
  readonly status: string;
  /** Milliseconds; absent for a step that has not started. */
  readonly duration?: number | undefined;
  readonly error?: string | undefined;
}

/** Content of a mail about a run. Must not contain secrets, because a report is sent as it is. */
export interface RunReport {
  /** Summary in one sentence. */
  readonly headline: string;
  readonly tone: 'good' | 'bad';
  readonly name: string;
  readonly dagRunId: string;
  readonly status: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Milliseconds. */
  readonly duration: number;
  readonly params: readonly { readonly name: string; readonly value: string }[];
  readonly error?: string | undefined;
  readonly steps: readonly ReportedStep[];
  /** Sentences about data that is not in the mail. */
  readonly notes: readonly string[];
}

/** Lists the properties of a run except its steps, as label and text. */
export function summaryFields(report: RunReport): (readonly [label: string, text: string])[] {
  const params = report.params.map(({ name, value }) => `${name}=${clip(value, 1000)}`);
  return [
    ['Workflow', report.name],
    ['Status', report.status],
    ['Run', report.dagRunId],
    ['Started', `${toIso(report.startedAt).slice(0, 19).replace('T', ' ')} UTC`],
    ['Duration', formatDuration(report.duration)],
    ['Parameters', params.length === 0 ? 'none' : params.join('\n')],
    ...(report.error === undefined ? [] : [['Error', clip(report.error, 4000)] as const]),
  ];
}

/** Lists the name, status, duration and error of each step. */
export function listSteps(report: RunReport): (readonly [string, string, string, string])[] {
  return report.steps.map(({ name, status, duration, error }) => [
    name,
    status,
    duration === undefined ? '' : formatDuration(duration),
    error === undefined ? '' : clip(error, 1000),
  ]);
}

const clip = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max)}…` : text);
