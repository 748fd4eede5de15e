import type { CustomScheme } from 'electron';
import { requireNotReady } from '../app/lifecycle.ts';
import { createStrictModule } from '../app/strict-module.ts';
import { registerPrivilegedSchemes } from './scheme-urls.ts';

export type ProtocolHandler = (request: Request) => Response | Promise<Response>;

/** Electron's `protocol` of one session. */
export interface Protocol {
  registerSchemesAsPrivileged(schemes: CustomScheme[]): void;
  handle(scheme: string, handler: ProtocolHandler): void;
  unhandle(scheme: string): void;
  isProtocolHandled(scheme: string): boolean;
}

/** @param handlers storage of the handlers, by scheme */
export function createProtocol(handlers: Map<string, ProtocolHandler>): Protocol {
  return createStrictModule<Protocol>('protocol', {
    registerSchemesAsPrivileged(schemes) {
      requireNotReady('protocol.registerSchemesAsPrivileged should be called before app is ready');
      registerPrivilegedSchemes(schemes);
    },
    handle(scheme, handler) {
      if (handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
      handlers.set(scheme, handler);
    },
    unhandle(scheme) {
      if (!handlers.delete(scheme)) throw new Error(`Failed to unhandle protocol: ${scheme}`);
    },
    isProtocolHandled: (scheme) => handlers.has(scheme),
  });
}
