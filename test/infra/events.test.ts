import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { synthesize } from './stack.ts';

const WEBHOOK = { webhookUrl: 'https://hooks.example.com/x', webhookSecret: 'cuevault-webhook' };

test('without a webhook, events go only to the bus, which keeps those of the last 30 days to send them again', () => {
  const stack = synthesize();
  const bus = stack.only('AWS::Events::EventBus').logicalId;
  stack.template.resourceCountIs('AWS::Events::ApiDestination', 0);
  expect(stack.functionOf('metrics-get').environment).not.toHaveProperty(ENVIRONMENT.webhookRule);
  const archive = { SourceArn: { 'Fn::GetAtt': [bus, 'Arn'] }, EventPattern: { source: ['cuevault'] } };
  expect(stack.only('AWS::Events::Archive').Properties).toMatchObject({ ...archive, RetentionDays: 30 });
  stack.template.hasOutput('EventBusArn', {});
});

test('a webhook gets every event, and its header comes from Secrets Manager', () => {
  const stack = synthesize(WEBHOOK);
  expect(stack.only('AWS::Events::ApiDestination').Properties).toMatchObject({
    HttpMethod: 'POST',
    InvocationEndpoint: WEBHOOK.webhookUrl,
  });
  expect(stack.only('AWS::Events::Connection').Properties.AuthParameters).toEqual({
    ApiKeyAuthParameters: {
      ApiKeyName: 'authorization',
      ApiKeyValue: '{{resolve:secretsmanager:cuevault-webhook:SecretString:::}}',
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

test.each([
  { webhookUrl: WEBHOOK.webhookUrl },
  { webhookSecret: 'x' },
  { ...WEBHOOK, webhookUrl: 'http://hooks.example.com' },
])('an incomplete webhook, or one without TLS, is rejected: %j', (context) => {
  expect(() => synthesize(context)).toThrow(/"webhook(Url|Secret)" must be/);
});
