import { Gauge, type Registry } from 'prom-client';

/** Name and help text of a gauge. */
export interface GaugeOptions<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly Label[];
}

/** Adds a gauge that is computed at each scrape. */
export function addGauge<Label extends string = never>(
  registry: Registry,
  { name, help, labelNames = [] }: GaugeOptions<Label>,
  read: (gauge: Gauge<Label>) => void,
): void {
  const gauge: Gauge<Label> = new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [],
    collect: () => read(gauge),
  });
  registry.registerMetric(gauge);
}
