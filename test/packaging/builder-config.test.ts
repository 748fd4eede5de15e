import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { parse } from 'yaml';
import { beforeAll, describe, expect, test } from 'vitest';

/** Settings of electron-builder.yml for platforms that cannot be packaged here. */
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
    // A dependency of electron-builder, which is not a direct dependency.
    const schema = JSON.parse(
      readFileSync(join(ROOT, 'node_modules/app-builder-lib/scheme.json'), 'utf8'),
    ) as object;
    // The schema has its own documentation keywords, and formats that Ajv leaves to a plugin.
    validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema);
  });

  test("matches electron-builder's own schema", () => {
    expect(validate(config)).toBe(true);
  });

  test('is rejected with an unknown field', () => {
    const parts = ['linux', 'mac', 'win', 'nsis'] as const;
    const accepted = parts.filter((part) =>
      validate({ ...config, [part]: { ...config[part], unknownWord: true } }),
    );
    expect(accepted).toEqual([]);
  });

  test('builds the installer and update formats of each platform', () => {
    expect(config.linux.target).toEqual(['AppImage', 'deb']);
    // Updates on macOS are read from the zip.
    expect(config.mac.target).toEqual(['dmg', 'zip']);
    expect(config.win.target).toEqual(['nsis']);
    expect(config.mac.hardenedRuntime).toBe(true);
    expect(config.nsis).toMatchObject({ oneClick: false, perMachine: false });
  });

  test('registers the URL scheme of the app', () => {
    expect(config.protocols.flatMap(({ schemes }) => schemes)).toEqual(['stepwright']);
  });

  test('offers to open YAML files, without becoming the default program', () => {
    for (const { fileAssociations } of [config.linux, config.mac])
      expect(fileAssociations.map(({ ext }) => ext)).toEqual([['yaml', 'yml']]);
    expect(config.mac.fileAssociations.map(({ rank }) => rank)).toEqual(['Alternate']);
    // The Windows installer can only become the default for a file type.
    expect(config.win).not.toHaveProperty('fileAssociations');
    expect(config).not.toHaveProperty('fileAssociations');
  });
});
