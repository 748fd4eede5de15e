import type { ServiceControl } from '../../core/index.ts';
import type { DesktopHandlers } from '../ipc/register-desktop.ts';

/** Handles the window's calls for the background service. */
export const serviceHandlers = (
  open: () => ServiceControl,
): Pick<DesktopHandlers, 'service.status' | 'service.change'> => ({
  'service.status': () => open().status(),
  'service.change': async ({ action }) => {
    const service = open();
    await service[action]();
    return service.status();
  },
});
