import { describe, expect, it } from 'vitest';
import {
  DraftAutosave,
  type Draft,
  type DraftPort,
} from '../../../../renderer/editor/save/draft-autosave.ts';
import { openSession, type } from '../editor-harness.tsx';

class MemoryDrafts implements DraftPort {
  text: string | undefined;
  revision = 0;
  isBroken = false;

  load(): Promise<Draft | undefined> {
    return Promise.resolve(undefined);
  }

  async save(text: string, _baseHash: string, revision: number): Promise<number> {
    if (this.isBroken) throw new Error('the disk is full');
    if (revision !== this.revision) throw new Error(`revision ${revision} instead of ${this.revision}`);
    this.text = text;
    this.revision += 1;
    return this.revision;
  }

  async discard(): Promise<void> {
    this.text = undefined;
    this.revision = 0;
  }
}

function open() {
  const { session, clock } = openSession('a\n');
  const port = new MemoryDrafts();
  const autosave = new DraftAutosave(session, port, clock);
  return { session, clock, port, autosave, stop: autosave.start() };
}

describe('unsaved changes', () => {
  it('are saved a second after the last of them', async () => {
    const { session, clock, port, autosave } = open();
    type(session, 0, 'x');
    clock.advance(999);
    type(session, 0, 'y');
    clock.advance(999);
    expect(port.text).toBeUndefined();
    clock.advance(1);
    await autosave.flush();
    expect(port.text).toBe('yxa\n');
    expect(autosave.revision).toBe(1);
    type(session, 0, 'z');
    expect(autosave.revision).toBeUndefined();
  });

  it('are no longer a draft once they are saved or undone', async () => {
    const { session, port, autosave } = open();
    type(session, 0, 'x');
    await autosave.flush();
    session.markSaved({ text: session.text, hash: 'h2' });
    await autosave.flush();
    expect(port.text).toBeUndefined();
    type(session, 0, 'y');
    await autosave.flush();
    session.undo();
    await autosave.flush();
    expect(port.text).toBeUndefined();
  });

  it('of the last moment are saved when the page closes, unless discarded', async () => {
    const first = open();
    type(first.session, 0, 'x');
    first.stop();
    await first.autosave.flush();
    expect(first.port.text).toBe('xa\n');
    const second = open();
    type(second.session, 0, 'x');
    await second.autosave.flush();
    await second.autosave.discard();
    second.stop();
    await second.autosave.flush();
    expect(second.port.text).toBeUndefined();
  });

  it('are saved again after a failure', async () => {
    const { session, port, autosave } = open();
    port.isBroken = true;
    type(session, 0, 'x');
    await autosave.flush();
    expect(autosave.failure).toEqual(new Error('the disk is full'));
    port.isBroken = false;
    await autosave.flush();
    expect(port.text).toBe('xa\n');
    expect(autosave.failure).toBeUndefined();
  });
});
