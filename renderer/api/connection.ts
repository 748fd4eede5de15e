// A file of its own: state that both bridges set and the frame of the window shows.
import { create } from 'zustand';

/** State of the connection to the engine. `connecting` is the state before the first contact. */
export type Connection = 'connecting' | 'online' | 'reconnecting';

/** The live connection state, as seen by the event stream; shown in the navigation. */
export const useConnection = create<{ readonly state: Connection }>(() => ({ state: 'connecting' }));

/** Sets the connection state, as reported by the transport. */
export const setConnection = (state: Connection): void => useConnection.setState({ state });
