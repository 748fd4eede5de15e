import { exitCodes } from '../../base/error-codes.ts';
import type { CoordinatorView, WorkerView, JoinTokenView } from '../../contract/workers.ts';
import {
  type CommandContext,
  printJson,
  printLines,
  type ResultFormat,
  withHost,
} from '../command-context.ts';
import { oneLine, formatTable, formatDateTime } from '../format.ts';

/** Lists workers, and why they get no work. */
export function runWorkers(context: CommandContext, { format }: ResultFormat): Promise<number> {
  return withHost(context, async ({ api }) => {
    const response = await api.call('workers.list', {}, context.caller);
    if (format === 'json') {
      await printJson(context, response);
      return exitCodes.success;
    }
    const { workers, tasks, errors } = response;
    if (workers.length === 0) await context.terminal.stderr.write('No workers.\n');
    else await printLines(context, tabulate(workers));
    const { ready, claimed, running, staleRefused } = tasks;
    if (workers.length > 0 || ready > 0)
      await context.terminal.stderr.write(
        `Steps: ${ready} queued, ${claimed + running} on workers; ${staleRefused} stale results rejected.\n`,
      );
    for (const error of errors) await context.terminal.stderr.write(`${error}\n`);
    return exitCodes.success;
  });
}

/** Lists coordinators. */
export function runCoordinators(context: CommandContext, { format }: ResultFormat): Promise<number> {
  return withHost(context, async ({ api }) => {
    const { coordinators } = await api.call('workers.coordinators', {}, context.caller);
    if (format === 'json') await printJson(context, { coordinators });
    else if (coordinators.length === 0) await context.terminal.stderr.write('No coordinators.\n');
    else await printLines(context, tabulateCoordinators(coordinators));
    return exitCodes.success;
  });
}

export interface WorkerChangeInput extends ResultFormat {
  readonly worker: string;
  readonly change: 'drain' | 'resume' | 'remove';
}

const changed = {
  drain: 'drained: receives no new steps',
  resume: 'resumed',
  remove: 'removed: can rejoin with a token or certificate',
} as const;

/** Drains, resumes or removes a worker. */
export function runWorkerChange(context: CommandContext, input: WorkerChangeInput): Promise<number> {
  return withHost(context, async ({ api }) => {
    const worker = await api.call(`workers.${input.change}`, { workerId: input.worker }, context.caller);
    if (input.format === 'json') await printJson(context, worker);
    else await printLines(context, [`Worker ${worker.id} ${changed[input.change]}.`]);
    return exitCodes.success;
  });
}

const getState = ({ state, healthStatus }: WorkerView): string =>
  state === 'active' && healthStatus === 'warning' ? 'overdue' : state;

const tabulate = (workers: readonly WorkerView[]): string[] =>
  formatTable(
    ['WORKER', 'STATE', 'LABELS', 'BUSY', 'DOING', 'HOST', 'SEEN'],
    workers.map((worker) => [
      oneLine(worker.id),
      getState(worker),
      oneLine(formatLabels(worker.labels)),
      `${worker.busyPollers}/${worker.totalPollers}`,
      oneLine(worker.runningTasks.map(({ name, step }) => `${name} · ${step}`).join(', ')),
      oneLine(`${worker.hostname} (${worker.pid})`),
      formatDateTime(new Date(worker.lastHeartbeatAt)),
    ]),
    ['BUSY'],
  );

const tabulateCoordinators = (coordinators: readonly CoordinatorView[]): string[] =>
  formatTable(
    ['COORDINATOR', 'STATE', 'WORKERS', 'HOST', 'VERSION', 'SEEN'],
    coordinators.map(({ url, status, workers, hostname, pid, version, lastHeartbeatAt }) => [
      oneLine(url),
      status,
      String(workers),
      oneLine(`${hostname} (${pid})`),
      version,
      formatDateTime(new Date(lastHeartbeatAt)),
    ]),
    ['WORKERS'],
  );

/** Formats labels: `gpu=true,region=eu` */
export const formatLabels = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');

export interface JoinTokenCreateInput extends ResultFormat {
  readonly note?: string;
  readonly labels?: Record<string, string>;
  /** Default: no expiry. */
  readonly expiresInDays?: number;
}

export interface JoinTokenDeleteInput extends ResultFormat {
  readonly token: string;
}

/** Lists the join tokens of workers. */
export function runJoinTokens(context: CommandContext, { format }: ResultFormat): Promise<number> {
  return withHost(context, async ({ api }) => {
    const { tokens } = await api.call('workers.listTokens', {}, context.caller);
    if (format === 'json') await printJson(context, { tokens });
    else if (tokens.length === 0) await context.terminal.stderr.write('No join tokens.\n');
    else await printLines(context, tabulateJoinTokens(tokens));
    return exitCodes.success;
  });
}

/** Creates a join token. Only the secret is written to stdout, for use in scripts. */
export function runJoinTokenCreate(context: CommandContext, input: JoinTokenCreateInput): Promise<number> {
  const { format, note, labels, expiresInDays } = input;
  return withHost(context, async ({ api }) => {
    const options = {
      ...(note === undefined ? {} : { note }),
      ...(labels === undefined ? {} : { labels }),
      ...(expiresInDays === undefined ? {} : { expiresInDays }),
    };
    const created = await api.call('workers.createToken', options, context.caller);
    if (format === 'json') await printJson(context, created);
    else {
      await context.terminal.stderr.write('Copy the token now. It is not shown again:\n');
      await printLines(context, [created.secret]);
    }
    return exitCodes.success;
  });
}

/** Deletes a join token. */
export function runJoinTokenDelete(context: CommandContext, input: JoinTokenDeleteInput): Promise<number> {
  return withHost(context, async ({ api }) => {
    const token = await api.call('workers.deleteToken', { tokenId: input.token }, context.caller);
    if (input.format === 'json') await printJson(context, token);
    else await printLines(context, [`Revoked token ${token.id}. Workers can no longer join with it.`]);
    return exitCodes.success;
  });
}

const tabulateJoinTokens = (tokens: readonly JoinTokenView[]): string[] =>
  formatTable(
    ['ID', 'NOTE', 'LABELS', 'CREATED', 'EXPIRES'],
    tokens.map(({ id, note, labels, createdAt, expiresAt }) => [
      id,
      oneLine(note),
      oneLine(formatLabels(labels)),
      formatDateTime(new Date(createdAt)),
      expiresAt === undefined ? 'never' : formatDateTime(new Date(expiresAt)),
    ]),
  );
