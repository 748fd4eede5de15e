import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTestHome, runEngine, runForJson, saveDag } from '../harness/home-and-command.ts';

const crontab = '# Load\n0 1 * * * /opt/load.sh\n61 * * * * broken.sh\n@reboot /opt/agent/start\n';

describe('engine import', () => {
  it('creates a workflow for each job and lists ignored lines', async () => {
    const place = makeTestHome();
    writeFileSync(join(place.cwd, 'jobs'), crontab);
    const { code, stdout, stderr } = await runEngine(place, ['import', 'crontab', 'jobs']);
    expect(stdout).toBe('Created load\nCreated agent-start\n');
    expect(stderr).toContain('Line 3 was skipped. Invalid time "61 * * * *"');
    expect(stderr).toMatch(
      /Comment them out with "crontab -e":\n {2}2: 0 1 \* \* \* \/opt\/load\.sh\n {2}4: @reboot \S+\nList the workflows with "engine dags --tag cron"\.\n$/,
    );
    expect(code).toBe(0);
    expect(readFileSync(join(place.home, 'dags', 'agent-start.yaml'), 'utf8')).toContain(
      'schedule: "@reboot"',
    );
    expect((await runEngine(place, ['dags'])).stdout).toContain('when the engine starts');
  });

  it('shows the workflows and creates none with --dry-run', async () => {
    const place = makeTestHome();
    writeFileSync(join(place.cwd, 'load.sh'), '#!/bin/sh\n# One\necho 1\n\n# Two\necho 2\n');
    const { code, stdout } = await runEngine(place, ['import', 'script', 'load.sh', '--split', '--dry-run']);
    expect(stdout).toMatch(/^# load\.yaml\nsteps:\n/);
    expect(code).toBe(0);
    expect(existsSync(join(place.home, 'dags', 'load.yaml'))).toBe(false);
  });

  it('skips names that are taken, creates the others, and fails', async () => {
    const place = makeTestHome();
    saveDag(place, 'load', 'steps: [a]\n');
    writeFileSync(join(place.cwd, 'jobs'), crontab);
    const { code, json } = await runForJson(place, ['import', 'crontab', 'jobs']);
    expect(json.workflows.map(({ name, created }) => [name, created])).toEqual([
      ['load', false],
      ['agent-start', true],
    ]);
    expect(json.workflows[0]!.error!.code).toBe('already_exists');
    expect(code).toBe(1);
  });

  it('rejects options of another format, missing files and input without a job', async () => {
    const place = makeTestHome();
    writeFileSync(join(place.cwd, 'none'), '# nothing\n');
    expect((await runEngine(place, ['import', 'script', 'none', '--system'])).stderr).toContain(
      'Option --system is only valid for "engine import crontab".',
    );
    expect((await runEngine(place, ['import', 'crontab', 'missing'])).code).toBe(3);
    expect(await runEngine(place, ['import', 'crontab', 'none'])).toMatchObject({ code: 2 });
  });
});
