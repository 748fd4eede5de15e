/**
 * Compiled, never run: `npm run typecheck` fails here if the stand-in's API is not a subset of Electron's.
 * Each shared member must be compatible: it accepts what Electron's accepts and returns what Electron's
 * returns. And the stand-in must not have a member that Electron lacks, or an application could depend on it.
 *
 * Omitted are the emitter's own methods (events are untyped here); where a signature names another Electron
 * class, the stand-in's class of that name replaces it.
 */
import type { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import type * as standIn from './electron.ts';
import type { IpcMain } from './ipc/ipc-main.ts';
import type { NativeImage } from './desktop/native-image.ts';
import type { Protocol } from './protocol/protocol.ts';
import type { Session } from './protocol/session.ts';
import type { UtilityProcess } from './processes/utility-process.ts';
import type { MainFrame } from './windows/main-frame.ts';
import type { WebContents } from './windows/web-contents.ts';
import type { WebRequest } from './protocol/web-request.ts';

/** Electron's classes and their replacements. */
interface Counterparts {
  readonly window: [Electron.BrowserWindow | Electron.BaseWindow, standIn.BrowserWindow];
  readonly contents: [Electron.WebContents, WebContents];
  readonly frame: [Electron.WebFrameMain, MainFrame];
  readonly session: [Electron.Session, Session];
  readonly protocol: [Electron.Protocol, Protocol];
  readonly request: [Electron.WebRequest, WebRequest];
  readonly ipc: [Electron.IpcMain, IpcMain];
  readonly image: [Electron.NativeImage, NativeImage];
  readonly menu: [Electron.Menu, standIn.Menu];
  readonly item: [Electron.MenuItem, standIn.MenuItem];
  readonly notification: [Electron.Notification, standIn.Notification];
  readonly utility: [Electron.UtilityProcess, UtilityProcess];
}

type FindCounterpart<Real> = {
  [Name in keyof Counterparts]: Real extends Counterparts[Name][0] ? Counterparts[Name][1] : never;
}[keyof Counterparts];

/** An Electron type in terms of the stand-in. */
type Translate<Real> = unknown extends Real
  ? Real
  : Real extends unknown
    ? [FindCounterpart<Real>] extends [never]
      ? TranslateParts<Real>
      : FindCounterpart<Real>
    : never;

type TranslateParts<Real> = Real extends (...args: infer Arguments) => infer Answer
  ? (...args: { [Index in keyof Arguments]: Translate<Arguments[Index]> }) => Translate<Answer>
  : Real extends Promise<infer Value>
    ? Promise<Translate<Value>>
    : Real extends readonly (infer Element)[]
      ? Translate<Element>[]
      : Real;

type OwnKeys<Module> = Exclude<keyof Module, keyof EventEmitter | keyof typeof EventEmitter>;

/** The required type of the stand-in's module, for its existing members. */
type PartOf<Real, StandIn> = {
  [Key in OwnKeys<StandIn> & keyof Real]: Translate<Real[Key]>;
} & Record<Exclude<OwnKeys<StandIn>, keyof Real>, never>;

/** Compiles only if `StandIn` is assignable. */
type Check<Real, StandIn extends PartOf<Real, StandIn>> = StandIn;

/** Every export, one line each: the compiler error shows the line. */
export interface Checks {
  readonly app: Check<Electron.App, typeof standIn.app>;
  readonly browserWindow: Check<Electron.BrowserWindow, standIn.BrowserWindow>;
  readonly browserWindowStatics: Check<typeof Electron.BrowserWindow, typeof standIn.BrowserWindow>;
  readonly clipboard: Check<Electron.Clipboard, typeof standIn.clipboard>;
  readonly dialog: Check<Electron.Dialog, typeof standIn.dialog>;
  readonly globalShortcut: Check<Electron.GlobalShortcut, typeof standIn.globalShortcut>;
  readonly ipcMain: Check<Electron.IpcMain, typeof standIn.ipcMain>;
  readonly mainFrame: Check<Electron.WebFrameMain, MainFrame>;
  readonly menu: Check<Electron.Menu, standIn.Menu>;
  readonly menuStatics: Check<typeof Electron.Menu, typeof standIn.Menu>;
  readonly menuItem: Check<Electron.MenuItem, standIn.MenuItem>;
  readonly nativeImage: Check<Electron.NativeImage, NativeImage>;
  readonly nativeImageModule: Check<typeof Electron.nativeImage, typeof standIn.nativeImage>;
  readonly nativeTheme: Check<Electron.NativeTheme, typeof standIn.nativeTheme>;
  readonly net: Check<Electron.Net, typeof standIn.net>;
  readonly notification: Check<Electron.Notification, standIn.Notification>;
  readonly notificationStatics: Check<typeof Electron.Notification, typeof standIn.Notification>;
  readonly powerMonitor: Check<Electron.PowerMonitor, typeof standIn.powerMonitor>;
  readonly powerSaveBlocker: Check<Electron.PowerSaveBlocker, typeof standIn.powerSaveBlocker>;
  readonly protocol: Check<Electron.Protocol, typeof standIn.protocol>;
  readonly safeStorage: Check<Electron.SafeStorage, typeof standIn.safeStorage>;
  readonly screen: Check<Electron.Screen, typeof standIn.screen>;
  readonly session: Check<Electron.Session, Session>;
  readonly sessionModule: Check<typeof Electron.session, typeof standIn.session>;
  readonly shell: Check<Electron.Shell, typeof standIn.shell>;
  readonly tray: Check<Electron.Tray, standIn.Tray>;
  readonly utilityProcess: Check<Electron.UtilityProcess, UtilityProcess>;
  readonly utilityProcessModule: Check<typeof Electron.utilityProcess, typeof standIn.utilityProcess>;
  readonly webContents: Check<Electron.WebContents, WebContents>;
  readonly webContentsModule: Check<typeof Electron.webContents, typeof standIn.webContents>;
  /** Every export of the stand-in exists in Electron. */
  readonly exportedNames: Check<
    Record<keyof typeof Electron, unknown>,
    Record<keyof typeof standIn, unknown>
  >;
}
