import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findRepeatingFiles, VERIFIED_FILE } from '../../scripts/setup/test-selection.mjs';

const root = join(import.meta.dirname, '../..');

describe('npm run test:long', () => {
  it('runs the files with randomized tests only', () => {
    const files = findRepeatingFiles();
    // Each reads a variable itself, or through a module.
    expect(files).toEqual(
      expect.arrayContaining([
        'test/core/gateway/fuzz.test.ts',
        'test/core/spec/plan/plan-properties.test.ts',
        'test/e2e/editor-monkey.spec.ts',
        'test/faults/distributed/workers.test.ts',
        'test/faults/kill-runs.test.ts',
        'test/faults/soak.test.ts',
        'test/simulation/dispatch.test.ts',
      ]),
    );
    expect(files).not.toContain('test/core/spec/plan/policies.retry.test.ts');
    expect(files.length).toBeLessThan(100);
  });

  it('has the hash of the Electron stand-in verified by its fidelity specs', () => {
    expect(existsSync(join(root, VERIFIED_FILE))).toBe(true);
  });
});
