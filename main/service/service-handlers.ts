import type { ServiceControl } from '../../core/index.ts';
import type { DesktopHandlers } from '../ipc/register-desktop.ts';

/** Answers the window's wishes about the engine as a service of the system. */
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
