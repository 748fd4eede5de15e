import { describe, expect, it } from 'vitest';
import {
  FileSync,
  type FilePort,
  type FileText,
  type WriteResult,
} from '../../../../renderer/editor/save/file-sync.ts';
import { openSession, type } from '../editor-harness.tsx';

/** A file in memory, whose hash is its text. */
class MemoryFile implements FilePort {
  text = 'a\nb\n';
  writes: { text: string; restoredFrom: number | undefined }[] = [];
  refusal: string | undefined;

  read(): Promise<FileText> {
    return Promise.resolve({ text: this.text, hash: `hash of ${this.text}` });
  }

  async write(text: string, baseHash: string, restoredFrom?: number): Promise<WriteResult> {
    if (this.refusal !== undefined) throw new Error(this.refusal);
    if (baseHash !== 'h1' && baseHash !== `hash of ${this.text}`) return { kind: 'conflict' };
    if (baseHash === 'h1' && this.text !== 'a\nb\n') return { kind: 'conflict' };
    this.text = text;
    this.writes.push({ text, restoredFrom });
    return { kind: 'written', hash: `hash of ${text}`, errors: text.startsWith('!') ? 2 : 0 };
  }
}

function open() {
  const file = new MemoryFile();
  const { session } = openSession('a\nb\n');
  return { file, session, sync: new FileSync(session, file) };
}

describe('saving', () => {
  it('writes the text at its start, and later input stays unsaved', async () => {
    const { file, session, sync } = open();
    type(session, 0, 'x');
    const saving = sync.save();
    type(session, 0, 'y');
    expect(await saving).toBe(true);
    expect(file.text).toBe('xa\nb\n');
    expect(session.view.isDirty).toBe(true);
    session.undo();
    await sync.save();
    expect(file.text).toBe(session.text);
  });

  it('waits for the edits that were requested before', async () => {
    const { file, session, sync } = open();
    session.replaceText('steps:\n  - name: one\n', 'write');
    const step = { section: 'step', name: 'one' } as const;
    void session.edit({ kind: 'rename-step', step, name: 'uno' }, { label: 'rename' });
    expect(await sync.save()).toBe(true);
    expect(file.text).toBe('steps:\n  - name: uno\n');
  });

  it('keeps the text and shows the reason when it is rejected', async () => {
    const { file, session, sync } = open();
    type(session, 0, 'x');
    file.refusal = 'the disk is full';
    expect(await sync.save()).toBe(false);
    expect(sync.view.problem).toBe('the disk is full');
    expect(session.view.isDirty).toBe(true);
    file.refusal = undefined;
    expect(await sync.save()).toBe(true);
    expect(sync.view.problem).toBeUndefined();
  });

  it('shows the number of errors in the saved text', async () => {
    const { file, session, sync } = open();
    type(session, 0, '!');
    expect(await sync.save()).toBe(true);
    expect(file.text).toBe('!a\nb\n');
    expect(sync.view.errors).toBe(2);
    expect(session.view.isDirty).toBe(false);
    type(session, 0, '-');
    await sync.save();
    expect(sync.view.errors).toBe(0);
  });

  it('shows the version of a restored text while it is unchanged', async () => {
    const { file, session, sync } = open();
    sync.restore(7, 'old\n');
    await sync.save();
    type(session, 0, 'x');
    await sync.save();
    expect(file.writes).toEqual([
      { text: 'old\n', restoredFrom: 7 },
      { text: 'xold\n', restoredFrom: undefined },
    ]);
  });
});

describe('a file changed externally', () => {
  it('is reloaded immediately without unsaved changes', async () => {
    const { file, session, sync } = open();
    file.text = 'a\nb\nc\n';
    await sync.checkFile();
    expect(session.text).toBe('a\nb\nc\n');
    expect(session.view).toMatchObject({ isDirty: false, undo: 'change on disk' });
  });

  it('waits for a decision with unsaved changes, also when a save detects it', async () => {
    const { file, session, sync } = open();
    type(session, 0, 'x');
    file.text = 'a\nb\nc\n';
    expect(await sync.save()).toBe(false);
    expect(sync.view.theirs?.text).toBe('a\nb\nc\n');
    expect(file.text).toBe('a\nb\nc\n');
    expect(session.text).toBe('xa\nb\n');
  });

  it.each([
    { what: 'theirs', decide: (sync: FileSync) => sync.acceptTheirs(), text: 'a\nb\nc\n', isDirty: false },
    { what: 'mine', decide: (sync: FileSync) => sync.acceptMine(), text: 'xa\nb\n', isDirty: true },
    {
      what: 'both',
      decide: (sync: FileSync) => sync.acceptMerged('xa\nb\nc\n'),
      text: 'xa\nb\nc\n',
      isDirty: true,
    },
  ])('can be resolved to $what, and saved then', async ({ decide, text, isDirty }) => {
    const { file, session, sync } = open();
    type(session, 0, 'x');
    file.text = 'a\nb\nc\n';
    await sync.checkFile();
    decide(sync);
    expect(session.text).toBe(text);
    expect(session.view.isDirty).toBe(isDirty);
    expect(sync.view.theirs).toBeUndefined();
    await sync.save();
    expect(file.text).toBe(text);
  });

  it('is no conflict if both have the same text', async () => {
    const { file, session, sync } = open();
    type(session, 0, 'x');
    file.text = session.text;
    await sync.checkFile();
    expect(sync.view.theirs).toBeUndefined();
    expect(session.view.isDirty).toBe(false);
  });
});
