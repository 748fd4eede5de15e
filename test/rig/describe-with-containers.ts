import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { missingForContainers, TestContainerEngine } from './servers/container-engine.ts';

/**
 * Tests that need a container engine, shared by all, in files of the project `containers` of
 * vitest.config.ts. They are skipped, with the reason in the title, where something is missing.
 */
export function describeWithContainers(
  name: string,
  define: (engine: () => TestContainerEngine) => void,
): void {
  if (process.env['MAY_START_CONTAINERS'] === undefined)
    throw new Error('Add this file to the project "containers" of vitest.config.ts: it starts containers');
  const missing = missingForContainers === undefined ? '' : ` (missing here: ${missingForContainers})`;
  describe.skipIf(missingForContainers !== undefined)(`${name}${missing}`, { timeout: 30_000 }, () => {
    let engine: TestContainerEngine | undefined;
    beforeAll(async () => {
      engine = await TestContainerEngine.start(mkdtempSync(join(tmpdir(), 'containers-')));
    }, 60_000);
    afterAll(() => engine?.close(), 60_000);
    define(() => engine!);
  });
}
