import type { EngineApi, EnqueueRequest, RunSource, StartRequest } from '../../api/engine-host.ts';
import type { RunDetailView } from '../../contract/runs/run-views.ts';
import type { RunRef } from '../../model/run/run.ts';

/** A workflow that an argument of a command stands for: a file of this machine, or one of the home's folder by name. */
export type FoundWorkflow = Extract<RunSource, { readonly file: string } | { readonly fileName: string }>;

/** A workflow that can be chosen from a list. */
export interface WorkflowChoice {
  readonly fileName: string;
  readonly description: string;
  readonly source: FoundWorkflow;
}

/** How a run ended. */
export type RunOutcome = Pick<RunDetailView, 'status' | 'error' | 'cause'>;

/** Looks for what the DAG argument of a command means (docs/cli.md). */
export interface WorkflowFinder {
  /** Rejects with `not_found`, with the nearest name if one is near. */
  find(argument: string): Promise<FoundWorkflow>;
  /** Name of the workflow folder's file that an argument stands for. Rejects with `not_found`, or `bad_request` for a file elsewhere. */
  findInFolder(argument: string): Promise<string>;
  tryFind(argument: string): Promise<FoundWorkflow | undefined>;
  /** Names that runs of this argument may bear, the likeliest first; none when it can be no name. */
  runNames(argument: string): Promise<string[]>;
  /** Names of the workflow folder's files. */
  fileNames(): Promise<string[]>;
  /** Those of the workflow folder that can be run. */
  choices(): Promise<WorkflowChoice[]>;
}

/**
 * Where a command's operations are carried out: by an engine of this process on a home of this machine, or by a server
 * elsewhere (`--server`). Commands that need nothing else work through either.
 */
export interface HostApi {
  readonly api: EngineApi;
  /** In words, for messages: the path of the home, or the URL of the server. */
  readonly place: string;
  /** Whether files named on the command line lie on another machine than the home. */
  readonly isRemote: boolean;
  readonly workflows: WorkflowFinder;
  startRun(request: StartRequest): Promise<RunRef>;
  /** Starts what the DAG argument of a command means. Rejects as `workflows.find` and `startRun` do. */
  startNamed(argument: string, request: Omit<StartRequest, 'source'>): Promise<RunRef>;
  enqueueRun(request: EnqueueRequest): Promise<RunRef>;
  /** Resolves when the run has ended, whichever process drives it. */
  waitForEnd(run: RunRef): Promise<RunDetailView>;
  /** The same for who wants to know no more than how it ended: a server need not be asked once more. */
  waitForOutcome(run: RunRef): Promise<RunOutcome>;
  /** Kills the processes of a run that this process drives; of a run elsewhere, `waitForEnd` waits no longer. */
  forceStop(run: RunRef): void;
  /** Sends webhooks from this process until it closes; a server does so by itself. */
  sendWebhooks(): Promise<void>;
  /** Whether there are runs whose process is gone, which this process could take over. */
  hasOrphans(): boolean;
  close(): Promise<void>;
}
