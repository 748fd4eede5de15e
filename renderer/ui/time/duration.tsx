import { useNow } from '../../app/clock.ts';
import { formatDuration, formatTicking } from '../../format/duration.ts';
import { spanOf } from '../../format/time.ts';

interface DurationProps {
  readonly startedAt: string | undefined;
  readonly finishedAt: string | undefined;
}

/** How long something took or, ticking, has been running. Renders nothing before it starts. */
export function Duration({ startedAt, finishedAt }: DurationProps) {
  const running = startedAt !== undefined && finishedAt === undefined;
  const now = useNow(running);
  if (startedAt === undefined) return null;
  const span = spanOf(startedAt, finishedAt, now);
  return <span data-figures>{running ? formatTicking(span) : formatDuration(span)}</span>;
}
