import { describe, expect, it } from 'vitest';
import { startMailServer } from '../harness/servers/mail-server.ts';
import { checkHome } from './rig/check-home.ts';
import { withFaultTestHome } from './rig/fault-home.ts';
import { begin, killAt, recover } from './rig/kill.ts';

/** Where the host is killed while it sends a mail, and whether the mail has arrived by then. */
const moments = [
  ['mail.before_send:kill', 0],
  ['mail.sent:kill', 1],
] as const;

describe('a mail about a run', () => {
  it.each(moments)('is never sent twice when the host is killed: %s', async (point, arrived) => {
    const server = await startMailServer();
    await withFaultTestHome(async (home) => {
      home.save(
        'mailing',
        `mailOn: { success: true }\nsmtp: { host: 127.0.0.1, port: ${server.port} }\ninfoMail: { from: a@example.com, to: b@example.com }\nsteps:\n  - { name: a, command: EFFECT }\n`,
      );
      await killAt(home, point.replace(':kill', ''), begin('mailing'));
      expect(await recover(home)).toMatchObject([{ status: 'succeeded' }]);
      await checkHome(home);
      expect(server.mails).toHaveLength(arrived);
      expect(home.ranBySteps()).toEqual({ a: 1 });
    });
  });
});
