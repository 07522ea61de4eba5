import type { DynamoDBRecord } from 'aws-lambda';
import fc from 'fast-check';
import { inParts } from '../../lambdas/consumers/in-parts.ts';

const ATTEMPTS = 3;

/**
 * What Lambda does with a batch whose mapping bisects, reports failed items and retries a few times
 * (docs.aws.amazon.com/lambda/latest/dg, "Configuring partial batch response with DynamoDB and Lambda"). Returns the
 * records of each batch that it gives up.
 */
const deliver = async (
  handler: ReturnType<typeof inParts>,
  Records: DynamoDBRecord[],
): Promise<DynamoDBRecord[][]> => {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      const { batchItemFailures } = await handler({ Records });
      const [first] = batchItemFailures;
      if (first === undefined) return [];
      const at = Records.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === first.itemIdentifier);
      if (at > 0) return deliver(handler, Records.slice(at));
    } catch {
      if (Records.length > 1) {
        const middle = Math.ceil(Records.length / 2);
        const given = await deliver(handler, Records.slice(0, middle));
        return [...given, ...(await deliver(handler, Records.slice(middle)))];
      }
    }
  }
  return [Records];
};

const recordOf = (sequence: number): DynamoDBRecord => ({
  dynamodb: {
    SequenceNumber: String(sequence),
    Keys: { pk: { S: 'ACCESS#p' }, sk: { S: String(sequence) } },
  },
});

test('a record that always fails is given up alone, and every other is consumed, in order', async () => {
  const records = fc
    .integer({ min: 1, max: 40 })
    .chain((length) => fc.tuple(fc.constant(length), fc.subarray(Array.from({ length }, (_, at) => at))));
  await fc.assert(
    fc.asyncProperty(records, async ([length, poisonous]) => {
      const consumed: number[] = [];
      const handler = inParts(async (part) => {
        const numbers = part.map(({ sequence }) => Number(sequence));
        if (numbers.some((each) => poisonous.includes(each))) throw new Error('poison');
        consumed.push(...numbers);
      });
      const batch = Array.from({ length }, (_, at) => recordOf(at));
      const given = await deliver(handler, batch);
      expect(given.map((each) => each.map(({ dynamodb }) => Number(dynamodb?.SequenceNumber)))).toEqual(
        poisonous.map((each) => [each]),
      );
      expect([...new Set(consumed)]).toEqual(
        batch.map((_, at) => at).filter((at) => !poisonous.includes(at)),
      );
    }),
  );
});
