import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { createSigner } from '../../lambdas/store/hot-sdk/signature.ts';

interface Request {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const REGION = 'eu-central-1';

/** What the SDK sends, signed by itself. */
const sentBy = async (send: (requestHandler: object) => Promise<unknown>): Promise<Request> => {
  let sent: Request | undefined;
  const handle = async (request: Request) => {
    sent = request;
    throw new Error('Nothing is sent.');
  };
  await send({ handle }).catch(() => undefined);
  if (sent === undefined) throw new Error('The SDK made no request.');
  return sent;
};

const NAMES = ['a', 'é\u{1f600}', 'x'.repeat(10_000)];

const clientsOf = (credentials: object) => {
  const options = { credentials: { ...KEYS, ...credentials }, region: REGION, maxAttempts: 1 };
  return {
    dynamodb: (requestHandler: object, text: string) =>
      new DynamoDBClient({ ...options, requestHandler: requestHandler as never }).send(
        new GetItemCommand({ TableName: 't', Key: { pk: { S: text } } }),
      ),
    kms: (requestHandler: object, text: string) =>
      new KMSClient({ ...options, requestHandler: requestHandler as never }).send(
        new EncryptCommand({ KeyId: 'k', Plaintext: Buffer.from(text) }),
      ),
  };
};

test.each([{}, { sessionToken: 'FwoGZXIvYXdzEXAMPLE//token==' }])(
  'requests have the signature of the SDK with %j',
  async (more) => {
    for (const [service, send] of Object.entries(clientsOf(more))) {
      const sign = createSigner(service, REGION);
      for (const text of NAMES) {
        const { headers, body } = await sentBy((handler) => send(handler, text));
        const { authorization = '', 'x-amz-date': date = '' } = headers;
        const names = /SignedHeaders=([^,]*)/.exec(authorization)?.[1]?.split(';') ?? [];
        const at = new Date(date.replace(/(....)(..)(..T..)(..)(..)/, '$1-$2-$3:$4:$5'));
        const signed = Object.fromEntries(names.map((name) => [name, headers[name] ?? '']));
        expect(sign(signed, body, { ...KEYS, ...more }, at)).toEqual({ ...signed, authorization });
      }
    }
  },
);

test('a new day and new credentials sign with another key', () => {
  const sign = createSigner('dynamodb', REGION);
  const of = (credentials: typeof KEYS, day: number) =>
    sign({ host: 'x' }, '', credentials, new Date(Date.UTC(2026, 10, day))).authorization;
  const other = { ...KEYS, secretAccessKey: 'other' };
  const all = [of(KEYS, 27), of(KEYS, 28), of(other, 28), of(KEYS, 28)];
  expect(new Set(all).size).toBe(3);
  expect(all[3]).toBe(all[1]);
  expect(all[1]).toBe(
    createSigner('dynamodb', REGION)({ host: 'x' }, '', KEYS, new Date(Date.UTC(2026, 10, 28))).authorization,
  );
});
