import type { IpcMainEvent, IpcMainInvokeEvent } from 'electron';
import { appOrigin } from '../windows/app-scheme.ts';

/**
 * Whether a message comes from the top frame of the app's own page; a frame is null after it has navigated
 * away.
 */
export function isTrustedSender({
  senderFrame,
}: Pick<IpcMainInvokeEvent | IpcMainEvent, 'senderFrame'>): boolean {
  return senderFrame !== null && senderFrame.parent === null && senderFrame.origin === appOrigin;
}
