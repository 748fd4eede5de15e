import Type, { type Static } from 'typebox';
import { literals } from '../runs/run-views.ts';

/** Which notifications a workflow gives. */
export const workflowNotices = ['all', 'failures', 'none'] as const;
export type WorkflowNotices = (typeof workflowNotices)[number];

/** `HH:MM`, on a clock of 24 hours. */
export const DayTime = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' });

/** What closing the window means, and what the person has been told of it. */
const Life = Type.Object({
  /** `tray`: engine and icon stay; `quit`: the app is left, which asks while runs are active. */
  onClose: literals(['tray', 'quit']),
  /** The person knows that the app stays when its window is closed. */
  closeTold: Type.Boolean(),
});

const Notifications = Type.Object({
  failure: Type.Boolean(),
  /** The first success after a failure. */
  recovery: Type.Boolean(),
  /** A run that only a person can set going, such as one in a paused queue. */
  waiting: Type.Boolean(),
  /** A step asks a person. */
  approval: Type.Boolean(),
  /** A run that took long has finished. */
  longRun: Type.Boolean(),
  /** What takes long, minutes. */
  longRunMinutes: Type.Integer({ minimum: 1, maximum: 10_080 }),
  /** By the name of the workflow; `all` for those that are not here. */
  workflows: Type.Record(Type.String(), literals(workflowNotices)),
  /** Nothing is shown between two times of the day. */
  quiet: Type.Boolean(),
  quietFrom: DayTime,
  quietTo: DayTime,
  /** IANA name; empty for `viewZone`. */
  quietZone: Type.String({ maxLength: 100 }),
  /** Zone of the window's views, as it has told it; empty for that of the configuration, else of the machine. */
  viewZone: Type.String({ maxLength: 100 }),
});

const Power = Type.Object({
  /** The machine does not go to sleep by itself while runs are active. */
  keepAwake: Type.Boolean(),
});

const Tray = Type.Object({
  /** Files of workflows that the menu offers first. */
  favourites: Type.Array(Type.String(), { maxItems: 50 }),
});

/** Where the network is, for updates and for the http steps of this app. */
const Network = Type.Object({
  /** `system`: as the system says; `manual`: `proxy`; `none`: straight. */
  proxyMode: literals(['system', 'manual', 'none']),
  /** `http://host:port`, with `proxyMode: manual`. */
  proxy: Type.String({ maxLength: 2000 }),
  /** Hosts that are reached without it, with commas between them. */
  proxyBypass: Type.String({ maxLength: 4000 }),
  /** Steps of workflows have it in their environment, unless theirs say something else. */
  forSteps: Type.Boolean(),
  /** A PEM file with further certificates to trust; empty for none. */
  caFile: Type.String({ maxLength: 4000 }),
});

const Files = Type.Object({
  /** Absolute paths of workflow files that were opened, the newest first. */
  recent: Type.Array(Type.String({ maxLength: 4000 }), { maxItems: 20 }),
});

const Updates = Type.Object({
  /** New versions are looked for, and downloaded, by themselves. */
  automatic: Type.Boolean(),
});

/** What the desktop app keeps for itself in `desktop.json`, by section. */
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

/** Of a first start. */
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
