import { exitCodes } from '../../../base/error-codes.ts';
import type { CoordinatorView, WorkerView } from '../../../contract/installation/workers.ts';
import {
  type CommandContext,
  printJson,
  printLines,
  type ResultFormat,
  withHost,
} from '../../command-context.ts';
import { oneLine } from '../../report/plain-text.ts';
import { formatTable } from '../../report/table.ts';
import { formatDateTime } from '../../report/time-text.ts';

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

const stateOf = ({ state, healthStatus }: WorkerView): string =>
  state === 'active' && healthStatus === 'warning' ? 'overdue' : state;

const tabulate = (workers: readonly WorkerView[]): string[] =>
  formatTable(
    ['WORKER', 'STATE', 'LABELS', 'BUSY', 'DOING', 'HOST', 'SEEN'],
    workers.map((worker) => [
      oneLine(worker.id),
      stateOf(worker),
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
