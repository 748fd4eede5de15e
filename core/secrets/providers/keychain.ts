import type { SecretProvider } from '../provider.ts';

/**
 * Returns a value from the keychain of the desktop app. Other hosts have no keychain: the encryption key is in the
 * user's session, and only the app requests it.
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
