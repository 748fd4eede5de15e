import { describe, expect, it } from 'vitest';
import { DraftKeeper, type Draft, type DraftPort } from '../../../../renderer/editor/save/draft-keeper.ts';
import { openSession, type } from '../editor-harness.tsx';

class MemoryDrafts implements DraftPort {
  text: string | undefined;
  revision = 0;
  isBroken = false;

  load(): Promise<Draft | undefined> {
    return Promise.resolve(undefined);
  }

  async keep(text: string, _baseHash: string, revision: number): Promise<number> {
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
  const keeper = new DraftKeeper(session, port, clock);
  return { session, clock, port, keeper, stop: keeper.start() };
}

describe('unsaved changes', () => {
  it('are saved a second after the last of them', async () => {
    const { session, clock, port, keeper } = open();
    type(session, 0, 'x');
    clock.advance(999);
    type(session, 0, 'y');
    clock.advance(999);
    expect(port.text).toBeUndefined();
    clock.advance(1);
    await keeper.flush();
    expect(port.text).toBe('yxa\n');
    expect(keeper.revision).toBe(1);
    type(session, 0, 'z');
    expect(keeper.revision).toBeUndefined();
  });

  it('are no longer a draft once they are saved or undone', async () => {
    const { session, port, keeper } = open();
    type(session, 0, 'x');
    await keeper.flush();
    session.markSaved({ text: session.text, hash: 'h2' });
    await keeper.flush();
    expect(port.text).toBeUndefined();
    type(session, 0, 'y');
    await keeper.flush();
    session.undo();
    await keeper.flush();
    expect(port.text).toBeUndefined();
  });

  it('of the last moment are saved when the page closes, unless discarded', async () => {
    const first = open();
    type(first.session, 0, 'x');
    first.stop();
    await first.keeper.flush();
    expect(first.port.text).toBe('xa\n');
    const second = open();
    type(second.session, 0, 'x');
    await second.keeper.flush();
    await second.keeper.discard();
    second.stop();
    await second.keeper.flush();
    expect(second.port.text).toBeUndefined();
  });

  it('are saved again after a failure', async () => {
    const { session, port, keeper } = open();
    port.isBroken = true;
    type(session, 0, 'x');
    await keeper.flush();
    expect(keeper.failure).toEqual(new Error('the disk is full'));
    port.isBroken = false;
    await keeper.flush();
    expect(port.text).toBe('xa\n');
    expect(keeper.failure).toBeUndefined();
  });
});
