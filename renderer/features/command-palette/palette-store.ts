import { create } from 'zustand';

/** The open global window. */
type OpenWindow = 'palette' | 'keys' | undefined;

export const useOpenWindow = create<{ readonly open: OpenWindow }>(() => ({ open: undefined }));

/** Opens the command palette or the list of shortcuts, or closes both. */
export const showWindow = (open: OpenWindow): void => useOpenWindow.setState({ open });
