import { useMutation, useQuery } from '@tanstack/react-query';
import { useBridge } from './bridge.ts';

const refreshMs = 10_000;

/** The schedulers of the home, and what they have to tell. */
export function useSchedulers() {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['schedulers'],
    queryFn: () => bridge.call('services.scheduler', {}),
    refetchInterval: refreshMs,
  });
}

/** The processes that drive runs of the home. */
export function useHosts() {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['hosts'],
    queryFn: () => bridge.call('services.hosts', {}),
    refetchInterval: refreshMs,
  });
}

/** The workers of coordinators. */
export function useWorkers() {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['workers'],
    queryFn: () => bridge.call('workers.list', {}),
    refetchInterval: refreshMs,
  });
}

/** The machine's load over a time, such as `1h`; asked for again as often as the engine measures. */
export function useResourceHistory(duration: string) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['resource-history', duration],
    queryFn: () => bridge.call('services.resourceHistory', { duration, points: 600 }),
    refetchInterval: ({ state }) => Math.max(2000, (state.data?.intervalSec ?? 5) * 1000),
    placeholderData: (previous) => previous,
    retry: false,
  });
}

/** What the home takes up. */
export function useStorage() {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['storage'],
    queryFn: () => bridge.call('system.storage', {}),
    refetchInterval: 30_000,
  });
}

/** Looks through the database. */
export function useCheckDatabase() {
  const bridge = useBridge();
  return useMutation({ mutationFn: () => bridge.call('system.check', {}) });
}
