import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemKeychain } from '../../../../core/process/secrets/system-keychain.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

/** Programs of the systems, as far as their documentation describes what is used of them. */
const programs = {
  'secret-tool': `#!/bin/sh
echo "$@" >> "$DIR/args"
case "$1" in
  store) cat > "$DIR/item-$6" ;;
  lookup) cat "$DIR/item-$5" 2>/dev/null || exit 1 ;;
esac
`,
  security: `#!/bin/sh
echo "$@" >> "$DIR/args"
if [ "$1" = -i ]; then
  read -r line
  eval "set -- $line"
  [ "$1 $2 $3 $5 $6 $7" = 'add-generic-password -U -a -s Stepwright secrets -w' ] || exit 2
  printf '%s\\n' "$8" > "$DIR/item-$4"
else
  cat "$DIR/item-$3" 2>/dev/null || exit 44
fi
`,
  'powershell.exe': `#!/bin/sh
echo "$@" >> "$DIR/args"
case "$*" in *Unprotect*) cut -c 4- ;; *) printf 'win'; cat ;; esac
`,
};

function fakeSystem(platform: NodeJS.Platform, names: readonly (keyof typeof programs)[]) {
  const folder = makeTemporaryFolder();
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  for (const name of names) {
    writeFileSync(path.join(bin, name), programs[name]);
    chmodSync(path.join(bin, name), 0o755);
  }
  const environment = { PATH: `${bin}:/usr/bin:/bin`, DIR: folder };
  const readArgs = (): string => readFileSync(path.join(folder, 'args'), 'utf8');
  return { keychain: systemKeychain(platform, environment), readArgs };
}

const systems = [
  ['linux', 'secret-tool'],
  ['darwin', 'security'],
  ['win32', 'powershell.exe'],
] as const;

// The programs are shell scripts.
describe.skipIf(process.platform === 'win32')('the keychain of the system', () => {
  it.each(systems)('on %s keeps a key, which is never an argument', async (platform, program) => {
    const { keychain, readArgs } = fakeSystem(platform, [program]);
    const { key, hint } = await keychain.create('store-1');
    expect(key).toHaveLength(32);
    expect(await keychain.find('store-1', { hint })).toEqual(key);
    expect(readArgs()).not.toContain(key.toString('base64'));
  });

  it.each([systems[0], systems[1]])('on %s has no key of another store', async (platform, program) => {
    const { keychain } = fakeSystem(platform, [program]);
    await keychain.create('store-1');
    expect(await keychain.find('store-2', { hint: '' })).toBeUndefined();
  });

  it('names what is not installed', async () => {
    const { keychain } = fakeSystem('linux', []);
    const message = 'secret-tool (package libsecret-tools) is not installed';
    await expect(keychain.create('store-1')).rejects.toThrow(message);
    await expect(keychain.find('store-1', { hint: '' })).rejects.toThrow(message);
  });
});
