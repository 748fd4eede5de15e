import type { MenuItemConstructorOptions } from 'electron';

/** A run in the tray. */
export interface TrayRun {
  readonly name: string;
  readonly dagRunId: string;
  readonly status: string;
  /** `3 of 8 steps`, for an active run. */
  readonly progress?: string;
}

/** A workflow that can be started. */
export interface TrayWorkflow {
  readonly fileName: string;
  readonly name: string;
}

/** An upcoming scheduled run. */
export interface TrayNext extends TrayWorkflow {
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** A queue with waiting runs, or a paused one. */
export interface TrayQueue {
  readonly name: string;
  readonly state: string;
  readonly running: number;
  readonly waiting: number;
}

/** Content of the tray. */
export interface TrayContent {
  readonly running: readonly TrayRun[];
  /** Whether there are more active runs than in `running`. */
  readonly more: boolean;
  readonly recent: readonly TrayRun[];
  /** Number of failures since the user last looked. */
  readonly failed: number;
  readonly next: readonly TrayNext[];
  readonly favourites: readonly TrayWorkflow[];
  /** Recently run workflows, without favourites. */
  readonly started: readonly TrayWorkflow[];
  readonly queues: readonly TrayQueue[];
  /** Whether there are upcoming runs, but no active scheduler that would start them. */
  readonly isSchedulerStopped?: boolean;
  /** While all schedules are paused: until when, ISO 8601; `''` for no end. */
  readonly pausedUntil?: string;
}

export const emptyTrayContent: TrayContent = {
  running: [],
  more: false,
  recent: [],
  failed: 0,
  next: [],
  favourites: [],
  started: [],
  queues: [],
};

/** States of the icon. */
export const trayStates = ['idle', 'running', 'failed', 'paused'] as const;
export type TrayState = (typeof trayStates)[number];

/** Returns the state with the highest priority. */
export function getTrayState({ failed, pausedUntil, running }: TrayContent): TrayState {
  if (failed > 0) return 'failed';
  if (running.length > 0) return 'running';
  return pausedUntil === undefined ? 'idle' : 'paused';
}

/** Summarizes the state in one line. */
export function summarize({ running, more, failed, pausedUntil }: TrayContent): string {
  const labels = [
    running.length === 0 ? 'No active runs' : `${more ? 'More than ' : ''}${running.length} running`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(pausedUntil === undefined ? [] : ['schedules paused']),
  ];
  return labels.join(', ');
}

/** How long to pause the schedules. */
export type PauseSpan = 'hour' | 'tomorrow' | 'resumed';

/** Actions of the tray and the application menu. */
export interface DesktopActions {
  /** Opens the window, at an address such as `#/runs` if set. */
  open(hash?: string): void;
  /** Opens the search for a workflow to start. */
  search(): void;
  start(workflow: TrayWorkflow): void;
  /** Asks for confirmation. */
  stop(run: TrayRun): void;
  pause(span: PauseSpan): void;
  resume(): void;
  quit(): void;
}

type Item = MenuItemConstructorOptions;
/** Maximum number of items, so that the menu fits on the screen. */
const maxItems = { running: 10, queues: 6 };
const separator: Item = { type: 'separator' };
const title = (label: string): Item => ({ label, enabled: false });

const page = (...segments: readonly string[]): string => `#/${segments.map(encodeURIComponent).join('/')}`;

/** Builds the menu with all actions of the app, because some Linux desktops send no clicks on the icon. */
export function trayMenu(
  content: TrayContent,
  actions: DesktopActions,
  formatTime: (iso: string) => string,
): Item[] {
  return [
    { id: 'open', label: 'Open Stepwright', click: () => actions.open() },
    { id: 'start', label: 'Run workflow', submenu: startMenu(content, actions) },
    separator,
    { id: 'summary', label: summarize(content), enabled: false },
    ...content.running.slice(0, maxItems.running).map((run) => runningItem(run, actions)),
    ...section(
      'Recent runs',
      content.recent.map((run) => recentItem(run, actions)),
    ),
    ...section('Upcoming runs', [
      ...schedulerWarning(content, actions),
      ...content.next.map(({ fileName, name, at }) => ({
        id: `next:${fileName}`,
        label: `${formatTime(at)} ${name}`,
        click: () => actions.open(page('dags', fileName)),
      })),
    ]),
    ...section(
      'Queues',
      content.queues.slice(0, maxItems.queues).map((queue) => queueItem(queue, actions)),
    ),
    separator,
    ...pauseItems(content, actions, formatTime),
    separator,
    { id: 'quit', label: 'Quit', click: () => actions.quit() },
  ];
}

/** Where upcoming runs will not start, leads to the page with the button that starts a scheduler. */
const schedulerWarning = ({ isSchedulerStopped }: TrayContent, actions: DesktopActions): Item[] =>
  isSchedulerStopped === true
    ? [
        {
          id: 'scheduler',
          label: 'Scheduler not running. Open schedule to start it',
          click: () => actions.open(page('schedule')),
        },
      ]
    : [];

const section = (name: string, items: Item[]): Item[] =>
  items.length === 0 ? [] : [separator, title(name), ...items];

function startMenu({ favourites, started }: TrayContent, actions: DesktopActions): Item[] {
  const offer =
    (kind: string) =>
    (workflow: TrayWorkflow): Item => ({
      id: `${kind}:${workflow.fileName}`,
      label: workflow.name,
      click: () => actions.start(workflow),
    });
  return [
    ...(favourites.length === 0
      ? []
      : [title('Favorites'), ...favourites.map(offer('favourite')), separator]),
    ...(started.length === 0 ? [] : [title('Recently run'), ...started.map(offer('started')), separator]),
    { id: 'search', label: 'Search…', click: () => actions.search() },
  ];
}

const runPage = ({ name, dagRunId }: TrayRun): string => page('runs', name, dagRunId);

/** An active run: its page, and a stop action. */
function runningItem(run: TrayRun, actions: DesktopActions): Item {
  const { name, dagRunId, status, progress } = run;
  return {
    id: `running:${dagRunId}`,
    label: `${name}: ${progress ?? status}`,
    submenu: [
      { id: `show:${dagRunId}`, label: 'Open', click: () => actions.open(runPage(run)) },
      { id: `stop:${dagRunId}`, label: `Stop ${name}…`, click: () => actions.stop(run) },
    ],
  };
}

const recentItem = (run: TrayRun, actions: DesktopActions): Item => ({
  id: `recent:${run.dagRunId}`,
  label: `${run.name}: ${run.status.replaceAll('_', ' ')}`,
  click: () => actions.open(runPage(run)),
});

const queueItem = ({ name, state, running, waiting }: TrayQueue, actions: DesktopActions): Item => ({
  id: `queue:${name}`,
  label: `${name}: ${running} active, ${waiting} queued${state === 'open' ? '' : `, ${state}`}`,
  click: () => actions.open('#/queues'),
});

function pauseItems(
  { pausedUntil }: TrayContent,
  actions: DesktopActions,
  formatTime: (iso: string) => string,
): Item[] {
  if (pausedUntil !== undefined) {
    const end = pausedUntil === '' ? '' : ` until ${formatTime(pausedUntil)}`;
    return [
      title(`Schedules paused${end}`),
      { id: 'resume', label: 'Resume schedules', click: () => actions.resume() },
    ];
  }
  return [{ id: 'pause', label: 'Pause schedules', submenu: pauseMenu(actions) }];
}

/** Pause options, also in the application menu. */
export const pauseMenu = (actions: Pick<DesktopActions, 'pause'>): Item[] => [
  { id: 'pause-hour', label: 'For 1 hour', click: () => actions.pause('hour') },
  { id: 'pause-tomorrow', label: 'Until tomorrow', click: () => actions.pause('tomorrow') },
  { id: 'pause-resumed', label: 'Until resumed', click: () => actions.pause('resumed') },
];
