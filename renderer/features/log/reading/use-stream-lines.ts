import { useQuery } from '@tanstack/react-query';
import { useBridge } from '../../../api/bridge.ts';
import type { LogRef } from './log-line-cache.ts';

const pollIntervalMs = 2_000;

/**
 * Returns the number of lines in a log, for the badge on its tab; undefined while unknown.
 * @param address absent for a step without an attempt
 * @param growing whether the log may still grow
 */
export function useStreamLines(address: LogRef | undefined, growing: boolean): number | undefined {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['log-lines', address, growing],
    queryFn: () => bridge.call('logs.lines', { ...address!, from: 0, count: 1 }),
    enabled: address !== undefined,
    refetchInterval: growing ? pollIntervalMs : false,
    select: ({ totalLines }) => totalLines,
  }).data;
}
