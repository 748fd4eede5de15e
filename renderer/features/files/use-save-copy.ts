import type { ExportWish } from '../../../core/contract/desktop/system-calls.ts';
import { useBridge } from '../../api/bridge.ts';
import { showRefusal } from '../../ui/overlay/show-refusal.ts';
import { showToast } from '../../ui/overlay/toasts.tsx';

/** Saves a copy where the person says in the system's dialog, and tells of it. Undefined in a browser; never rejects. */
export function useSaveCopy(): ((what: ExportWish) => Promise<void>) | undefined {
  const { desktop } = useBridge();
  if (desktop === undefined) return undefined;
  return async (what) => {
    try {
      const { saved } = await desktop.call('files.export', { what });
      if (saved !== undefined) showToast('info', `Saved as ${saved}`);
    } catch (thrown) {
      showRefusal(thrown);
    }
  };
}
