import type { Bridge } from '../../../core/contract/transport/bridge.ts';
import { AppError } from '../../../core/base/errors.ts';
import { bridgeDrafts } from './bridge-drafts.ts';
import type { Draft } from './draft-keeper.ts';
import type { FileText } from './file-sync.ts';

/** Initial data of the editor. */
export interface EditorStart {
  /** The base of the edits: the file, or its contents when the draft was started. */
  readonly saved: FileText;
  /** The current contents of the file, if different. */
  readonly current: FileText | undefined;
  readonly draft: Draft | undefined;
}

/** Loads a workflow file and its draft. */
export async function loadEditor(bridge: Bridge, fileName: string): Promise<EditorStart> {
  const [{ spec, hash }, draft] = await Promise.all([
    bridge.call('dags.spec', { fileName }),
    bridgeDrafts(bridge, fileName).load().catch(ignoreAppError),
  ]);
  const file = { text: spec, hash };
  if (!draft || draft.text === spec) return { saved: file, current: undefined, draft: undefined };
  if (draft.baseHash === undefined || draft.baseHash === hash)
    return { saved: file, current: undefined, draft };
  const base = await findVersion(bridge, fileName, draft.baseHash);
  return base ? { saved: base, current: file, draft } : { saved: file, current: undefined, draft };
}

/** Without permission for drafts there is none; an unreadable draft must not prevent opening the file. */
function ignoreAppError(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error;
}

async function findVersion(bridge: Bridge, fileName: string, hash: string): Promise<FileText | undefined> {
  const { versions } = await bridge.call('versions.list', { fileName, limit: 100 });
  const found = versions.find((version) => version.hash === hash);
  if (!found) return undefined;
  const { spec } = await bridge.call('versions.get', { fileName, versionId: found.id });
  return { text: spec, hash };
}
