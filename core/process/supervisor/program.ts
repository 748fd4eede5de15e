/**
 * The step supervisor: a separate program, started by `startSupervisor`, that communicates with its engine over
 * descriptor 3 and exits when that is closed and the last step has ended.
 */
import { Socket } from 'node:net';
import { systemClock } from '../../base/system-clock.ts';
import { encodeMessage, MessageDecoder, type SupervisorCommand } from './protocol.ts';
import { Supervisor } from './supervisor.ts';

// Signals from the engine's terminal or service must not end the steps that outlive it.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const) process.on(signal, () => {});

const engine = new Socket({ fd: 3 });
const decoder = new MessageDecoder<SupervisorCommand>();
const supervisor = new Supervisor({
  clock: systemClock,
  notify: (report) => void (engine.writable && engine.write(encodeMessage(report))),
  leave: () => process.exit(0),
});

engine.on('data', (bytes: Buffer) => {
  for (const command of decoder.decode(bytes)) supervisor.take(command);
});
// The socket then closes, which is handled too.
engine.on('error', () => {});
engine.on('close', () => supervisor.loseEngine());
engine.write(encodeMessage({ id: 0, type: 'ready' }));
