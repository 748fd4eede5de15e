import Type, { type Static, type TSchema } from 'typebox';
import { paramTypes } from '../../model/workflow-rules.ts';

/** Schema parts that are used in several places. Every field has a description and examples for editors. */

export const closed = { additionalProperties: false } as const;

const secondsPattern = '^[0-9]{1,9}(\\.[0-9]{1,9})?$';

/** An integer from 0, optionally in quotes. */
export const count = (description: string, ...examples: number[]) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^[0-9]{1,15}$' })], {
    description,
    examples,
  });
/** An integer, optionally in quotes. */
export const wholeNumber = (description: string, ...examples: number[]) =>
  Type.Union([Type.Integer(), Type.String({ pattern: '^-?[0-9]{1,15}$' })], { description, examples });
const expressionPattern = '[$`]';
/** An integer or an expression. */
export const countOrExpression = (description: string, ...examples: (number | string)[]) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: `^[0-9]{1,9}$|${expressionPattern}` })], {
    description,
    examples,
  });
/** A duration in seconds or an expression. */
export const secondsOrExpression = (description: string, ...examples: (number | string)[]) =>
  Type.Union(
    [Type.Number({ minimum: 0 }), Type.String({ pattern: `${secondsPattern}|${expressionPattern}` })],
    {
      description,
      examples,
    },
  );
/** An integer from 1, optionally in quotes. */
export const positiveCount = (description: string, ...examples: number[]) =>
  Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: '^[1-9][0-9]{0,8}$' })], {
    description,
    examples,
  });
/** A duration in seconds, optionally in quotes. */
export const seconds = (description: string, ...examples: number[]) =>
  Type.Union([Type.Number({ minimum: 0 }), Type.String({ pattern: secondsPattern })], {
    description,
    examples,
  });
/** Returns the schema with another description. */
export const withDescription = <Shape extends TSchema>(shape: Shape, description: string): Shape =>
  Type.With(shape, { description }) as Shape;
export const text = (description: string, ...examples: string[]) => Type.String({ description, examples });
export const flag = (description: string) => Type.Boolean({ description, examples: [true] });
/** A map with arbitrary keys and scalar values. */
export const textMap = (description: string, ...examples: object[]) =>
  Type.Record(AnyKey, Scalar, { description, examples });

/** A string or a scalar that is converted to one: YAML reads `5` and `true` as other types. */
export const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);
/** A scalar that must not be empty. */
export const scalar = (description: string, ...examples: (string | number)[]) =>
  Type.Union([Type.String(), Type.Number(), Type.Boolean()], { description, examples });
// A key may contain line breaks, which the default pattern of a record does not match.
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
/** Factor by which an interval grows. */
export const Backoff = Type.Union([Type.Boolean(), Type.Number(), Type.String({ pattern: secondsPattern })], {
  description: 'Multiplier for the interval after each attempt. true means 2.',
  examples: [true, 1.5],
});

export const Shell = Type.Union([Type.String(), Type.Array(Scalar)], {
  description: 'Shell for all steps, with arguments. Default: sh (PowerShell on Windows).',
  examples: ['bash -e', ['bash', '-e', '-o', 'pipefail']],
});
export const Env = Type.Union([ScalarMap, Type.Array(Type.Union([Type.String(), ScalarMap]))], {
  description: 'Environment variables for all steps. Later variables can reference earlier ones.',
  examples: [{ REGION: 'eu', TARGET: '${REGION}/out' }, ['REGION=eu', { LIMIT: 3 }]],
});
const ParamList = Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean(), ScalarMap]));
export const Params = Type.Union([Type.String(), ParamList, ScalarMap], {
  description: 'Parameters passed to the sub-workflow.',
  examples: ['first KEY=value', { REGION: 'eu' }],
});

/** A parameter with constraints, in the words of JSON Schema. */
export const TypedParamObject = Type.Object(
  {
    name: scalar('Name of the parameter.', 'env'),
    type: Type.Optional(
      Type.Enum([...paramTypes], {
        description: 'Type of the value. Default: string, or that of "enum" and "default".',
        examples: ['integer'],
        enumDescriptions: [
          'Text.',
          'Whole number.',
          'Number.',
          'True or false.',
          'JSON list.',
          'JSON object.',
        ],
      }),
    ),
    title: Type.Optional(text('Label in the run form. Default: the name.', 'Environment')),
    description: Type.Optional(text('Help text in the run form.', 'Where to deploy')),
    required: Type.Optional(flag('Whether a run needs a value. Default: false.')),
    default: Type.Optional(
      Type.Union([Scalar, Type.Array(Scalar)], {
        description: 'Value if the run passes none. Can contain variables.',
        examples: [10, '${REGION}'],
      }),
    ),
    enum: Type.Optional(
      Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        minItems: 1,
        description: 'Allowed values.',
        examples: [['dev', 'prod']],
      }),
    ),
    minimum: Type.Optional(Type.Number({ description: 'Lowest number.', examples: [1] })),
    maximum: Type.Optional(Type.Number({ description: 'Highest number.', examples: [100] })),
    minLength: Type.Optional(Type.Integer({ minimum: 0, description: 'Fewest characters.', examples: [1] })),
    maxLength: Type.Optional(Type.Integer({ minimum: 0, description: 'Most characters.', examples: [80] })),
    pattern: Type.Optional(text('Regular expression (RE2) that the value must match.', '^v[0-9]+$')),
    format: Type.Optional(
      text('Field in the run form: date, time, date-time, password, multiline, file or folder.', 'date'),
    ),
  },
  closed,
);
/** An item of the list of parameters; typed if it has a name and another field of a typed parameter. */
const ParamItem = Type.Unsafe<Static<typeof ScalarMap> | Static<typeof TypedParamObject>>({
  type: 'object',
  if: {
    required: ['name'],
    anyOf: Object.keys(TypedParamObject.properties)
      .filter((key) => key !== 'name')
      .map((key) => ({ required: [key] })),
  },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema, never awaited
  then: TypedParamObject,
  else: ScalarMap,
});

/** Parameters that a JSON Schema validates. */
export const CheckedParams = Type.Object(
  {
    schema: Type.Union([Type.String(), Type.Object({})], {
      description: 'JSON Schema for parameters: a file path, URL or inline schema.',
      examples: ['./params.schema.json', { properties: { batch: { type: 'integer', default: 10 } } }],
    }),
    values: Type.Optional(textMap('Default values. Override the defaults in the schema.', { batch: 20 })),
  },
  closed,
);
/** A map of parameters, or a schema for them; distinguished by whether its `schema` is a schema. */
const ParamMap = Type.Unsafe<Static<typeof ScalarMap> | Static<typeof CheckedParams>>({
  type: 'object',
  if: { required: ['schema'], properties: { schema: { type: ['string', 'object', 'array'] } } },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema, never awaited
  then: CheckedParams,
  else: ScalarMap,
});
const DeclaredParamList = Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean(), ParamItem]));
export const DeclaredParams = Type.Union([Type.String(), DeclaredParamList, ParamMap], {
  description: 'Run parameters with default values.',
  examples: [
    'first KEY=value "two words"',
    [{ REGION: 'eu' }],
    [{ name: 'batch', type: 'integer', minimum: 1, default: 10 }],
    { schema: './params.schema.json' },
  ],
});

export const ConditionObject = Type.Object(
  {
    condition: Type.Optional(
      scalar(
        'Value compared with "expected". Without "expected": a command that must succeed.',
        '`date +%u`',
        '${STAGE}',
      ),
    ),
    expected: Type.Optional(
      scalar('Expected value. Prefix with "re:" for a regular expression.', 'prod', 're:[1-5]'),
    ),
    command: Type.Optional(text('Command that must succeed.', 'test -f ready')),
    negate: Type.Optional(flag('Negate the condition. Default: false.')),
  },
  closed,
);
export type AuthoredCondition = Static<typeof ConditionObject>;
const conditionText = Type.String({ description: 'Command that must succeed.' });
export const Conditions = Type.Union(
  [Type.String(), ConditionObject, Type.Array(Type.Union([conditionText, ConditionObject]))],
  {
    description: 'Conditions that must be met; otherwise the run is aborted.',
    examples: ['test -f ready', [{ condition: '`date +%u`', expected: 're:[1-5]' }]],
  },
);
export type AuthoredConditions = Static<typeof Conditions>;

export const WorkerSelector = textMap('Labels a worker must have to run these steps.', { region: 'eu' });
