import { captureCommand } from '../process/capture.ts';
import { findServiceFacts, type ServiceWish } from './find-facts.ts';
import { planService, ServiceControl } from './service-control.ts';

/** Larger than any output of a service manager. */
const mostBytes = 256 * 1024;

/** Returns the service of a home on this machine. Throws `bad_request` if there is no service manager. */
export function openService(wish: ServiceWish): ServiceControl {
  const env = Object.fromEntries(
    Object.entries(wish.environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return new ServiceControl(planService(findServiceFacts(wish)), (argv) =>
    captureCommand({ argv, env, cwd: process.platform === 'win32' ? wish.home : '/', maxBytes: mostBytes }),
  );
}
