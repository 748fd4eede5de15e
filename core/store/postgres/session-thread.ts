import { type MessagePort, workerData } from 'node:worker_threads';
import { getErrorMessage } from '../../base/errors.ts';
import { systemClock } from '../../base/system-clock.ts';
import { wait } from '../../base/wait.ts';
import type { SessionReply, SessionRequest, SessionSettings } from './messages.ts';
import { Session, SessionFailed } from './session.ts';
import { SessionPool } from './session-pool.ts';

/** A lost connection for notifications is opened again at this interval, in milliseconds. */
const listenAgainMs = 1000;

/** The thread that owns the connections: a pool for requests, and one that hears of the commits of others. */
const { port, ...settings } = workerData as SessionSettings & { readonly port: MessagePort };
const changes = new Int32Array(settings.changes);
const pool = new SessionPool(settings, systemClock);
const listener = new Session(settings, systemClock, () => {
  Atomics.add(changes, 0, 1);
  if (listener.isLost) void listen();
});
const lifetime = new AbortController();

async function listen(): Promise<void> {
  if (lifetime.signal.aborted || listener.isOpen) return;
  try {
    await listener.open();
  } catch {
    await wait(systemClock, listenAgainMs, lifetime.signal);
    await listen();
  }
}

port.on('message', (request: SessionRequest | 'close' | 'listen') => {
  if (request === 'listen') return void listen();
  if (request !== 'close') return void answer(request).then((reply) => port.postMessage(reply));
  lifetime.abort();
  listener.close();
  pool.close();
  port.close();
});

async function answer(request: SessionRequest): Promise<SessionReply> {
  const { id } = request;
  try {
    return { id, results: await pool.run(request) };
  } catch (error) {
    if (error instanceof SessionFailed) return { id, failure: error.failure };
    return { id, failure: { kind: 'lost', code: '', message: getErrorMessage(error) } };
  }
}
