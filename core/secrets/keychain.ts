/** Secrets that the desktop app keeps for the engine that it hosts. */
export interface Keychain {
  /** Undefined when there is no such entry. Rejects with an error that says what is wrong, without any value. */
  read(key: string): Promise<string | undefined>;
}
