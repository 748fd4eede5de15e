import { parentPort } from 'node:worker_threads';
import { PGlite, protocol } from '@electric-sql/pglite';
import { messageOf } from '../../../base/errors.ts';
import type { Statement } from '../database.ts';
import type { Batch, ThreadMessage, ThreadRequest } from './batch.ts';
import { readBatch } from './read-batch.ts';

/** A thread with PostgreSQL in it. The engine sends no request before the answer to the last one. */
const port = parentPort!;
const tell = (message: ThreadMessage, moved: readonly ArrayBuffer[] = []): void =>
  port.postMessage(message, moved);
const { serialize } = protocol;

let engine: PGlite | undefined;

port.on('message', (request: ThreadRequest) => {
  carryOut(request).catch((thrown: unknown) => tell({ kind: 'fault', reason: messageOf(thrown) }));
});

async function carryOut(request: ThreadRequest): Promise<void> {
  if (request.kind === 'open') return await open(request.folder);
  if (engine === undefined) throw new Error('it is not open');
  if (request.kind === 'batch') {
    const { messages } = await engine.execProtocol(serializeBatch(request.batch), { throwOnError: false });
    return tell({ kind: 'batch', end: readBatch(request.batch, messages) });
  }
  if (request.kind === 'close') {
    await engine.close();
    return tell({ kind: 'closed' });
  }
  const dump = await engine.dumpDataDir('gzip');
  const bytes = await dump.arrayBuffer();
  return tell({ kind: 'dump', bytes: new Uint8Array(bytes) }, [bytes]);
}

async function open(folder: string): Promise<void> {
  engine = await PGlite.create({ dataDir: folder });
  engine.onNotification((channel, payload) => tell({ kind: 'notice', channel, payload }));
  const { messages } = await engine.execProtocol(serialize.query('SHOW server_version'));
  const end = readBatch({ statements: [{ text: '', values: [] }] }, messages);
  tell({ kind: 'opened', version: end.kind === 'done' ? (end.results[0]?.rows[0]?.[0] ?? '') : '' });
}

/** All messages at once: each crossing into the engine costs more than what is said. */
function serializeBatch({ begin, statements, end }: Batch): Uint8Array {
  const parts = statements.flatMap(serializeStatement);
  if (begin !== undefined) parts.unshift(serialize.query(begin));
  if (end !== undefined) parts.push(serialize.query(end));
  return Buffer.concat(parts);
}

/** Values go as text, whose types PostgreSQL infers. */
const serializeStatement = ({ text, values }: Statement): Uint8Array[] => [
  serialize.parse({ text }),
  serialize.bind({ values: [...values] }),
  serialize.describe({ type: 'P' }),
  serialize.execute(),
  // Without it, COPY … FROM STDIN would wait for ever, which ends the engine; otherwise it is passed over.
  serialize.copyFail('there is no input here; use INSERT, or COPY … FROM a server with psql'),
  serialize.sync(),
];
