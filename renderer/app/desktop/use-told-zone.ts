import { useEffect } from 'react';
import { useChangeDesktopSettings, useDesktopSettings } from '../../api/queries/desktop/desktop-queries.ts';
import { usePreferences } from '../preferences.ts';

/** Tells the desktop app the time zone of the views, which quiet hours go by unless they have one of their own. */
export function useToldZone(): void {
  const { timeZone } = usePreferences();
  const told = useDesktopSettings().data?.notifications.viewZone;
  const { mutate } = useChangeDesktopSettings();
  const zone = timeZone === 'local' ? new Intl.DateTimeFormat().resolvedOptions().timeZone : timeZone;
  useEffect(() => {
    if (told !== undefined && told !== zone) mutate({ notifications: { viewZone: zone } });
  }, [told, zone, mutate]);
}
