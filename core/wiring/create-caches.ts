import { ListCache } from '../api/cache/list-cache.ts';
import { RunDetailCache } from '../api/cache/run-detail-cache.ts';
import { WorkflowCache } from '../api/cache/workflow-cache.ts';
import { SystemChanges, type ChangeDeps } from '../api/following/system-changes.ts';
import type { EngineConfig } from '../config/engine-config.ts';
import { localeCharset } from '../config/log-charset.ts';
import { LogReader } from '../logs/log-reader.ts';

/** Opens the caches of the handlers, so that unchanged data is not computed again. */
export const createCaches = (deps: ChangeDeps, { ui }: EngineConfig) => ({
  logs: new LogReader({ clock: deps.clock, charset: ui.logEncodingCharset ?? localeCharset(process.env) }),
  storedWorkflows: new WorkflowCache(),
  pictures: new RunDetailCache(),
  lists: new ListCache(),
  changes: new SystemChanges(deps),
});
