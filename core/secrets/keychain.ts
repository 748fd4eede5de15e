/** Secrets that the desktop app stores for its engine. */
export interface Keychain {
  /**
   * Returns the value of a key; undefined if there is none. Rejects with an error message that never contains a value.
   */
  read(key: string): Promise<string | undefined>;
}
