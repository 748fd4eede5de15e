import { useEffect } from 'react';
import { useChangeDesktopSettings, useDesktopSettings } from '../../api/queries/desktop/desktop-queries.ts';
import { usePreferences } from '../preferences.ts';

/** Reports the displayed time zone to the desktop app, which uses it for quiet hours without their own zone. */
export function useServerTimeZone(): void {
  const { timeZone } = usePreferences();
  const serverZone = useDesktopSettings().data?.notifications.viewZone;
  const { mutate } = useChangeDesktopSettings();
  const zone = timeZone === 'local' ? new Intl.DateTimeFormat().resolvedOptions().timeZone : timeZone;
  useEffect(() => {
    if (serverZone !== undefined && serverZone !== zone) mutate({ notifications: { viewZone: zone } });
  }, [serverZone, zone, mutate]);
}
