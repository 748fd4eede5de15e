import { toIso } from '../../../base/clock.ts';
import type { HostView } from '../../../contract/installation/services.ts';
import type { EngineContext } from '../../engine-context.ts';
import type { HandlersFor } from '../handlers.ts';

/** Maximum number of hosts in a list, the newest ones; hosts that ended long ago are deleted anyway. */
const maxHosts = 200;

/** Operations on the processes of the home. */
export const serviceHandlers: HandlersFor<'services.hosts'> = {
  'services.hosts': (_input, context) => ({ hosts: listHostViews(context) }),
};

/** Lists the processes of the home, newest first. */
export const listHostViews = ({ store, watch }: EngineContext): HostView[] =>
  store.listHosts(maxHosts).map(({ host, runs }) => {
    const reason = watch.findExpiry(host);
    return {
      hostId: host.owner.id ?? String(host.key),
      kind: host.kind,
      hostname: host.owner.host,
      pid: host.owner.pid,
      startedAt: toIso(host.startedAt),
      lastSeenAt: toIso(host.beatAt),
      status: reason === undefined ? 'active' : 'gone',
      reason,
      activeRuns: runs,
    };
  });
