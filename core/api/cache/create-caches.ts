import { ListCache, RunDetailCache, WorkflowCache } from '../caches.ts';
import { SystemChanges, type ChangeDeps } from '../system-changes.ts';
import type { EngineConfig } from '../../home/config/engine-config.ts';
import { localeCharset } from '../../home/config/log-charset.ts';
import { LogReader } from '../../run/logs/log-reader.ts';

/** Opens the caches of the handlers, so that unchanged data is not computed again. */
export const createCaches = (deps: ChangeDeps, { ui }: EngineConfig) => ({
  logs: new LogReader({ clock: deps.clock, charset: ui.logEncodingCharset ?? localeCharset(process.env) }),
  storedWorkflows: new WorkflowCache(),
  pictures: new RunDetailCache(),
  lists: new ListCache(),
  changes: new SystemChanges(deps),
});
