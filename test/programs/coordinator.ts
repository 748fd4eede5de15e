import { startCoordinator } from '../../core/distributed/coordinator/coordinator.ts';
import { FileStore } from '../../core/distributed/files/file-store.ts';
import { openDispatch } from '../../core/distributed/store/open-dispatch.ts';
import { systemClock } from '../../core/system-clock.ts';
import { silentLogger } from '../../core/base/logger.ts';

/** A coordinator with a short lease, as a process that can be killed: `coordinator.ts DATABASE PORT LEASE_MS`. */
const [file = '', port = '0', leaseMs = '3000'] = process.argv.slice(2);
const store = openDispatch({ file }, systemClock, { leaseMs: Number(leaseMs), activationMs: 1000 });
const { url } = await startCoordinator({
  store,
  files: new FileStore(),
  host: '127.0.0.1',
  port: Number(port),
  version: 'test',
  clock: systemClock,
  logger: silentLogger,
});
process.stdout.write(`${url}\n`);
