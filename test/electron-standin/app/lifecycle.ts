/** How far the one application of this process has come. */
export interface Lifecycle {
  /** The browser runs and windows may be created. */
  ready: boolean;
  /** `app.quit()` was accepted and windows are closing; a window that refuses to close takes it back. */
  quitting: boolean;
  /** The process is ending and nothing can stop it. */
  exiting: boolean;
}

export const lifecycle: Lifecycle = { ready: false, quitting: false, exiting: false };

const readiness = Promise.withResolvers<void>();

/** Resolves when the application is ready, which is after its main module was evaluated. */
export const whenReady: Promise<void> = readiness.promise;

export function becomeReady(): void {
  lifecycle.ready = true;
  readiness.resolve();
}

/**
 * Guards what Electron offers only after `ready`.
 * @throws Error with Electron's kind of message
 */
export function requireReady(message: string): void {
  if (!lifecycle.ready) throw new Error(message);
}

/** Guards what Electron offers only before `ready`. */
export function requireNotReady(message: string): void {
  if (lifecycle.ready) throw new Error(message);
}
