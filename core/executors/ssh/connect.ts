import ssh2, { type AuthenticationType, type ClientErrorExtensions } from 'ssh2';
import { openHostKeyCheck } from './host-key.ts';
import { openLogin } from './login.ts';
import { describeTarget, type SshTarget } from './target.ts';

/** Number of unanswered keepalive messages after which a connection counts as broken. */
const unansweredQuestions = 3;

/**
 * Connects and logs in. Rejects with what went wrong and what to do.
 * @param signal aborts the connection attempt
 */
export async function connect(target: SshTarget, signal: AbortSignal): Promise<ssh2.Client> {
  const check = await openHostKeyCheck(target);
  const login = await openLogin(target);
  const client = new ssh2.Client();
  let failure: string | undefined;
  let stop = (): void => {};
  const ready = new Promise<void>((resolve, reject) => {
    client.once('ready', resolve);
    client.once('close', () => reject(new Error(describeClosed(target))));
    stop = () => reject(new Error('stopped while connecting'));
    // The listener is never removed: an unhandled error of an abandoned connection would end the engine.
    client.on('error', (error) => {
      if (error.level === 'agent') login.note(`SSH agent: ${error.message}`);
      else if (error.level === 'client-authentication') reject(new Error(login.explain(), { cause: error }));
      else reject(new Error(failure ?? explainConnectError(target, error), { cause: error }));
    });
  });
  client.connect({
    host: target.host,
    port: target.port,
    username: target.user,
    readyTimeout: target.timeoutMs,
    keepaliveInterval: target.keepaliveMs,
    keepaliveCountMax: unansweredQuestions,
    algorithms: { serverHostKey: [...check.algorithms] },
    hostVerifier: (key: Buffer) => {
      failure = check.refuse(key);
      return failure === undefined;
    },
    // The types omit that the first call has no list, and that `false` ends the attempts.
    authHandler: (accepted: AuthenticationType[] | null, _partial, next: (method: never) => void) =>
      next(login.next(accepted ?? undefined) as never),
  });
  try {
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    await ready;
    return client;
  } catch (error) {
    client.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const describeClosed = (target: SshTarget): string =>
  `${describeTarget(target)}: the server closed the connection before login. It may have too many connections (MaxStartups), or reject this user or address.`;

/** Explains a failed connection by the error of the system or the library. */
function explainConnectError(target: SshTarget, error: Error & ClientErrorExtensions): string {
  const { host, port } = target;
  const where = `${host}, port ${port}`;
  const seconds = target.timeoutMs / 1000;
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOTFOUND':
      return `Host ${host} not found in DNS. Check "host".`;
    case 'EAI_AGAIN':
      return `DNS lookup of ${host} failed: the DNS server did not respond. Check the network.`;
    case 'ECONNREFUSED':
      return `${where}: connection refused. Check "host" and "port".`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `Cannot reach ${where}: ${error.message}. Check the network and "host".`;
    case 'ETIMEDOUT':
      return `${where} did not respond. Check "host", "port" and firewalls.`;
    case 'ECONNRESET':
      return describeClosed(target);
    case undefined:
      break;
  }
  if (error.level === 'client-timeout')
    return `${where}: login timed out after ${seconds} s. Check "host" and "port", or raise "timeout".`;
  if (error.message.startsWith('Connection lost before handshake')) return describeClosed(target);
  return `Cannot connect to ${where}: ${error.message}`;
}
