import { AppError } from '../../../core/base/errors.ts';
import type { Bridge } from '../../../core/contract/transport/bridge.ts';
import type { DraftPort } from './draft-keeper.ts';

/** The draft of a workflow file, kept by the engine beside it. */
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
      } catch (thrown) {
        if (!(thrown instanceof AppError) || thrown.code !== 'conflict') throw thrown;
        // Another window has kept one: the last one that writes is kept, as with the file.
        return put(text, baseHash, (await load())?.revision ?? 0);
      }
    },
    async discard() {
      await bridge.call('drafts.delete', { fileName });
    },
  };
}
