import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Electron's checklist (docs/tutorial/security.md), as far as it can be checked statically. */
describe('fuses', () => {
  const { electronFuses } = parse(read('electron-builder.yml')) as { electronFuses: Record<string, boolean> };

  test.each([
    ['enableNodeOptionsEnvironmentVariable', false],
    ['enableNodeCliInspectArguments', false],
    ['enableEmbeddedAsarIntegrityValidation', true],
    ['onlyLoadAppFromAsar', true],
    ['grantFileProtocolExtraPrivileges', false],
    ['enableCookieEncryption', true],
  ])('%s is %s', (fuse, wanted) => {
    expect(electronFuses[fuse]).toBe(wanted);
  });
});

test('the sandbox is enabled for every window before Electron is ready', () => {
  const main = read('main/index.ts');
  expect(main.indexOf('app.enableSandbox()')).toBeGreaterThan(0);
  expect(main.indexOf('app.enableSandbox()')).toBeLessThan(main.indexOf('.whenReady()'));
});

test('the page loads nothing from other origins', () => {
  expect(read('renderer/index.html')).not.toMatch(/(src|href)="(https?:)?\/\//);
});
