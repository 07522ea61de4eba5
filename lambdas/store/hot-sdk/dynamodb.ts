// Replaces `@aws-sdk/client-dynamodb` and `@aws-sdk/lib-dynamodb` in the bundles that applications wait for: over half of
// the processor time of a warm call was the SDK's.
import { marshall, unmarshall } from './attributes.ts';
import { type Calls, callsTo, type Options } from './calls.ts';

type Body = Readonly<Record<string, unknown>>;
type ByTable<Value> = Readonly<Record<string, Value>>;

const mapped = <Value, Result>(tables: unknown, change: (value: Value) => Result): ByTable<Result> =>
  Object.fromEntries(Object.entries(tables as ByTable<Value>).map(([name, value]) => [name, change(value)]));

const batch =
  (change: (item: never) => unknown) =>
  (tables: unknown): unknown =>
    mapped(tables, ({ Keys, ...rest }: { Keys: readonly never[] }) => ({ ...rest, Keys: Keys.map(change) }));

/** The fields of inputs and outputs that contain items, and how each is converted. */
const INPUTS: Readonly<Record<string, (value: never) => unknown>> = {
  Key: marshall,
  Item: marshall,
  ExclusiveStartKey: marshall,
  ExpressionAttributeValues: marshall,
  RequestItems: batch(marshall),
};
const OUTPUTS: Readonly<Record<string, (value: never) => unknown>> = {
  Item: unmarshall,
  Attributes: unmarshall,
  LastEvaluatedKey: unmarshall,
  Items: (items: readonly never[]) => items.map(unmarshall),
  Responses: (tables: unknown) => mapped(tables, (items: readonly never[]) => items.map(unmarshall)),
  UnprocessedKeys: batch(unmarshall),
};

const converted = (body: Body, fields: typeof INPUTS): Body =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      value === undefined ? undefined : (fields[name]?.(value as never) ?? value),
    ]),
  );

/** A command of the document client. */
const command = (operation: string) =>
  class {
    readonly operation = operation;
    readonly input: Body;
    constructor(input: Body) {
      this.input = input;
    }
  };

export const BatchGetCommand = command('BatchGetItem');
export const DeleteCommand = command('DeleteItem');
export const GetCommand = command('GetItem');
export const PutCommand = command('PutItem');
export const QueryCommand = command('Query');
export const UpdateCommand = command('UpdateItem');

const SERVICE = {
  name: 'dynamodb',
  target: 'DynamoDB_20120810',
  contentType: 'application/x-amz-json-1.0',
} as const;

/** The client, as far as the store uses it. */
export class DynamoDBClient {
  readonly #calls: Calls;

  constructor(options: Options) {
    this.#calls = callsTo(SERVICE, options);
  }

  async send({ operation, input }: InstanceType<typeof GetCommand>): Promise<Body> {
    return converted(await this.#calls.call(operation, converted(input, INPUTS)), OUTPUTS);
  }

  destroy = (): void => this.#calls.destroy();
}

export const DynamoDBDocumentClient = { from: (client: DynamoDBClient): DynamoDBClient => client };
