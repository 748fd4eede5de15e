import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { pagePolicy } from './response-headers.ts';

/** Names that the build gives to files whose content never changes: `assets/index-B4x9Zq_1.js`. */
const hashedAsset = /[\\/]assets[\\/][^\\/]+-[\w-]{8,}\.\w+$/;

/** Serves the built renderer. It routes behind `#`, so `/` is the only page. */
export async function addWebUi(app: FastifyInstance, webRoot: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: webRoot,
    index: ['index.html'],
    dotfiles: 'ignore',
    cacheControl: false,
    setHeaders: (reply, path) => {
      void reply.header(
        'cache-control',
        hashedAsset.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
      if (path.endsWith('.html')) void reply.header('content-security-policy', pagePolicy);
    },
  });
}
