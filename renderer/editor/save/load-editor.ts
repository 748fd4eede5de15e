import type { Bridge } from '../../../core/contract/transport/bridge.ts';
import { AppError } from '../../../core/base/errors.ts';
import { bridgeDrafts } from './bridge-drafts.ts';
import type { Draft } from './draft-keeper.ts';
import type { FileText } from './file-sync.ts';

/** What a visit of the editor begins with. */
export interface EditorStart {
  /** What the edits are based on: the file, or what it was when the draft was begun. */
  readonly saved: FileText;
  /** What the file holds, when that is another text by now. */
  readonly current: FileText | undefined;
  readonly draft: Draft | undefined;
}

/** Reads a workflow file, and the draft that is kept of it. */
export async function loadEditor(bridge: Bridge, fileName: string): Promise<EditorStart> {
  const [{ spec, hash }, draft] = await Promise.all([
    bridge.call('dags.spec', { fileName }),
    bridgeDrafts(bridge, fileName).load().catch(ignoreRefusal),
  ]);
  const file = { text: spec, hash };
  if (!draft || draft.text === spec) return { saved: file, current: undefined, draft: undefined };
  if (draft.baseHash === undefined || draft.baseHash === hash)
    return { saved: file, current: undefined, draft };
  const base = await findVersion(bridge, fileName, draft.baseHash);
  return base ? { saved: base, current: file, draft } : { saved: file, current: undefined, draft };
}

/** Who may not keep drafts has none; a draft that cannot be read keeps nobody from the file. */
function ignoreRefusal(thrown: unknown): undefined {
  if (!(thrown instanceof AppError)) throw thrown;
}

async function findVersion(bridge: Bridge, fileName: string, hash: string): Promise<FileText | undefined> {
  const { versions } = await bridge.call('versions.list', { fileName, limit: 100 });
  const found = versions.find((version) => version.hash === hash);
  if (!found) return undefined;
  const { spec } = await bridge.call('versions.get', { fileName, versionId: found.id });
  return { text: spec, hash };
}
