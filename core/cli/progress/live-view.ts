import type { Clock } from '../../base/clock.ts';
import type { RunEvent } from '../../model/run/run-event.ts';
import type { Channel } from '../terminal.ts';
import { drawFrame } from './draw-frame.ts';
import { describeEvent } from './event-text.ts';
import type { ProgressView } from './follow-run.ts';
import { emptyProgress, type RunProgressState } from './run-progress-state.ts';

const frameMs = 100;

const stays: ReadonlySet<RunEvent['type']> = new Set([
  'run.message',
  'step.approval_requested',
  'step.approval_resolved',
]);

/** Whether the channel supports a redrawn view and has room for it. */
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
 * Opens a compact step list that is redrawn in place and removed when the run has ended; the summary follows. Notes,
 * warnings, questions and answers stay above it.
 */
export function openLiveView(channel: Channel, clock: Clock, title: string): ProgressView {
  let progress: RunProgressState = emptyProgress([]);
  const draw = (): void => channel.pin(drawFrame(progress, { channel, title, now: clock.now() }));
  const stop = clock.every(frameMs, draw);
  return {
    update(event, now) {
      const isFirst = progress !== now;
      progress = now;
      if (stays.has(event.event.type)) void channel.write(`${describeEvent(event, now)?.text ?? ''}\n`);
      if (isFirst) draw();
    },
    close() {
      stop();
      channel.pin([]);
    },
  };
}
