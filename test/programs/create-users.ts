/** A program that creates users: HOME PREFIX COUNT. It loads no test harness, which would take most of its time. */
import { authPaths } from '../../core/api/auth/identity.ts';
import { Passwords } from '../../core/api/auth/passwords.ts';
import { openUserFile, Users } from '../../core/api/auth/users.ts';
import { systemClock } from '../../core/base/system-clock.ts';

const [, , home = '', prefix = '', count = '0'] = process.argv;
const passwords = new Passwords({ logN: 4, r: 1, p: 1 });
const users = new Users(openUserFile(authPaths(home)), passwords, systemClock);
for (let index = 0; index < Number(count); index += 1) {
  await users.create({ username: `${prefix}${index}`, password: 'correct horse', role: 'viewer' });
}
