/** The used parts of `electron-updater`. */
export interface Updater {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  logger: unknown;
  /** The promise of a download rejects in addition to the event. */
  checkForUpdates(): Promise<{ readonly downloadPromise?: Promise<unknown> | null } | null>;
  quitAndInstall(isSilent?: boolean, isForceRunAfter?: boolean): void;
  on(event: 'update-available' | 'update-downloaded', listener: (info: { version: string }) => void): unknown;
  on(event: 'update-not-available', listener: () => void): unknown;
  on(event: 'download-progress', listener: (progress: { percent: number }) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** Loads the real updater on demand. */
export async function loadUpdater(): Promise<Updater> {
  // A CommonJS package whose exports are getters.
  const { default: updater } = await import('electron-updater');
  return updater.autoUpdater;
}
