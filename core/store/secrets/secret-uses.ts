import path from 'node:path';
import type { Secret } from '../../model/settings.ts';
import type { SecretUse } from '../../contract/home-files.ts';
import { JsonFile } from '../json-file.ts';

/** Recorded times are accurate to a minute, so that frequent runs seldom write. */
const accuracyMs = 60_000;
const maxUses = 2000;

/** Which run of this home has used each secret last: `data/secret-uses.json`. */
export class SecretUses {
  readonly #file: JsonFile<'secretUses'>;

  /** @param dataDir absolute path */
  constructor(dataDir: string) {
    const file = path.join(dataDir, 'secret-uses.json');
    this.#file = new JsonFile({
      file,
      lock: `${file}.lock`,
      kind: 'secretUses',
      empty: { uses: {} },
      what: 'list of used secrets',
      remedy: 'Delete it.',
    });
  }

  /** @param at epoch milliseconds */
  record(secrets: readonly Pick<Secret, 'provider' | 'key'>[], workflow: string, at: number): void {
    const { uses } = this.#file.read();
    const isRecorded = ({ provider, key }: Pick<Secret, 'provider' | 'key'>): boolean => {
      const last = findUse(uses, provider, key);
      return last !== undefined && last.workflow === workflow && Math.abs(at - last.at) < accuracyMs;
    };
    if (secrets.every(isRecorded)) return;
    const added = secrets.map(({ provider, key }) => [toId(provider, key), { at, workflow }] as const);
    this.#file.change((content) => {
      const merged = Object.entries({ ...content.uses, ...Object.fromEntries(added) });
      const newest = merged.sort(([, a], [, b]) => b.at - a.at).slice(0, maxUses);
      return { content: { uses: Object.fromEntries(newest) }, result: undefined };
    });
  }

  find(provider: string, key: string): SecretUse | undefined {
    return findUse(this.#file.read().uses, provider, key);
  }
}

/** Entries of the keychain are moved to the store. */
const toId = (provider: string, key: string): string =>
  `${provider === 'keychain' ? 'store' : provider} ${key}`;

const findUse = (
  uses: Readonly<Record<string, SecretUse>>,
  provider: string,
  key: string,
): SecretUse | undefined => {
  const id = toId(provider, key);
  return Object.hasOwn(uses, id) ? uses[id] : undefined;
};
