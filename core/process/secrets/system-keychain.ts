import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { KeyHolder } from './key-holder.ts';

/** Time for a program of the keychain, which may ask the user to unlock it; in milliseconds. */
const timeoutMs = 30_000;

const service = 'Stepwright secrets';

interface KeychainProgram {
  readonly place: string;
  /** Program and package that are missing when the keychain cannot be reached. */
  readonly missing: string;
  /** Stores a new key and returns the hint of its slot. */
  store(id: string, key: Buffer): Promise<string>;
  /** Returns the key in Base64. */
  load(id: string, hint: string): Promise<string>;
}

type Run = (program: string, args: readonly string[], input: string) => Promise<string>;

/**
 * Keeps the key in the system's keychain through the programs of the system, so that every process of the user can
 * reach it: libsecret, the macOS keychain, or DPAPI. The key is passed on stdin, because other processes see arguments.
 */
export function systemKeychain(
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
): KeyHolder {
  const run: Run = (program, args, input) => runProgram(program, args, { input, environment });
  const program = openProgram(platform, run);
  const explain = (error: NodeJS.ErrnoException): Error =>
    error.code === 'ENOENT' ? new Error(`${program.missing} is not installed`) : error;
  return {
    kind: 'keychain',
    place: program.place,
    async create(id) {
      const key = randomBytes(32);
      try {
        const hint = await program.store(id, key);
        // A keychain without a session accepts keys on some systems and then loses them.
        if ((await program.load(id, hint)) === key.toString('base64')) return { key, hint };
      } catch (error) {
        throw explain(error as NodeJS.ErrnoException);
      }
      throw new Error('the keychain did not store the key');
    },
    async find(id, { hint }) {
      try {
        const text = await program.load(id, hint);
        return text === '' ? undefined : Buffer.from(text, 'base64');
      } catch (error) {
        throw explain(error as NodeJS.ErrnoException);
      }
    },
  };
}

function openProgram(platform: NodeJS.Platform, run: Run): KeychainProgram {
  if (platform === 'darwin') return macKeychain(run);
  return platform === 'win32' ? windowsKeychain(run) : linuxKeychain(run);
}

function linuxKeychain(run: Run): KeychainProgram {
  const item = (id: string): string[] => ['application', 'stepwright', 'store', id];
  return {
    place: "the system's keychain (libsecret)",
    missing: 'secret-tool (package libsecret-tools)',
    async store(id, key) {
      await run('secret-tool', ['store', `--label=${service}`, ...item(id)], key.toString('base64'));
      return '';
    },
    async load(id) {
      // Exit code 1 without a message: there is no such item.
      return run('secret-tool', ['lookup', ...item(id)], '').catch((error: NodeJS.ErrnoException) => {
        if (Number(error.code) === 1 && error.message === '') return '';
        throw error;
      });
    },
  };
}

/** `errSecItemNotFound` as the exit code of `security`. */
const macNotFound = 44;

function macKeychain(run: Run): KeychainProgram {
  return {
    place: 'the macOS keychain',
    missing: 'security',
    async store(id, key) {
      const words = [
        'add-generic-password',
        '-U',
        '-a',
        id,
        '-s',
        `"${service}"`,
        '-w',
        key.toString('base64'),
      ];
      await run('security', ['-i'], `${words.join(' ')}\n`);
      return '';
    },
    async load(id) {
      const words = ['find-generic-password', '-a', id, '-s', service, '-w'];
      return run('security', words, '').catch((error: NodeJS.ErrnoException) => {
        if (Number(error.code) === macNotFound) return '';
        throw error;
      });
    },
  };
}

function windowsKeychain(run: Run): KeychainProgram {
  const convert = (verb: 'Protect' | 'Unprotect', base64: string): Promise<string> => {
    const script = `Add-Type -AssemblyName System.Security; $in = [Convert]::FromBase64String([Console]::In.ReadToEnd().Trim()); [Convert]::ToBase64String([Security.Cryptography.ProtectedData]::${verb}($in, $null, 'CurrentUser'))`;
    return run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script], base64);
  };
  return {
    place: 'the Windows account (DPAPI)',
    missing: 'PowerShell',
    store: (_id, key) => convert('Protect', key.toString('base64')),
    load: (_id, hint) => convert('Unprotect', hint),
  };
}

interface ProgramOptions {
  readonly input: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Runs a program and returns its stdout. Rejects with the last line of stderr and the exit code. */
function runProgram(
  program: string,
  args: readonly string[],
  { input, environment }: ProgramOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { env: environment, timeout: timeoutMs, windowsHide: true } as const;
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout.trim());
      const lastLine = stderr.trim().split('\n').at(-1) ?? '';
      const message = error.killed === true ? `${program} did not answer in ${timeoutMs / 1000} s` : lastLine;
      reject(Object.assign(new Error(message), { code: error.code }));
    });
    // A missing program is reported by the callback.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}
