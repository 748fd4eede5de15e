/** Stores secrets: set-secrets.ts FOLDER KEY-FILE PREFIX COUNT. */
import { systemClock } from '../../core/base/system-clock.ts';
import { fileKey } from '../../core/process/secrets/text-keys.ts';
import { SecretStore } from '../../core/store/secrets/secret-store.ts';

const [dataDir = '', keyFile = '', prefix = '', count = ''] = process.argv.slice(2);
const store = new SecretStore(dataDir, systemClock, [fileKey(keyFile, process.platform)]);
for (let index = 0; index < Number(count); index += 1)
  await store.set(`${prefix}${index}`, `value of ${prefix}${index}`);
