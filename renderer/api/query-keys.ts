import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import type { OperationInput, OperationName, OperationOutput } from '../../core/contract/operations.ts';
import { useBridge } from './bridge.ts';

/** Filter of a list of runs. */
export type RunFilter = Omit<OperationInput<'runs.list'>, 'limit' | 'cursor'>;

/** Identifies the attempt whose items a list contains. */
export interface ItemsRef {
  readonly section: 'step' | 'handler';
  readonly step: string;
  readonly attempt: number;
}

/** Query keys of all cached data; live events find their targets by them. */
export const queryKeys = {
  dags: ['dags'] as const,
  dag: (fileName: string) => ['dag', fileName] as const,
  /** The initial text of an editor session. */
  editedSpec: (fileName: string) => ['edited-spec', fileName] as const,
  /** The error of the base configuration, as for the editor. */
  baseConfigIssue: ['base-fault'] as const,
  versions: (fileName: string) => ['versions', fileName] as const,
  version: (fileName: string, id: number) => ['version', fileName, id] as const,
  outsideNames: ['outside-names'] as const,
  nextTimes: (fileName: string) => ['next-times', fileName] as const,
  runs: (filter: RunFilter) => ['runs', filter] as const,
  /** Prefix of the keys of all periods. */
  runStatistics: ['run-statistics'] as const,
  runFailures: ['run-failures'] as const,
  stepHistory: (name: string) => ['step-history', name] as const,
  queues: ['queues'] as const,
  recentRuns: ['recent-runs'] as const,
  run: (name: string, dagRunId: string) => ['run', name, dagRunId] as const,
  /** A pending deletion. */
  deletedRun: (name: string, dagRunId: string) => ['deleted-run', name, dagRunId] as const,
  subRuns: (name: string, dagRunId: string) => ['sub-runs', name, dagRunId] as const,
  /** The lists of all attempts of a run. */
  itemsOfRun: (name: string, dagRunId: string) => ['items', name, dagRunId] as const,
  items: (name: string, dagRunId: string, ref: ItemsRef) => ['items', name, dagRunId, ref] as const,
  dryRun: (options: OperationInput<'dags.dry'>) => ['dry-run', options] as const,
  retryPlan: (options: OperationInput<'runs.retryPlan'>) => ['retry-plan', options] as const,
  /** Prefix of the keys of all lists of approvals. */
  approvals: ['approvals'] as const,
  openApprovals: ['approvals', 'open'] as const,
  system: ['system'] as const,
  config: ['config'] as const,
  mail: ['mail'] as const,
  baseConfig: ['base-config'] as const,
  authInfo: ['auth-info'] as const,
  me: ['me'] as const,
  users: ['users'] as const,
  tokens: ['tokens'] as const,
  secrets: ['secrets'] as const,
};

interface ChangeOptions<Name extends OperationName> {
  /** Queries to refetch before the change counts as complete. */
  readonly changed?: (input: OperationInput<Name>) => readonly QueryKey[];
  /** Whether they are also refetched after an error, because the page may be out of date. */
  readonly evenRefused?: true;
  /** Whether the response may contain a secret, which must not stay in memory after its dialog is closed. */
  readonly isSecret?: true;
}

/** A mutation for an operation. */
export function useOperationMutation<Name extends OperationName>(
  name: Name,
  { changed = () => [], evenRefused, isSecret }: ChangeOptions<Name> = {},
) {
  const bridge = useBridge();
  const cache = useQueryClient();
  return useMutation<OperationOutput<Name>, Error, OperationInput<Name>>({
    mutationFn: (input) => bridge.call(name, input),
    onSettled: (_answer, error, input) =>
      error === null || evenRefused
        ? Promise.all(changed(input).map((queryKey) => cache.invalidateQueries({ queryKey })))
        : undefined,
    ...(isSecret && { gcTime: 0 }),
  });
}
