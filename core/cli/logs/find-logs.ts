import type { Caller, EngineApi } from '../../api/engine-host.ts';
import type { RunDetailView } from '../../contract/runs/run-views.ts';
import { listLogs, type LogRef, type LogChoice } from './log-ref.ts';

/**
 * Returns the existing logs of a selection, with attempts in start order. An item may have fewer attempts than its
 * step, because a retry runs only failed items.
 */
export async function findLogs(
  api: EngineApi,
  caller: Caller,
  run: RunDetailView,
  choice: LogChoice,
): Promise<LogRef[]> {
  const logs = listLogs(run, choice);
  if (choice.item === undefined) return logs;
  const having = new Set<number>();
  for (const attempt of new Set(logs.map((log) => log.attempt))) {
    if (
      await hasItem(
        api,
        caller,
        logs.find((log) => log.attempt === attempt)!,
      )
    )
      having.add(attempt);
  }
  return logs.filter(({ attempt }) => having.has(attempt));
}

async function hasItem(api: EngineApi, caller: Caller, address: LogRef): Promise<boolean> {
  const { name, dagRunId, step, section, attempt, item = 1 } = address;
  const cursor = item === 1 ? undefined : String(item - 1);
  const page = await api.call(
    'runs.items',
    { name, dagRunId, step, section, attempt, cursor, limit: 1 },
    caller,
  );
  return page.items[0]?.item === item;
}
