import { createStrictModule } from '../app/strict-module.ts';

const registered = new Set<string>();

/** Electron's `globalShortcut`: records registrations; no key is ever pressed. */
export const globalShortcut = createStrictModule('globalShortcut', {
  register(accelerator: string, _callback: () => void): boolean {
    if (registered.has(accelerator)) return false;
    registered.add(accelerator);
    return true;
  },
  unregister: (accelerator: string): void => void registered.delete(accelerator),
  unregisterAll: (): void => registered.clear(),
  isRegistered: (accelerator: string): boolean => registered.has(accelerator),
});
