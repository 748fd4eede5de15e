import type { IpcMainEvent, IpcMainInvokeEvent } from 'electron';
import { appOrigin } from '../windows/app-scheme.ts';

/** Whether a message comes from the top frame of our own page; a frame is null once it has navigated away. */
export function isTrustedSender({
  senderFrame,
}: Pick<IpcMainInvokeEvent | IpcMainEvent, 'senderFrame'>): boolean {
  return senderFrame !== null && senderFrame.parent === null && senderFrame.origin === appOrigin;
}
