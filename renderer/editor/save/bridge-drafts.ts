import { AppError } from '../../../core/base/errors.ts';
import type { Bridge } from '../../../core/contract/transport/bridge.ts';
import type { DraftPort } from './draft-keeper.ts';

/** Access to the draft of a workflow file, which the engine stores next to it. */
export function bridgeDrafts(bridge: Bridge, fileName: string): DraftPort {
  const load: DraftPort['load'] = async () => {
    const { draft } = await bridge.call('drafts.get', { fileName });
    return draft && { text: draft.spec, ...draft, baseHash: draft.baseHash };
  };
  const put = async (text: string, baseHash: string, revision: number): Promise<number> =>
    (await bridge.call('drafts.put', { fileName, spec: text, baseHash, revision })).revision;
  return {
    load,
    async keep(text, baseHash, revision) {
      try {
        return await put(text, baseHash, revision);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
        // Another window has saved a draft: the last write wins, as for the file.
        return put(text, baseHash, (await load())?.revision ?? 0);
      }
    },
    async discard() {
      await bridge.call('drafts.delete', { fileName });
    },
  };
}
