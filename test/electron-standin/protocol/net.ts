import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createStrictModule } from '../app/strict-module.ts';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

/** Electron's `net`: like the global fetch, but it also reads files. */
export const net = createStrictModule('net', {
  async fetch(input: string | Request, init?: RequestInit): Promise<Response> {
    const url = typeof input === 'string' ? input : input.url;
    return url.startsWith('file:') ? fetchFile(fileURLToPath(url)) : fetch(input, init);
  },
  isOnline: () => true,
  online: true,
});

async function fetchFile(file: string): Promise<Response> {
  const type = CONTENT_TYPES[path.extname(file)] ?? 'application/octet-stream';
  try {
    return new Response(new Uint8Array(await readFile(file)), { headers: { 'content-type': type } });
  } catch {
    throw new Error('net::ERR_FILE_NOT_FOUND');
  }
}
