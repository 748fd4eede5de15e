import type { Clock } from '../../base/clock.ts';
import type { Channel } from '../terminal.ts';
import { drawFrame } from './draw-frame.ts';
import { describeEvent } from './event-text.ts';
import type { ProgressView } from './follow-run.ts';
import { blankPicture, type RunPicture } from './run-picture.ts';

const frameMs = 100;
const hideCursor = '\u001B[?25l';
const showCursor = '\u001B[?25h';
const eraseDown = '\u001B[0J';

/** Whether a channel has room and skill for a view that redraws itself. */
export const canRedraw = (
  channel: Channel,
  environment: Readonly<Record<string, string | undefined>>,
): boolean =>
  channel.isTty &&
  channel.columns >= 40 &&
  channel.rows >= 8 &&
  environment['TERM'] !== 'dumb' &&
  (environment['CI'] ?? '') === '';

/**
 * A compact step list that redraws itself in place and is gone when the run has ended; the
 * summary says the rest. Notes and warnings stay above it.
 */
export function openLiveView(channel: Channel, clock: Clock, title: string): ProgressView {
  let picture: RunPicture = blankPicture([]);
  let linesOnScreen = 0;
  const rewind = (): string => (linesOnScreen === 0 ? '\r' : `\u001B[${linesOnScreen}F`) + eraseDown;
  const draw = (above = ''): void => {
    const lines = drawFrame(picture, { channel, title, now: clock.now() });
    void channel.write(`${rewind()}${above}${lines.join('\n')}\n`);
    linesOnScreen = lines.length;
  };
  void channel.write(hideCursor);
  const stop = clock.every(frameMs, draw);
  let open = true;
  return {
    update(event, now) {
      picture = now;
      if (event.event.type === 'run.note') draw(`${describeEvent(event, now)?.text ?? ''}\n`);
      else if (linesOnScreen === 0) draw();
    },
    close() {
      if (!open) return;
      open = false;
      stop();
      void channel.write(rewind() + showCursor);
    },
  };
}
