import type { Statement, StatementResult } from '../../store/sql/database.ts';
import type { StatementUse } from './prepared-statements.ts';

/** Statements for the engine. In a transaction, all statements after a failed one fail too. */
export interface Batch {
  /** Runs before the statements, for example `BEGIN`. Its result is ignored. */
  readonly begin?: string | undefined;
  readonly statements: readonly Statement[];
  /** As for a transaction: if the condition holds after the statements, `end` does not run. */
  readonly doubt?: string | undefined;
  /** Runs after the statements, for example `COMMIT`. Its result is ignored. */
  readonly end?: string | undefined;
}

/** The error of the first failed statement. */
interface BatchFailure {
  readonly message: string;
  readonly code: string;
  readonly detail: string | null;
  readonly hint: string | null;
  readonly position: number | null;
}

/** Outcome of a batch. */
export type BatchResult =
  | {
      readonly kind: 'done';
      readonly results: readonly StatementResult[];
      /** Whether the `doubt` condition held, so that `end` did not run. */
      readonly isDoubted?: boolean;
    }
  | { readonly kind: 'failed'; readonly failure: BatchFailure }
  /** The engine violated the PostgreSQL protocol; its state is unreliable. */
  | { readonly kind: 'broken'; readonly reason: string };

/** A request to the engine thread. */
export type ThreadRequest =
  | { readonly kind: 'open'; readonly folder: string }
  | { readonly kind: 'batch'; readonly batch: Batch }
  /** Returns the data directory as a gzipped tar file. */
  | { readonly kind: 'dump' }
  /** Shuts down the engine. */
  | { readonly kind: 'close' };

/** A message from the engine thread: notices at any time, and one response per request. */
export type ThreadMessage =
  | { readonly kind: 'notice'; readonly channel: string; readonly payload: string }
  | { readonly kind: 'opened'; readonly version: string }
  | { readonly kind: 'batch'; readonly end: BatchResult }
  | { readonly kind: 'dump'; readonly bytes: Uint8Array }
  | { readonly kind: 'closed' }
  /** The request failed. */
  | { readonly kind: 'fault'; readonly reason: string };

/** A message of the PostgreSQL protocol, as far as it is used here. Its fields depend on its name. */
interface BackendMessage {
  readonly name: string;
  readonly fields?: readonly unknown[];
  readonly text?: string;
  readonly message?: string | undefined;
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
  readonly hint?: string | undefined;
  readonly position?: string | undefined;
}

/** The engine's error stack has overflowed; all further output is unreliable (`gateway.md` 3, 1). */
const brokenPattern = /ERRORDATA_STACK_SIZE/;

/**
 * Parses the engine's response to a batch. An engine whose stack has overflowed omits responses, so a statement that
 * neither completed nor failed means that the engine is broken.
 * @param uses of the statements; column descriptions were not requested for known statements
 */
export function readBatch(
  batch: Batch,
  messages: readonly object[],
  uses: readonly Pick<StatementUse, 'shape'>[] = [],
): BatchResult {
  const groups = splitByReadyForQuery(messages as readonly BackendMessage[]);
  const before = batch.begin === undefined ? 0 : 1;
  const expected = before + batch.statements.length + (batch.end === undefined ? 0 : 1);
  const results: StatementResult[] = [];
  for (let at = 0; at < expected; at += 1) {
    const group = groups[at];
    if (group === undefined) return brokenResult('no response');
    const error = group.find(({ name }) => name === 'error');
    if (error !== undefined) return readError(error);
    if (!group.some(({ name }) => name === 'commandComplete' || name === 'emptyQuery'))
      return brokenResult('a statement neither completed nor failed');
    if (at >= before && at < before + batch.statements.length)
      results.push(readResult(group, uses[at - before]));
  }
  return { kind: 'done', results };
}

const brokenResult = (reason: string): BatchResult => ({ kind: 'broken', reason });

function splitByReadyForQuery(messages: readonly BackendMessage[]): BackendMessage[][] {
  const groups: BackendMessage[][] = [];
  let group: BackendMessage[] = [];
  for (const message of messages) {
    if (message.name === 'readyForQuery') {
      groups.push(group);
      group = [];
    } else group.push(message);
  }
  return groups;
}

function readError(error: BackendMessage): BatchResult {
  const failure: BatchFailure = {
    message: error.message ?? 'PostgreSQL sent no error message',
    code: error.code ?? 'XX000',
    detail: error.detail ?? null,
    hint: error.hint ?? null,
    position: error.position === undefined ? null : Number(error.position),
  };
  if (failure.code === 'XX000' && brokenPattern.test(failure.message)) return brokenResult(failure.message);
  return { kind: 'failed', failure };
}

function readResult(
  group: readonly BackendMessage[],
  use: Pick<StatementUse, 'shape'> | undefined,
): StatementResult {
  const head = group.find(({ name }) => name === 'rowDescription');
  const end = group.find(({ name }) => name === 'commandComplete');
  const fields = (head?.fields ?? []) as readonly { readonly name: string; readonly dataTypeID: number }[];
  return {
    columns: fields.map(({ name }) => name),
    typeIds: fields.map(({ dataTypeID }) => dataTypeID),
    ...use?.shape,
    rows: group.flatMap(({ name, fields: values }) =>
      name === 'dataRow' ? [(values ?? []) as (string | null)[]] : [],
    ),
    affected: Number(/ (\d+)$/.exec(end?.text ?? '')?.[1] ?? 0),
  };
}
