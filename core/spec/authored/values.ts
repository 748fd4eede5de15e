import Type, { type Static, type TSchema } from 'typebox';

/** Parts of the authored shape that stand in several places. Every field has its words and examples for an editor. */

export const closed = { additionalProperties: false } as const;

const secondsPattern = '^[0-9]{1,9}(\\.[0-9]{1,9})?$';

/** A whole number from 0, or one in quotes. */
export const count = (description: string, ...examples: number[]) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^[0-9]{1,15}$' })], {
    description,
    examples,
  });
/** A whole number, or one in quotes. */
export const wholeNumber = (description: string, ...examples: number[]) =>
  Type.Union([Type.Integer(), Type.String({ pattern: '^-?[0-9]{1,15}$' })], { description, examples });
const expressionPattern = '[$`]';
/** A whole number, or an expression for one. */
export const countOrExpression = (description: string, ...examples: (number | string)[]) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: `^[0-9]{1,9}$|${expressionPattern}` })], {
    description,
    examples,
  });
/** A duration in seconds, or an expression for one. */
export const secondsOrExpression = (description: string, ...examples: (number | string)[]) =>
  Type.Union(
    [Type.Number({ minimum: 0 }), Type.String({ pattern: `${secondsPattern}|${expressionPattern}` })],
    {
      description,
      examples,
    },
  );
/** A whole number from 1, or one in quotes. */
export const positiveCount = (description: string, ...examples: number[]) =>
  Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: '^[1-9][0-9]{0,8}$' })], {
    description,
    examples,
  });
/** A duration in seconds, or one in quotes. */
export const seconds = (description: string, ...examples: number[]) =>
  Type.Union([Type.Number({ minimum: 0 }), Type.String({ pattern: secondsPattern })], {
    description,
    examples,
  });
/** The same shape in other words, for one of its places. */
export const describe = <Shape extends TSchema>(
  shape: Shape,
  description: string,
  examples?: unknown[],
): Shape => Type.With(shape, { description, ...(examples && { examples }) }) as Shape;
export const text = (description: string, ...examples: string[]) => Type.String({ description, examples });
export const flag = (description: string) => Type.Boolean({ description, examples: [true] });
/** A map whose keys are data; its values are text or what serves as text. */
export const textMap = (description: string, ...examples: object[]) =>
  Type.Record(AnyKey, Scalar, { description, examples });

/** What may stand where a text is needed: YAML reads `5` and `true` as other types. */
export const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);
/** The same where nothing is no value. */
export const scalar = (description: string, ...examples: (string | number)[]) =>
  Type.Union([Type.String(), Type.Number(), Type.Boolean()], { description, examples });
// A key may hold line breaks, which the default pattern of a record does not match.
export const AnyKey = Type.String({ pattern: '^' });
const ScalarMap = Type.Record(AnyKey, Scalar);
export const TextOrList = (description: string, ...examples: (string | string[])[]) =>
  Type.Union([Type.String(), Type.Array(Type.String())], { description, examples });
export const ExitCodes = (description: string) =>
  Type.Union(
    [
      Type.Integer(),
      Type.String({ pattern: '^-?[0-9]{1,9}$' }),
      Type.Array(Type.Union([Type.Integer(), Type.String({ pattern: '^-?[0-9]{1,9}$' })])),
    ],
    { description, examples: [75, [1, 2]] },
  );
/** Factor on an interval. */
export const Backoff = Type.Union([Type.Boolean(), Type.Number(), Type.String({ pattern: secondsPattern })], {
  description:
    'Factor on the interval for each further time, more than 1; true is 2. The interval stays the same when absent.',
  examples: [true, 1.5],
});

export const Shell = Type.Union([Type.String(), Type.Array(Scalar)], {
  description:
    'Program that runs the commands of all steps, with its arguments: one text, or a list. sh when absent, PowerShell on Windows.',
  examples: ['bash -e', ['bash', '-e', '-o', 'pipefail']],
});
export const Env = Type.Union([ScalarMap, Type.Array(Type.Union([Type.String(), ScalarMap]))], {
  description:
    'Variables of all steps: a map, or a list of maps and of KEY=value. A later one may use an earlier one.',
  examples: [{ REGION: 'eu', TARGET: '${REGION}/out' }, ['REGION=eu', { LIMIT: 3 }]],
});
const ParamList = Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean(), ScalarMap]));
export const Params = Type.Union([Type.String(), ParamList, ScalarMap], {
  description:
    'Parameters for the workflow that "run" names: words and KEY=value in one text, a list of them, or a map.',
  examples: ['first KEY=value', { REGION: 'eu' }],
});

/** Parameters that a JSON Schema checks. */
export const CheckedParams = Type.Object(
  {
    schema: Type.Union([Type.String(), Type.Object({})], {
      description:
        'JSON Schema that checks the parameters and gives their defaults: path of a file, an http address, or the schema itself.',
      examples: ['./params.schema.json', { properties: { batch: { type: 'integer', default: 10 } } }],
    }),
    values: Type.Optional(textMap('Defaults that count before those of the schema.', { batch: 20 })),
  },
  closed,
);
/** A map of parameters, or a schema for them: told apart by whether its `schema` is one. */
const ParamMap = Type.Unsafe<Static<typeof ScalarMap> | Static<typeof CheckedParams>>({
  type: 'object',
  if: { required: ['schema'], properties: { schema: { type: ['string', 'object', 'array'] } } },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema, which nobody awaits
  then: CheckedParams,
  else: ScalarMap,
});
export const DeclaredParams = Type.Union([Type.String(), ParamList, ParamMap], {
  description:
    'Parameters of a run with their defaults: words and KEY=value in one text, a list of them, a map, or a map with a JSON Schema under "schema".',
  examples: ['first KEY=value "two words"', [{ REGION: 'eu' }], { schema: './params.schema.json' }],
});

export const ConditionObject = Type.Object(
  {
    condition: Type.Optional(
      scalar(
        'What "expected" is compared with: a text with variables, or a command in backticks. Without "expected", a command that must succeed.',
        '`date +%u`',
        '${STAGE}',
      ),
    ),
    expected: Type.Optional(
      scalar(
        'Text that the condition, or one of its lines, must equal; after "re:" a regular expression that a line must match.',
        'prod',
        're:[1-5]',
      ),
    ),
    command: Type.Optional(text('Command that must succeed.', 'test -f ready')),
    negate: Type.Optional(
      flag('Turns the answer round: holds when the condition does not. false when absent.'),
    ),
  },
  closed,
);
export type AuthoredCondition = Static<typeof ConditionObject>;
const conditionText = Type.String({ description: 'A command that must succeed.' });
export const Conditions = Type.Union(
  [Type.String(), ConditionObject, Type.Array(Type.Union([conditionText, ConditionObject]))],
  {
    description:
      'Conditions that must all hold, or the run is aborted before it begins. A text is a command that must succeed.',
    examples: ['test -f ready', [{ condition: '`date +%u`', expected: 're:[1-5]' }]],
  },
);
export type AuthoredConditions = Static<typeof Conditions>;

export const WorkerSelector = textMap(
  'Labels that a worker must have for the steps of the workflow, for the step, or for the steps of the workflow that it runs, by name. They are done by a worker and never on this machine instead: a step waits until one has room.',
  { region: 'eu' },
);
