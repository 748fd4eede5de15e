import { contextBridge, ipcRenderer } from 'electron';
import {
  followMessageChannel,
  operationChannel,
  unfollowChannel,
  followChannel,
} from '../core/contract/transport/ipc-channels.ts';
import {
  preloadApiKey,
  type PreloadApi,
  type StreamMessage,
} from '../core/contract/transport/preload-api.ts';

let lastFollowId = 0;
const listeners = new Map<number, (message: StreamMessage<never>) => void>();

ipcRenderer.on(followMessageChannel, (_event, id: number, message: StreamMessage<never>) => {
  const listener = listeners.get(id);
  if (message.kind === 'end') listeners.delete(id);
  listener?.(message);
});

const api: PreloadApi = {
  call: (name, input) => ipcRenderer.invoke(operationChannel, name, input),
  follow(name, input, onMessage) {
    lastFollowId += 1;
    const id = lastFollowId;
    listeners.set(id, onMessage);
    ipcRenderer.send(followChannel, id, name, input);
    return () => {
      if (listeners.delete(id)) ipcRenderer.send(unfollowChannel, id);
    };
  },
};

contextBridge.exposeInMainWorld(preloadApiKey, api);
