import { type MessagePort, workerData } from 'node:worker_threads';
import { getErrorMessage } from '../../base/errors.ts';
import { systemClock } from '../../base/system-clock.ts';
import { wait } from '../../base/wait.ts';
import {
  counterIndexes,
  type SessionReply,
  type SessionRequest,
  type SessionResult,
  type SessionSettings,
} from './messages.ts';
import { Session, SessionFailed } from './session.ts';
import { SessionPool } from './session-pool.ts';

/**
 * The thread that owns the connections. One serves callers that wait for the reply without running their own event
 * loop, a pool the requests of callers that do not wait.
 */
const { port, ...settings } = workerData as SessionSettings & { readonly port: MessagePort };
const counters = new Int32Array(settings.counters);

const session = new Session(settings, systemClock, () => {
  Atomics.add(counters, counterIndexes.changes, 1);
  if (session.isLost) void listen();
});
const pool = new SessionPool(settings, systemClock);

/** A lost connection is opened again at this interval, in milliseconds: it hears of the commits of others. */
const listenAgainMs = 1000;
let isListening = false;

async function listen(): Promise<void> {
  if (isListening) return;
  isListening = true;
  while (!session.isOpen && !isClosed) await session.open().catch(() => wait(systemClock, listenAgainMs));
  isListening = false;
}

let isClosed = false;

/** Requests are sent in the order in which they arrive, including those whose result is not awaited. */
let previous: Promise<unknown> = Promise.resolve();

port.on('message', (request: SessionRequest | 'close' | 'listen') => {
  if (request === 'listen') return void listen();
  if (request === 'close') {
    isClosed = true;
    session.close();
    pool.close();
    return port.close();
  }
  if (request.operation !== undefined) return void serve(request, (sent) => pool.run(sent));
  previous = previous.then(() => serve(request, (sent) => session.run(sent)));
});

type Run = (request: SessionRequest) => Promise<SessionResult[]>;

async function serve(request: SessionRequest, run: Run): Promise<void> {
  const reply = await answer(request, run);
  if (request.id === 0) return;
  port.postMessage(reply);
  Atomics.add(counters, counterIndexes.replies, 1);
  Atomics.notify(counters, counterIndexes.replies);
}

async function answer(request: SessionRequest, run: Run): Promise<SessionReply> {
  const { id } = request;
  try {
    return { id, results: await run(request) };
  } catch (error) {
    if (error instanceof SessionFailed) return { id, failure: error.failure };
    return { id, failure: { kind: 'lost', code: '', message: getErrorMessage(error) } };
  }
}
