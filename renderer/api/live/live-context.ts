import { createContext, useContext } from 'react';
import type { LiveEvents } from './live-events.ts';

const LiveEventsContext = createContext<LiveEvents | undefined>(undefined);
export const LiveEventsProvider = LiveEventsContext.Provider;

/** Returns the live events of the page, if it has any. */
export const useLiveEvents = (): LiveEvents | undefined => useContext(LiveEventsContext);
