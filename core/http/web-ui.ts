import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { contentSecurityPolicy } from './response-headers.ts';

/** Content-hashed file names of the build, which are immutable: `assets/index-B4x9Zq_1.js`. */
const hashedAsset = /[\\/]assets[\\/][^\\/]+-[\w-]{8,}\.\w+$/;

/** Serves the built renderer. It uses hash routing, so `/` is the only page. */
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
      if (path.endsWith('.html')) void reply.header('content-security-policy', contentSecurityPolicy);
    },
  });
}
