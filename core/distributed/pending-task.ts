import type { ExecutorResult } from '../executors/executor.ts';
import type { RemoteAttempt, RemoteWorker, RemoteResult } from '../run/remote/remote-task.ts';
import type { TaskRecord, DispatchStore, WorkerRecord } from '../store/types/dispatch.ts';
import { getErrorMessage } from '../base/errors.ts';
import { pluralize } from '../base/text.ts';
import { formatNoWorker, type WorkerSelector } from '../model/workflow-rules.ts';

/** Prefix of the error of attempts whose worker was lost, which retry policies and people can match. */
export const workerLost = 'worker_lost';

/** The end of a task that no worker has started. */
const withdrawn: ExecutorResult = { unstarted: true, error: 'canceled before a worker started it' };

/** An attempt that this host waits for. */
export class PendingTask {
  readonly attempt: RemoteAttempt;
  readonly ended: Promise<ExecutorResult>;
  /** Whether it has been offered to workers. */
  isOffered = false;
  /** Requested cancellation, and its time on the monotonic clock. */
  cancelRequest: { readonly how: 'stop' | 'kill'; readonly since: number } | undefined;
  /** Whether the latest cancellation request has been sent. */
  isCancelSent = true;
  readonly since: number;
  /** Log directory, if an earlier host offered the task with a different one. */
  reportedDir: string | undefined;
  #worker: RemoteWorker | undefined;
  #reason: string | undefined;
  readonly #end: (result: ExecutorResult) => void;

  /** @param since start of waiting, on the monotonic clock */
  constructor(attempt: RemoteAttempt, since: number) {
    const { promise, resolve } = Promise.withResolvers<ExecutorResult>();
    this.attempt = attempt;
    this.since = since;
    this.ended = promise;
    this.#end = resolve;
  }

  /** Returns the worker that has it; undefined if none. */
  get worker(): RemoteWorker | undefined {
    return this.#worker;
  }

  /** Reports why it waits, unless already reported. */
  explain(reason: string): void {
    if (this.#worker !== undefined || this.#reason === reason) return;
    this.#reason = reason;
    this.attempt.onWaiting(reason);
  }

  begin(worker: RemoteWorker): void {
    if (this.#worker !== undefined) return;
    this.#worker = worker;
    this.attempt.onStarted(worker);
  }

  /** Ends the attempt with the outcome of its task. */
  endWith({ state, result, reason, attemptDir }: TaskRecord): void {
    this.reportedDir = attemptDir;
    if (state === 'settled') return this.#end(readResult(result, this.attempt.maskSecrets));
    if (state === 'cancelled') return this.#end(withdrawn);
    const cause = reason ?? 'the worker stopped responding';
    if (this.#worker !== undefined) this.attempt.onLeft(this.#worker, cause);
    this.#end({ error: `${workerLost}: ${cause}` });
  }

  /** Ends an attempt that was never offered. */
  withdraw(): void {
    this.#end(withdrawn);
  }

  /** Ends an attempt whose task no longer exists. */
  markMissing(): void {
    this.#end({ error: `${workerLost}: the task no longer exists` });
  }
}

/** Returns the end of an attempt from its worker's result. Values to mask are registered first. */
function readResult(text: string | undefined, maskSecrets: (value: string) => void): ExecutorResult {
  let result: RemoteResult;
  try {
    result = JSON.parse(text ?? '') as RemoteResult;
  } catch (cause) {
    return { error: `invalid result from the worker: ${getErrorMessage(cause)}` };
  }
  for (const value of result.hidden ?? []) maskSecrets(value);
  const { exitCode, signal, error, partial, unstarted, output, captured } = result;
  return {
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { signal }),
    ...(error === undefined ? {} : { error }),
    ...(partial === undefined ? {} : { partial }),
    ...(unstarted === undefined ? {} : { unstarted }),
    ...(output === undefined ? {} : { output }),
    ...(typeof captured === 'string' ? { stdout: captured } : {}),
  };
}

/** Maximum number of workers to name; further ones are counted. */
const maxNamed = 3;

/** Returns why a task with these labels waits, in one sentence, given the current workers. */
export function explainWaiting(selector: WorkerSelector, workers: readonly WorkerRecord[]): string {
  const aliveWorkers = workers.filter(({ state }) => state !== 'gone');
  const matching = aliveWorkers.filter(({ labels }) => matches(selector, labels));
  if (matching.length === 0) return `${formatNoWorker(selector)} (${formatWorkers(aliveWorkers)})`;
  const active = matching.filter(({ state }) => state === 'active');
  if (active.length === 0) return `${formatMatching(matching)} ${areOrIs(matching)} draining`;
  return `${formatMatching(active)} ${areOrIs(active)} busy`;
}

/** Returns the sentence for each selector, by {@link selectorKey}. */
export async function explainAll(
  store: Pick<DispatchStore, 'listWorkers'>,
  selectors: readonly WorkerSelector[],
): Promise<Map<string, string>> {
  const workers = await store.listWorkers();
  return new Map(
    selectors.map((selector) => [selectorKey(selector), explainWaiting(selector, workers)] as const),
  );
}

/** Returns a map key of a selector. */
export const selectorKey = (selector: WorkerSelector): string => JSON.stringify(selector);

const matches = (selector: WorkerSelector, labels: Readonly<Record<string, string>>): boolean =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

const areOrIs = ({ length }: readonly unknown[]): string => (length === 1 ? 'is' : 'are');

const formatMatching = ({ length }: readonly unknown[]): string =>
  length === 1 ? 'the only matching worker' : `all ${length} matching workers`;

function formatWorkers(workers: readonly WorkerRecord[]): string {
  if (workers.length === 0) return 'no workers are connected';
  const listed = workers.slice(0, maxNamed).map(({ id, labels }) => {
    const labelTexts = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
    return labelTexts.length === 0 ? `${id} without labels` : `${id} ${labelTexts.join(' ')}`;
  });
  const remaining = workers.length > maxNamed ? [`${workers.length - maxNamed} more`] : [];
  const count = pluralize(workers.length, 'worker');
  return `${count}: ${[...listed, ...remaining].join(', ')}`;
}
