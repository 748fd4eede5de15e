import Type from 'typebox';
import { defineDesktopCall } from './desktop-call.ts';
import { DesktopSettings, DesktopSettingsChange } from './settings.ts';

/** Settings of the desktop app, and what the desktop it runs on can do. */
export const lifeCalls = {
  'settings.get': defineDesktopCall({ input: Type.Object({}), output: DesktopSettings }),
  'settings.change': defineDesktopCall({
    input: Type.Object({ change: DesktopSettingsChange }),
    output: DesktopSettings,
  }),
  /** Shows one notification, so that a person sees whether and how they come. */
  'notifications.try': defineDesktopCall({
    input: Type.Object({}),
    /** `window`: this desktop shows none, so they come as messages in the window. */
    output: Type.Object({ shown: Type.Unsafe<'desktop' | 'window'>({ enum: ['desktop', 'window'] }) }),
  }),
};
