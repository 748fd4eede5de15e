import { createContext, useContext } from 'react';
import type { Clock } from '../../core/base/clock.ts';
import type { Bridge } from '../../core/contract/transport/bridge.ts';
import { preloadApiKey, type PreloadApi } from '../../core/contract/transport/preload-api.ts';
import { loadChunk } from '../loading/load-part.ts';
import { createPreloadBridge } from './preload-bridge.ts';

/**
 * Connects to the engine: by IPC if the preload script provides it, otherwise by HTTP to the server of this
 * page.
 */
export async function pickBridge(clock: Clock): Promise<Bridge> {
  const api = (window as unknown as Record<string, PreloadApi | undefined>)[preloadApiKey];
  if (api) return createPreloadBridge(api);
  // Loaded on demand, because the desktop window does not need the HTTP routes.
  const { createHttpBridge } = await loadChunk(() => import('./http-bridge.ts'));
  return createHttpBridge(new URL('.', window.location.href).href, clock);
}

const BridgeContext = createContext<Bridge | undefined>(undefined);
export const BridgeProvider = BridgeContext.Provider;

/** Returns the bridge to the engine from context. */
export function useBridge(): Bridge {
  const bridge = useContext(BridgeContext);
  if (!bridge) throw new Error('useBridge is used outside BridgeProvider');
  return bridge;
}
