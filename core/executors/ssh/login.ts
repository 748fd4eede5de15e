import { readFile } from 'node:fs/promises';
import ssh2, { type AnyAuthMethod, type AuthenticationType } from 'ssh2';
import { explainFsError } from '../../base/errors.ts';
import { formatTarget, type SshTarget } from './target.ts';

/** The authentication methods in order, and a record of their results. */
export interface Login {
  /**
   * Returns the next method to try.
   * @param accepted methods that the server accepts; undefined before it has sent them
   */
  next(accepted: readonly AuthenticationType[] | undefined): AnyAuthMethod | false;
  /** Records a problem with a method. */
  note(problem: string): void;
  /** Explains what was tried, what the server accepts and what to do. */
  explain(): string;
}

interface LoginMethod {
  /** Name for messages. */
  readonly name: string;
  readonly method: AnyAuthMethod;
}

/** Reads the private key. Rejects with what to do if it cannot be used, or if there is no way to log in. */
export async function openLogin(target: SshTarget): Promise<Login> {
  const methods = await listMethods(target);
  const waiting = methods.values();
  const tried: string[] = [];
  const problems: string[] = [];
  let takes: readonly AuthenticationType[] | undefined;
  return {
    next(accepted) {
      takes = accepted ?? takes;
      for (const { name, method } of waiting) {
        if (accepted !== undefined && !accepted.includes(wireName(method))) continue;
        tried.push(name);
        return method;
      }
      return false;
    },
    note: (problem) => void problems.push(problem),
    explain: () => formatFailure(target, tried, takes, problems),
  };
}

const wireName = ({ type }: AnyAuthMethod): AuthenticationType => (type === 'agent' ? 'publickey' : type);

function formatFailure(
  target: SshTarget,
  tried: readonly string[],
  takes: readonly AuthenticationType[] | undefined,
  problems: readonly string[],
): string {
  const list = tried.length === 0 ? 'no method that the server accepts' : tried.join(', then ');
  const offer = takes === undefined || takes.length === 0 ? '' : ` The server accepts: ${takes.join(', ')}.`;
  const more = problems.length === 0 ? '' : ` (${problems.join('; ')})`;
  const advice =
    target.password !== undefined && target.key === undefined
      ? 'Check the username and password.'
      : 'Check the username, and that the public key is in authorized_keys of that user on the host.';
  return `Login as ${formatTarget(target)} failed; tried: ${list}${more}.${offer} ${advice}`;
}

async function listMethods(target: SshTarget): Promise<LoginMethod[]> {
  const { user: username, key: file, password, agent } = target;
  const methods: LoginMethod[] = [];
  if (file !== undefined) {
    const key = await readPrivateKey(file, target.passphrase);
    methods.push({ name: `key ${file}`, method: { type: 'publickey', username, key } });
  }
  if (agent !== undefined)
    methods.push({
      name: `keys of the SSH agent at ${agent}`,
      method: { type: 'agent', username, agent },
    });
  if (password !== undefined) {
    methods.push(
      { name: 'password', method: { type: 'password', username, password } },
      {
        // Servers with PAM ask for the password in this way.
        name: 'password (keyboard-interactive)',
        method: {
          type: 'keyboard-interactive',
          username,
          prompt: (_name, _instructions, _language, prompts, answer) => answer(prompts.map(() => password)),
        },
      },
    );
  }
  if (methods.length > 0) return methods;
  throw new Error(
    `No credentials for ${formatTarget(target)}: set "key" or "password", or start the engine with an SSH agent in SSH_AUTH_SOCK.`,
  );
}

async function readPrivateKey(file: string, passphrase: string | undefined): Promise<ssh2.ParsedKey> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    throw new Error(
      `Cannot read the private key ${file}: ${explainFsError(error).problem}. Set another file in "key".`,
      { cause: error },
    );
  }
  const parsed = ssh2.utils.parseKey(bytes, passphrase);
  const [key] = Array.isArray(parsed) ? parsed : [parsed];
  if (key instanceof Error || key === undefined)
    throw new Error(explainKey(file, key?.message ?? 'the file is empty', passphrase !== undefined));
  if (!key.isPrivateKey())
    throw new Error(
      `${file} is a public key. Set the private key in "key", usually the file without ".pub".`,
    );
  return key;
}

function explainKey(file: string, message: string, hasPassphrase: boolean): string {
  if (/no passphrase/i.test(message))
    return `The private key ${file} is encrypted. Set its passphrase in "passphrase", or load the key into an SSH agent and remove "key".`;
  if (hasPassphrase && /integrity check|decrypt|passphrase/i.test(message))
    return `Cannot decrypt the private key ${file}: "passphrase" is probably wrong.`;
  return `Cannot use the private key ${file}: ${message}. Supported formats: OpenSSH and PEM.`;
}
