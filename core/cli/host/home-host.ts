import type { EngineHost } from '../../api/engine-host.ts';
import { homePaths } from '../../config/home.ts';
import type { CommandContext } from '../command-context.ts';
import { checkResourceNames } from './check-resource-names.ts';
import type { EngineClient } from './host-api.ts';
import { localWorkflows } from './home-workflows.ts';

/** Returns the API of a home opened by this process. Closing it stops the runs of this process. */
export function localEngine(host: EngineHost, context: Pick<CommandContext, 'cwd'>): EngineClient {
  const { home } = host;
  const workflows = localWorkflows({ cwd: context.cwd, dags: homePaths(home, host.config.paths).dags });
  return {
    api: checkResourceNames(host.api),
    location: home,
    isRemote: false,
    workflows,
    startRun: (request) => host.startRun(request),
    startNamed: async (argument, request) =>
      host.startRun({ ...request, source: await workflows.find(argument) }),
    enqueueRun: (request) => host.enqueueRun(request),
    waitForEnd: (run) => host.waitForEnd(run),
    waitForOutcome: (run) => host.waitForEnd(run),
    forceStop: (run) => host.forceStop(run),
    sendWebhooks: () => host.sendWebhooks(),
    hasOrphans: () => host.hasOrphans(),
    close: () => host.close('stop'),
  };
}
