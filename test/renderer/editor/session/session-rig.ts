import type { Analysis } from '../../../../core/edit/build-outline.ts';
import type { Outline } from '../../../../core/edit/outline.ts';
import { EditorSession } from '../../../../renderer/editor/session/editor-session.ts';
import type { DocumentWorker } from '../../../../renderer/editor/session/analysis-feed.ts';
import { FakeClock } from '../../../rig/fake-clock.ts';

/** An analyst that responds when a test tells it to. */
export class HeldDocumentWorker implements DocumentWorker {
  readonly asked: string[] = [];
  #waiting: ((analysis: Analysis) => void)[] = [];
  isDisposed = false;

  analyze(text: string): Promise<Analysis> {
    this.asked.push(text);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Responds to the oldest request. */
  async answer(outline: Outline = { documents: [] }): Promise<void> {
    const text = this.asked[this.asked.length - this.#waiting.length] ?? '';
    this.#waiting.shift()?.({ text, workflows: [], diagnostics: [], outline });
    await Promise.resolve();
    await Promise.resolve();
  }

  dispose(): void {
    this.isDisposed = true;
  }
}

export function openSession(text: string, draft?: string) {
  const clock = new FakeClock();
  const documentWorker = new HeldDocumentWorker();
  const session = new EditorSession({
    fileName: 'etl',
    saved: { text, hash: 'h1' },
    ...(draft !== undefined && { text: draft }),
    startDocumentWorker: () => documentWorker,
    clock,
  });
  return { session, clock, documentWorker, stop: session.start() };
}

/** An edit by keyboard or clipboard: with a user event. */
export function type(
  session: EditorSession,
  from: number,
  insert: string,
  to = from,
  event = 'input.type',
): void {
  session.dispatch({ changes: { from, to, insert }, userEvent: event });
}
