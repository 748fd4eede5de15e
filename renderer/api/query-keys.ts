import type { OperationInput } from '../../core/contract/operations.ts';

export type RunFilter = Pick<OperationInput<'runs.list'>, 'name' | 'status'>;

/** Names of everything the window keeps in its cache; the live events find their targets by these. */
export const queryKeys = {
  dags: ['dags'] as const,
  dag: (fileName: string) => ['dag', fileName] as const,
  runs: (filter: RunFilter) => ['runs', filter] as const,
  recentRuns: ['recent-runs'] as const,
  run: (name: string, dagRunId: string) => ['run', name, dagRunId] as const,
  subRuns: (name: string, dagRunId: string) => ['sub-runs', name, dagRunId] as const,
  system: ['system'] as const,
};
