/** Chromium switches set through `app.commandLine`; the browser starts with them. */
export const switches = new Map<string, string>();

export interface CommandLine {
  appendSwitch(name: string, value?: string): void;
  appendArgument(value: string): void;
  hasSwitch(name: string): boolean;
  getSwitchValue(name: string): string;
  removeSwitch(name: string): void;
}

/** `app.commandLine`. Non-switch arguments have no meaning for the stand-in's browser and are dropped. */
export const commandLine: CommandLine = {
  appendSwitch: (name, value = '') => void switches.set(name, value),
  appendArgument: () => undefined,
  hasSwitch: (name) => switches.has(name),
  getSwitchValue: (name) => switches.get(name) ?? '',
  removeSwitch: (name) => void switches.delete(name),
};
