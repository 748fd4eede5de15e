import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { missingForSsh, SshServer } from './servers/ssh-server.ts';

/**
 * Tests that need an OpenSSH server, shared by all. They are skipped, with the reason in the title, where
 * something is missing.
 */
export function describeWithSsh(name: string, define: (server: () => SshServer) => void): void {
  const missing = missingForSsh === undefined ? '' : ` (missing here: ${missingForSsh})`;
  describe.skipIf(missingForSsh !== undefined)(`${name}${missing}`, { timeout: 20_000 }, () => {
    let folder: string;
    let server: SshServer | undefined;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'stepwright-ssh-'));
      server = await SshServer.start(folder);
    }, 30_000);
    afterAll(async () => {
      await server?.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    define(() => server!);
  });
}
