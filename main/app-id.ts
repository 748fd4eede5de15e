/** As which Windows knows the app and the shortcut that its notifications belong to; the same as in electron-builder.yml. */
export const appId = 'io.stepwright.app';
