import { describe, expect, test } from 'vitest';
import { importCrontab } from '../../../core/import/crontab/import-crontab.ts';
import { loadSpec } from '../../../core/spec/load.ts';
import { TestEngine } from '../../rig/test-engine.ts';

const crontab = `# m h dom mon dow command
SHELL=/bin/bash
MAILTO = "ops@example.com"
CRON_TZ=Europe/Berlin
TARGET='/srv/my backups'

# Back up the database
30 6 * * mon-fri /usr/local/bin/backup.sh --to "$TARGET" ; echo "at \\%H"
@daily  mail -s report%first line%second line

*/5 * * *
@reboot /opt/agent/start
0 0 1 1 * backup.sh
`;

function convert(text: string) {
  const result = importCrontab(text);
  if (!result.ok) throw new Error(result.reason);
  return result;
}

describe('importCrontab', () => {
  test('makes a workflow of each job', () => {
    const { workflows, notes } = convert(crontab);
    expect(notes).toEqual([
      'Line 11 was left out. A line is five fields of time, or a word such as @daily, and a command.',
    ]);
    expect(workflows.map(({ name }) => name)).toEqual(['backup', 'mail', 'start', 'backup-2']);
    expect(workflows[0]!.text).toBe(`description: Back up the database
schedule: 30 6 * * mon-fri
timezone: Europe/Berlin
workingDir: "~"
env:
  TARGET: /srv/my backups
steps:
  - name: run
    command: /usr/local/bin/backup.sh --to "$TARGET" ; echo "at %H"
    shell: /bin/bash
`);
    expect(workflows[2]!.notes[0]).toMatch(/^@reboot has no counterpart/);
    expect(workflows.map((made) => made.notes.some((note) => note.includes('overlap: allow')))).toEqual([
      true,
      true,
      false,
      true,
    ]);
    for (const { name, text } of workflows) {
      expect(loadSpec({ text, file: `${name}.yaml` }).diagnostics).toEqual([]);
    }
  });

  test('feeds what stands after % to the command', async () => {
    const { workflows } = convert('0 0 * * * tr a-z A-Z | cat%first%INPUT%last\n');
    const engine = new TestEngine();
    const run = await engine.run(workflows[0]!.text);
    const { lines } = await engine.host.api.call(
      'logs.lines',
      { name: run.name, dagRunId: run.dagRunId, step: 'run' },
      { via: 'cli', name: 'test' },
    );
    expect(lines).toEqual(['FIRST', 'INPUT', 'LAST']);
  });

  test('goes on after the first of several commands fails, as cron does', async () => {
    const { workflows } = convert('0 0 * * * false; echo on\n');
    const run = await new TestEngine().run(workflows[0]!.text);
    expect(run.status).toBe('succeeded');
  });

  test('reads the user of a system crontab', () => {
    const { workflows } = convert(
      '17 * * * * root run-parts /etc/cron.hourly\n25 6 * * * www-data logrotate\n',
    );
    expect(workflows.map(({ name }) => name)).toEqual(['run-parts', 'logrotate']);
    expect(workflows[1]!.notes[0]).toBe(
      'Cron ran it as www-data; here it runs as whoever runs the scheduler.',
    );
  });

  test('refuses a text without jobs', () => {
    expect(importCrontab('# nothing\nA=b\n')).toEqual({
      ok: false,
      reason: 'There is no job in it. A line is five fields of time and a command: "30 6 * * 1-5 backup.sh".',
    });
  });
});
