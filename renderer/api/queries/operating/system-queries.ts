import { useMutation, useQuery } from '@tanstack/react-query';
import { useBridge } from '../../bridge.ts';
import { queryKeys } from '../query-keys.ts';

/** Pages that show these follow them besides (`useSystemChanges`). */
const refreshMs = 30_000;

export const schedulersKey = ['schedulers'] as const;
export const hostsKey = ['hosts'] as const;

/** The schedulers of the home, and what they have to tell. */
export function useSchedulers() {
  const bridge = useBridge();
  return useQuery({
    queryKey: schedulersKey,
    queryFn: () => bridge.call('services.scheduler', {}),
    refetchInterval: refreshMs,
  });
}

/** The processes that drive runs of the home. */
export function useHosts() {
  const bridge = useBridge();
  return useQuery({
    queryKey: hostsKey,
    queryFn: () => bridge.call('services.hosts', {}),
    refetchInterval: refreshMs,
  });
}

export const resourceHistoryKey = ['resource-history'] as const;

/** The machine's load over a time, such as `1h`. */
export function useResourceHistory(duration: string) {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...resourceHistoryKey, duration],
    queryFn: () => bridge.call('services.resourceHistory', { duration, points: 600 }),
    refetchInterval: ({ state }) => Math.max(refreshMs, (state.data?.intervalSec ?? 5) * 1000),
    placeholderData: (previous) => previous,
    retry: false,
  });
}

/** Whether the engine works, and what is wrong with it. */
export function useHealth() {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['health'],
    queryFn: () => bridge.call('system.health', {}),
    refetchInterval: refreshMs,
  });
}

/** Version, folders and number of active runs of the engine. */
export function useSystemInfo() {
  const bridge = useBridge();
  return useQuery({ queryKey: queryKeys.system, queryFn: () => bridge.call('system.info', {}) });
}

/** What the home takes up. */
export function useStorage() {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['storage'],
    queryFn: () => bridge.call('system.storage', {}),
    refetchInterval: refreshMs,
  });
}

/** Looks through the database. */
export function useCheckDatabase() {
  const bridge = useBridge();
  return useMutation({ mutationFn: () => bridge.call('system.check', {}) });
}
