// A file of its own: the contract of the secret store and what can keep its key, also in the desktop app.
import type { KeyHolderKind, KeySlot } from '../../contract/home-files.ts';

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
