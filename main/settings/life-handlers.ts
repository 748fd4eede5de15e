import type { DesktopHandlers } from '../ipc/register-desktop.ts';
import type { appCalls } from '../../core/contract/desktop/life-calls.ts';
import type { Notifier } from '../notify/notifier.ts';
import type { DesktopSettingsFile } from './desktop-settings.ts';

/** Handles the settings page's calls for the desktop app. */
export const desktopSettingsHandlers = (
  settings: DesktopSettingsFile,
  notifier: Notifier,
): Pick<DesktopHandlers, keyof typeof appCalls> => ({
  'settings.get': () => settings.current,
  'settings.change': ({ change }) => settings.change(change),
  'notifications.try': () => {
    notifier.show({
      title: 'Stepwright',
      body: 'This is a test notification.',
      address: '#/settings',
      tone: 'info',
    });
    return { shown: notifier.isOnDesktop ? 'desktop' : 'window' };
  },
});
