/**
 * Adds runs to the database in its argument, a file or the URL of a server, as fast as possible, and prints
 * the key of each on its own line once it is stored. With a second argument it adds that many and exits.
 */
import { writeSync } from 'node:fs';
import { openStore } from '../../core/store/open-store.ts';

const [homePath, count = 'Infinity'] = process.argv.slice(2);
if (homePath === undefined) throw new Error('usage: store-writer FILE|URL [COUNT]');
const store = openStore(homePath.startsWith('postgres:') ? { url: homePath } : { file: homePath });
const owner = { host: 'here', pid: process.pid, pidStart: '1', bootId: 'boot' };
for (let index = 0; index < Number(count); index += 1) {
  const run = await store.createRun(
    {
      name: 'writer',
      dagRunId: `${process.pid}-${index}`,
      spec: { text: `# ${index % 10}`, document: 0 },
      trigger: 'cli',
      params: [],
      maxActiveRuns: -1,
      owner,
    },
    index,
  );
  const { epoch } = run;
  await store.append([
    { runKey: run.key, epoch, events: [{ at: index, event: { type: 'run.started', logDir: 'logs' } }] },
  ]);
  writeSync(1, `${run.key}\n`);
}
store.close();
