import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { answerQuestions, readQuestions, sharedTest } from './rig/desktop-test.ts';

sharedTest(
  'a file that has crashed the app twice is set aside, which a dialog says',
  async ({ testHome, desktop, ui }) => {
    const text = 'steps:\n  - command: echo costly\n';
    const deaths = path.join(testHome.home, 'data/deaths');
    mkdirSync(deaths, { recursive: true });
    for (const pid of [1, 2]) {
      const record = {
        id: `check ${createHash('sha256').update(text).digest('hex')}`,
        activity: 'costly.yaml',
        process: { host: 'another', pid, pidStart: '1', bootId: 'before' },
        at: new Date().toISOString(),
        blockedMs: 30_000,
      };
      writeFileSync(path.join(deaths, `${pid}.json`), JSON.stringify(record));
    }
    await answerQuestions(desktop, 'keep');
    testHome.saveWorkflow('costly', text);
    await expect
      .poll(() => readQuestions(desktop))
      .toEqual([`Stepwright skipped ${path.join(testHome.home, 'dags/costly.yaml')}`]);

    // It is checked again once it has changed.
    await ui.goTo('Workflows');
    const row = ui.page.getByRole('row', { name: /costly/ });
    await expect(row).toContainText('crashed twice');
    testHome.saveWorkflow('costly', `# simpler\n${text}`);
    await expect(row).not.toContainText('crashed twice');
  },
);
