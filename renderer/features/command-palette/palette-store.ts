import { create } from 'zustand';

/** Which of the two windows over every page is open. */
type OpenWindow = 'palette' | 'keys' | undefined;

export const useOpenWindow = create<{ readonly open: OpenWindow }>(() => ({ open: undefined }));

/** Opens the command palette or the table of keys, or closes both. */
export const showWindow = (open: OpenWindow): void => useOpenWindow.setState({ open });
