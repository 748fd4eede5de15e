import type { SecretProvider } from '../provider.ts';

/**
 * A value that the keychain of the desktop app holds. A host that is not the app has none: the key of what it wrote is
 * with the system's session, and only the app asks for it.
 */
export const keychainProvider: SecretProvider = {
  name: 'keychain',
  async resolve({ key }, { keychain }) {
    if (keychain === undefined) {
      throw new Error(
        'the keychain is only available in the desktop app; start the workflow there, or use "env" or "file"',
      );
    }
    const value = await keychain.read(key);
    if (value !== undefined) return value;
    throw new Error(
      `keychain entry ${key} not found; add it in the desktop app (Settings, System, Keychain)`,
    );
  },
};
