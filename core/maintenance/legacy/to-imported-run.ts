import { createHash } from 'node:crypto';
import { dagNamePattern, latestRunId, runIdPattern } from '../../base/ids.ts';
import type { NodeId } from '../../model/run/run-event.ts';
import type { StepStatus } from '../../model/run/status.ts';
import type { Parameter } from '../../model/workflow/workflow.ts';
import { attemptDir, runLogDir } from '../../run/retention/log-places.ts';
import { parseParamText, parseParamTokens } from '../../spec/params.ts';
import type { ImportedRun, ImportedStep } from '../ports.ts';
import type { LegacyNode, LegacyStatus } from './legacy-status.ts';
import { legacyHandlers, rebuildSpec } from './rebuild-spec.ts';

/** A log file of a recorded run with its path in the home. */
export interface LegacyLog {
  /** As recorded. */
  readonly from: string;
  readonly to: string;
}

/** A converted run, or why it cannot be converted. */
export type Conversion =
  | { readonly run: ImportedRun; readonly logs: readonly LegacyLog[] }
  | { readonly reason: string };

type FinalStepStatus = ImportedStep['status'];

/** Step statuses by number; 0 means not started. */
const stepStatuses: readonly (FinalStepStatus | undefined)[] = [
  undefined,
  'failed',
  'failed',
  'aborted',
  'succeeded',
  'skipped',
  'partially_succeeded',
];

/** Run statuses by number. Unfinished runs count as ended. */
const runStatuses: readonly Pick<ImportedRun, 'status' | 'error' | 'cause'>[] = [
  { status: 'aborted', cause: 'engine', error: 'The record ends before the run started.' },
  { status: 'failed', cause: 'engine', error: 'The record ends while the run was active.' },
  { status: 'failed', cause: 'steps' },
  { status: 'aborted', cause: 'stopped' },
  { status: 'succeeded' },
  { status: 'aborted', cause: 'engine', error: 'The record ends while the run was queued.' },
  { status: 'partially_succeeded', cause: 'steps' },
];

/**
 * @param source of the record, for the note stored with the run
 * @param fallback data from the file path: workflow name and start time
 */
export function toImportedRun(
  status: LegacyStatus,
  source: string,
  fallback: { readonly name: string; readonly at: number },
): Conversion {
  const outcome = runStatuses[status.status];
  if (outcome === undefined) return { reason: `unknown status ${status.status}` };
  const { requestId } = status;
  if (!new RegExp(runIdPattern).test(requestId) || requestId === latestRunId)
    return { reason: 'invalid run id: use at most 64 letters, digits, "-" and "_"' };
  const name = toDagName(status.name === '' ? fallback.name : status.name);
  const createdAt = status.startedAt ?? fallback.at;
  const logDir = runLogDir({ name, dagRunId: requestId }, createdAt);
  const nodes = listNodes(status);
  const steps = nodes.flatMap(({ id, node }) => toStep(id, node, createdAt) ?? []);
  const ends = steps.map(({ finishedAt }) => finishedAt);
  const finishedAt = status.finishedAt ?? Math.max(createdAt, ...ends);
  const error = outcome.error ?? describeFailure(outcome.status, steps);
  const run: ImportedRun = {
    name,
    dagRunId: requestId,
    ...outcome,
    ...(error === undefined ? {} : { error }),
    params: toParams(status),
    createdAt,
    startedAt: status.startedAt,
    finishedAt,
    logDir,
    outputs: Object.assign({}, ...nodes.map(({ node }) => node.variables)) as Record<string, string>,
    spec: rebuildSpec(name, status),
    note: `Migrated from ${source}`,
    steps,
  };
  return { run, logs: listLogs(status, nodes, logDir) };
}

interface ImportedNode {
  readonly id: NodeId;
  readonly node: LegacyNode;
}

function listNodes(status: LegacyStatus): ImportedNode[] {
  const byName = new Map(status.nodes.map((node) => [node.name, node]));
  const steps = [...byName.values()].map((node) => ({
    id: { section: 'step', name: node.name } as const,
    node,
  }));
  const handlers = legacyHandlers.flatMap(([key, , name]) => {
    const node = status[key];
    return node === undefined ? [] : [{ id: { section: 'handler', name } as const, node }];
  });
  return [...steps, ...handlers];
}

function toStep(node: NodeId, legacy: LegacyNode, createdAt: number): ImportedStep | undefined {
  const status = stepStatuses[legacy.status];
  if (status === undefined) return undefined;
  const startedAt = legacy.startedAt ?? createdAt;
  const finishedAt = legacy.finishedAt ?? startedAt;
  const lost = legacy.status === 1 ? 'The record ends while the step was running.' : '';
  const error = legacy.error === '' ? lost : legacy.error;
  const exitCode = /exit status (\d{1,3})$/.exec(error)?.[1];
  const attempt = wasStarted(status, legacy) ? legacy.retryCount + 1 : 0;
  return {
    node,
    status,
    attempt,
    dir: attemptDir(node, attempt),
    startedAt,
    finishedAt,
    ...(exitCode === undefined ? {} : { exitCode: Number(exitCode) }),
    ...(error === '' || status === 'succeeded' ? {} : { error }),
  };
}

const wasStarted = (status: StepStatus, { startedAt, log }: LegacyNode): boolean =>
  status !== 'skipped' && (startedAt !== undefined || log !== '');

function describeFailure(status: ImportedRun['status'], steps: readonly ImportedStep[]): string | undefined {
  if (status === 'aborted') return 'Stopped.';
  const failed = steps.find((step) => step.status === 'failed');
  if (status === 'succeeded' || failed === undefined) return undefined;
  return `Step "${failed.node.name}" failed${failed.error === undefined ? '' : `: ${failed.error}`}`;
}

function listLogs(status: LegacyStatus, nodes: readonly ImportedNode[], logDir: string): LegacyLog[] {
  const runLog = status.log === '' ? [] : [{ from: status.log, to: `${logDir}/run.log` }];
  const ofNodes = nodes.flatMap(({ id, node }) => {
    const started = stepStatuses[node.status];
    if (node.log === '' || started === undefined || !wasStarted(started, node)) return [];
    return [{ from: node.log, to: `${logDir}/${attemptDir(id, node.retryCount + 1)}/stdout.log` }];
  });
  return [...runLog, ...ofNodes];
}

const toParams = ({ params, paramsList }: LegacyStatus): Parameter[] =>
  paramsList.length > 0 ? parseParamTokens(paramsList) : parseParamText(params);

/** Marks invalid workflow names, so that different names stay different. */
function toDagName(name: string): string {
  if (new RegExp(dagNamePattern).test(name)) return name;
  const suffix = createHash('sha256').update(name).digest('hex').slice(0, 6);
  return `${name.replaceAll(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 33)}-${suffix}`;
}
