import { startCoordinator } from '../../core/distributed/coordinator/coordinator.ts';
import type { CoordinatorTls } from '../../core/distributed/coordinator/coordinator-tls.ts';
import { FileStore } from '../../core/distributed/files/file-store.ts';
import { openDispatch, type DispatchLocation } from '../../core/distributed/store/open-dispatch.ts';
import { systemClock } from '../../core/base/system-clock.ts';
import { silentLogger } from '../harness/fakes.ts';

/** Options of the program, as JSON in its only argument. */
export interface CoordinatorSpec {
  readonly place: DispatchLocation;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly leaseMs: number;
  readonly tls?: CoordinatorTls | undefined;
}

/** A coordinator with a short lease, as a process that can be killed; SIGTERM stops it gracefully. */
const { place, leaseMs, ...rest } = JSON.parse(process.argv[2]!) as CoordinatorSpec;
const store = openDispatch(place, systemClock, { leaseMs, activationMs: 1000 });
const coordinator = await startCoordinator({
  ...rest,
  store,
  files: new FileStore(),
  version: 'test',
  clock: systemClock,
  logger: silentLogger,
});
process.once('SIGTERM', () => void coordinator.close().then(() => store.close()));
process.stdout.write(`${coordinator.url}\n`);
