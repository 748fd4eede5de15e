import { describe, expect, it } from 'vitest';
import type { Outline, OutlineStep } from '../../../../core/edit/outline.ts';
import { openSession, type } from '../editor-harness.tsx';
import { analyze } from '../../../harness/workflow-texts.ts';

const text = 'steps:\n  - name: one\n  - name: two\n';

function buildOutline(source: string): Outline {
  const steps = [...source.matchAll(/- name: (\w+)\n/g)].map((match, index): OutlineStep => ({
    section: 'step',
    name: match[1]!,
    isNamed: true,
    path: ['steps', index],
    depends: [],
    detail: '',
    kind: 'command',
    from: match.index,
    to: match.index + match[0].length,
  }));
  return {
    documents: [
      { index: 0, from: 0, to: source.length, type: 'chain', stepsForm: 'list', steps, handlers: [] },
    ],
  };
}

describe('history', () => {
  it('is shared by edits of all views, each with a label', () => {
    const { session } = openSession(text);
    session.apply([{ from: 17, to: 20, insert: 'uno' }], { label: 'rename step' });
    type(session, 0, '# hi\n');
    session.apply([{ from: 0, to: 0, insert: '# top\n' }], { label: 'add comment' });
    expect(session.view).toMatchObject({ undo: 'add comment', redo: undefined, isDirty: true });
    session.undo();
    expect(session.view).toMatchObject({ undo: 'typing', redo: 'add comment' });
    session.undo();
    expect(session.view.undo).toBe('rename step');
    session.undo();
    expect(session.view).toMatchObject({ undo: undefined, redo: 'rename step', isDirty: false });
    session.redo();
    expect(session.view).toMatchObject({ undo: 'rename step', redo: 'typing', isDirty: true });
  });

  it('merges fast typing in one field into one edit', () => {
    const { session, clock } = openSession(text);
    const typeInField = (field: string, insert: string): void => {
      session.apply([{ from: 20, to: 20, insert }], { label: `change ${field}`, group: field });
      clock.advance(100);
    };
    typeInField('name', 'a');
    typeInField('name', 'b');
    typeInField('other', 'c');
    clock.advance(5000);
    typeInField('other', 'd');
    expect(session.view.undo).toBe('change other');
    session.undo();
    session.undo();
    expect(session.view.undo).toBe('change name');
    session.undo();
    expect(session.text).toBe(text);
  });

  it('never merges structural edits, however fast', () => {
    const { session } = openSession(text);
    session.apply([{ from: 0, to: 0, insert: 'a' }], { label: 'first' });
    session.apply([{ from: 1, to: 1, insert: 'b' }], { label: 'second' });
    session.undo();
    expect(session.text).toBe(`a${text}`);
  });

  it('ignores a rejected edit', async () => {
    const { session, documentWorker } = openSession(text);
    await documentWorker.answer(buildOutline(text));
    const edit = session.edit(
      { kind: 'rename-step', step: { section: 'step', name: 'three' }, name: 'drei' },
      { label: 'rename step' },
    );
    expect(session.view.isStale).toBe(true);
    expect(await edit).toMatchObject({ ok: false });
    expect(session.view).toMatchObject({ undo: undefined, isStale: false, isDirty: false });
  });

  it('applies requested edits in order, before undo', async () => {
    const { session } = openSession(text);
    const rename = (from: string, to: string) =>
      session.edit(
        { kind: 'rename-step', step: { section: 'step', name: from }, name: to },
        { label: `rename ${from}` },
      );
    const edits = [rename('one', 'uno'), rename('uno', 'eins')];
    session.undo();
    await session.pendingEdits;
    expect(await Promise.all(edits)).toMatchObject([{ ok: true }, { ok: true }]);
    expect(session.text).toBe('steps:\n  - name: uno\n  - name: two\n');
    expect(session.view).toMatchObject({ undo: 'rename one', redo: 'rename uno' });
  });

  it('rejects an edit of a closed session', async () => {
    const { session, stop } = openSession(text);
    stop();
    const edit = session.edit({ kind: 'remove-handler', handler: 'exit' }, { label: 'remove' });
    expect(await edit).toEqual({ ok: false, reason: 'The editor is closed.' });
  });

  it('compares content to decide if there are unsaved changes', () => {
    const { session } = openSession(text);
    type(session, 0, 'x');
    expect(session.view.isDirty).toBe(true);
    type(session, 0, '', 1, 'delete');
    expect(session.view.isDirty).toBe(false);
    type(session, 0, 'y');
    session.markSaved({ text: session.text, hash: 'h2' });
    expect(session.view.isDirty).toBe(false);
    session.undo();
    expect(session.view.isDirty).toBe(true);
  });
});

describe('analysis', () => {
  it('is never outdated', async () => {
    const { session, clock, documentWorker } = openSession(text);
    await documentWorker.answer(buildOutline(text));
    expect(session.view.isStale).toBe(false);
    type(session, 0, '#');
    expect(documentWorker.asked).toHaveLength(2);
    type(session, 1, '#');
    type(session, 2, '#');
    clock.advance(150);
    await documentWorker.answer();
    expect(session.view.isStale).toBe(true);
    expect(documentWorker.asked.at(-1)).toBe(`###${text}`);
    await documentWorker.answer();
    expect(session.view).toMatchObject({ isStale: false, analysis: { text: `###${text}` } });
  });

  it('starts immediately for edits other than typing', () => {
    const { session, documentWorker } = openSession(text);
    void documentWorker.answer();
    session.apply([{ from: 0, to: 0, insert: '# x\n' }], { label: 'add comment' });
    expect(documentWorker.asked.length).toBeLessThanOrEqual(2);
  });

  it('ends with the session', () => {
    const { stop, documentWorker } = openSession(text);
    stop();
    expect(documentWorker.isDisposed).toBe(true);
  });
});

describe('selection of nodes', () => {
  it('is restored by undo, follows a renamed node, and drops a deleted one', async () => {
    const { session, documentWorker, clock } = openSession(text);
    await documentWorker.answer(buildOutline(text));
    session.select([{ section: 'step', name: 'two' }], 'outline');
    type(session, 31, 'deux', 34);
    clock.advance(150);
    await documentWorker.answer(buildOutline(session.text));
    expect(session.view.selection).toEqual([{ section: 'step', name: 'deux' }]);
    session.apply([{ from: 21, to: session.text.length, insert: '' }], { label: 'delete step' });
    session.select([], 'other');
    session.undo();
    expect(session.view.selection).toEqual([{ section: 'step', name: 'deux' }]);
  });

  it('maps positions of the analysis to text that has changed since', async () => {
    const { session, documentWorker } = openSession(text);
    await documentWorker.answer(buildOutline(text));
    const [, second] = session.view.analysis!.outline.documents[0]!.steps;
    type(session, 0, '# head\n');
    expect(session.text.slice(session.locate(second!).from)).toMatch(/^- name: two/);
    expect(session.locateInAnalysis(7)).toBe(0);
  });

  it('switches all views to another workflow, and stays there when documents are inserted before it', async () => {
    const file = 'steps:\n  - one\n---\nname: inner\nsteps:\n  - name: deep\n    command: x\n';
    const { session, documentWorker, stop } = openSession(file);
    const look = () => documentWorker.answer(analyze(session.text, 'etl.yaml').outline);
    await look();
    const deep = { section: 'step', name: 'deep', document: 1 } as const;
    session.select([{ section: 'step', name: 'cmd_1' }, deep], 'outline');
    expect(session.view).toMatchObject({ selection: [deep], document: 1 });
    session.select([], 'canvas');
    expect(session.view).toMatchObject({ selection: [], document: 1 });
    session.select([deep], 'canvas');
    const request = { kind: 'rename-step', step: deep, name: 'deeper' } as const;
    expect(await session.edit(request, { label: 'rename' })).toMatchObject({ ok: true });
    await look();
    session.apply([{ from: 0, to: 0, insert: 'name: first\nsteps: [x]\n---\n' }], { label: 'add' });
    await look();
    expect(session.view).toMatchObject({
      selection: [{ ...deep, name: 'deeper', document: 2 }],
      document: 2,
    });
    session.undo();
    session.undo();
    await look();
    expect(session.text).toBe(file);
    expect(session.view).toMatchObject({ selection: [deep], document: 1 });
    session.selectWorkflow(undefined, 'inspector');
    expect(session.view).toMatchObject({ selection: [], document: undefined });
    stop();
  });
});
