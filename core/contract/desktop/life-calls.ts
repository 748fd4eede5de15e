import Type from 'typebox';
import { defineDesktopCall } from './desktop-call.ts';
import { DesktopSettings, DesktopSettingsChange } from './settings.ts';

/** Settings of the desktop app and capabilities of the desktop environment. */
export const appCalls = {
  'settings.get': defineDesktopCall({ input: Type.Object({}), output: DesktopSettings }),
  'settings.change': defineDesktopCall({
    input: Type.Object({ change: DesktopSettingsChange }),
    output: DesktopSettings,
  }),
  /** Shows a test notification. */
  'notifications.try': defineDesktopCall({
    input: Type.Object({}),
    /** `window`: the desktop environment shows no notifications, so they appear in the window. */
    output: Type.Object({ shown: Type.Unsafe<'desktop' | 'window'>({ enum: ['desktop', 'window'] }) }),
  }),
};
