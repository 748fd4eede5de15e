import { captureCommand } from '../process/capture.ts';
import { findServiceInfo, type ServiceOptions } from './find-service-info.ts';
import { planService, ServiceControl } from './service-control.ts';

/** Larger than any output of a service manager. */
const maxBytes = 256 * 1024;

/** Returns the service of a home on this machine. Throws `bad_request` if there is no service manager. */
export function openService(options: ServiceOptions): ServiceControl {
  const env = Object.fromEntries(
    Object.entries(options.environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return new ServiceControl(planService(findServiceInfo(options)), (argv) =>
    captureCommand({ argv, env, cwd: process.platform === 'win32' ? options.home : '/', maxBytes }),
  );
}
