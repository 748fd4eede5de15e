import type { OperationInput } from '../../../core/contract/operations.ts';

/** What narrows a list of runs. */
export type RunFilter = Omit<OperationInput<'runs.list'>, 'limit' | 'cursor'>;

/** The attempt whose items a list holds. */
export interface ItemsAddress {
  readonly section: 'step' | 'handler';
  readonly step: string;
  readonly attempt: number;
}

/** Names of everything the window keeps in its cache; the live events find their targets by these. */
export const queryKeys = {
  dags: ['dags'] as const,
  dag: (fileName: string) => ['dag', fileName] as const,
  /** The text that a visit of the editor began with. */
  editedSpec: (fileName: string) => ['edited-spec', fileName] as const,
  /** What is wrong with the base configuration, as the editor is told. */
  baseFault: ['base-fault'] as const,
  versions: (fileName: string) => ['versions', fileName] as const,
  version: (fileName: string, id: number) => ['version', fileName, id] as const,
  outsideNames: ['outside-names'] as const,
  nextTimes: (fileName: string) => ['next-times', fileName] as const,
  runs: (filter: RunFilter) => ['runs', filter] as const,
  queues: ['queues'] as const,
  recentRuns: ['recent-runs'] as const,
  run: (name: string, dagRunId: string) => ['run', name, dagRunId] as const,
  /** A deletion under way. */
  deletedRun: (name: string, dagRunId: string) => ['deleted-run', name, dagRunId] as const,
  subRuns: (name: string, dagRunId: string) => ['sub-runs', name, dagRunId] as const,
  /** The lists of all attempts of a run. */
  itemsOfRun: (name: string, dagRunId: string) => ['items', name, dagRunId] as const,
  items: (name: string, dagRunId: string, of: ItemsAddress) => ['items', name, dagRunId, of] as const,
  dryRun: (wish: OperationInput<'dags.dry'>) => ['dry-run', wish] as const,
  retryPlan: (wish: OperationInput<'runs.retryPlan'>) => ['retry-plan', wish] as const,
  /** Begins the names of all lists of questions to people. */
  approvals: ['approvals'] as const,
  openApprovals: ['approvals', 'open'] as const,
  system: ['system'] as const,
  authInfo: ['auth-info'] as const,
  me: ['me'] as const,
  users: ['users'] as const,
  tokens: ['tokens'] as const,
};
