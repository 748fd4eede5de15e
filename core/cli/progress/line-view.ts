import type { Channel } from '../terminal.ts';
import { statusStyles } from '../report/status-styles.ts';
import { formatClockTime } from '../report/time-text.ts';
import { describeEvent } from './event-text.ts';
import type { ProgressView } from './follow-run.ts';

/** Opens a view with one line per event: `15:04:05 step extract started`. For files, pipes, CI and small terminals. */
export function openLineView(channel: Channel): ProgressView {
  return {
    update(event, progress) {
      const described = describeEvent(event, progress);
      if (described === undefined) return;
      const { status, text } = described;
      const colored = status === undefined ? text : channel.paint(statusStyles[status].paint, text);
      void channel.write(`${channel.paint('dim', formatClockTime(new Date(event.at)))} ${colored}\n`);
    },
    close() {},
  };
}
