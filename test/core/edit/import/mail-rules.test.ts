import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importCrontab } from '../../../../core/edit/import/crontab.ts';
import { createMailRules } from '../../../../core/edit/import/mail-rules.ts';
import { TestEngine, testCaller } from '../../../harness/engine.ts';

const crontab = `MAILTO=ops@example.com,root
0 1 * * * backup.sh
0 2 * * * report.sh
MAILTO=""
0 3 * * * quiet.sh
`;

test('one rule reports 300 jobs', async () => {
  const { host } = new TestEngine();
  const workflows = Array.from({ length: 300 }, (_, index) => ({
    name: `job${index}`,
    mailTo: ['ops@example.com'],
  }));
  const sentences = await createMailRules((name, input) => host.api.call(name, input, testCaller), workflows);
  expect(sentences).toEqual([
    'ops@example.com is notified when one of 300 workflows fails or recovers.',
    'There is no mail server yet. Set it in Settings › Installation.',
  ]);
  const { rules } = await host.api.call('rules.list', {}, testCaller);
  expect(rules[0]!.workflows.names).toHaveLength(300);
});

test('MAILTO becomes a mail channel and a rule, extended by later imports', async () => {
  const result = importCrontab(crontab);
  if (!result.ok) throw new Error(result.reason);
  expect(result.workflows.map(({ mailTo }) => mailTo)).toEqual([
    ['ops@example.com'],
    ['ops@example.com'],
    undefined,
  ]);
  const { host, home } = new TestEngine();
  writeFileSync(path.join(home, 'base.yaml'), 'smtp: { host: 127.0.0.1, port: 25 }\n');
  const create = (workflows: Parameters<typeof createMailRules>[1]) =>
    createMailRules((name, input) => host.api.call(name, input, testCaller), workflows);
  expect(await create(result.workflows)).toEqual([
    'ops@example.com is notified when backup, report fails or recovers.',
  ]);
  await create([{ name: 'later', mailTo: ['ops@example.com'] }]);
  const { channels } = await host.api.call('channels.list', {}, testCaller);
  const { rules } = await host.api.call('rules.list', {}, testCaller);
  expect(channels).toMatchObject([{ name: 'mail-ops', kind: 'mail', to: ['ops@example.com'] }]);
  expect(rules).toMatchObject([
    {
      name: 'Crontab mail to ops@example.com',
      channels: ['mail-ops'],
      events: ['failed', 'recovered'],
      workflows: { names: ['backup', 'report', 'later'] },
    },
  ]);
});
