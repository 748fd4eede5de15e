import type { MessageBoxOptions } from 'electron';
import { toIso, type Clock } from '../core/base/clock.ts';
import { getErrorMessage } from '../core/base/errors.ts';
import type { DesktopMessage } from '../core/contract/desktop-calls.ts';
import type { EngineApi } from '../core/index.ts';
import { windowCaller } from './engine-ipc.ts';
import type { DesktopActions, PauseSpan, TrayRun, TrayWorkflow } from './tray-menu.ts';

/** Dependencies of the actions. */
export interface DesktopActionsOptions {
  readonly api: EngineApi;
  readonly clock: Pick<Clock, 'now'>;
  open(hash?: string): void;
  quit(): void;
  /** Sends a message to the window, buffered until it listens. */
  notify(message: DesktopMessage): void;
  ask(options: MessageBoxOptions): Promise<{ response: number }>;
  /** Called after a change that no event reports. */
  onChanged(): void;
}

const hourMs = 3_600_000;

/** Actions of the tray and the application menu. Errors are shown in the window. */
export function desktopActions(options: DesktopActionsOptions): DesktopActions {
  const { api, clock, open, quit, notify, ask, onChanged } = options;
  const attempt = (what: Promise<unknown>): void => {
    what.then(onChanged, (error: unknown) => {
      open();
      notify({ kind: 'notice', notice: { tone: 'error', text: getErrorMessage(error) } });
    });
  };
  return {
    open,
    quit,
    search() {
      open();
      notify({ kind: 'open_palette' });
    },
    start: (workflow) => attempt(startWorkflow(api, workflow, open)),
    stop: (run) => attempt(stopRun(api, run, ask)),
    pause(span) {
      const until = getEnd(span, clock.now());
      attempt(api.call('schedules.pause', until === undefined ? {} : { until: toIso(until) }, windowCaller));
    },
    resume: () => attempt(api.call('schedules.resume', {}, windowCaller)),
  };
}

/** Returns epoch milliseconds; tomorrow begins at midnight in the machine's time zone. */
function getEnd(span: PauseSpan, now: number): number | undefined {
  if (span === 'resumed') return undefined;
  if (span === 'hour') return now + hourMs;
  const midnight = new Date(now);
  midnight.setHours(24, 0, 0, 0);
  return midnight.getTime();
}

/** Opens the workflow instead if it has parameters or is invalid, because it needs input first. */
async function startWorkflow(
  api: EngineApi,
  { fileName }: TrayWorkflow,
  open: (hash: string) => void,
): Promise<void> {
  const { workflow, paramForm } = await api.call('dags.get', { fileName }, windowCaller);
  if (workflow === undefined || (paramForm?.fields ?? workflow.params).length > 0) {
    open(`#/dags/${encodeURIComponent(fileName)}${workflow === undefined ? '' : '?run=ask'}`);
    return;
  }
  await api.call('dags.start', { fileName }, windowCaller);
}

async function stopRun(
  api: EngineApi,
  { name, dagRunId }: TrayRun,
  ask: DesktopActionsOptions['ask'],
): Promise<void> {
  const { response } = await ask({
    type: 'question',
    title: 'Stop run',
    message: `Stop the run of ${name}?`,
    detail: 'Its abort and exit handlers will run.',
    buttons: [`Stop ${name}`, 'Cancel'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  if (response === 0) await api.call('runs.stop', { name, dagRunId }, windowCaller);
}
