import { setFlagsFromString } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { PGlite, protocol } from '@electric-sql/pglite';
import { getErrorMessage } from '../../base/errors.ts';
import type { Statement } from '../../store/sql/database.ts';
import {
  needsReprepare,
  PreparedStatements,
  type StatementUse,
  deallocateAll,
} from './prepared-statements.ts';
import { type Batch, type BatchResult, type ThreadMessage, type ThreadRequest, readBatch } from './batch.ts';
import { makeDataDirectory, Extensions, startPostgres, SyncedFiles } from './start-postgres.ts';

/**
 * The start alone would make V8 optimize large functions of PostgreSQL, which takes as much processor time as the rest
 * of the start. With 15 times the default, only functions that queries keep busy are optimized.
 */
setFlagsFromString('--wasm-tiering-budget=200000000');

/** A thread that runs PostgreSQL. The engine sends one request at a time. */
const port = parentPort!;
const notify = (message: ThreadMessage, moved: readonly ArrayBuffer[] = []): void =>
  port.postMessage(message, moved);
const { serialize } = protocol;

const prepared = new PreparedStatements({ isPersistent: true });
let engine: PGlite | undefined;
let extensions: Extensions | undefined;

port.on('message', (request: ThreadRequest) => {
  runRequest(request).catch((error: unknown) => notify({ kind: 'fault', reason: getErrorMessage(error) }));
});

async function runRequest(request: ThreadRequest): Promise<void> {
  if (request.kind === 'open') return await open(request.folder);
  if (engine === undefined) throw new Error('not open');
  if (request.kind === 'batch') return notify({ kind: 'batch', end: await runBatch(engine, request.batch) });
  if (request.kind === 'close') {
    await engine.close();
    return notify({ kind: 'closed' });
  }
  const dump = await engine.dumpDataDir('gzip');
  const bytes = await dump.arrayBuffer();
  return notify({ kind: 'dump', bytes: new Uint8Array(bytes) }, [bytes]);
}

async function open(folder: string): Promise<void> {
  await makeDataDirectory(folder, initialize);
  engine = await startPostgres(folder);
  engine.onNotification((channel, payload) => notify({ kind: 'notice', channel, payload }));
  const [[version = ''] = []] = await readFirst(engine, 'SHOW server_version');
  extensions = new Extensions(engine);
  const installed = await readFirst(engine, "SELECT extname FROM pg_extension WHERE extname <> 'plpgsql'");
  await extensions.loadInstalled(installed.map(([name]) => name ?? ''));
  notify({ kind: 'opened', version: version ?? '' });
}

async function readFirst(opened: PGlite, text: string): Promise<readonly (readonly (string | null)[])[]> {
  const { messages } = await opened.execProtocol(serialize.query(text));
  const end = readBatch({ statements: [{ text: '', values: [] }] }, messages);
  return end.kind === 'done' ? (end.results[0]?.rows ?? []) : [];
}

async function initialize(folder: string): Promise<void> {
  const first = await PGlite.create({ fs: new SyncedFiles(folder, () => {}) });
  await first.close();
}

/**
 * Runs a batch. The `doubt` condition is checked in this thread, because a message round trip costs as much as the
 * statements. A statement that returns no row counts as doubtful (`gateway.md` 3, 1).
 */
async function runBatch(opened: PGlite, { doubt, end, ...batch }: Batch): Promise<BatchResult> {
  if (doubt === undefined) return await runInOneCall(opened, { ...batch, end });
  const statements = [...batch.statements, { text: `SELECT ${doubt}`, values: [], isUsual: true }];
  const asked = await runInOneCall(opened, { ...batch, statements });
  if (asked.kind !== 'done') return asked;
  const results = asked.results.slice(0, -1);
  const isCertain = asked.results.at(-1)?.rows[0]?.[0] === 'f' && results.at(-1)?.rows.length !== 0;
  if (!isCertain) return { kind: 'done', results, isDoubted: true };
  const ended = await runInOneCall(opened, { statements: [], end });
  return ended.kind === 'done' ? { kind: 'done', results } : ended;
}

async function runInOneCall(opened: PGlite, batch: Batch): Promise<BatchResult> {
  await extensions?.loadFor(batch.statements);
  const { closes, uses, settle } = prepared.begin(batch.statements);
  const bytes = serializeBatch(batch, uses);
  const forgotten = closes.map((name) => serialize.close({ type: 'S', name }));
  const { messages } = await opened.execProtocol(Buffer.concat([...forgotten, bytes]), {
    throwOnError: false,
  });
  const end = readBatch(batch, messages, uses);
  settle(end.kind === 'done' ? end.results : []);
  const isReset = batch.statements.some(({ text }) => text === deallocateAll);
  if (isReset || (end.kind === 'failed' && needsReprepare(end.failure))) prepared.forget();
  return end;
}

/** Serializes all messages at once: each call into the engine costs more than its content. */
function serializeBatch({ begin, statements, end }: Batch, uses: readonly StatementUse[]): Uint8Array {
  const chunks = statements.flatMap((statement, index) => serializeStatement(statement, uses[index]!));
  if (begin !== undefined) chunks.unshift(serialize.query(begin));
  if (end !== undefined) chunks.push(serialize.query(end));
  return Buffer.concat(chunks);
}

/** Values are sent as text; PostgreSQL infers their types. */
const serializeStatement = (
  { text, values }: Statement,
  { name, isNew, shape }: StatementUse,
): Uint8Array[] => [
  ...(isNew ? [serialize.parse({ text, name })] : []),
  serialize.bind({ statement: name, values: values as (string | null)[] }),
  ...(shape === undefined ? [describePortal] : []),
  serialize.execute(),
  ...(shape === undefined ? [noInput] : []),
  serialize.sync(),
];

const describePortal = serialize.describe({ type: 'P' });
// Ends COPY … FROM STDIN, which would otherwise wait forever and end the engine. Ignored by other statements.
const noInput = serialize.copyFail(
  'COPY FROM STDIN is not supported; use INSERT, or psql on a PostgreSQL server',
);
