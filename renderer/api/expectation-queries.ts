import { useQuery } from '@tanstack/react-query';
import type { OperationInput } from '../../core/contract/operations.ts';
import type { RunRef } from '../../core/model/run.ts';
import { useBridge } from './bridge.ts';
import { useOperationMutation } from './query-keys.ts';
import { calendarKey } from './workflow-queries.ts';

const refreshMs = 30_000;
/** Pings have no stream of changes, because a browser has few connections. */
const pingRefreshMs = 5000;

/** Query key prefix of all checks and pings. */
const pingsKey = ['pings'] as const;

/** All ping checks, by name. */
export function usePingChecks() {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...pingsKey, 'list'],
    queryFn: async () => (await bridge.call('pings.list', {})).checks,
    refetchInterval: pingRefreshMs,
  });
}

/** A check with its address, which only some roles may see. */
export function usePingAddress(name: string, enabled: boolean) {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...pingsKey, 'address', name],
    queryFn: async () => (await bridge.call('pings.get', { name })).url,
    enabled,
  });
}

/** The last pings of a check, newest first. */
export function usePingHistory(name: string) {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...pingsKey, 'history', name],
    queryFn: async () => (await bridge.call('pings.history', { name, limit: 100 })).pings,
    refetchInterval: pingRefreshMs,
  });
}

/** Creates, changes or deletes a check. */
export const usePingMutation = <Name extends 'pings.create' | 'pings.update' | 'pings.delete'>(name: Name) =>
  useOperationMutation(name, { changed: () => [pingsKey] });

/** What is expected of a workflow, and what was missed. */
export function useDagExpectations(fileName: string) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['expectations', 'dag', fileName],
    queryFn: () => bridge.call('dags.expectations', { fileName }),
    refetchInterval: refreshMs,
  });
}

/** Which expectations a run has missed. @param refetchesOften while it is active */
export function useRunExpectations({ name, dagRunId }: RunRef, refetchesOften: boolean) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['expectations', 'run', name, dagRunId, refetchesOften],
    queryFn: () => bridge.call('runs.expectations', { name, dagRunId }),
    ...(refetchesOften && { refetchInterval: refreshMs }),
  });
}

/** Late, long and missing runs of some days, newest first. */
export function useMissedRuns(input: OperationInput<'schedules.missed'>) {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...calendarKey, 'missed', input],
    queryFn: async () => (await bridge.call('schedules.missed', input)).missed,
    refetchInterval: refreshMs,
  });
}
