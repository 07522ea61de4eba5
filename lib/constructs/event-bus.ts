import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as events from 'aws-cdk-lib/aws-events';
import { ApiDestination } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Duration, Fn, SecretValue, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { EVENT_SOURCE } from '../../contract/events.ts';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import type { ActionsOn } from '../../contract/functions/grants.ts';
import type { StackSettings, Webhook } from '../settings.ts';
import { allowed, globalName } from './shared.ts';

/** How long events can be sent again. They contain e-mail addresses of operators. */
const ARCHIVE_DAYS = 30;

/** The bus with all changes, to which anyone in the account can add rules. */
export class EventBus extends Construct {
  readonly resource: events.EventBus;
  readonly stage: string;
  /** Names of the bus and of the rule of the webhook, separated by `|`. @default - there is no webhook */
  readonly webhookRule: string | undefined;
  /** Deliveries to the webhook that EventBridge gave up. @default - there is no webhook */
  readonly undelivered: cloudwatch.IMetric | undefined;

  constructor(scope: Construct, id: string, { stage, webhook }: Pick<StackSettings, 'stage' | 'webhook'>) {
    super(scope, id);
    this.stage = stage;
    this.resource = new events.EventBus(this, 'Resource', {
      eventBusName: globalName(this),
      description: `Changes of prompts, secrets and API keys of Cuevault ${stage}`,
    });
    this.resource.archive('Archive', {
      description: `Changes of Cuevault ${stage}, to be sent again`,
      eventPattern: { source: [EVENT_SOURCE] },
      retention: Duration.days(ARCHIVE_DAYS),
    });
    // The reference of a rule that is not on the default bus.
    this.webhookRule = webhook && (this.#notify(webhook).node.defaultChild as events.CfnRule).ref;
    this.undelivered = this.webhookRule === undefined ? undefined : this.#undelivered(this.webhookRule);
  }

  get arn(): string {
    return this.resource.eventBusArn;
  }

  /** Grants a function the actions and passes it the name of the bus. */
  grant(fn: LambdaFunction, actions: ActionsOn<'event-bus'>): void {
    fn.addToRolePolicy(allowed('events', actions, [this.arn]));
    fn.addEnvironment(ENVIRONMENT.eventBus, this.arn).addEnvironment(ENVIRONMENT.stage, this.stage);
  }

  #undelivered(rule: string): cloudwatch.IMetric {
    return new cloudwatch.Metric({
      namespace: 'AWS/Events',
      metricName: 'FailedInvocations',
      dimensionsMap: {
        EventBusName: this.resource.eventBusName,
        RuleName: Fn.select(1, Fn.split('|', rule)),
      },
      statistic: cloudwatch.Stats.SUM,
      period: Duration.minutes(5),
    });
  }

  #notify({ url, secret }: Webhook): events.Rule {
    const connection = new events.Connection(this, 'Connection', {
      authorization: events.Authorization.apiKey('authorization', SecretValue.secretsManager(secret)),
    });
    const destination = new events.ApiDestination(this, 'Webhook', { connection, endpoint: url });
    const target = events.ApiDestination.fromApiDestinationAttributes(this, 'Target', {
      apiDestinationArn: destination.apiDestinationArn,
      connection,
    });
    const rule = new events.Rule(this, 'WebhookRule', {
      description: 'Sends every change to the webhook',
      eventBus: this.resource,
      eventPattern: { source: [EVENT_SOURCE] },
      targets: [new ApiDestination(target, { event: events.RuleTargetInput.fromEventPath('$.detail') })],
    });
    Validations.of(rule).acknowledge({
      id: 'Serverless-EventBusDLQ',
      reason: 'EventBridge retries for 24 hours; every change is also in the audit log.',
    });
    return rule;
  }
}
