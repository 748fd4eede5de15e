import { expect, test } from 'vitest';
import type { Analysis } from '../../../../core/edit/build-outline.ts';
import { AnalysisFeed } from '../../../../renderer/editor/session/analysis-feed.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { HeldDocumentWorker } from '../editor-harness.tsx';

function openFeed() {
  const clock = new FakeClock();
  const documentWorker = new HeldDocumentWorker();
  const shown: string[] = [];
  const feed = new AnalysisFeed({
    clock,
    documentWorker,
    file: 'etl.yaml',
    onAnalysis: ({ text }: Analysis) => shown.push(text),
    onFailure: (failure) => expect.unreachable(String(failure)),
  });
  return { clock, documentWorker, shown, feed };
}

test('the first key is analyzed without a pause, the following ones together', async () => {
  const { clock, documentWorker, shown, feed } = openFeed();
  feed.take('a', true);
  expect(documentWorker.asked).toEqual(['a']);
  await documentWorker.answer();
  expect(shown).toEqual(['a']);
  for (const text of ['ab', 'abc', 'abcd']) {
    clock.advance(20);
    feed.take(text, true);
  }
  expect(documentWorker.asked).toEqual(['a']);
  clock.advance(50);
  expect(documentWorker.asked).toEqual(['a', 'abcd']);
  await documentWorker.answer();
  expect(shown).toEqual(['a', 'abcd']);
});

test('a text is not analyzed again after its pause', async () => {
  const { clock, documentWorker, feed } = openFeed();
  feed.take('a', true);
  await documentWorker.answer();
  clock.advance(500);
  expect(documentWorker.asked).toEqual(['a']);
});

test('one analysis runs at a time, followed by the newest text', async () => {
  const { clock, documentWorker, shown, feed } = openFeed();
  feed.take('a', true);
  clock.advance(60);
  feed.take('ab', true);
  clock.advance(60);
  feed.take('abc', true);
  clock.advance(60);
  expect(documentWorker.asked).toEqual(['a']);
  await documentWorker.answer();
  expect(shown).toEqual([]);
  expect(documentWorker.asked).toEqual(['a', 'abc']);
  await documentWorker.answer();
  expect(shown).toEqual(['abc']);
});
