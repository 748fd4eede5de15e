import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { DecryptStringAsyncReturnValue } from 'electron';
import { app } from '../app/app.ts';
import { lifecycle } from '../app/lifecycle.ts';
import { createStrictModule } from '../app/strict-module.ts';

/** Layout of encrypted text: version, nonce, authentication tag, text. */
const VERSION = Buffer.from('v10');
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;
const HEADER_LENGTH = VERSION.length + NONCE_LENGTH + TAG_LENGTH;

/**
 * Electron's `safeStorage` on a Linux desktop without a secret store: the key is in a file. The synchronous
 * methods are omitted on purpose, since Electron 46 has none.
 */
export const safeStorage = createStrictModule('safeStorage', {
  isAsyncEncryptionAvailable: async (): Promise<boolean> => lifecycle.ready,
  getSelectedStorageBackend: () => 'basic_text' as const,
  setUsePlainTextEncryption: (_usePlainText: boolean): void => undefined,

  async encryptStringAsync(plainText: string): Promise<Buffer> {
    const nonce = randomBytes(NONCE_LENGTH);
    const cipher = createCipheriv('aes-256-gcm', readKey(), nonce);
    const sealed = Buffer.concat([cipher.update(plainText, 'utf8'), cipher.final()]);
    return Buffer.concat([VERSION, nonce, cipher.getAuthTag(), sealed]);
  },

  /** @throws Error if the bytes were not encrypted with this key */
  async decryptStringAsync(encrypted: Buffer): Promise<DecryptStringAsyncReturnValue> {
    const nonce = encrypted.subarray(VERSION.length, VERSION.length + NONCE_LENGTH);
    try {
      const decipher = createDecipheriv('aes-256-gcm', readKey(), nonce);
      decipher.setAuthTag(encrypted.subarray(VERSION.length + NONCE_LENGTH, HEADER_LENGTH));
      const opened = Buffer.concat([decipher.update(encrypted.subarray(HEADER_LENGTH)), decipher.final()]);
      return { shouldReEncrypt: false, result: opened.toString('utf8') };
    } catch {
      throw new Error('Error while decrypting the ciphertext provided to safeStorage.decryptStringAsync.');
    }
  },
});

function readKey(): Buffer {
  const file = path.join(app.getPath('userData'), 'electron-standin-key');
  if (!fs.existsSync(file)) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, randomBytes(32), { mode: 0o600 });
  }
  return fs.readFileSync(file);
}
