import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeWithProgram, openBash, openBashTerminal, openFish, openZsh } from './completing-shells.ts';
import { makeTestHome, runEngine, saveDag, type TestHome } from '../harness/engine-command.ts';

/** A home with workflows, a queue and runs, and other files next to it. */
async function setUpHome(): Promise<TestHome> {
  const place = makeTestHome();
  saveDag(place, 'etl', 'queue: nightly\nsteps:\n  - echo\n');
  saveDag(place, 'export', 'steps:\n  - echo\n');
  writeFileSync(join(place.cwd, 'notes.env'), '');
  mkdirSync(join(place.cwd, 'my folder'));
  await runEngine(place, ['start', 'etl', '-r', 'run-1', '-q']);
  await runEngine(place, ['enqueue', 'etl', '-r', 'run-2']);
  return place;
}

const expected = {
  'engine sta': ['start', 'start-all', 'status'],
  'engine queues ': ['drain', 'items', 'list', 'pause', 'resume'],
  'engine start --default': ['--default-working-dir'],
  'engine history --format ': ['json', 'text'],
  'engine users create ada --role o': ['operator'],
  'engine status e': ['engine', 'etl', 'export'],
  'engine status etl --run-id run': ['run-1', 'run-2'],
  'engine dequeue ': ['nightly'],
  'engine --engine-home /nowhere status ex': [],
  'engine nonsense --what ever ': [],
  'engine exec --dotenv no': ['notes.env'],
  'engine exec -- no': ['notes.env'],
};

/** Bash splits at `=`, and zsh completes files after it; fish uses the whole word. */
const behindEquals = {
  bash: {},
  zsh: { 'engine history --format=j': ['--format=json'], 'engine exec --dotenv=no': ['notes.env'] },
  fish: { 'engine history --format=j': ['--format=json'], 'engine exec --dotenv=no': ['--dotenv=notes.env'] },
};

const shells = [
  ['bash', openBash],
  ['zsh', openZsh],
  ['fish', openFish],
] as const;

for (const [shell, open] of shells) {
  describeWithProgram(shell, `completion in ${shell}`, () => {
    it('completes commands, options, values, workflows, queues, run ids and files', async () => {
      const offers = open(await setUpHome());
      const wanted: Record<string, string[]> = { ...expected, ...behindEquals[shell] };
      const offered = Object.keys(wanted).map((line) => [line, offers(line)]);
      expect(Object.fromEntries(offered)).toEqual(wanted);
    });

    it('creates no home, and offers nothing where there is nothing to look up', () => {
      const offers = open(makeTestHome());
      expect(offers('engine status etl --run-id ')).toEqual(['latest']);
    });
  });
}

describeWithProgram('script', 'completion at a terminal of bash', () => {
  it('completes the line', async () => {
    const press = openBashTerminal(await setUpHome());
    expect(press('engine stat')).toBe('engine status ');
    expect(press('engine history --format=j')).toBe('engine history --format=json ');
    expect(press('engine exec --dotenv=no')).toBe('engine exec --dotenv=notes.env ');
    expect(press('engine exec --dotenv my')).toBe(String.raw`engine exec --dotenv my\ folder/`);
    expect(press('engine start exp')).toBe('engine start export ');
  });
});

describeWithProgram('zsh', 'a function file of zsh', () => {
  it('works on first use', async () => {
    const place = makeTestHome();
    const { stdout } = await runEngine(place, ['completion', 'zsh']);
    mkdirSync(join(place.cwd, 'functions'));
    writeFileSync(join(place.cwd, 'functions', '_engine'), stdout);
    const offers = openZsh(place, 'fpath=("$HOME/functions" $fpath)');
    expect(offers('engine sta')).toEqual(['start', 'start-all', 'status']);
  });
});
