/** Request and response of one operation: name, input → `Envelope`. */
export const operationChannel = 'stepwright:call';
/** Starts a stream: id chosen by the window, name, input. */
export const followChannel = 'stepwright:follow';
/** Ends a stream: id. */
export const unfollowChannel = 'stepwright:unfollow';
/** Message of a stream to the window: id, `StreamMessage`. */
export const followMessageChannel = 'stepwright:follow-message';
/** Number of items of a stream that the window has consumed: id, count; sent for every `itemsPerAcknowledgement`th. */
export const consumedChannel = 'stepwright:taken';
export const itemsPerAcknowledgement = 8;
/** Request and response of one call of the desktop app: name, input → `Envelope`. */
export const desktopChannel = 'stepwright:desktop';
/** Subscribes the page to messages of the desktop app: no arguments. */
export const desktopFollowChannel = 'stepwright:desktop-follow';
/** Message of the desktop app to the page: `DesktopMessage`. */
export const desktopMessageChannel = 'stepwright:desktop-message';
/** Paths of files that were dropped on the window: paths. */
export const droppedFilesChannel = 'stepwright:dropped-files';
/** Opens a log file in a system program: address, place → `Envelope`. */
export const openLogFileChannel = 'stepwright:open-log-file';
