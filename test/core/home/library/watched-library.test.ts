import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BaseFile } from '../../../../core/home/library/base-file.ts';
import { FolderWatch, fullCheckIntervalMs } from '../../../../core/home/library/folder-watch.ts';
import { WorkflowLibrary } from '../../../../core/home/library/workflow-library.ts';
import { systemClock } from '../../../../core/base/system-clock.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { makeTemporaryFolder, until } from '../../../harness/resources.ts';

const longAgo = new Date('2026-01-01');
const named = (name: string): string => `name: ${name}\nsteps: ["true"]\n`;

/** A watched directory that has not changed for long, on a stopped clock: only reported changes are read. */
function setUp() {
  const folder = path.join(makeTemporaryFolder(), 'dags');
  const elsewhere = makeTemporaryFolder();
  const clock = new FakeClock(systemClock.now() + 60_000);
  const library = new WorkflowLibrary(folder, clock);
  onTestFinished(() => library.close());
  const save = (name: string, text = named(name), where = folder): string => {
    const file = path.join(where, `${name}.yaml`);
    writeFileSync(file, text);
    return file;
  };
  /** Creates the directory and files with old timestamps, and lists them. */
  const begin = (...names: string[]): void => {
    mkdirSync(folder);
    for (const name of names) save(name);
    settle(...names);
    library.watch();
    library.list();
  };
  const settle = (...names: string[]): void => {
    for (const name of names) utimesSync(path.join(folder, `${name}.yaml`), longAgo, longAgo);
    utimesSync(folder, longAgo, longAgo);
  };
  const names = (): (string | undefined)[] => library.list().map(({ spec }) => spec.workflows[0]?.name);
  return { folder, elsewhere, clock, library, save, begin, settle, names };
}

describe('watched library', () => {
  test('returns the same list while nothing has changed', () => {
    const { library, begin } = setUp();
    begin('a', 'b');
    expect(library.list()).toBe(library.list());
  });

  test('detects files in new and in known subfolders', () => {
    const { folder, begin, settle, save, names } = setUp();
    begin('a');
    const team = path.join(folder, 'team');
    mkdirSync(team);
    save('b', named('b'), team);
    expect(names()).toEqual(['a', 'b']);
    for (const each of [team, path.join(team, 'b.yaml')]) utimesSync(each, longAgo, longAgo);
    settle('a');
    expect(names()).toEqual(['a', 'b']);
    save('c', named('c'), team);
    rmSync(path.join(team, 'b.yaml'));
    expect(names()).toEqual(['a', 'c']);
  });

  test('shows its own writes at once', () => {
    const { library, begin, settle, names } = setUp();
    begin('a');
    library.create('b', named('b'));
    expect(names()).toEqual(['a', 'b']);
    settle('a', 'b');
    names();
    // Of the same size in a directory of the same time.
    library.replace('a', named('c'));
    settle('a', 'b');
    expect(names()).toEqual(['c', 'b']);
    library.rename('a', 'd');
    settle('b', 'd');
    expect(library.list().map(({ fileName }) => fileName)).toEqual(['b', 'd']);
    library.remove('d');
    settle('b');
    expect(names()).toEqual(['b']);
  });

  test('shows at once when others add, delete and replace files', () => {
    const { folder, elsewhere, save, begin, settle, names } = setUp();
    begin('a');
    const b = save('b');
    expect(names()).toEqual(['a', 'b']);
    settle('a', 'b');
    names();
    rmSync(b);
    expect(names()).toEqual(['a']);
    settle('a');
    names();
    renameSync(save('new', named('c'), elsewhere), path.join(folder, 'a.yaml'));
    expect(names()).toEqual(['c']);
  });

  test('shows external changes as soon as the system reports them', async () => {
    const { save, begin, names } = setUp();
    begin('a', 'b');
    save('a', 'name: other\nsteps: ["true", "true"]\n');
    await until(() => names()[0] === 'other');
    save('b', 'steps: [');
    await until(() => names()[1] === undefined);
    expect(names()).toEqual(['other', undefined]);
  });

  test('checks the target of a link each time', () => {
    const { folder, elsewhere, save, begin, names } = setUp();
    begin('a');
    symlinkSync(save('target', named('one'), elsewhere), path.join(folder, 'b.yaml'));
    expect(names()).toEqual(['a', 'one']);
    save('target', named('changed'), elsewhere);
    expect(names()).toEqual(['a', 'changed']);
  });

  test('continues when its directory is replaced, or missing for a while', async () => {
    const { folder, save, begin, settle, names } = setUp();
    begin('a');
    rmSync(folder, { recursive: true });
    expect(names()).toEqual([]);
    mkdirSync(folder);
    save('b');
    settle('b');
    expect(names()).toEqual(['b']);
    save('b', named('changed'));
    await until(() => names()[0] === 'changed');
  });

  test('checks every file after a while, whatever was reported', () => {
    const { folder, elsewhere, clock, begin, names } = setUp();
    begin('a');
    const other = path.join(elsewhere, 'other');
    linkSync(path.join(folder, 'a.yaml'), other);
    // Writes through the other name are not reported.
    writeFileSync(other, named('changed'));
    clock.advance(fullCheckIntervalMs);
    expect(names()).toEqual(['changed']);
  });

  test('fails each time while the directory cannot be read', () => {
    const { folder, library, save, names } = setUp();
    writeFileSync(folder, 'no folder');
    utimesSync(folder, longAgo, longAgo);
    library.watch();
    for (let time = 0; time < 3; time += 1)
      expect(names).toThrow(expect.objectContaining({ code: 'home_unusable' }));
    rmSync(folder);
    mkdirSync(folder);
    save('a');
    expect(names()).toEqual(['a']);
  });

  test('reloads for another base configuration without a change in the directory', () => {
    const { folder, elsewhere, clock, save, begin } = setUp();
    begin('a');
    const file = save('base', 'group: one', elsewhere);
    const library = new WorkflowLibrary(folder, clock, new BaseFile({ file, isNamed: false }, clock));
    library.watch();
    onTestFinished(() => library.close());
    const group = () => library.list()[0]!.spec.baseText;
    expect([group(), group()]).toEqual(['group: one', 'group: one']);
    save('base', 'group: other', elsewhere);
    expect(group()).toBe('group: other');
  });
});

// Linux accepts a watch of any directory; it reports nothing for writes by other machines.
test.runIf(process.platform === 'linux')('trusts no cache for a directory on another machine', () => {
  const watch = new FolderWatch('/proc/self', new FakeClock(systemClock.now() + 3_600_000_000), () => {});
  expect([watch.takeChanges(), watch.takeChanges(), watch.takeChanges()]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

describe('onChange', () => {
  function follow() {
    const folder = makeTemporaryFolder();
    const library = new WorkflowLibrary(folder, systemClock);
    onTestFinished(() => library.close());
    const heard = new Set<string>();
    const stop = library.onChange((fileName) => heard.add(fileName));
    const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
    return { folder, library, heard, stop, write };
  }

  test('reports the first file of a new directory, without polling', async () => {
    const folder = path.join(makeTemporaryFolder(), 'dags');
    const library = new WorkflowLibrary(folder, { ...systemClock, every: () => () => undefined });
    onTestFinished(() => library.close());
    const heard = new Set<string>();
    library.onChange((fileName) => heard.add(fileName));
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'a.yaml'), named('a'));
    await until(() => heard.has('a'));
    writeFileSync(path.join(folder, 'b.yaml'), named('b'));
    await until(() => heard.size === 2);
    expect([...heard]).toEqual(['a', 'b']);
  });

  test('reports files that are created, changed and deleted, by any process', async () => {
    const { folder, library, heard, write } = follow();
    write('a.yaml', named('a'));
    await until(() => heard.has('a'));
    heard.clear();
    write('a.yaml', named('b'));
    await until(() => heard.has('a'));
    heard.clear();
    rmSync(path.join(folder, 'a.yaml'));
    await until(() => heard.has('a'));
    library.create('mine', named('mine'));
    await until(() => heard.has('mine'));
    expect(readFileSync(path.join(folder, 'mine.yaml'), 'utf8')).toBe(named('mine'));
  });

  test('reports no other files, and nothing after its end', async () => {
    const { heard, stop, library, write } = follow();
    write('notes.txt', 'x');
    write('.draft.yaml', 'x');
    write('a.yml', named('a'));
    await until(() => heard.size > 0);
    expect([...heard]).toEqual(['a']);
    stop();
    write('b.yaml', named('b'));
    expect(library.list()).toHaveLength(2);
    expect([...heard]).toEqual(['a']);
  });

  test('reports nothing when a file is only touched', async () => {
    const { folder, heard, library, write } = follow();
    write('a.yaml', named('a'));
    await until(() => heard.has('a'));
    heard.clear();
    utimesSync(path.join(folder, 'a.yaml'), longAgo, longAgo);
    write('b.yaml', named('b'));
    await until(() => heard.has('b'));
    library.list();
    expect([...heard]).toEqual(['b']);
  });
});

describe('many files at once', () => {
  const count = 300;
  const checking = 'This file is being checked.';

  test('are loaded over several ticks of the event loop', async () => {
    const { library, begin, save, names } = setUp();
    begin();
    for (let index = 0; index < count; index += 1) save(`w${String(index).padStart(3, '0')}`);
    const first = library.list();
    const waiting = first.filter(({ loading }) => loading !== undefined);
    expect(first).toHaveLength(count);
    expect(waiting.length).toBeGreaterThan(count / 2);
    expect(waiting[0]!.spec).toMatchObject({ workflows: [], diagnostics: [{ message: checking }] });
    // A file requested by name is awaited.
    const [last, all] = await Promise.all([library.get('w299'), library.listLoaded()]);
    expect(last.spec.workflows[0]?.name).toBe('w299');
    expect(all.flatMap(({ spec }) => spec.diagnostics)).toEqual([]);
    expect(new Set(names()).size).toBe(count);
  });

  test('keep their workflows until their new text is loaded', async () => {
    const { library, begin, save } = setUp();
    const files = Array.from({ length: count }, (_, index) => `w${index}`);
    begin();
    for (const name of files) save(name);
    await library.listLoaded();
    const seen: string[] = [];
    library.onChange((name) => seen.push(name));
    for (const name of files) save(name, named(`${name}-new`));
    let changed = library.list();
    await until(() => {
      changed = library.list();
      return changed.some(({ loading }) => loading !== undefined);
    });
    expect(changed.every(({ spec }) => spec.workflows.length === 1)).toBe(true);
    expect(changed.some(({ spec }) => spec.diagnostics[0]?.severity === 'warning')).toBe(true);
    const loaded = await library.listLoaded();
    expect(loaded.every(({ fileName, spec }) => spec.workflows[0]?.name === `${fileName}-new`)).toBe(true);
    expect(new Set(seen).size).toBe(count);
  });

  test('are loaded at once by a process that does not watch them', () => {
    const folder = makeTemporaryFolder();
    for (let index = 0; index < count; index += 1)
      writeFileSync(path.join(folder, `w${index}.yaml`), named(`w${index}`));
    const entries = new WorkflowLibrary(folder, systemClock).list();
    expect(entries.filter(({ loading }) => loading !== undefined)).toEqual([]);
  });
});
