/** Lifecycle state of the application of this process. */
export interface Lifecycle {
  /** The browser runs and windows may be created. */
  ready: boolean;
  /** `app.quit()` was called and windows are closing; a window that prevents closing resets this. */
  quitting: boolean;
  /** The process is exiting; this cannot be stopped. */
  exiting: boolean;
}

export const lifecycle: Lifecycle = { ready: false, quitting: false, exiting: false };

const readiness = Promise.withResolvers<void>();

/** Resolves when the application is ready, after its main module was evaluated. */
export const whenReady: Promise<void> = readiness.promise;

export function becomeReady(): void {
  lifecycle.ready = true;
  readiness.resolve();
}

/**
 * Guards APIs that Electron offers only after `ready`.
 * @throws Error with a message like Electron's
 */
export function requireReady(message: string): void {
  if (!lifecycle.ready) throw new Error(message);
}

/** Guards APIs that Electron offers only before `ready`. */
export function requireNotReady(message: string): void {
  if (lifecycle.ready) throw new Error(message);
}
