import { create } from 'zustand';

/** How the window stands with its engine. `connecting` is the state before the first contact. */
export type Connection = 'connecting' | 'online' | 'reconnecting';

/** The live connection state, as the event stream sees it; the navigation rail shows it. */
export const useConnection = create<{ readonly state: Connection }>(() => ({ state: 'connecting' }));

/** Records what the transport has found out. */
export const setConnection = (state: Connection): void => useConnection.setState({ state });
