import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import path from 'node:path';
import { AppError, getErrorMessage } from '../../base/errors.ts';
import { secretNamePattern } from '../../base/ids.ts';
import { toIso, type Clock } from '../../base/clock.ts';
import type { KeyHolder } from '../../process/secrets/key-holder.ts';
import type { HomeFile, KeySlot } from '../../contract/home-files.ts';
import { JsonFile } from '../json-file.ts';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts a value with AES-256-GCM.
 * @param bound what the value belongs to, such as the name of the secret: it can only be opened for the same
 * @returns nonce, tag and ciphertext, in Base64
 */
function seal(value: Buffer, key: Buffer, bound: readonly string[]): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes });
  cipher.setAAD(encodeBound(bound));
  const content = Buffer.concat([cipher.update(value), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), content]).toString('base64');
}

/** Decrypts a value; undefined if the key is another one, or the value was changed or belongs to something else. */
function unseal(sealed: string, key: Buffer, bound: readonly string[]): Buffer | undefined {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < ivBytes + tagBytes) return undefined;
  try {
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(encodeBound(bound));
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}

const encodeBound = (bound: readonly string[]): Buffer =>
  Buffer.from(JSON.stringify(['stepwright', 1, ...bound]));

type Content = HomeFile<'secrets'>;

const currentVersion = 1;
const empty: Content = { version: currentVersion, id: '', slots: [], secrets: {} };

const nameRule = new RegExp(secretNamePattern);
const maxValueBytes = 64 * 1024;

/** A stored secret without its value. */
export interface StoredSecret {
  readonly name: string;
  /** ISO 8601. */
  readonly changedAt: string;
  readonly changedBy?: string | undefined;
}

/** Result of storing a value. */
export interface SecretChange extends StoredSecret {
  readonly isNew: boolean;
  /** Where the key of the store is, when this value is the first. */
  readonly keyPlace?: string;
}

/** Whether this host can open the store. */
export interface StoreStatus {
  readonly state: 'empty' | 'open' | 'locked';
  /** Where the keys are. */
  readonly places: readonly string[];
  /** Why the store cannot be opened, and what to do. */
  readonly problem?: string;
  /** Whether other programs of the user could read the key. */
  readonly isWeak: boolean;
}

/**
 * Secrets of a home, for all its hosts: `data/secrets.json`. Each value is encrypted with the key of the store, which is
 * encrypted with the key of each holder. Every process reads the current content; changes are made under a lock.
 */
export class SecretStore {
  readonly #file: JsonFile<'secrets'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #holders: readonly KeyHolder[];
  /** The key of the store that this process has opened. */
  #opened: { readonly id: string; readonly key: Buffer } | undefined;

  /**
   * @param dataDir Absolute path of the folder of the file; may be missing.
   * @param holders Holders that this host can reach, best first.
   */
  constructor(dataDir: string, clock: Pick<Clock, 'now'>, holders: readonly KeyHolder[]) {
    const file = path.join(dataDir, 'secrets.json');
    this.#clock = clock;
    this.#holders = holders;
    this.#file = new JsonFile({
      file,
      lock: `${file}.lock`,
      kind: 'secrets',
      empty,
      what: 'secret store',
      remedy: 'Restore it from a backup, or delete it and enter the secrets again.',
    });
  }

  /** Lists the secrets by name. */
  list(): StoredSecret[] {
    return Object.entries(this.#read().secrets)
      .map(([name, { changedAt, changedBy }]) => ({ name, changedAt, changedBy }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Returns a value; undefined if there is none. Rejects with `unavailable` if it cannot be opened here. */
  async get(name: string): Promise<string | undefined> {
    const content = this.#read();
    const entry = Object.hasOwn(content.secrets, name) ? content.secrets[name] : undefined;
    if (entry === undefined) return undefined;
    const value = unseal(entry.sealed, await this.#open(content), [content.id, name]);
    if (value !== undefined) return value.toString('utf8');
    throw new AppError('unavailable', `The stored secret ${name} is damaged. Enter its value again.`);
  }

  /**
   * Stores a value. Rejects with `bad_request` for a name or value that cannot be used, and `unavailable` without a key.
   */
  async set(name: string, value: string, changedBy?: string): Promise<SecretChange> {
    checkSecret(name, value);
    const initial = this.#read();
    const isFirst = initial.slots.length === 0;
    const { content: prepared, key } = isFirst ? await this.#create() : await this.#withSlots(initial);
    const changedAt = toIso(this.#clock.now());
    const sealed = seal(Buffer.from(value), key, [prepared.id, name]);
    const entry = { sealed, changedAt, ...(changedBy !== undefined && { changedBy }) };
    const change = this.#file.change((current) => {
      // Another process has created the store, or its file was replaced.
      if (current.id !== initial.id) return { result: undefined };
      const content = {
        ...prepared,
        secrets: { ...current.secrets, [name]: entry },
        slots: mergeSlots(current.slots, prepared.slots),
      };
      return {
        content,
        result: { name, changedAt, changedBy, isNew: !Object.hasOwn(current.secrets, name) },
      };
    });
    if (change === undefined) return this.set(name, value, changedBy);
    this.#opened = { id: prepared.id, key };
    return isFirst ? { ...change, keyPlace: prepared.slots[0]!.place } : change;
  }

  /** Deletes a secret, which does not need the key. @throws `not_found` */
  delete(name: string): StoredSecret {
    return this.#file.change((content) => {
      checkVersion(content);
      const removed = Object.hasOwn(content.secrets, name) ? content.secrets[name] : undefined;
      if (removed === undefined) throw new AppError('not_found', `Secret "${name}" not found.`);
      const { [name]: _removed, ...secrets } = content.secrets;
      const { changedAt, changedBy } = removed;
      return { content: { ...content, secrets }, result: { name, changedAt, changedBy } };
    });
  }

  /** Tries to open the store. */
  async status(): Promise<StoreStatus> {
    const content = this.#read();
    const places = content.slots.map(({ place, host }) => describeSlot(place, host));
    const isWeak = this.#holders.some((holder) => holder.isWeak?.() === true && isOf(content, holder));
    if (content.slots.length === 0) return { state: 'empty', places, isWeak };
    try {
      await this.#open(content);
      return { state: 'open', places, isWeak };
    } catch (error) {
      return { state: 'locked', places, isWeak, problem: getErrorMessage(error) };
    }
  }

  #read(): Content {
    const content = this.#file.read();
    checkVersion(content);
    return content;
  }

  async #open(content: Content): Promise<Buffer> {
    if (this.#opened?.id === content.id) return this.#opened.key;
    const problems: string[] = [];
    for (const holder of this.#holders.filter((each) => isOf(content, each))) {
      try {
        const key = await this.#openWith(holder, content);
        if (key !== undefined) {
          this.#opened = { id: content.id, key };
          return key;
        }
        problems.push(`${holder.place} does not have its key`);
      } catch (error) {
        problems.push(`${holder.place}: ${getErrorMessage(error)}`);
      }
    }
    throw lockedError(content.slots, problems);
  }

  /** Makes a store whose key is stored by the first holder that is available. */
  async #create(): Promise<{ content: Content; key: Buffer }> {
    const id = randomUUID();
    const key = randomBytes(32);
    const problems: string[] = [];
    for (const holder of this.#holders) {
      try {
        return { content: { ...empty, id, slots: [await addSlot(holder, id, key)] }, key };
      } catch (error) {
        problems.push(`${holder.place}: ${getErrorMessage(error)}`);
        // What the user has set is used, or nothing.
        if (isExplicit(holder)) break;
      }
    }
    throw new AppError('unavailable', `The secret store has no key (${problems.join('; ')}). ${advice}`);
  }

  /** Opens the store and adds the variable or key file that was set since, so that other hosts can open it with them. */
  async #withSlots(content: Content): Promise<{ content: Content; key: Buffer }> {
    const key = await this.#open(content);
    const added: KeySlot[] = [];
    for (const holder of this.#holders.filter(isExplicit)) {
      const found = await this.#openWith(holder, content).catch(() => undefined);
      if (found === undefined) added.push(await addSlot(holder, content.id, key));
    }
    return { content: { ...content, slots: added }, key };
  }

  /** Returns the key of the store if the holder has it. Rejects when the holder is not available. */
  async #openWith(holder: KeyHolder, { id, slots }: Content): Promise<Buffer | undefined> {
    for (const slot of slots.filter(({ kind }) => kind === holder.kind)) {
      const held = await holder.find(id, slot);
      const key = held && unseal(slot.sealed, held, [id, slot.kind]);
      if (key !== undefined) return key;
    }
    return undefined;
  }
}

const isOf = ({ slots }: Content, { kind }: KeyHolder): boolean => slots.some((slot) => slot.kind === kind);

/** Whether the user has set the key, instead of the system. */
const isExplicit = ({ kind }: KeyHolder): boolean => kind === 'variable' || kind === 'file';

async function addSlot(holder: KeyHolder, id: string, storeKey: Buffer): Promise<KeySlot> {
  const { kind, place } = holder;
  const { key, hint } = await holder.create(id);
  return { kind, place, host: hostname(), hint, sealed: seal(storeKey, key, [id, kind]) };
}

/** Adds slots; each replaces the one of the same holder, whose key has changed. */
function mergeSlots(current: readonly KeySlot[], added: readonly KeySlot[]): KeySlot[] {
  const isReplaced = ({ kind, place, host }: KeySlot): boolean =>
    added.some((slot) => slot.kind === kind && slot.place === place && slot.host === host);
  return [...current.filter((slot) => !isReplaced(slot)), ...added];
}

const advice =
  'Set the variable ENGINE_SECRETS_KEY, or a key file with "engine config set secrets.keyFile FILE", and restart.';

const describeSlot = (place: string, host: string): string => `${place} on ${host}`;

function lockedError(slots: readonly KeySlot[], problems: readonly string[]): AppError {
  const places = slots.map(({ place, host }) => describeSlot(place, host)).join(' or ');
  const reason = problems.length === 0 ? '' : ` (${problems.join('; ')})`;
  return new AppError(
    'unavailable',
    `Cannot open the secret store on this host${reason}. Its key is in ${places}. ${adviseOn(slots)}`,
  );
}

/** Says how this host gets the key of a store, easiest way first. */
function adviseOn(slots: readonly KeySlot[]): string {
  const slot = ['variable', 'file'].map((kind) => slots.find((each) => each.kind === kind)).find(Boolean);
  if (slot?.kind === 'variable') return `Set ENGINE_SECRETS_KEY to the same value as on ${slot.host}.`;
  if (slot?.kind === 'file')
    return 'Copy this file, and set it with "engine config set secrets.keyFile FILE".';
  const host = slots.find(({ kind }) => kind === 'app') === undefined ? 'there' : 'in the desktop app';
  return `Start the workflow ${host}; or set a key file there (secrets.keyFile), store any secret again, and use the same key file here.`;
}

function checkVersion({ version }: Content): void {
  if (version <= currentVersion) return;
  throw new AppError(
    'unavailable',
    `The secret store was written by a newer release (format ${version}). Update Stepwright.`,
  );
}

function checkSecret(name: string, value: string): void {
  if (!nameRule.test(name))
    throw new AppError(
      'bad_request',
      `Invalid secret name "${name.slice(0, 60)}". Use 1 to 128 letters, digits and . _ - : / @ without spaces.`,
    );
  if (value === '') throw new AppError('bad_request', 'The value is empty.');
  if (value.includes('\0')) throw new AppError('bad_request', 'A value cannot contain a NUL byte.');
  if (Buffer.byteLength(value) > maxValueBytes)
    throw new AppError('bad_request', `The value is larger than ${maxValueBytes / 1024} KiB.`);
}
