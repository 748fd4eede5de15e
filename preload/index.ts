import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { DesktopMessage } from '../core/contract/desktop-calls.ts';
import {
  desktopChannel,
  desktopFollowChannel,
  desktopMessageChannel,
  droppedFilesChannel,
  followMessageChannel,
  openLogFileChannel,
  operationChannel,
  unfollowChannel,
  followChannel,
  itemsPerAcknowledgement,
  consumedChannel,
  preloadApiKey,
  type PreloadApi,
  type StreamMessage,
} from '../core/contract/transport.ts';

let lastFollowId = 0;
interface Listener {
  readonly notify: (message: StreamMessage<never>) => void;
  taken: number;
}
const listeners = new Map<number, Listener>();

ipcRenderer.on(followMessageChannel, (_event, id: number, message: StreamMessage<never>) => {
  const listener = listeners.get(id);
  if (message.kind === 'end') listeners.delete(id);
  listener?.notify(message);
  if (listener === undefined || message.kind === 'end') return;
  listener.taken += 1;
  if (listener.taken % itemsPerAcknowledgement === 0) ipcRenderer.send(consumedChannel, id, listener.taken);
});

const api: PreloadApi = {
  call: (name, input) => ipcRenderer.invoke(operationChannel, name, input),
  follow(name, input, onMessage) {
    lastFollowId += 1;
    const id = lastFollowId;
    listeners.set(id, { notify: onMessage, taken: 0 });
    ipcRenderer.send(followChannel, id, name, input);
    return () => {
      if (listeners.delete(id)) ipcRenderer.send(unfollowChannel, id);
    };
  },
  openLogFile: (address, target) => ipcRenderer.invoke(openLogFileChannel, address, target),
  noteFiles(files) {
    ipcRenderer.send(
      droppedFilesChannel,
      files.map((file) => webUtils.getPathForFile(file as File)),
    );
  },
  desktop: (name, input) => ipcRenderer.invoke(desktopChannel, name, input),
  onDesktop(onMessage) {
    const listen = (_event: unknown, message: DesktopMessage): void => onMessage(message);
    ipcRenderer.on(desktopMessageChannel, listen);
    ipcRenderer.send(desktopFollowChannel);
    return () => void ipcRenderer.removeListener(desktopMessageChannel, listen);
  },
};

contextBridge.exposeInMainWorld(preloadApiKey, api);
