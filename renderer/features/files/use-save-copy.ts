import type { ExportRequest } from '../../../core/contract/desktop/system-calls.ts';
import { useBridge } from '../../api/bridge.ts';
import { showError } from '../../ui/overlay/show-error.ts';
import { showToast } from '../../ui/overlay/toasts.tsx';

/**
 * Returns a function that saves a copy through the system's save dialog and reports the result; it never
 * rejects. Undefined in a browser.
 */
export function useSaveCopy(): ((what: ExportRequest) => Promise<void>) | undefined {
  const { desktop } = useBridge();
  if (desktop === undefined) return undefined;
  return async (what) => {
    try {
      const { saved } = await desktop.call('files.export', { what });
      if (saved !== undefined) showToast('info', `Saved as ${saved}`);
    } catch (error) {
      showError(error);
    }
  };
}
