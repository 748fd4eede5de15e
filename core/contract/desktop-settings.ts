import Type, { type Static } from 'typebox';
import { literals } from './run-views.ts';

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

/** Settings on first start. */
export const defaultSettings: DesktopSettings = {
  life: { onClose: 'tray', closeTold: false },
  notifications: {
    failure: true,
    recovery: true,
    waiting: true,
    approval: true,
    longRun: true,
    longRunMinutes: 10,
    workflows: {},
    quiet: false,
    quietFrom: '22:00',
    quietTo: '07:00',
    quietZone: '',
    viewZone: '',
  },
  power: { keepAwake: false },
  tray: { favourites: [] },
  network: { proxyMode: 'system', proxy: '', proxyBypass: '', forSteps: true, caFile: '' },
  files: { recent: [] },
  updates: { automatic: true },
};
