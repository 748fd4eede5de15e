import { createHash } from 'node:crypto';
import { dagNamePattern, latestRunId, runIdPattern } from '../../base/ids.ts';
import type { NodeId } from '../../model/run-event.ts';
import type { StepStatus } from '../../model/run.ts';
import type { Parameter } from '../../model/workflow.ts';
import { parseParamText, parseParamTokens } from '../../spec/params.ts';
import { loadSpec } from '../../spec/load.ts';
import { attemptDir, runLogDir } from '../run-logs.ts';
import type { ImportedRun, ImportedStep } from '../types/maintenance.ts';
import type { LegacyNode, LegacyStatus } from './legacy-status.ts';

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
    return { reason: 'invalid run ID: use at most 64 letters, digits, "-" and "_"' };
  const name = toDagName(status.name === '' ? fallback.name : status.name);
  const createdAt = status.startedAt ?? fallback.at;
  const logDir = runLogDir({ name, dagRunId: requestId }, createdAt);
  const nodes = listNodes(status);
  const steps = nodes.flatMap(({ id, node }) => toStep(id, node, createdAt) ?? []);
  const ends = steps.map(({ finishedAt }) => finishedAt);
  const finishedAt = status.finishedAt ?? Math.max(createdAt, ...ends);
  const error = outcome.error ?? formatFailure(outcome.status, steps);
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

function formatFailure(status: ImportedRun['status'], steps: readonly ImportedStep[]): string | undefined {
  if (status === 'aborted') return 'Stopped.';
  const failed = steps.find((step) => step.status === 'failed');
  if (status === 'succeeded' || failed === undefined) return undefined;
  return `Step "${failed.node.name}" failed${failed.error === undefined ? '' : `: ${failed.error}`}`;
}

function listLogs(status: LegacyStatus, nodes: readonly ImportedNode[], logDir: string): LegacyLog[] {
  const runLog = status.log === '' ? [] : [{ from: status.log, to: `${logDir}/run.log` }];
  const nodeLogs = nodes.flatMap(({ id, node }) => {
    const started = stepStatuses[node.status];
    if (node.log === '' || started === undefined || !wasStarted(started, node)) return [];
    return [{ from: node.log, to: `${logDir}/${attemptDir(id, node.retryCount + 1)}/stdout.log` }];
  });
  return [...runLog, ...nodeLogs];
}

const toParams = ({ params, paramsList }: LegacyStatus): Parameter[] =>
  paramsList.length > 0 ? parseParamTokens(paramsList) : parseParamText(params);

/** Marks invalid workflow names, so that different names stay different. */
function toDagName(name: string): string {
  if (new RegExp(dagNamePattern).test(name)) return name;
  const suffix = createHash('sha256').update(name).digest('hex').slice(0, 6);
  return `${name.replaceAll(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 33)}-${suffix}`;
}

const heading = `# Rebuilt from the history of release 1.16, which did not store workflows. For reference only.
`;

/** Handlers by their names in workflow files, with their step names in runs. */
const legacyHandlers = [
  ['onSuccess', 'success', 'onSuccess'],
  ['onFailure', 'failure', 'onFailure'],
  ['onCancel', 'abort', 'onAbort'],
  ['onExit', 'exit', 'onExit'],
] as const;

/** Rebuilds a workflow with the steps of a recorded run, as far as recorded. */
function rebuildSpec(name: string, status: LegacyStatus): string {
  const spec = write(name, status, toImportedStep);
  return isValid(spec) ? spec : write(name, status, toShortStep);
}

type ToStepFields = (node: LegacyNode) => Record<string, unknown>;

function write(name: string, status: LegacyStatus, toStepFields: ToStepFields): string {
  const names = new Set(status.nodes.map((node) => node.name));
  const steps = status.nodes.map((node) => {
    const depends = node.depends.filter((other) => names.has(other));
    return `  - ${JSON.stringify({ name: node.name, ...toStepFields(node), ...(depends.length === 0 ? {} : { depends }) })}`;
  });
  const handlers = legacyHandlers.flatMap(([key, label]) => {
    const node = status[key];
    return node === undefined ? [] : [`  ${label}: ${JSON.stringify(toStepFields(node))}`];
  });
  return [
    `${heading}name: ${JSON.stringify(name)}`,
    'type: graph',
    ...(steps.length === 0 ? ['steps: []'] : ['steps:', ...steps]),
    ...(handlers.length === 0 ? [] : ['handlerOn:', ...handlers]),
    '',
  ].join('\n');
}

function toImportedStep(node: LegacyNode): Record<string, unknown> {
  const executor = ['', 'command', 'dag', 'subworkflow'].includes(node.executor)
    ? ''
    : `executor ${node.executor}`;
  const description = [node.description, executor].filter((part) => part !== '').join('; ');
  const details = description === '' ? {} : { description };
  if (node.calls !== '')
    return { ...details, run: node.calls, ...(node.callParams === '' ? {} : { params: node.callParams }) };
  if (node.script.trim() !== '' && node.command === '') return { ...details, script: node.script };
  return { ...details, command: node.command === '' ? 'true' : node.command };
}

const toShortStep: ToStepFields = ({ command, calls }) => ({
  command: 'true',
  description: (calls === '' ? command : `calls ${calls}`).slice(0, 200),
});

const isValid = (text: string): boolean =>
  loadSpec({ text }).diagnostics.every(({ severity }) => severity !== 'error');
