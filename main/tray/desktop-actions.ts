import type { MessageBoxOptions } from 'electron';
import { toIso, type Clock } from '../../core/base/clock.ts';
import { messageOf } from '../../core/base/errors.ts';
import type { DesktopMessage } from '../../core/contract/desktop/messages.ts';
import type { EngineApi } from '../../core/index.ts';
import { windowCaller } from '../ipc/register-operations.ts';
import type { DesktopActions, PauseSpan } from './tray-menu.ts';
import type { TrayRun, TrayWorkflow } from './tray-picture.ts';

/** What the actions work with. */
export interface ActionParts {
  readonly api: EngineApi;
  readonly clock: Pick<Clock, 'now'>;
  open(hash?: string): void;
  quit(): void;
  /** Tells the window something, now or when it listens. */
  tell(message: DesktopMessage): void;
  ask(options: MessageBoxOptions): Promise<{ response: number }>;
  /** Something has changed that no event tells of. */
  onChanged(): void;
}

const hourMs = 3_600_000;

/** What a person does from the tray or the application menu. What goes wrong is shown in the window. */
export function desktopActions(parts: ActionParts): DesktopActions {
  const { api, clock, open, quit, tell, ask, onChanged } = parts;
  const attempt = (what: Promise<unknown>): void => {
    what.then(onChanged, (thrown: unknown) => {
      open();
      tell({ kind: 'notice', notice: { tone: 'error', text: messageOf(thrown) } });
    });
  };
  return {
    open,
    quit,
    search() {
      open();
      tell({ kind: 'open_palette' });
    },
    start: (workflow) => attempt(startWorkflow(api, workflow, open)),
    stop: (run) => attempt(stopRun(api, run, ask)),
    pause(span) {
      const until = endOf(span, clock.now());
      attempt(api.call('schedules.pause', until === undefined ? {} : { until: toIso(until) }, windowCaller));
    },
    resume: () => attempt(api.call('schedules.resume', {}, windowCaller)),
  };
}

/** Epoch milliseconds; tomorrow begins at midnight by the clock of this machine. */
function endOf(span: PauseSpan, now: number): number | undefined {
  if (span === 'resumed') return undefined;
  if (span === 'hour') return now + hourMs;
  const midnight = new Date(now);
  midnight.setHours(24, 0, 0, 0);
  return midnight.getTime();
}

/** A workflow that asks for values, or that is broken, is shown instead: a person has to say something first. */
async function startWorkflow(
  api: EngineApi,
  { fileName }: TrayWorkflow,
  open: (hash: string) => void,
): Promise<void> {
  const { workflow } = await api.call('dags.get', { fileName }, windowCaller);
  if (workflow === undefined || workflow.params.length > 0) {
    open(`#/dags/${encodeURIComponent(fileName)}`);
    return;
  }
  await api.call('dags.start', { fileName }, windowCaller);
}

async function stopRun(api: EngineApi, { name, dagRunId }: TrayRun, ask: ActionParts['ask']): Promise<void> {
  const { response } = await ask({
    type: 'question',
    title: 'Stop run',
    message: `Stop the run of ${name}?`,
    detail: 'Its abort and exit handlers run.',
    buttons: [`Stop ${name}`, 'Cancel'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  if (response === 0) await api.call('runs.stop', { name, dagRunId }, windowCaller);
}
