import { describe, expect, onTestFinished, test } from 'vitest';
import { FileChanges, type FileChange } from '../../../../core/home/library/editor-files.ts';
import { hashText } from '../../../../core/home/library/spec-versions.ts';
import { silentLogger } from '../../../harness/fakes.ts';

/** A directory without a watcher: the test decides when changes are noticed. */
function setUp() {
  let looks: (() => void)[] = [];
  const look = (): void => {
    const due = looks;
    looks = [];
    for (const callback of due) callback();
  };
  const texts = new Map<string, string>([['old', 'old text']]);
  let notice: (fileName: string) => void = () => {};
  let watches = 0;
  const changes = new FileChanges(
    {
      names: () => new Set(texts.keys()),
      read: (fileName) => texts.get(fileName),
      onChange: (listener) => {
        notice = listener;
        watches += 1;
        return () => void (watches -= 1);
      },
    },
    { soon: (callback) => void looks.push(callback) },
    silentLogger,
  );
  const told: FileChange[] = [];
  const dispose = changes.subscribe((change) => told.push(change));
  const write = (fileName: string, text: string): void => {
    texts.set(fileName, text);
    notice(fileName);
    look();
  };
  const remove = (fileName: string): void => {
    texts.delete(fileName);
    notice(fileName);
    look();
  };
  return { changes, told, dispose, write, remove, texts, look, notice: () => notice, watches: () => watches };
}

const notify = (fileName: string, kind: FileChange['kind'], text?: string): FileChange => ({
  fileName,
  kind,
  ...(text === undefined ? {} : { hash: hashText(text) }),
});

describe('changes of workflow files', () => {
  test('by others are reported once each', () => {
    const { told, write, remove } = setUp();
    write('a', 'one');
    write('a', 'one');
    write('a', 'two');
    write('old', 'new text');
    remove('a');
    remove('a');
    write('a', 'two');
    expect(told).toEqual([
      notify('a', 'created', 'one'),
      notify('a', 'changed', 'two'),
      notify('old', 'changed', 'new text'),
      notify('a', 'removed'),
      notify('a', 'created', 'two'),
    ]);
  });

  test('of our own are reported at once, and not again when they are noticed', () => {
    const { told, write, remove, changes, texts } = setUp();
    const own = [
      notify('a', 'created', 'one'),
      { ...notify('b', 'renamed', 'one'), from: 'a' },
      notify('b', 'changed', 'two'),
    ];
    for (const change of own) changes.notify(change);
    texts.delete('a');
    remove('a');
    write('b', 'two');
    changes.notify(notify('old', 'removed'));
    remove('old');
    expect(told).toEqual([...own, notify('old', 'removed')]);
  });

  test('of our own are reported as such, even if the watcher notices them first', () => {
    const { told, changes, texts, notice, look } = setUp();
    texts.delete('old');
    texts.set('new', 'old text');
    for (const name of ['old', 'new', 'new']) notice()(name);
    const renamed = { ...notify('new', 'renamed', 'old text'), from: 'old' };
    changes.notify(renamed);
    look();
    expect(told).toEqual([renamed]);
  });

  test('are watched only while there are listeners', () => {
    const { changes, dispose, watches, told, write } = setUp();
    const second = changes.subscribe(() => {});
    expect(watches()).toBe(1);
    dispose();
    second();
    expect(watches()).toBe(0);
    changes.notify(notify('a', 'created', 'one'));
    expect(told).toEqual([]);
    onTestFinished(changes.subscribe((change) => told.push(change)));
    write('old', 'x');
    expect(told).toEqual([notify('old', 'changed', 'x')]);
  });
});
