import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The folders behind `app.getPath`, each with its default on Linux. */
export class AppPaths {
  readonly #chosen = new Map<string, string>();
  readonly #applicationName: () => string;

  /** @param applicationName read each time, since `app.setName` moves the user data folder */
  constructor(applicationName: () => string) {
    this.#applicationName = applicationName;
  }

  /** @throws Error for a name unknown to Electron */
  get(name: string): string {
    const appPath = this.#chosen.get(name) ?? this.#default(name);
    if (appPath === undefined) throw new Error(`Failed to get '${name}' path`);
    return appPath;
  }

  /** Sets a folder and creates it. @throws Error for a relative path */
  set(name: string, folder: string): void {
    if (!path.isAbsolute(folder)) throw new Error('Path must be absolute');
    fs.mkdirSync(folder, { recursive: true });
    this.#chosen.set(name, folder);
  }

  #default(name: string): string | undefined {
    const home = os.homedir();
    switch (name) {
      case 'home':
        return home;
      case 'temp':
        return os.tmpdir();
      case 'exe':
      case 'module':
        return process.execPath;
      case 'appData':
        return process.env['XDG_CONFIG_HOME'] || path.join(home, '.config');
      case 'userData':
        return path.join(this.get('appData'), this.#applicationName());
      case 'sessionData':
        return this.get('userData');
      case 'logs':
        return path.join(this.get('userData'), 'logs');
      case 'crashDumps':
        return path.join(this.get('userData'), 'Crashpad');
      case 'desktop':
      case 'documents':
      case 'downloads':
      case 'music':
      case 'pictures':
      case 'videos':
        return path.join(home, name[0]?.toUpperCase() + name.slice(1));
      default:
        return undefined;
    }
  }
}
