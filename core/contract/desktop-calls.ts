import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { fileNamePattern, runIdPattern, dagNamePattern } from '../base/ids.ts';
import { literals } from './run-views.ts';
import { stepLogPathFields } from './logs.ts';

/** Which notifications a workflow sends. */
export const workflowNotices = ['all', 'failures', 'none'] as const;
export type WorkflowNotices = (typeof workflowNotices)[number];

/** `HH:MM` in 24-hour format. */
export const TimeOfDay = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' });

/** Action when the window is closed. */
const Life = Type.Object({
  /** `tray`: the engine and the tray icon stay; `quit`: the app quits, after a confirmation if runs are active. */
  onClose: literals(['tray', 'quit']),
  /** The user was informed that the app keeps running when its window is closed. */
  closeTold: Type.Boolean(),
});

const Notifications = Type.Object({
  failure: Type.Boolean(),
  /** The first success after a failure. */
  recovery: Type.Boolean(),
  /** A run that needs a user action to continue, for example in a paused queue. */
  waiting: Type.Boolean(),
  /** A step waits for an approval. */
  approval: Type.Boolean(),
  /** A long run has finished. */
  longRun: Type.Boolean(),
  /** Minimum duration of a long run in minutes. */
  longRunMinutes: Type.Integer({ minimum: 1, maximum: 10_080 }),
  /** By workflow name. Default: `all`. */
  workflows: Type.Record(Type.String(), literals(workflowNotices)),
  /** No notifications between two times of the day. */
  quiet: Type.Boolean(),
  quietFrom: TimeOfDay,
  quietTo: TimeOfDay,
  /** IANA name; empty to use `viewZone`. */
  quietZone: Type.String({ maxLength: 100 }),
  /** Time zone of the window's views; empty for that of the configuration, else of the machine. */
  viewZone: Type.String({ maxLength: 100 }),
});

const Power = Type.Object({
  /** Prevents the machine from sleeping while runs are active. */
  keepAwake: Type.Boolean(),
});

const Tray = Type.Object({
  /** Workflow files at the top of the menu. */
  favourites: Type.Array(Type.String(), { maxItems: 50 }),
});

/** Network settings for updates and for the `http` steps of this app. */
const Network = Type.Object({
  /** `system`: use the system's settings; `manual`: use `proxy`; `none`: connect directly. */
  proxyMode: literals(['system', 'manual', 'none']),
  /** `http://host:port`, with `proxyMode: manual`. */
  proxy: Type.String({ maxLength: 2000 }),
  /** Hosts that bypass the proxy, separated by commas. */
  proxyBypass: Type.String({ maxLength: 4000 }),
  /** Passes the proxy to the environment of workflow steps, unless they set it themselves. */
  forSteps: Type.Boolean(),
  /** A PEM file with additional CA certificates; empty for none. */
  caFile: Type.String({ maxLength: 4000 }),
});

const Files = Type.Object({
  /** Absolute paths of recently opened workflow files, newest first. */
  recent: Type.Array(Type.String({ maxLength: 4000 }), { maxItems: 20 }),
});

const Updates = Type.Object({
  /** Checks for new versions and downloads them automatically. */
  automatic: Type.Boolean(),
});

/** Settings of the desktop app in `desktop.json`, by section. */
export const desktopSections = {
  life: Life,
  notifications: Notifications,
  power: Power,
  tray: Tray,
  network: Network,
  files: Files,
  updates: Updates,
};
export const DesktopSettings = Type.Object(desktopSections);
export type DesktopSettings = Static<typeof DesktopSettings>;

/** Some fields of some sections. */
export const DesktopSettingsChange = Type.Partial(
  Type.Object({
    life: Type.Partial(Life),
    notifications: Type.Partial(Notifications),
    power: Type.Partial(Power),
    tray: Type.Partial(Tray),
    network: Type.Partial(Network),
    files: Type.Partial(Files),
    updates: Type.Partial(Updates),
  }),
);
export type DesktopSettingsChange = Static<typeof DesktopSettingsChange>;

/** A call from the window to the desktop app. Not available in a browser. */
export interface DesktopCall<Input extends TObject = TObject, Output extends TSchema = TSchema> {
  readonly input: Input;
  readonly output: Output;
}

/** Preserves the literal types of a definition. */
const defineDesktopCall = <Input extends TObject, Output extends TSchema>(
  call: DesktopCall<Input, Output>,
): DesktopCall<Input, Output> => call;

type CallInput<Call> = Call extends { readonly input: infer Input extends TSchema } ? Static<Input> : never;
type CallOutput<Call> = Call extends { readonly output: infer Output extends TSchema }
  ? Static<Output>
  : never;

const none = Type.Object({});

/** A recently opened file. */
export const RecentFile = Type.Object({ path: Type.String(), name: Type.String() });

/** The engine as a system service; see `ServiceStatus` of `core/home/service`. */
export const ServiceView = Type.Object({
  manager: literals(['systemd', 'launchd', 'task scheduler']),
  name: Type.String(),
  file: Type.String(),
  installed: Type.Boolean(),
  enabled: Type.Boolean(),
  running: Type.Boolean(),
  outdated: Type.Boolean(),
  problem: Type.Optional(Type.String()),
});

/** A setting that can be on or off, and why it cannot be changed, if so. */
export const SwitchView = Type.Object({
  enabled: Type.Boolean(),
  /** Where the setting is stored. */
  place: Type.Optional(Type.String()),
  problem: Type.Optional(Type.String()),
});

export const UpdateView = Type.Object({
  state: literals(['off', 'idle', 'checking', 'downloading', 'ready', 'waiting', 'restarting', 'failed']),
  /** Version that is being or has been downloaded. */
  version: Type.Optional(Type.String()),
  /** 0 to 100. */
  percent: Type.Optional(Type.Number()),
  /** Why there are no updates, or what went wrong. */
  reason: Type.Optional(Type.String()),
  checkedAt: Type.Optional(Type.String()),
});

const run = {
  name: Type.String({ pattern: dagNamePattern }),
  dagRunId: Type.String({ pattern: runIdPattern }),
};
const workflow = { fileName: Type.String({ pattern: fileNamePattern }) };

/** Location of a terminal: a run or one of its steps, or where a run of a workflow would start. */
const TerminalLocation = Type.Union([
  Type.Object({ ...run, step: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })) }),
  Type.Object(workflow),
]);
export type TerminalLocation = Static<typeof TerminalLocation>;

/** The export: the text of a workflow, a run as JSON, the log of an attempt, or an artifact. */
const ExportRequest = Type.Union([
  Type.Object({ kind: Type.Literal('workflow'), ...workflow }),
  Type.Object({ kind: Type.Literal('run'), ...run }),
  Type.Object({ kind: Type.Literal('log'), address: Type.Object(stepLogPathFields) }),
  Type.Object({ kind: Type.Literal('artifact'), ...run, artifact: Type.String({ minLength: 1 }) }),
]);
export type ExportRequest = Static<typeof ExportRequest>;

const terminalSize = {
  columns: Type.Integer({ minimum: 2, maximum: 1000 }),
  rows: Type.Integer({ minimum: 1, maximum: 1000 }),
};
const TerminalId = Type.Integer({ minimum: 1 });

/** Calls that use the operating system. */
const systemCalls = {
  /** Asks for a file and displays it without starting anything. */
  'files.open': defineDesktopCall({ input: none, output: Type.Object({ opened: Type.Boolean() }) }),
  /** Asks for an existing file or folder; `path` is absent if the user cancels. */
  'files.choose': defineDesktopCall({
    input: Type.Object({
      kind: literals(['file', 'folder']),
      title: Type.String({ maxLength: 1000 }),
      /** Path that is selected at first. */
      current: Type.Optional(Type.String({ maxLength: 10_000 })),
    }),
    output: Type.Object({ path: Type.Optional(Type.String()) }),
  }),
  'files.recent': defineDesktopCall({
    input: none,
    output: Type.Object({ files: Type.Array(RecentFile) }),
  }),
  'files.openRecent': defineDesktopCall({ input: Type.Object({ path: Type.String() }), output: none }),
  'files.clearRecent': defineDesktopCall({ input: none, output: none }),
  /** Saves a copy at a path that the user chooses; `saved` is absent if the user cancels. */
  'files.export': defineDesktopCall({
    input: Type.Object({ what: ExportRequest }),
    output: Type.Object({ saved: Type.Optional(Type.String()) }),
  }),
  'service.status': defineDesktopCall({ input: none, output: ServiceView }),
  'service.change': defineDesktopCall({
    input: Type.Object({ action: literals(['install', 'uninstall', 'start', 'stop']) }),
    output: ServiceView,
  }),
  'login.get': defineDesktopCall({ input: none, output: SwitchView }),
  'login.set': defineDesktopCall({ input: Type.Object({ enabled: Type.Boolean() }), output: SwitchView }),
  'command.get': defineDesktopCall({ input: none, output: SwitchView }),
  'command.set': defineDesktopCall({ input: Type.Object({ enabled: Type.Boolean() }), output: SwitchView }),
  'updates.get': defineDesktopCall({ input: none, output: UpdateView }),
  'updates.check': defineDesktopCall({ input: none, output: UpdateView }),
  /** Restarts into the new version: at once if there are no active runs, else after they have ended. */
  'updates.install': defineDesktopCall({ input: none, output: UpdateView }),
  /** Cancels the pending restart; the new version stays ready. */
  'updates.stay': defineDesktopCall({ input: none, output: UpdateView }),
  /** Opens the system's terminal in the working directory of a run or workflow. */
  'terminal.openHere': defineDesktopCall({ input: Type.Object({ place: TerminalLocation }), output: none }),
  /** Starts a shell with the working directory and variables of a step or workflow. */
  'terminal.start': defineDesktopCall({
    input: Type.Object({ place: TerminalLocation, ...terminalSize }),
    output: Type.Object({ id: TerminalId, title: Type.String(), folder: Type.String() }),
  }),
  'terminal.write': defineDesktopCall({
    input: Type.Object({ id: TerminalId, data: Type.String({ maxLength: 1_048_576 }) }),
    output: none,
  }),
  'terminal.resize': defineDesktopCall({
    input: Type.Object({ id: TerminalId, ...terminalSize }),
    output: none,
  }),
  /** Acknowledges that the page has drawn this number of characters; further output waits for it. */
  'terminal.taken': defineDesktopCall({
    input: Type.Object({ id: TerminalId, count: Type.Integer({ minimum: 1 }) }),
    output: none,
  }),
  'terminal.close': defineDesktopCall({ input: Type.Object({ id: TerminalId }), output: none }),
};

/** Settings of the desktop app and capabilities of the desktop environment. */
export const appCalls = {
  'settings.get': defineDesktopCall({ input: Type.Object({}), output: DesktopSettings }),
  'settings.change': defineDesktopCall({
    input: Type.Object({ change: DesktopSettingsChange }),
    output: DesktopSettings,
  }),
  /** Displays a test notification. */
  'notifications.try': defineDesktopCall({
    input: Type.Object({}),
    /** `window`: the desktop environment has no notifications, so they appear in the window. */
    output: Type.Object({ shown: Type.Unsafe<'desktop' | 'window'>({ enum: ['desktop', 'window'] }) }),
  }),
};

/** All calls from the window to the desktop app, by name. */
export const desktopCalls = { ...appCalls, ...systemCalls };
export type DesktopCalls = typeof desktopCalls;
export type DesktopCallName = keyof DesktopCalls;
export type DesktopInput<Name extends DesktopCallName> = CallInput<DesktopCalls[Name]>;
export type DesktopOutput<Name extends DesktopCallName> = CallOutput<DesktopCalls[Name]>;

/** A message displayed in the window if the desktop environment has no notifications. */
export interface WindowNotice {
  readonly tone: 'info' | 'error';
  readonly text: string;
  /** Address of the page it is about, such as `#/runs/etl/1`. */
  readonly address?: string;
}

/** Messages that the desktop app sends to the window. */
export type DesktopMessage =
  | { readonly kind: 'notice'; readonly notice: WindowNotice }
  /** The user wants to search for a workflow to start. */
  | { readonly kind: 'open_palette' }
  /** The user opened a file outside the home, to view and possibly import it. */
  | { readonly kind: 'file'; readonly fileName: string; readonly text: string }
  | { readonly kind: 'recent_changed' }
  | { readonly kind: 'update_changed' }
  | { readonly kind: 'terminal_output'; readonly id: number; readonly data: string }
  | { readonly kind: 'terminal_ended'; readonly id: number; readonly exitCode: number }
  | { readonly kind: 'settings_changed'; readonly settings: DesktopSettings };
