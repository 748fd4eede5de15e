import type { EventView } from '../../contract/runs/events.ts';
import type { RunRef } from '../../model/run/run.ts';
import type { EngineApi } from '../../api/engine-host.ts';
import type { CommandContext } from '../command-context.ts';
import { paintEvent, type RunPicture } from './run-picture.ts';

/** Something that shows a run while it goes on. */
export interface ProgressView {
  /** After each event; the picture has it already. */
  update(event: EventView, picture: RunPicture): void;
  /** Removes what must not stay on the screen. */
  close(): void;
}

/** Shows a run until its next end, or until `close`. */
export interface RunProgress {
  /** Resolves when the run's last event has been shown, or the stream of events is over. */
  readonly shown: Promise<void>;
  close(): void;
}

/** A run, and how it stands before the first event that is shown. */
export interface FollowedRun extends RunRef {
  /** Painted into. */
  readonly picture: RunPicture;
  /** Events after this one are shown; 0 for all. */
  readonly after: number;
}

/** Connects a run's events to a view. The view is closed before `shown` resolves. */
export function followRun(
  context: CommandContext,
  api: EngineApi,
  { name, dagRunId, picture, after }: FollowedRun,
  view: ProgressView,
): RunProgress {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => {
    view.close();
    resolve();
  };
  const leave = api.follow(
    'events.follow',
    { name, dagRunId, after },
    {
      item(event) {
        paintEvent(picture, event);
        view.update(event, picture);
        if (event.event.type === 'run.finished') end();
      },
      end,
    },
    context.caller,
  );
  return {
    shown: promise,
    close() {
      leave();
      end();
    },
  };
}
