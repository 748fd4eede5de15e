/** Preloaded into utility processes: provides Electron's `process.parentPort` over Node's own IPC channel. */
import { EventEmitter } from 'node:events';

const parentPort = Object.assign(new EventEmitter(), {
  postMessage: (message: unknown) => void process.send?.(message),
});
process.on('message', (data) => parentPort.emit('message', { data, ports: [] }));
Object.assign(process, { parentPort });
