import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTestHome, runEngine } from '../harness/home-and-command.ts';

const workflow = `name: ci
steps:
  - name: build
    command: echo built

  - name: unit tests
    command: |
      echo 'lost: 50% <b>' >&2
      exit 3
  - name: publish
    command: echo published
handlerOn:
  failure: echo cleaned up
`;

test('reports a run as JUnit XML and to GitHub Actions', async () => {
  const place = makeTestHome();
  writeFileSync(join(place.cwd, 'ci.yaml'), workflow);
  const summaryFile = join(place.cwd, 'summary.md');
  writeFileSync(summaryFile, 'before\n');
  const { code, stderr } = await runEngine(
    place,
    ['run', 'ci.yaml', '-q', '--report', 'junit=out.xml', '--report', 'github'],
    { GITHUB_STEP_SUMMARY: summaryFile, GITHUB_WORKSPACE: place.cwd },
  );
  expect(code).toBe(1);
  const junit = readFileSync(join(place.cwd, 'out.xml'), 'utf8');
  expect(junit).toMatch(
    /<testsuite name="ci" id="[\w-]+" timestamp="[^"]+Z" file="ci.yaml" tests="4" failures="1" errors="0" skipped="1" time="\d+\.\d{3}">/,
  );
  expect(junit).toMatch(/<testcase name="build" classname="ci" time="[\d.]+" file="ci.yaml" line="3"\/>/);
  expect(junit).toMatch(
    /<testcase name="unit tests" [^>]*line="6"><failure message="[^"]*3[^"]*" type="failed">lost: 50% &lt;b&gt;<\/failure>/,
  );
  expect(junit).toMatch(/<testcase name="publish" [^>]*><skipped message="[^"]+"\/><\/testcase>/);
  expect(junit).toMatch(/<testcase name="onFailure" classname="ci.handlers" [^>]*line="13"\/>/);
  expect(stderr).toMatch(
    /^::error file=ci\.yaml,line=6,title=Step unit tests failed::[^\n]*3[^\n]*%0Alost: 50%25 <b>$/m,
  );
  const summary = readFileSync(summaryFile, 'utf8');
  expect(summary).toMatch(/^before\n### ci: failed in [\d.]+s\n\n\| Step \| Status \|/);
  expect(summary).toMatch(/^\| unit tests \| failed \| [\d.]+s \| 1 \| 3 \| [^|]+ \|$/m);
});

test('reports a retried run as a whole, and a restarted run', async () => {
  const place = makeTestHome();
  const file = join(place.cwd, 'ci.yaml');
  const steps = ['  - name: build\n    command: echo built', '  - name: check\n    command: exit 3'];
  writeFileSync(file, `name: ci\nsteps:\n${steps.join('\n')}\n`);
  expect((await runEngine(place, ['run', 'ci.yaml', '-q'])).code).toBe(1);
  writeFileSync(file, readFileSync(file, 'utf8').replace('exit 3', 'exit 0'));
  const retried = await runEngine(place, [
    'retry',
    'ci.yaml',
    '--current',
    '-q',
    '--report',
    'junit=out.xml',
  ]);
  expect(retried.code).toBe(0);
  expect(readFileSync(join(place.cwd, 'out.xml'), 'utf8')).toMatch(
    /<testsuite name="ci" [^>]*tests="2" failures="0" errors="0" skipped="0" /,
  );
  const failed = await runEngine(place, ['retry', 'ci.yaml', '--report', 'junit=none/out.xml']);
  expect([failed.code, failed.stderr]).toEqual([2, expect.stringContaining('Cannot write the report')]);
  const restart = await runEngine(place, ['restart', 'ci.yaml', '--report', 'junit=none/out.xml']);
  expect([restart.code, restart.stderr]).toEqual([2, expect.stringContaining('Cannot write the report')]);
});

test('annotates the errors of a workflow that cannot run', async () => {
  const place = makeTestHome();
  writeFileSync(join(place.cwd, 'ci.yaml'), 'steps:\n  - name: a\n    retryPolcy: 3\n');
  const { stderr } = await runEngine(place, ['start', 'ci.yaml', '--report', 'github']);
  expect(stderr).toMatch(/^::error file=ci\.yaml,line=\d,col=\d+::/m);
});

test('checks the report files before the run', async () => {
  const place = makeTestHome();
  writeFileSync(join(place.cwd, 'ci.yaml'), 'steps:\n  - touch ran\n');
  const outcome = await runEngine(place, ['start', 'ci.yaml', '--report', 'junit=none/out.xml']);
  expect(outcome).toMatchObject({ code: 2, stdout: '' });
  expect(outcome.stderr).toContain(`Cannot write the report ${join(place.cwd, 'none/out.xml')}: `);
  expect((await runEngine(place, ['history'])).stderr).toBe('No runs.\n');
  expect(existsSync(join(place.cwd, 'none'))).toBe(false);
});
