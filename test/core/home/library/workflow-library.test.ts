import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { BaseFile } from '../../../../core/home/library/base-file.ts';
import { WorkflowLibrary } from '../../../../core/home/library/workflow-library.ts';
import { systemClock } from '../../../../core/base/system-clock.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

function setUp() {
  const folder = makeTemporaryFolder();
  const library = new WorkflowLibrary(folder, systemClock);
  const save = (name: string, text: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const names = (): string[] => library.list().map(({ fileName }) => fileName);
  return { folder, library, save, names };
}

const named = (name: string): string => `name: ${name}\nsteps: ["true"]\n`;

describe('workflow library', () => {
  test('lists files with both extensions by name, without hidden and other ones', () => {
    const { folder, save, names } = setUp();
    save('b.yaml', named('b'));
    save('a.yml', named('a'));
    save('.hidden.yaml', named('hidden'));
    save('notes.txt', 'notes');
    mkdirSync(path.join(folder, 'folder.yaml'));
    expect(names()).toEqual(['a', 'b']);
  });

  test('suggests listed names for an unknown one', () => {
    const { folder, library, save, names } = setUp();
    save('nightly.yaml', named('nightly'));
    save('weekly.yaml', named('weekly'));
    expect(names()).toHaveLength(2);
    const error = `No workflow named "nightyl" in`;
    expect(() => library.peek('nightyl')).toThrow(error);
    save('feed.yaml', named('feed.hourly'));
    expect(names()).toHaveLength(3);
    expect(() => library.peek('nightly.yaml')).toThrow(/ Did you mean "nightly"\?$/);
    expect(() => library.peek('feed.hourly')).toThrow(/ Did you mean "feed"\?$/);
    rmSync(path.join(folder, 'weekly.yaml'));
    expect(() => library.peek('weekly')).toThrow(/^No workflow named "weekly" in [^?]*$/);
  });

  test('rereads a file only when it has changed, and drops deleted ones', () => {
    const { folder, library, save, names } = setUp();
    const file = save('a.yaml', named('one'));
    const longAgo = new Date('2026-01-01');
    utimesSync(file, longAgo, longAgo);
    const first = library.peek('a');
    expect(library.peek('a')).toBe(first);
    expect(library.list()[0]).toBe(first);
    // As editors save: a new file replaces the old one.
    save('new', named('two'));
    renameSync(path.join(folder, 'new'), file);
    expect(library.peek('a').spec.workflows[0]!.name).toBe('two');
    rmSync(file);
    expect(names()).toEqual([]);
    expect(() => library.peek('a')).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  test('detects a change of the same size in the same tick of the file system’s clock', () => {
    const { library, save } = setUp();
    const now = new Date();
    for (const name of ['one', 'two']) {
      utimesSync(save('a.yaml', named(name)), now, now);
      expect(library.peek('a').spec.workflows[0]!.name).toBe(name);
    }
  });

  test('lists invalid files with the others, with their errors', () => {
    const { folder, library, save } = setUp();
    save('broken.yaml', 'steps: [{ comand: x }]');
    save('binary.yaml', 'a\0b');
    save('fine.yaml', named('fine'));
    const loop = path.join(folder, 'loop.yaml');
    symlinkSync(loop, loop);
    symlinkSync('/nonexistent/file', path.join(folder, 'dangling.yaml'));
    expect(
      library.list().map(({ fileName, spec }) => [fileName, spec.workflows.length, spec.diagnostics.length]),
    ).toEqual([
      ['binary', 0, 1],
      ['broken', 0, 1],
      ['fine', 1, 0],
    ]);
  });

  test.runIf(process.platform !== 'win32')('does not wait for a pipe', () => {
    const { folder, names, save } = setUp();
    execFileSync('mkfifo', [path.join(folder, 'pipe.yaml')]);
    save('fine.yaml', named('fine'));
    expect(names()).toEqual(['fine']);
  });

  // Only Linux has a file that not even the superuser can read from its beginning.
  if (process.platform === 'linux') {
    test('lists a file that cannot be read', () => {
      const { folder, library } = setUp();
      symlinkSync('/proc/self/mem', path.join(folder, 'locked.yaml'));
      expect(library.list()).toMatchObject([
        { fileName: 'locked', spec: { workflows: [], diagnostics: [{}] } },
      ]);
    });
  }

  test('looks up by file name first, then by the name inside', async () => {
    const { library, save } = setUp();
    save('a.yaml', named('b'));
    save('b.yaml', named('c'));
    expect((await library.findByName('b'))!.fileName).toBe('b');
    expect((await library.findByName('c'))!.fileName).toBe('b');
    expect(await library.findByName('d')).toBeUndefined();
  });

  test('loads workflows over the base configuration, and again when that has changed', async () => {
    const { folder, save } = setUp();
    const file = path.join(makeTemporaryFolder(), 'base.yaml');
    const base = new BaseFile({ file, isNamed: false }, systemClock);
    const library = new WorkflowLibrary(folder, systemClock, base);
    const longAgo = new Date('2026-01-01');
    for (const name of ['a', 'b']) utimesSync(save(`${name}.yaml`, named(name)), longAgo, longAgo);
    const groups = () => library.list().map(({ spec }) => [spec.workflows[0]?.group, spec.baseText]);
    expect(groups()).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
    const first = library.peek('a');
    expect(library.peek('a')).toBe(first);
    writeFileSync(file, 'group: mine');
    expect(groups()).toEqual([
      ['mine', 'group: mine'],
      ['mine', 'group: mine'],
    ]);
    const over = library.peek('a');
    expect(library.list()[0]).toBe(over);
    writeFileSync(file, 'group: [');
    const broken = (await library.findByName('a'))!.spec;
    expect(broken.workflows[0]).toMatchObject({ name: 'a', group: undefined });
    expect(broken.baseText).toBeUndefined();
    expect(broken.diagnostics).toMatchObject([{ severity: 'error', file }]);
    rmSync(file);
    expect(groups()).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  test('is empty without a directory', () => {
    expect(new WorkflowLibrary('/nonexistent/folder', systemClock).list()).toEqual([]);
  });
});

describe('large file', () => {
  const large = (name: string): string => `name: ${name}\n${'# a\n'.repeat(5000)}steps: [echo]\n`;

  test('is loaded in a thread: listed at once, reported when loaded, complete on request', async () => {
    const { library, save } = setUp();
    save('big.yaml', large('first'));
    const [listed] = library.list();
    expect(listed?.spec).toMatchObject({
      text: large('first'),
      workflows: [],
      diagnostics: [{ severity: 'error', message: 'This file is being checked.' }],
    });
    const entry = await library.get('big');
    expect(entry.spec).toMatchObject({ workflows: [{ name: 'first' }], diagnostics: [] });
    expect(library.list()).toEqual([entry]);
    expect(await library.findByName('first')).toBe(entry);
  });

  test('keeps its workflows while new text is loaded', async () => {
    const { library, save } = setUp();
    save('big.yaml', large('first'));
    await library.get('big');
    save('big.yaml', large('second'));
    expect(library.list()[0]?.spec).toMatchObject({
      text: large('second'),
      workflows: [{ name: 'first' }],
      diagnostics: [{ severity: 'warning' }],
    });
    expect((await library.get('big')).spec.workflows[0]?.name).toBe('second');
  });

  test('is reported when it has been loaded', async () => {
    const { library, save } = setUp();
    save('big.yaml', large('first'));
    const told: string[] = [];
    const stop = library.onChange((fileName) => told.push(fileName));
    await library.get('big');
    library.list();
    expect(told).toEqual(['big']);
    stop();
    library.close();
  });
});
