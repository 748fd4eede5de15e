import path from 'node:path';
import type { EngineApi, EnqueueRequest, RunSource, StartRequest, Caller } from '../../api/engine-api.ts';
import type { RunDetailView } from '../../contract/run-views.ts';
import type { RunRef } from '../../model/run.ts';
import type { DagSummaryView } from '../../contract/dags.ts';
import type { OperationInput } from '../../contract/operations.ts';
import type { CommandContext } from '../command-context.ts';

/** A workflow that a command argument means: a local file, or a file name in the workflow directory. */
export type WorkflowMatch = Extract<RunSource, { readonly file: string } | { readonly fileName: string }>;

/** A workflow in a prompt. */
export interface WorkflowChoice {
  readonly fileName: string;
  readonly description: string;
  readonly source: WorkflowMatch;
}

/** Outcome of a run. */
export type RunOutcome = Pick<RunDetailView, 'status' | 'error' | 'cause'>;

/** Resolves the DAG argument of a command (docs/cli.md). */
export interface WorkflowFinder {
  /** Finds a workflow. Rejects with `not_found` and the nearest name, if any. */
  find(argument: string): Promise<WorkflowMatch>;
  /**
   * Returns the file name in the workflow directory. Rejects with `not_found`, or `bad_request` for a file elsewhere.
   */
  findInFolder(argument: string): Promise<string>;
  tryFind(argument: string): Promise<WorkflowMatch | undefined>;
  /** Returns possible run names of the argument, most likely first; empty if it cannot be a name. */
  runNames(argument: string): Promise<string[]>;
  /** Lists the file names in the workflow directory. */
  fileNames(): Promise<string[]>;
  /** Lists the runnable workflows of the workflow directory. */
  choices(): Promise<WorkflowChoice[]>;
}

/** Target of a command's operations: an engine of this process on a local home, or a server (`--server`). */
export interface EngineClient {
  readonly api: EngineApi;
  /** Path of the home or URL of the server, for messages. */
  readonly location: string;
  /** Whether files on the command line are on another machine than the home. */
  readonly isRemote: boolean;
  readonly workflows: WorkflowFinder;
  startRun(request: StartRequest): Promise<RunRef>;
  /** Starts the workflow of the DAG argument. Rejects as `workflows.find` and `startRun` do. */
  startNamed(argument: string, request: Omit<StartRequest, 'source'>): Promise<RunRef>;
  enqueueRun(request: EnqueueRequest): Promise<RunRef>;
  /** Resolves when the run has ended, whichever process drives it. */
  waitForEnd(run: RunRef): Promise<RunDetailView>;
  /** Resolves with only the outcome when the run has ended, which saves a request to a server. */
  waitForOutcome(run: RunRef): Promise<RunOutcome>;
  /** Kills the processes of a run of this process. For a run elsewhere, `waitForEnd` stops waiting. */
  forceStop(run: RunRef): void;
  /** Sends webhooks from this process until closed. A server does this itself. */
  sendWebhooks(): Promise<void>;
  /** Whether there are orphaned runs that this process could take over. */
  hasOrphans(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Resolves a directory of the command line for the run's host: relative to the current directory for a local home,
 * unchanged for a server.
 */
export const hostFolder = (
  { cwd, server }: Pick<CommandContext, 'cwd' | 'server'>,
  folder: string | undefined,
): string | undefined => (folder === undefined || server !== undefined ? folder : path.resolve(cwd, folder));

/** Lists every matching workflow in the home's workflow directory. */
export const listAllDags = (
  api: EngineApi,
  caller: Caller,
  filter: Omit<OperationInput<'dags.list'>, 'limit' | 'cursor'> = {},
): Promise<DagSummaryView[]> =>
  readPages(async (page) => {
    const { dags, nextCursor } = await api.call('dags.list', { ...filter, ...page }, caller);
    return { entries: dags, nextCursor };
  });

/** A page of a list. */
interface Page<Entry> {
  readonly entries: readonly Entry[];
  readonly nextCursor?: string | undefined;
}

/** Page size; the maximum of the API. */
const maxPageSize = 1000;

/**
 * Reads all entries of a paginated list, up to a limit.
 * @param read requests a page
 */
export async function readPages<Entry>(
  read: (page: { limit: number; cursor?: string }) => Promise<Page<Entry>>,
  max = Number.POSITIVE_INFINITY,
): Promise<Entry[]> {
  const all: Entry[] = [];
  let cursor: string | undefined;
  do {
    const limit = Math.min(maxPageSize, max - all.length);
    const page = await read(cursor === undefined ? { limit } : { limit, cursor });
    all.push(...page.entries);
    cursor = page.nextCursor;
  } while (cursor !== undefined && all.length < max);
  return all;
}
