import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { ADDRESSES, addressed, attribute, synthesize } from './stack.ts';

const { webhookUrl, webhookSecret } = ADDRESSES;

test('without a webhook, events go only to the bus, which keeps those of the last 30 days to send them again', () => {
  const stack = synthesize();
  const bus = stack.only('AWS::Events::EventBus').logicalId;
  stack.template.resourceCountIs('AWS::Events::ApiDestination', 0);
  expect(stack.functionOf('metrics-get').environment).not.toHaveProperty(ENVIRONMENT.webhookRule);
  const archive = { SourceArn: attribute(bus), EventPattern: { source: ['cuevault'] } };
  expect(stack.only('AWS::Events::Archive').Properties).toMatchObject({ ...archive, RetentionDays: 30 });
  stack.template.hasOutput('EventBusArn', {});
});

test('a webhook gets every event, and its header comes from Secrets Manager', () => {
  const stack = addressed();
  expect(stack.only('AWS::Events::ApiDestination').Properties).toMatchObject({
    HttpMethod: 'POST',
    InvocationEndpoint: webhookUrl,
  });
  expect(stack.only('AWS::Events::Connection').Properties.AuthParameters).toEqual({
    ApiKeyAuthParameters: {
      ApiKeyName: 'authorization',
      ApiKeyValue: `{{resolve:secretsmanager:${webhookSecret}:SecretString:::}}`,
    },
  });
  const [ruleId, rule] =
    Object.entries(stack.resources('AWS::Events::Rule')).find(
      ([, { Properties }]) => Properties.EventPattern !== undefined,
    ) ?? [];
  expect(rule?.Properties).toMatchObject({
    EventPattern: { source: ['cuevault'] },
    EventBusName: { Ref: expect.stringMatching(/^EventBus/) },
    Targets: [{ InputPath: '$.detail' }],
  });
  expect(stack.functionOf('metrics-get').environment).toMatchObject({
    [ENVIRONMENT.webhookRule]: { Ref: ruleId },
  });
});

test.each([{ webhookUrl }, { webhookSecret }, { webhookSecret, webhookUrl: 'http://hooks.example.com' }])(
  'an incomplete webhook, or one without TLS, is rejected: %j',
  (context) => {
    expect(() => synthesize(context)).toThrow(/"webhook(Url|Secret)" must be/);
  },
);
