import type { EngineConfig } from '../config/engine-config.ts';
import type { RunService } from '../run/run-service.ts';
import { Dispatcher, type DispatcherDeps } from './dispatcher.ts';
import { QueueLimits } from './queue-limits.ts';
import { Queues } from './queues.ts';

/** Opens the queues of a home, and the dispatcher, which starts their runs after `start`. */
export function openQueues(
  shared: Omit<DispatcherDeps, 'limits'> & {
    readonly config: Pick<EngineConfig, 'queues'>;
    readonly service: RunService;
  },
): { readonly queues: Queues; readonly dispatcher: Dispatcher } {
  const { config, service, ...deps } = shared;
  const limits = new QueueLimits(config.queues);
  const dispatcher = new Dispatcher({ ...deps, limits });
  const { store, hub, clock, watch } = deps;
  const onOpened = (): void => dispatcher.checkAll();
  const queues = new Queues({ store, service, hub, clock, limits, watch, onOpened });
  return { queues, dispatcher };
}
