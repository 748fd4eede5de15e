import { type MessagePort, workerData } from 'node:worker_threads';
import { getErrorMessage } from '../../base/errors.ts';
import { systemClock } from '../../base/system-clock.ts';
import { counterIndexes, type SessionReply, type SessionRequest, type SessionSettings } from './messages.ts';
import { Session, SessionFailed } from './session.ts';

/** The thread that owns a connection, while its caller waits for the reply without running its own event loop. */
const { port, ...settings } = workerData as SessionSettings & { readonly port: MessagePort };
const counters = new Int32Array(settings.counters);

const session = new Session(
  settings,
  systemClock,
  () => void Atomics.add(counters, counterIndexes.changes, 1),
);
/** Requests are sent in the order in which they arrive, including those whose result is not awaited. */
let previous: Promise<unknown> = Promise.resolve();

port.on('message', (request: SessionRequest | 'close') => {
  if (request === 'close') {
    session.close();
    return port.close();
  }
  previous = previous.then(() => serve(request));
});

async function serve(request: SessionRequest): Promise<void> {
  const reply = await answer(request);
  if (request.id === 0) return;
  port.postMessage(reply);
  Atomics.add(counters, counterIndexes.replies, 1);
  Atomics.notify(counters, counterIndexes.replies);
}

async function answer(request: SessionRequest): Promise<SessionReply> {
  const { id } = request;
  try {
    return { id, results: await session.run(request) };
  } catch (error) {
    if (error instanceof SessionFailed) return { id, failure: error.failure };
    return { id, failure: { kind: 'lost', code: '', message: getErrorMessage(error) } };
  }
}
