import Type, { type Static } from 'typebox';
import { fileNamePattern, runIdPattern, dagNamePattern } from '../../base/ids.ts';
import { stepLogAddress } from '../runs/logs.ts';
import { literals } from '../runs/run-views.ts';
import { defineDesktopCall } from './desktop-call.ts';

const none = Type.Object({});

/** A file that was opened before. */
export const RecentFile = Type.Object({ path: Type.String(), name: Type.String() });

/** The engine as a service of the system; see `ServiceStatus` of `core/service`. */
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

/** A secret of the keychain; its value leaves the app only towards a run. */
export const KeychainEntry = Type.Object({ key: Type.String(), changedAt: Type.String() });

const KeychainKey = Type.String({ pattern: '^[A-Za-z0-9_.:/@-]{1,128}$' });

export const KeychainView = Type.Object({
  available: Type.Boolean(),
  /** What keeps the key: `libsecret`, `keychain`, … */
  backend: Type.String(),
  /** The key is not secret from other programs of this user, as on a desktop without a password store. */
  weak: Type.Boolean(),
  entries: Type.Array(KeychainEntry),
});

/** Something that can be switched, and why it cannot when it cannot. */
export const SwitchView = Type.Object({
  enabled: Type.Boolean(),
  /** Where it is written down. */
  place: Type.Optional(Type.String()),
  problem: Type.Optional(Type.String()),
});

export const UpdateView = Type.Object({
  state: literals(['off', 'idle', 'checking', 'downloading', 'ready', 'waiting', 'restarting', 'failed']),
  /** Of what is being or has been downloaded. */
  version: Type.Optional(Type.String()),
  /** 0 to 100. */
  percent: Type.Optional(Type.Number()),
  /** Why there are none, or what went wrong. */
  reason: Type.Optional(Type.String()),
  checkedAt: Type.Optional(Type.String()),
});

const run = {
  name: Type.String({ pattern: dagNamePattern }),
  dagRunId: Type.String({ pattern: runIdPattern }),
};
const workflow = { fileName: Type.String({ pattern: fileNamePattern }) };

/** Where a terminal stands: at a run or a step of it, or where a run of a workflow would begin. */
const TerminalPlace = Type.Union([
  Type.Object({ ...run, step: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })) }),
  Type.Object(workflow),
]);
export type TerminalPlace = Static<typeof TerminalPlace>;

/** What a copy can be saved of: the text of a workflow, a run as JSON, the log of an attempt or a file that a step has kept as it is. */
const ExportWish = Type.Union([
  Type.Object({ kind: Type.Literal('workflow'), ...workflow }),
  Type.Object({ kind: Type.Literal('run'), ...run }),
  Type.Object({ kind: Type.Literal('log'), address: Type.Object(stepLogAddress) }),
  Type.Object({ kind: Type.Literal('artifact'), ...run, artifact: Type.String({ minLength: 1 }) }),
]);
export type ExportWish = Static<typeof ExportWish>;

const terminalSize = {
  columns: Type.Integer({ minimum: 2, maximum: 1000 }),
  rows: Type.Integer({ minimum: 1, maximum: 1000 }),
};
const TerminalId = Type.Integer({ minimum: 1 });

/** What the desktop app does with the system around it. */
export const systemCalls = {
  /** Asks for a file and shows it; nothing is started. */
  'files.open': defineDesktopCall({ input: none, output: Type.Object({ opened: Type.Boolean() }) }),
  'files.recent': defineDesktopCall({
    input: none,
    output: Type.Object({ files: Type.Array(RecentFile) }),
  }),
  'files.openRecent': defineDesktopCall({ input: Type.Object({ path: Type.String() }), output: none }),
  'files.clearRecent': defineDesktopCall({ input: none, output: none }),
  /** Saves a copy where the person says; `saved` is missing when they thought better of it. */
  'files.export': defineDesktopCall({
    input: Type.Object({ what: ExportWish }),
    output: Type.Object({ saved: Type.Optional(Type.String()) }),
  }),
  'service.status': defineDesktopCall({ input: none, output: ServiceView }),
  'service.change': defineDesktopCall({
    input: Type.Object({ action: literals(['install', 'uninstall', 'start', 'stop']) }),
    output: ServiceView,
  }),
  'keychain.list': defineDesktopCall({ input: none, output: KeychainView }),
  'keychain.set': defineDesktopCall({
    input: Type.Object({ key: KeychainKey, value: Type.String({ minLength: 1, maxLength: 65_536 }) }),
    output: KeychainView,
  }),
  'keychain.delete': defineDesktopCall({ input: Type.Object({ key: KeychainKey }), output: KeychainView }),
  'login.get': defineDesktopCall({ input: none, output: SwitchView }),
  'login.set': defineDesktopCall({ input: Type.Object({ enabled: Type.Boolean() }), output: SwitchView }),
  'command.get': defineDesktopCall({ input: none, output: SwitchView }),
  'command.set': defineDesktopCall({ input: Type.Object({ enabled: Type.Boolean() }), output: SwitchView }),
  'updates.get': defineDesktopCall({ input: none, output: UpdateView }),
  'updates.check': defineDesktopCall({ input: none, output: UpdateView }),
  /** Restarts into the new version: at once without active runs, else when they have ended. */
  'updates.install': defineDesktopCall({ input: none, output: UpdateView }),
  /** No longer restarts when the active runs have ended; the version stays ready. */
  'updates.stay': defineDesktopCall({ input: none, output: UpdateView }),
  /** Opens the terminal of the system in the working folder of a run, or of a workflow. */
  'terminal.openHere': defineDesktopCall({ input: Type.Object({ place: TerminalPlace }), output: none }),
  /** Starts a shell in the folder and with the variables of a step, or of a workflow. */
  'terminal.start': defineDesktopCall({
    input: Type.Object({ place: TerminalPlace, ...terminalSize }),
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
  /** The page has drawn so many characters more; further ones are held back until it has. */
  'terminal.taken': defineDesktopCall({
    input: Type.Object({ id: TerminalId, count: Type.Integer({ minimum: 1 }) }),
    output: none,
  }),
  'terminal.close': defineDesktopCall({ input: Type.Object({ id: TerminalId }), output: none }),
};
