// A file of its own: the contract of the secret store and what can keep its key, also in the desktop app.
import { Type, type Static } from 'typebox';

/** How a holder of the key of the secret store can be reached: the variable, the key file, the keychain of the system, or that of the desktop app. */
export const keyHolderKinds = ['variable', 'file', 'keychain', 'app'] as const;
export type KeyHolderKind = (typeof keyHolderKinds)[number];

/** What the secret store notes about one holder of its key. Contains no key. */
export const KeySlot = Type.Object({
  kind: Type.Enum([...keyHolderKinds]),
  /** Where the key is, for messages: `the key file /etc/stepwright/key`. */
  place: Type.String(),
  /** Host name of the machine that added the holder. */
  host: Type.String(),
  /** What the holder needs to return its key: a salt, or the key encrypted by the system. */
  hint: Type.String(),
  /** The key of the store, encrypted with the key of the holder. */
  sealed: Type.String(),
});
export type KeySlot = Static<typeof KeySlot>;

/** Keeps a key that opens the secret store of a home. */
export interface KeyHolder {
  readonly kind: KeyHolderKind;
  /** As in `KeySlot`. */
  readonly place: string;
  /** Whether other programs of the user could read the key. */
  isWeak?(): boolean;
  /**
   * Makes the key for a new slot, of 32 bytes. Rejects when the holder is not available; the message says why.
   * @param id identifies the store
   */
  create(id: string): Promise<{ readonly key: Buffer; readonly hint: string }>;
  /** Returns the key of a slot; undefined if this host does not have it. Rejects as `create` does. */
  find(id: string, slot: Pick<KeySlot, 'hint'>): Promise<Buffer | undefined>;
}
