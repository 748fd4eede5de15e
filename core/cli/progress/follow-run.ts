import type { EventView } from '../../contract/runs/events.ts';
import type { RunRef } from '../../model/run/run.ts';
import type { EngineApi } from '../../api/engine-host.ts';
import type { CommandContext } from '../command-context.ts';
import { applyEvent, type RunProgressState } from './run-progress-state.ts';

/** A view of a running run. */
export interface ProgressView {
  /** Called after each event, which has been applied to the snapshot. */
  update(event: EventView, progress: RunProgressState): void;
  /** Removes temporary output from the screen. */
  close(): void;
}

/** Shows a run until it ends or `close` is called. */
export interface RunProgress {
  /** Resolves after the run's last event has been shown, or the event stream has ended. */
  readonly shown: Promise<void>;
  close(): void;
}

/** A run with its state before the first shown event. */
export interface FollowedRun extends RunRef {
  /** Updated in place. */
  readonly progress: RunProgressState;
  /** Only events after this one are shown; 0 for all. */
  readonly after: number;
}

/** Connects a run's events to a view. The view is closed before `shown` resolves. */
export function followRun(
  context: CommandContext,
  api: EngineApi,
  { name, dagRunId, progress, after }: FollowedRun,
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
        applyEvent(progress, event);
        view.update(event, progress);
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
