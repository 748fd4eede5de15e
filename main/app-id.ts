/** Application id on Windows, and of the shortcut for its notifications; same as in electron-builder.yml. */
export const appId = 'io.stepwright.app';
