/** How the `engine` command of this installation is started. */
export interface EngineCommand {
  /** Absolute, but for a name on PATH. */
  readonly program: string;
  /** What stands before the words of the command. */
  readonly args: readonly string[];
  /** What the program needs to be `engine`, such as `ELECTRON_RUN_AS_NODE`. */
  readonly environment: Readonly<Record<string, string>>;
}

export type ServicePlatform = 'linux' | 'darwin' | 'win32';

/** What the service of a home is made from. All paths are absolute. */
export interface ServiceFacts {
  readonly platform: ServicePlatform;
  /** The home that the service serves. */
  readonly home: string;
  /** Whether it is the one that is used when nobody names one; others have a mark of their own in the service's name. */
  readonly isUsualHome: boolean;
  /** `--config`, when one was given. */
  readonly configFile?: string | undefined;
  readonly engine: EngineCommand;
  /** The person's own folder. */
  readonly userFolder: string;
  /** `$XDG_CONFIG_HOME`, else `~/.config`; looked at on Linux only. */
  readonly configFolder: string;
  /** Number of the user, for launchd; 0 where there are none. */
  readonly userId: number;
  /** `DOMAIN\name`, for the task scheduler. */
  readonly userName: string;
  /** What the service's processes see, besides what the system gives them. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A command of the system's service manager; a refusal of one that `mayFail` is no problem. */
export interface ManagerCommand {
  readonly argv: readonly string[];
  readonly mayFail?: true;
}

/** What is written for a service, and what the service manager is told. */
export interface ServicePlan {
  readonly manager: 'systemd' | 'launchd' | 'task scheduler';
  /** As the manager lists it. */
  readonly name: string;
  /** The definition: read by the manager, or by the command that hands it over. */
  readonly file: string;
  readonly text: string;
  /** Of `file`. */
  readonly encoding: 'utf8' | 'utf16le';
  readonly install: readonly ManagerCommand[];
  readonly start: readonly ManagerCommand[];
  readonly stop: readonly ManagerCommand[];
  /** Told before the file is removed, and afterwards. */
  readonly uninstall: readonly ManagerCommand[];
  readonly forget: readonly ManagerCommand[];
  readonly query: readonly string[];
  /** Reads the answer of `query`; `exitCode` null: the manager could not be started. */
  readAnswer(answer: ManagerAnswer): ServiceState;
}

export interface ManagerAnswer {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly error?: string | undefined;
}

/** What the manager says of a service. */
export interface ServiceState {
  readonly isKnown: boolean;
  readonly isEnabled: boolean;
  readonly isRunning: boolean;
  /** Why it cannot say. */
  readonly problem?: string | undefined;
}

/** The words of the command that a service runs. */
export function serviceWords({ engine, home, configFile }: ServiceFacts): readonly string[] {
  const config = configFile === undefined ? [] : ['--config', configFile];
  return [...engine.args, '--engine-home', home, ...config, 'start-all'];
}

/** What it sees of variables, in the order of their names. */
export const serviceVariables = ({ engine, environment }: ServiceFacts): readonly [string, string][] =>
  Object.entries({ ...environment, ...engine.environment }).sort(([a], [b]) => (a < b ? -1 : 1));
