import { readFileSync } from 'node:fs';
import { PreTokenGenerationTriggerSchemaV2AndV3 } from '@aws-lambda-powertools/parser/schemas/cognito';
import { tokenWith } from '../support/operators.ts';
import { newPrompt } from '../support/rows/prompts.ts';
import { instance, withSharedInstance } from '../support/shared/instance.ts';

// biome-ignore lint/suspicious/noExplicitAny: what AWS sends
type Event = any;

const fixture = (name: string): Event =>
  JSON.parse(readFileSync(`test/vectors/events/${name}.json`, 'utf8')).event;

test('the documented event of a sign-in matches the published schema', () => {
  const { error } = PreTokenGenerationTriggerSchemaV2AndV3.safeParse(fixture('pre-token-generation'));
  expect(error).toBeUndefined();
});

describe('a documented event that is sent to a bundle', () => {
  withSharedInstance();

  const replyTo = async (operation: string, event: Event) => {
    const outcome: Event = await instance.invoke(operation, event);
    expect(outcome.reply.statusCode).toBe(200);
    return JSON.parse(outcome.reply.body).res;
  };

  test('of API Gateway fetches a prompt', async () => {
    const { apiKey } = await instance.newKey();
    const { name } = await newPrompt(instance.table);
    const event = fixture('http-api');
    event.headers.authorization = `Bearer ${apiKey}`;
    event.body = JSON.stringify({ name });
    expect((await replyTo('prompt-get-compiled', event)).name).toBe(name);
  });

  test('of API Gateway with the token of an operator reads a prompt', async () => {
    const { promptId } = await newPrompt(instance.table);
    const event = fixture('http-api-jwt');
    event.pathParameters.promptId = promptId;
    delete event.queryStringParameters;
    event.headers.authorization = `Bearer ${await tokenWith(instance)}`;
    expect((await replyTo('prompts-get', event)).prompt.promptId).toBe(promptId);
  });

  test.each(['usage-count', 'changes'])('of a foreign row changes nothing: %s', async (id) => {
    expect(await instance.invoke(id, fixture('stream'))).not.toHaveProperty('failure');
  });
});
