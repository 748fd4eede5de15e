import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { ROOT } from './rig/test-home.ts';

test('follows the README from npm start to a new workflow that runs on its schedule', async () => {
  test.setTimeout(180_000);
  const script = path.join(ROOT, 'scripts/first-workflow.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--here', '--quick']);
  expect(stdout).toMatch(
    /^npm start, until the app is there +[\d.]+ s\na workflow of their own, run by its schedule/,
  );
});
