/** A program that creates users: HOME PREFIX COUNT. */
import { openUsers } from '../core/api/auth/auth-harness.ts';

const [, , home = '', prefix = '', count = '0'] = process.argv;
const users = openUsers(home);
for (let index = 0; index < Number(count); index += 1) {
  await users.create({ username: `${prefix}${index}`, password: 'correct horse', role: 'viewer' });
}
