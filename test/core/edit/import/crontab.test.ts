import { describe, expect, test } from 'vitest';
import { commentOutLines, importCrontab } from '../../../../core/edit/import/crontab.ts';
import { nameJob } from '../../../../core/edit/import/crontab-times.ts';
import { loadSpec } from '../../../../core/spec/load.ts';
import { TestEngine } from '../../../harness/engine.ts';

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
  test('creates a workflow for each job', () => {
    const { workflows, notes } = convert(crontab);
    expect(notes).toEqual([
      'Line 11 was skipped. A line needs five time fields, or a word such as @daily, and a command.',
    ]);
    expect(workflows.map(({ name }) => name)).toEqual(['backup', 'mail-report', 'agent-start', 'backup-2']);
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
    expect(workflows[2]!.text).toContain('schedule: "@reboot"\nworkingDir:');
    expect(workflows[2]!.notes[0]).toContain(
      'Cron ran this job at boot; here it runs when the scheduler starts.',
    );
    expect(workflows.every((made) => made.notes.some((note) => note.includes('overlap: allow')))).toBe(true);
    for (const { name, text } of workflows) {
      expect(loadSpec({ text, file: `${name}.yaml` }).diagnostics).toEqual([]);
    }
  });

  test('ignores commented-out lines as descriptions', () => {
    const { workflows } = convert(
      '# Old backup\n# 30 6 * * * /opt/old.sh\n0 1 * * * /opt/new.sh\n\n#MAILTO=x\n# Sync\n0 2 * * * /opt/sync.sh\n',
    );
    expect(workflows.map(({ text }) => /^description: (.*)$/m.exec(text)?.[1])).toEqual([undefined, 'Sync']);
  });

  test('omits an empty time zone', () => {
    const { workflows } = convert('CRON_TZ=\n0 1 * * * /opt/new.sh\n');
    expect(workflows[0]!.text).not.toContain('timezone');
  });

  test('names lines with an invalid time', () => {
    const { workflows, notes } = convert('61 * * * * a.sh\n@often b.sh\n0 1 * * * c.sh\n0 0 31-1 * * d.sh\n');
    expect(workflows.map(({ name }) => name)).toEqual(['c']);
    expect(notes).toEqual([
      'Line 1 was skipped. Invalid time "61 * * * *": Invalid value for minute: 61.',
      expect.stringContaining('Line 2 was skipped. Invalid time "@often": valid words are @reboot,'),
      expect.stringContaining('Line 4 was skipped. Invalid time "0 0 31-1 * *":'),
    ]);
  });

  test.each([
    ['echo hello > /tmp/x', undefined, 'echo-hello'],
    ['cd /srv/app && python3 -m app.jobs', undefined, 'app.jobs'],
    ['cd /srv/app && ./manage.py sync_users', undefined, 'manage-sync_users'],
    ['flock -n /tmp/x.lock /usr/bin/rsync -a /a /b', 'Copy the photos to the NAS', 'copy-the-photos-to-the'],
    ['php /var/www/artisan schedule:run', undefined, 'artisan-schedule:run'],
    ['nice -n 10 /usr/local/bin/certbot renew', 'Certificates', 'certbot'],
    ['date', undefined, 'date'],
  ])('names a job after what it does: %s', (command, comment, name) => {
    expect(nameJob({ command, ...(comment === undefined ? {} : { comment }) })).toBe(name);
  });

  test('passes text after % to the command’s stdin', async () => {
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

  test('continues after the first of several commands fails, as cron does', async () => {
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
      'Cron ran this job as www-data; here it runs as the user of the scheduler.',
    );
  });

  test('rejects text without jobs', () => {
    expect(importCrontab('# nothing\nA=b\n')).toEqual({
      ok: false,
      reason: 'No jobs found. A crontab line has five time fields and a command: "30 6 * * 1-5 backup.sh".',
    });
  });
});

describe('many jobs', () => {
  const jobs = [1, 2, 3].map(
    (site) => `# job ${site} rotate logs for site${site}\n15 3 * * * /opt/rotate.sh site${site}\n`,
  );

  test('are named by their comments if they run the same script', () => {
    const { workflows } = convert(jobs.join(''));
    expect(workflows.map(({ name, job }) => [name, job?.line])).toEqual([
      ['rotate-logs-for-site1', 2],
      ['rotate-logs-for-site2', 4],
      ['rotate-logs-for-site3', 6],
    ]);
  });

  test('get a group and a tag', () => {
    const result = importCrontab(jobs[0]!, false, { group: 'jobs' });
    expect(result.ok && result.workflows[0]!.text).toContain('group: jobs\ntags:\n  - cron\nschedule:');
  });

  const schedulesOf = (text: string): (string | undefined)[] => {
    const result = importCrontab(text, false, { spread: true });
    if (!result.ok) throw new Error(result.reason);
    expect(result.collisions).toEqual([]);
    return result.workflows.map((workflow) => /^schedule: (.*)$/m.exec(workflow.text)?.[1]);
  };

  test('that start in the same minute are named', () => {
    const names = 'rotate-logs-for-site1, rotate-logs-for-site2, rotate-logs-for-site3';
    const text = `${jobs.join('')}0 * * * * /opt/hourly\n@daily /opt/daily\n00 00 * * 1 /opt/weekly\n`;
    const often = '*/5 * * * * /opt/poll\n*/5 * * * 1-5 /opt/fetch\n15 3 1 * * /opt/monthly';
    expect(convert(text + often).collisions).toEqual([
      `4 jobs start at 03:15: ${names}, monthly.`,
      '3 jobs start at 00:00: hourly, daily, weekly.',
      '2 jobs start at the same minutes (*/5 *): poll, fetch.',
    ]);
    expect(convert('15 3 * * 1 /opt/a\n15 3 * * 2 /opt/b\n').collisions).toEqual([]);
    const hourly = '0 * * * * /opt/a\n0 * * * * /opt/b\n';
    expect(convert(hourly).collisions).toEqual(['2 jobs start at 00:00 and 23 other times: a, b.']);
  });

  test('are spread over other minutes of the hour', () => {
    const late = jobs.join('').replaceAll('15 3', '58 3');
    expect(schedulesOf(late)).toEqual(['58 3 * * *', '59 3 * * *', '57 3 * * *']);
    expect(schedulesOf('*/5 * * * * a\n*/5 * * * * b\n@daily c\n0 * * * * d\n0 0 * * 1 e\n')).toEqual([
      '"*/5 * * * *"',
      '1-59/5 * * * *',
      '"@daily"',
      '1 * * * *',
      '2 0 * * 1',
    ]);
    expect(schedulesOf('15 3 * * 1 a\n15 3 * * 2 b\n')).toEqual(['15 3 * * 1', '15 3 * * 2']);
  });

  test('are commented out in the crontab, and nothing else changes', () => {
    const text = `PATH=/bin\r\n${jobs[0]}${jobs[1]}\n`;
    expect(commentOutLines(text, new Set([3]))).toBe(
      text.replace('15 3 * * * /opt/rotate.sh site1', '# 15 3 * * * /opt/rotate.sh site1'),
    );
  });

  test('take as many minutes as there are', () => {
    const text = Array.from({ length: 90 }, (_, index) => `0 2 * * * /opt/job-${index}\n`).join('');
    const result = importCrontab(text, false, { spread: true });
    expect(result.ok && result.collisions).toHaveLength(21);
    expect(result.ok && result.collisions!.at(-1)).toBe('Jobs also start together at 10 other times.');
  });
});
