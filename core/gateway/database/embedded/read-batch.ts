import type { StatementResult } from '../database.ts';
import type { StatementUse } from '../prepared-statements.ts';
import type { Batch, BatchResult, BatchFailure } from './batch.ts';

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
