/** One line of the text format: a series and its value. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const sampleLine = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const labelPair = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y;
const types = new Set(['counter', 'gauge', 'histogram', 'summary']);

/** Units that are not base units, as `promtool check metrics` detects them. */
const otherUnits =
  /_(?:milliseconds?|microseconds?|minutes?|hours?|days?|kilobytes|megabytes|gigabytes|percent)(?:_|$)/;

/** Throws where `promtool check metrics` would complain about the name of a metric of this type. */
function checkName(name: string, type: string): void {
  if (name.endsWith('_total') !== (type === 'counter')) throw new Error(`suffix of the ${type} ${name}`);
  if (/_(?:count|sum|bucket)$/.test(name) && type !== 'histogram') throw new Error(`suffix of ${name}`);
  if (/[A-Z:]/.test(name)) throw new Error(`letters of ${name}`);
  if (otherUnits.test(name)) throw new Error(`unit of ${name}`);
}

/**
 * Parses the text format of Prometheus (version 0.0.4), and throws on everything it does not allow: a sample without a
 * preceding type, a split family, a duplicate series, an invalid label or value, a name that `promtool check metrics`
 * complains about.
 */
export function parseMetrics(text: string): Sample[] {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const samples: Sample[] = [];
  const seen = new Set<string>();
  const families = new Map<string, string>();
  let family = '';
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, word, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (word === 'HELP' && rest === '') throw new Error(`${name} has no help text`);
    if (word === 'TYPE') {
      checkName(name, rest);
      if (families.has(name) || !types.has(rest)) throw new Error(`type of ${name}: ${rest}`);
      families.set(name, rest);
      family = name;
    }
    if (line.startsWith('#')) continue;
    const sample = parseSample(line);
    const ends = families.get(family) === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    if (!ends.some((end) => sample.name === family + end)) throw new Error(`${line} is not below its type`);
    const series = sample.name + JSON.stringify(sample.labels);
    if (seen.has(series)) throw new Error(`${series} comes twice`);
    seen.add(series);
    samples.push(sample);
  }
  return samples;
}

function parseSample(line: string): Sample {
  const [, name, labels = '', value] = sampleLine.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new Error(`no sample: ${line}`);
  const number = { '+Inf': Infinity, '-Inf': -Infinity, NaN: Number.NaN }[value] ?? Number(value);
  if (Number.isNaN(number) && value !== 'NaN') throw new Error(`no value: ${line}`);
  const pairs: Record<string, string> = {};
  labelPair.lastIndex = 0;
  while (labelPair.lastIndex < labels.length) {
    const [, label, text] = labelPair.exec(labels) ?? [];
    if (label === undefined || text === undefined || label in pairs) throw new Error(`labels: ${line}`);
    pairs[label] = text;
  }
  return { name, labels: pairs, value: number };
}
