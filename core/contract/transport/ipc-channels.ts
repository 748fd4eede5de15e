/** Request and reply of one operation: name, input → `Envelope`. */
export const operationChannel = 'stepwright:call';
/** Begins a stream: id chosen by the window, name, input. */
export const followChannel = 'stepwright:follow';
/** Ends a stream: id. */
export const unfollowChannel = 'stepwright:unfollow';
/** What a stream tells the window: id, `StreamMessage`. */
export const followMessageChannel = 'stepwright:follow-message';
/** How many items of a stream the window has taken so far: id, count; told for every `itemsPerReceipt`th. */
export const takenChannel = 'stepwright:taken';
export const itemsPerReceipt = 8;
/** Request and reply of one call of the desktop app: name, input → `Envelope`. */
export const desktopChannel = 'stepwright:desktop';
/** The page listens to what the desktop app tells: no arguments. */
export const desktopFollowChannel = 'stepwright:desktop-follow';
/** What the desktop app tells the page: `DesktopMessage`. */
export const desktopMessageChannel = 'stepwright:desktop-message';
/** Where files lie that were dropped on the window: paths. */
export const droppedFilesChannel = 'stepwright:dropped-files';
/** Shows a log file by a program of the system: address, place → `Envelope`. */
export const openLogFileChannel = 'stepwright:open-log-file';
