import { AppError } from '../../base/errors.ts';
import type { EngineConfig } from '../../home/config/engine-config.ts';
import type { CatalogFailure } from '../catalog/catalog-cache.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import { readGatewaySettings } from '../read-gateway-settings.ts';
import type { GatewayProvider, GatewayRequest, GatewayResponse } from './gateway-service.ts';
import type { OpenGatewayDeps, OpenGateway } from './open-gateway.ts';

/** The database gateway of a home. Loads nothing before it is used: most hosts never do. */
export class LazyGateway implements GatewayProvider {
  readonly settings: GatewaySettings;
  readonly #wiring: Omit<OpenGatewayDeps, 'settings'>;
  #opened: Promise<OpenGateway> | undefined;
  #catalogs: OpenGateway['catalogs'] | undefined;
  #isClosed = false;

  constructor({ config, ...wiring }: Omit<OpenGatewayDeps, 'settings'> & { readonly config: EngineConfig }) {
    this.settings = readGatewaySettings(config);
    this.#wiring = wiring;
  }

  get isEnabled(): boolean {
    return this.settings.isEnabled;
  }

  get maxBodyBytes(): number {
    return this.settings.maxBodyBytes;
  }

  get corsOrigins(): readonly string[] {
    return this.settings.corsOrigins;
  }

  get takesTokens(): boolean {
    return this.settings.jwtKey !== undefined;
  }

  get catalogFailure(): CatalogFailure | undefined {
    return this.#catalogs?.failure;
  }

  async handle(request: GatewayRequest): Promise<GatewayResponse> {
    return (await this.open()).gateway.handle(request);
  }

  /** @throws `unavailable` after `close` */
  async open(): Promise<OpenGateway> {
    if (this.#isClosed) throw new AppError('unavailable', 'The gateway is closed.');
    return await (this.#opened ??= this.#load());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#opened)?.close();
  }

  async #load(): Promise<OpenGateway> {
    const { openGateway } = await import('./open-gateway.ts');
    const opened = openGateway({ ...this.#wiring, settings: this.settings });
    this.#catalogs = opened.catalogs;
    return opened;
  }
}
