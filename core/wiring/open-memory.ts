import { KeptLists } from '../api/kept/kept-lists.ts';
import { RunPictures } from '../api/kept/run-pictures.ts';
import { StoredWorkflows } from '../api/kept/stored-workflows.ts';
import { SystemChanges, type ChangeParts } from '../api/following/system-changes.ts';
import type { EngineConfig } from '../config/engine-config.ts';
import { localeCharset } from '../config/log-charset.ts';
import { LogReader } from '../logs/log-reader.ts';

/** Opens the caches of the handlers, so that unchanged data is not computed again. */
export const openMemory = (parts: ChangeParts, { ui }: EngineConfig) => ({
  logs: new LogReader({ clock: parts.clock, charset: ui.logEncodingCharset ?? localeCharset(process.env) }),
  storedWorkflows: new StoredWorkflows(),
  pictures: new RunPictures(),
  lists: new KeptLists(),
  changes: new SystemChanges(parts),
});
