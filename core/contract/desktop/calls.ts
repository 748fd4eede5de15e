import type { CallInput, CallOutput } from './desktop-call.ts';
import { appCalls } from './life-calls.ts';
import { systemCalls } from './system-calls.ts';

/** All calls from the window to the desktop app, by name. */
export const desktopCalls = { ...appCalls, ...systemCalls };
export type DesktopCalls = typeof desktopCalls;
export type DesktopCallName = keyof DesktopCalls;
export type DesktopInput<Name extends DesktopCallName> = CallInput<DesktopCalls[Name]>;
export type DesktopOutput<Name extends DesktopCallName> = CallOutput<DesktopCalls[Name]>;
