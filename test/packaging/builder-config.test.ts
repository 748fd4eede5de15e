import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { parse } from 'yaml';
import { beforeAll, describe, expect, test } from 'vitest';

/** What electron-builder.yml says for platforms that cannot be packed here. */
const ROOT = join(import.meta.dirname, '../..');

interface Association {
  readonly ext: readonly string[];
  readonly rank?: string;
}

interface BuilderConfig {
  readonly linux: { readonly target: readonly string[]; readonly fileAssociations: readonly Association[] };
  readonly mac: {
    readonly target: readonly string[];
    readonly hardenedRuntime: boolean;
    readonly fileAssociations: readonly Association[];
  };
  readonly win: { readonly target: readonly string[] };
  readonly protocols: readonly { readonly schemes: readonly string[] }[];
  readonly nsis: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

const config = parse(readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8')) as BuilderConfig;

describe('electron-builder.yml', () => {
  let validate: ValidateFunction;

  beforeAll(() => {
    // A part of electron-builder, which is not depended upon by itself.
    const schema = JSON.parse(
      readFileSync(join(ROOT, 'node_modules/app-builder-lib/scheme.json'), 'utf8'),
    ) as object;
    // The schema has words of its own for its documentation, and formats that Ajv leaves to a plugin.
    validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema);
  });

  test("keeps to electron-builder's own schema", () => {
    expect(validate(config)).toBe(true);
  });

  test('would be refused with a word that the schema does not know', () => {
    const parts = ['linux', 'mac', 'win', 'nsis'] as const;
    const accepted = parts.filter((part) =>
      validate({ ...config, [part]: { ...config[part], unknownWord: true } }),
    );
    expect(accepted).toEqual([]);
  });

  test('makes what each platform installs and updates itself from', () => {
    expect(config.linux.target).toEqual(['AppImage', 'deb']);
    // Updates on macOS are read from the zip.
    expect(config.mac.target).toEqual(['dmg', 'zip']);
    expect(config.win.target).toEqual(['nsis']);
    expect(config.mac.hardenedRuntime).toBe(true);
    expect(config.nsis).toMatchObject({ oneClick: false, perMachine: false });
  });

  test('registers the links that the app understands', () => {
    expect(config.protocols.flatMap(({ schemes }) => schemes)).toEqual(['stepwright']);
  });

  test('offers to open YAML files, and takes them from no other program', () => {
    for (const { fileAssociations } of [config.linux, config.mac])
      expect(fileAssociations.map(({ ext }) => ext)).toEqual([['yaml', 'yml']]);
    expect(config.mac.fileAssociations.map(({ rank }) => rank)).toEqual(['Alternate']);
    // The Windows installer can only take a kind of file over.
    expect(config.win).not.toHaveProperty('fileAssociations');
    expect(config).not.toHaveProperty('fileAssociations');
  });
});
