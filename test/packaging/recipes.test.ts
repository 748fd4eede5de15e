import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import {
  buildDebianControl,
  buildFormula,
  buildWingetManifests,
  releaseUrl,
} from '../../scripts/package/recipes.ts';

const sha256 = 'ab'.repeat(32);
const release = {
  url: releaseUrl('https://example.com/v1', `/tmp/stepwright-${manifest.version}.tgz`),
  sha256,
};

describe('recipes', () => {
  test('the Homebrew formula installs the npm package, man page and completion, and runs a workflow', () => {
    const formula = buildFormula(release);
    expect(formula).toContain(`url "https://example.com/v1/stepwright-${manifest.version}.tgz"`);
    expect(formula).toContain(`sha256 "${sha256}"`);
    for (const line of ['std_npm_args', 'man1.install_symlink', 'generate_completions_from_executable'])
      expect(formula).toContain(line);
    // brew audit: at most 80 characters, no article, no name of the formula.
    const [, description = ''] = /desc "(.*)"/.exec(formula)!;
    expect(description.length).toBeLessThanOrEqual(80);
    expect(description).not.toMatch(/^(an?|the) |stepwright|\.$/i);
  });

  /** Schemas of https://github.com/microsoft/winget-cli. */
  test.each(['version', 'installer', 'defaultLocale'])(
    "the winget manifest %s matches winget's schema",
    (type) => {
      const schema = JSON.parse(
        readFileSync(join(import.meta.dirname, 'winget-schemas', `${type}.json`), 'utf8'),
      ) as object;
      const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
      const manifests = [...buildWingetManifests(release).values()].map((text) => parse(text) as object);
      const found = manifests.find((one) => 'ManifestType' in one && one.ManifestType === type);
      validate(found);
      expect(validate.errors).toBeNull();
      expect(validate({ ...found, PackageVersion: '' })).toBe(false);
    },
  );

  test('the control file of the Debian package has its mandatory fields', () => {
    const maintainer = 'A <a@example.com>';
    const control = buildDebianControl({ architecture: 'amd64', kibibytes: 7, maintainer });
    const fields = Object.fromEntries(
      [...control.matchAll(/^([A-Z][\w-]+): (.+)$/gm)].map(([, name, value]) => [name, value]),
    );
    expect(fields).toMatchObject({
      Package: 'stepwright-cli',
      Version: `${manifest.version}-1`,
      Architecture: 'amd64',
      Maintainer: maintainer,
      'Installed-Size': '7',
      Conflicts: 'stepwright',
    });
    // Continuation lines of the description.
    expect(control.slice(control.indexOf('Description:'))).toMatch(/^Description: .+\n( .+\n)+$/);
  });
});
