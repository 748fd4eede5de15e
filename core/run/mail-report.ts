import { open } from 'node:fs/promises';
import path from 'node:path';
import type { NodeId } from '../model/run-event.ts';
import { type RunDetail, type StepRecord, attemptFiles } from '../model/run.ts';
import type { Step } from '../model/step.ts';
import type { Workflow } from '../model/workflow.ts';
import type { ReportedStep, RunReport } from '../executors/smtp/run-report.ts';
import type { Attachment } from '../executors/smtp/servers.ts';
import type { FinishedRun, RunMailKind } from './run-mails.ts';

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
    ...workflow.steps.map((step) => toReportedStep(step, findRecord(detail, 'step', step.name), now)),
    ...detail.steps
      .filter(({ node }) => node.section === 'handler')
      .map((record) => toStepReport(record, now)),
  ];
  const unsuccessful = all.filter(({ status }) => status !== 'succeeded');
  const steps = all.length <= maxSteps ? all : unsuccessful.slice(0, maxSteps);
  return {
    ...toRunFields(input),
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
    ...toRunFields(input),
    headline: `${node.section === 'step' ? 'Step' : 'Handler'} "${node.name}" of ${input.detail.run.name} failed`,
    tone: 'bad',
    error: record?.error,
    steps: record === undefined ? [] : [toStepReport(record, input.now)],
    notes: [],
  };
}

function toRunFields({
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

const toReportedStep = ({ name }: Step, record: StepRecord | undefined, now: number): ReportedStep =>
  record === undefined ? { name, status: statusLabel('not_started') } : toStepReport(record, now);

function toStepReport({ node, status, startedAt, finishedAt, error }: StepRecord, now: number): ReportedStep {
  return {
    name: node.name,
    status: statusLabel(status),
    duration: startedAt === undefined ? undefined : (finishedAt ?? now) - startedAt,
    error,
  };
}

const statusLabel = (status: string): string => status.replaceAll('_', ' ');

const mib = 1024 * 1024;
/** Largest size in bytes of one log, and of all logs of a mail. Many servers accept no more than 25 MB, encoded. */
const max = { singleActions: mib, ofAll: 10 * mib } as const;

/** Logs to attach, and notes about missing or truncated ones. */
export interface StepLogs {
  readonly attachments: readonly Attachment[];
  readonly notes: readonly string[];
}

/**
 * Reads the logs of each step's newest attempt, failed steps first; only the end of a long log. Empty logs are left
 * out. Never rejects: a log that cannot be read is noted.
 */
export async function readStepLogs(runDir: string, steps: readonly StepRecord[]): Promise<StepLogs> {
  const failedFirst = [...steps].sort(
    (a, b) => Number(b.status === 'failed') - Number(a.status === 'failed'),
  );
  const attachments: Attachment[] = [];
  const missing: string[] = [];
  let remaining: number = max.ofAll;
  let cut = 0;
  for (const { node, attempts } of failedFirst) {
    const dir = attempts.at(-1)?.dir;
    if (dir === undefined) continue;
    for (const file of [attemptFiles.stdout, attemptFiles.stderr]) {
      const name = `${node.name.replaceAll(/[^\p{L}\p{N} _.-]+/gu, '_').slice(0, 100)}.${file}`;
      const end = await readEnd(path.join(runDir, dir, file), Math.min(max.singleActions, remaining)).catch(
        () => undefined,
      );
      if (end === undefined || (remaining === 0 && end.size > 0)) missing.push(name);
      else if (end.size > 0) {
        attachments.push({ name, content: end.content });
        remaining -= Math.min(end.size, max.singleActions, remaining);
        if (end.size > end.taken) cut += 1;
      }
    }
  }
  const notes = [
    ...(cut === 0 ? [] : ['Logs over 1 MiB, or over 10 MiB in total, are truncated to their end.']),
    ...(missing.length === 0 ? [] : [`Logs not attached: ${listNames(missing)}.`]),
  ];
  return { attachments, notes };
}

interface LogExcerpt {
  readonly content: Buffer;
  /** Size of the log in bytes, and the number of bytes included. */
  readonly size: number;
  readonly taken: number;
}

async function readEnd(file: string, bytes: number): Promise<LogExcerpt> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const byteCount = Math.min(size, bytes);
    const buffer = Buffer.alloc(byteCount);
    const { bytesRead } = await handle.read(buffer, 0, byteCount, size - byteCount);
    const end = buffer.subarray(0, bytesRead);
    if (byteCount === size) return { content: end, size, taken: byteCount };
    const head = Buffer.from(`[first ${size - byteCount} of ${size} bytes omitted]\n`);
    return { content: Buffer.concat([head, end]), size, taken: byteCount };
  } finally {
    await handle.close();
  }
}

const listNames = (names: readonly string[]): string =>
  names.length > 10 ? `${names.slice(0, 10).join(', ')} and ${names.length - 10} more` : names.join(', ');
