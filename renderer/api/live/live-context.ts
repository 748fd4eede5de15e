import { createContext, useContext } from 'react';
import type { LiveEvents } from './live-events.ts';

const LiveEventsContext = createContext<LiveEvents | undefined>(undefined);
export const LiveEventsProvider = LiveEventsContext.Provider;

/** What keeps runs current, where the page has it. */
export const useLiveEvents = (): LiveEvents | undefined => useContext(LiveEventsContext);
