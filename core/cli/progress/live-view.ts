import type { Clock } from '../../base/clock.ts';
import type { RunEvent } from '../../model/run/run-event.ts';
import type { Channel } from '../terminal.ts';
import { drawFrame } from './draw-frame.ts';
import { describeEvent } from './event-text.ts';
import type { ProgressView } from './follow-run.ts';
import { blankPicture, type RunPicture } from './run-picture.ts';

const frameMs = 100;

const stays: ReadonlySet<RunEvent['type']> = new Set([
  'run.message',
  'step.approval_requested',
  'step.approval_resolved',
]);

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
 * summary says the rest. Notes, warnings, questions and answers stay above it.
 */
export function openLiveView(channel: Channel, clock: Clock, title: string): ProgressView {
  let picture: RunPicture = blankPicture([]);
  const draw = (): void => channel.pin(drawFrame(picture, { channel, title, now: clock.now() }));
  const stop = clock.every(frameMs, draw);
  return {
    update(event, now) {
      const isFirst = picture !== now;
      picture = now;
      if (stays.has(event.event.type)) void channel.write(`${describeEvent(event, now)?.text ?? ''}\n`);
      if (isFirst) draw();
    },
    close() {
      stop();
      channel.pin([]);
    },
  };
}
