import type { DesktopHandlers } from '../ipc/register-desktop.ts';
import type { lifeCalls } from '../../core/contract/desktop/life-calls.ts';
import type { Notifier } from '../notify/notifier.ts';
import type { DesktopSettingsFile } from './desktop-settings.ts';

/** Handles the settings page's calls for the desktop app. */
export const lifeHandlers = (
  settings: DesktopSettingsFile,
  notifier: Notifier,
): Pick<DesktopHandlers, keyof typeof lifeCalls> => ({
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
